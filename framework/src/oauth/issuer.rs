//! Where the metadata of an authorization server is.

use url::Url;

/// The URLs to ask, in the order that MCP clients use (specification 2026-07-28,
/// `basic/authorization/authorization-server-discovery`).
///
/// # Errors
/// When the issuer is no URL, or has a query or fragment (RFC 8414, section 2).
pub(crate) fn metadata_urls(issuer: &str) -> Result<Vec<String>, &'static str> {
    let url = Url::parse(issuer).map_err(|_| "it is no URL")?;
    if url.query().is_some() || url.fragment().is_some() {
        return Err("it has a query or a fragment");
    }
    if !matches!(url.scheme(), "https" | "http") {
        return Err("its scheme is not `https`");
    }
    // The authority as the issuer spells it, so that the fetcher judges it.
    let after_scheme = issuer.find("://").map_or(0, |at| at + 3);
    let authority_end = issuer[after_scheme..].find('/').map_or(issuer.len(), |at| after_scheme + at);
    let (origin, path) = issuer.split_at(authority_end);
    Ok(match path.strip_suffix('/').unwrap_or(path) {
        "" => vec![
            format!("{origin}/.well-known/oauth-authorization-server"),
            format!("{origin}/.well-known/openid-configuration"),
        ],
        path => vec![
            format!("{origin}/.well-known/oauth-authorization-server{path}"),
            format!("{origin}/.well-known/openid-configuration{path}"),
            format!("{origin}{path}/.well-known/openid-configuration"),
        ],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_issuer_without_a_path_has_two_places() {
        let expected = [
            "https://auth.example.com/.well-known/oauth-authorization-server",
            "https://auth.example.com/.well-known/openid-configuration",
        ];

        assert_eq!(metadata_urls("https://auth.example.com").unwrap(), expected);
        assert_eq!(metadata_urls("https://auth.example.com/").unwrap(), expected);
    }

    #[test]
    fn an_issuer_with_a_path_has_three() {
        let expected = [
            "https://auth.example.com/.well-known/oauth-authorization-server/tenant1",
            "https://auth.example.com/.well-known/openid-configuration/tenant1",
            "https://auth.example.com/tenant1/.well-known/openid-configuration",
        ];

        assert_eq!(metadata_urls("https://auth.example.com/tenant1").unwrap(), expected);
        assert_eq!(metadata_urls("https://auth.example.com/tenant1/").unwrap(), expected);
    }

    #[test]
    fn what_is_no_issuer_has_none() {
        for issuer in ["", "auth", "https://a.example?x", "https://a.example/#", "ftp://a.example"] {
            assert!(metadata_urls(issuer).is_err(), "{issuer}");
        }
    }
}
