//! Looks at an authorization server as an MCP client would.

use std::{borrow::Cow, sync::Arc};

use serde_json::{Map, Value};
use url::Url;

use crate::fetch::{Demand, FetchPolicy, Fetcher, Network, is_loopback_host};

use super::{
    claims::Claims,
    issuer::metadata_urls,
    report::{Finding, Report, Severity},
};

/// Fetches the metadata of an authorization server (RFC 8414, or OpenID Connect Discovery 1.0) and tells what MCP
/// clients would miss in it (specification 2026-07-28, `basic/authorization`).
///
/// For the operator, at start or from the command line: the report tells what went wrong in the network too, so do not
/// show it to strangers. It takes at most 5 s for each of two or three places.
///
/// The rules: `as-issuer-url`, `as-policy`, `as-unreachable`, `as-issuer`, `as-endpoint`, `as-https`, `as-pkce`,
/// `as-client-documents`, `as-iss`, `as-registration`, `as-keys`.
///
/// ```no_run
/// use std::sync::Arc;
/// use tollgate::oauth::{FetchPolicy, OsNetwork, check_authorization_server};
///
/// # async fn check() {
/// let network = Arc::new(OsNetwork::new());
/// println!("{}", check_authorization_server("https://auth.example.com", network, FetchPolicy::new()).await);
/// # }
/// ```
pub async fn check_authorization_server(
    issuer: &str,
    network: Arc<dyn Network>,
    policy: FetchPolicy,
) -> Report {
    let mut report = Report { issuer: issuer.to_owned(), metadata_url: None, findings: Vec::new() };
    let found = match metadata_urls(issuer) {
        Err(why) => {
            Err(error("as-issuer-url", format!("the issuer is not allowed: {why}; it is an `https` URL")))
        }
        Ok(urls) => match Fetcher::new(network, policy) {
            Err(why) => Err(error("as-policy", format!("nothing can be fetched: {why}"))),
            Ok(fetcher) => find(&fetcher, urls).await,
        },
    };
    match found {
        Err(finding) => report.findings.push(finding),
        Ok((url, metadata)) => {
            report.metadata_url = Some(url);
            report.findings = judge(issuer, &metadata);
        }
    }
    report
}

/// The first place that has a document.
async fn find(fetcher: &Fetcher, urls: Vec<String>) -> Result<(String, Map<String, Value>), Finding> {
    let mut tried = Vec::new();
    for url in urls {
        match fetcher.get(&url, &Demand::metadata()).await {
            Err(why) => tried.push(format!("{url} ({})", why.cause())),
            Ok(document) => match serde_json::from_slice(&document.bytes) {
                Err(why) => tried.push(format!("{url} ({why})")),
                Ok(metadata) => return Ok((url, metadata)),
            },
        }
    }
    let text = format!("no metadata was found; serve it at the first of these: {}", tried.join(", "));
    Err(error("as-unreachable", text))
}

fn judge(issuer: &str, metadata: &Map<String, Value>) -> Vec<Finding> {
    let claims = Claims(metadata);
    // Clients must not use the rest (RFC 8414, section 3.3), so there is nothing to say about it.
    match claims.text("issuer") {
        Ok(Some(stated)) if stated == issuer => {}
        Ok(Some(stated)) => {
            let text = format!(
                "the metadata says that its issuer is {stated:?}: use exactly that text as the issuer here, if it is \
                 your server"
            );
            return vec![error("as-issuer", text)];
        }
        Ok(None) | Err(_) => {
            return vec![error("as-issuer", "the metadata does not say its `issuer`: add it")];
        }
    }
    let checks = [endpoints, https, pkce, client_documents, iss, registration, keys];
    checks.into_iter().flat_map(|check| check(&claims)).collect()
}

fn endpoints(claims: &Claims<'_>) -> Vec<Finding> {
    let missing = ["authorization_endpoint", "token_endpoint"].into_iter();
    let missing = missing.filter(|it| !matches!(claims.text(it), Ok(Some(_))));
    missing.map(|it| error("as-endpoint", format!("`{it}` is missing: clients cannot get a token"))).collect()
}

fn https(claims: &Claims<'_>) -> Vec<Finding> {
    let urls = claims.0.iter().filter(|(name, _)| name.ends_with("_endpoint") || *name == "jwks_uri");
    let urls = urls.filter_map(|(name, value)| Some((name, value.as_str()?)));
    let findings = urls.filter_map(|(name, text)| match Url::parse(text) {
        Ok(url) if url.scheme() == "https" => None,
        Ok(url) if url.scheme() == "http" && url.host_str().is_some_and(is_loopback_host) => {
            Some(warning("as-https", format!("`{name}` is on this machine: good for development only")))
        }
        _ => Some(error("as-https", format!("`{name}` is not an `https` URL: serve it over TLS"))),
    });
    findings.collect()
}

fn pkce(claims: &Claims<'_>) -> Vec<Finding> {
    let text = match claims.texts("code_challenge_methods_supported") {
        Ok(Some(methods)) if methods.contains(&"S256") => return Vec::new(),
        Ok(Some(_)) => {
            "`code_challenge_methods_supported` does not have `S256`: support it, MCP clients use no other"
        }
        Ok(None) => {
            "`code_challenge_methods_supported` is missing: MCP clients must refuse then; support PKCE and state `S256`"
        }
        Err(_) => "`code_challenge_methods_supported` is not an array of strings: state `[\"S256\"]`",
    };
    vec![error("as-pkce", text)]
}

fn client_documents(claims: &Claims<'_>) -> Vec<Finding> {
    if claims.is_true("client_id_metadata_document_supported") {
        return Vec::new();
    }
    let text = "`client_id_metadata_document_supported` is not true: users of unknown clients have to register them \
                by hand; support Client ID Metadata Documents and state it";
    vec![warning("as-client-documents", text)]
}

fn iss(claims: &Claims<'_>) -> Vec<Finding> {
    if claims.is_true("authorization_response_iss_parameter_supported") {
        return Vec::new();
    }
    let text = "`authorization_response_iss_parameter_supported` is not true: send `iss` in authorization responses \
                (RFC 9207) and state it, so that clients can tell servers apart";
    vec![warning("as-iss", text)]
}

fn registration(claims: &Claims<'_>) -> Vec<Finding> {
    if !claims.0.contains_key("registration_endpoint") {
        return Vec::new();
    }
    let text = "`registration_endpoint` is published: dynamic registration is deprecated, and an open one fills with \
                junk; ask for an initial access token, or turn it off once clients use client documents";
    vec![warning("as-registration", text)]
}

fn keys(claims: &Claims<'_>) -> Vec<Finding> {
    if matches!(claims.text("jwks_uri"), Ok(Some(_))) {
        return Vec::new();
    }
    let text = "`jwks_uri` is missing: tokens that are JWTs cannot be validated; publish the keys";
    vec![warning("as-keys", text)]
}

fn error(rule: &'static str, text: impl Into<Cow<'static, str>>) -> Finding {
    Finding { rule, severity: Severity::Error, text: text.into() }
}

fn warning(rule: &'static str, text: impl Into<Cow<'static, str>>) -> Finding {
    Finding { rule, severity: Severity::Warning, text: text.into() }
}
