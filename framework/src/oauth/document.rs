//! A client as its own document describes it, checked.

use bytes::Bytes;
use serde_json::{Map, Value, json};

use crate::seal::json_digest;

use super::{
    claims::Claims,
    redirect::{Ports, Redirect},
};

/// A Client ID Metadata Document that was fetched from its own client id, and is valid
/// (draft-ietf-oauth-client-id-metadata-document-01, section 4.1).
///
/// Everything in it is what the client says about itself. Only the host of the client id is proven: show
/// [`host`](Self::host) where the user consents, together with where the answer goes
/// ([`redirect_host`](Self::redirect_host)), and warn when [`is_loopback_only`](Self::is_loopback_only).
#[derive(Clone, Debug)]
pub struct ClientDocument {
    client_id: String,
    host: String,
    client_name: String,
    redirects: Vec<Redirect>,
    ports: Ports,
    auth_method: AuthMethod,
    fingerprint: [u8; 32],
    bytes: Bytes,
}

/// How a client proves itself at the token endpoint. There is no shared secret, so none of its methods is here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AuthMethod {
    /// `none`, or the document does not say: a public client. PKCE protects it, nothing proves it.
    None,
    /// `private_key_jwt` (OpenID Connect Core, section 9), with the keys of the document.
    PrivateKeyJwt,
    /// `tls_client_auth` (RFC 8705, section 2.1).
    TlsClientAuth,
    /// `self_signed_tls_client_auth` (RFC 8705, section 2.2), with the keys of the document.
    SelfSignedTlsClientAuth,
}

impl AuthMethod {
    /// As it is spelt in metadata.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::PrivateKeyJwt => "private_key_jwt",
            Self::TlsClientAuth => "tls_client_auth",
            Self::SelfSignedTlsClientAuth => "self_signed_tls_client_auth",
        }
    }

    fn parse(text: &str) -> Option<Self> {
        let all = [Self::None, Self::PrivateKeyJwt, Self::TlsClientAuth, Self::SelfSignedTlsClientAuth];
        all.into_iter().find(|it| it.as_str() == text)
    }
}

/// What an authorization server accepts in a document.
#[derive(Debug)]
pub(super) struct Accepts {
    pub(super) redirect_schemes: Vec<String>,
    pub(super) ports: Ports,
}

impl ClientDocument {
    /// Checks what was fetched from `client_id`, whose host is `host`. The error is for the client's developer.
    pub(super) fn parse(
        client_id: &str,
        host: &str,
        bytes: Bytes,
        accepts: &Accepts,
    ) -> Result<Self, String> {
        let members: Map<String, Value> =
            serde_json::from_slice(&bytes).map_err(|_| "it is not a JSON object".to_owned())?;
        let claims = Claims(&members);
        if claims.required_text("client_id")? != client_id {
            return Err("`client_id` is not the URL that the document was fetched from".into());
        }
        for secret in ["client_secret", "client_secret_expires_at"] {
            if members.contains_key(secret) {
                return Err(format!("`{secret}` must not be in a public document"));
            }
        }
        for link in ["client_uri", "logo_uri", "tos_uri", "policy_uri", "jwks_uri"] {
            check_link(&claims, link)?;
        }
        let auth_method = auth_method(&claims)?;
        let redirects = redirects(&claims, accepts)?;
        claims.texts("grant_types")?;
        claims.texts("response_types")?;
        claims.text("scope")?;
        Ok(Self {
            client_id: client_id.to_owned(),
            host: host.to_owned(),
            client_name: client_name(&claims)?,
            fingerprint: fingerprint(&redirects, auth_method, &members),
            redirects,
            ports: accepts.ports,
            auth_method,
            bytes,
        })
    }

    /// The client id: the URL of the document.
    #[must_use]
    pub fn client_id(&self) -> &str {
        &self.client_id
    }

    /// The host of the client id, the only thing about the client that is proven. Show it where the user consents
    /// (draft, section 6.4). An international name is in its ASCII form.
    #[must_use]
    pub fn host(&self) -> &str {
        &self.host
    }

    /// What the client calls itself. It has no control characters and none that change the direction of the text.
    /// It may be the name of somebody else.
    #[must_use]
    pub fn client_name(&self) -> &str {
        &self.client_name
    }

    /// The redirect URIs, in the order of the document; at least one. Ask [`allows_redirect`](Self::allows_redirect)
    /// about the one in a request.
    pub fn redirect_uris(&self) -> impl ExactSizeIterator<Item = &str> {
        self.redirects.iter().map(|it| it.uri.as_str())
    }

    /// Whether the user may be sent to this URI: it is in the document, byte for byte (RFC 9700, section 4.1.3).
    ///
    /// If [`any_loopback_port`](super::ClientDocumentsBuilder::any_loopback_port) is set, the port of an `http` URI on
    /// this machine may be another one.
    #[must_use]
    pub fn allows_redirect(&self, uri: &str) -> bool {
        self.redirect(uri).is_some()
    }

    /// The host to show for a redirect URI of a request, or the scheme of an app; `None` when the URI is not allowed.
    ///
    /// It must be shown where the user consents (specification 2026-07-28,
    /// `basic/authorization/security-considerations`).
    #[must_use]
    pub fn redirect_host(&self, uri: &str) -> Option<&str> {
        self.redirect(uri).map(Redirect::shown)
    }

    fn redirect(&self, uri: &str) -> Option<&Redirect> {
        self.redirects.iter().find(|it| it.allows(uri, self.ports))
    }

    /// Whether every redirect leads to the user's own machine. Any program there can then imitate this client: warn
    /// the user.
    #[must_use]
    pub fn is_loopback_only(&self) -> bool {
        self.redirects.iter().all(Redirect::is_loopback)
    }

    /// How the client proves itself at the token endpoint.
    #[must_use]
    pub fn token_endpoint_auth_method(&self) -> AuthMethod {
        self.auth_method
    }

    /// The client's public keys, if they are in the document: an object with `keys`, none of them secret.
    #[must_use]
    pub fn jwks(&self) -> Option<Value> {
        self.metadata().remove("jwks")
    }

    /// Where the client's public keys are, if they are elsewhere. It was not fetched.
    #[must_use]
    pub fn jwks_uri(&self) -> Option<String> {
        self.owned("jwks_uri")
    }

    /// The client's logo, an `https` URL. It was not fetched and must not be linked to: fetch it once, look at it and
    /// serve the copy (draft, section 6.7).
    #[must_use]
    pub fn logo_uri(&self) -> Option<String> {
        self.owned("logo_uri")
    }

    fn owned(&self, name: &str) -> Option<String> {
        Claims(&self.metadata()).text(name).ok().flatten().map(ToOwned::to_owned)
    }

    /// All members, also those that nothing here looks at. Read anew at every call; only the bytes are kept.
    #[must_use]
    pub fn metadata(&self) -> Map<String, Value> {
        serde_json::from_slice(&self.bytes).expect("it was read when it came")
    }

    /// A digest of what a consent rests on: the redirect URIs in any order, the keys or where they are, and the
    /// method of authentication.
    ///
    /// Keep it with the consent. When it is another one, ask the user again, and think about revoking the client's
    /// tokens (draft, section 6.3). Keys that change behind the same `jwks_uri` do not change it.
    #[must_use]
    pub fn fingerprint(&self) -> [u8; 32] {
        self.fingerprint
    }

    /// About how many bytes it takes in memory.
    pub(super) fn cost(&self) -> usize {
        const BLOCK: usize = 64;
        let redirects = self.redirects.iter().map(|it| 2 * (it.uri.len() + BLOCK)).sum::<usize>();
        let texts = self.client_id.len() + self.host.len() + self.client_name.len();
        size_of::<Self>() + self.bytes.len() + texts + 4 * BLOCK + redirects
    }
}

fn check_link(claims: &Claims<'_>, name: &str) -> Result<(), String> {
    let Some(text) = claims.text(name)? else { return Ok(()) };
    match url::Url::parse(text) {
        Ok(url) if url.scheme() == "https" && url.username().is_empty() && url.password().is_none() => Ok(()),
        _ => Err(format!("`{name}` is not an `https` URL")),
    }
}

fn client_name(claims: &Claims<'_>) -> Result<String, String> {
    let name = claims.required_text("client_name")?;
    let is_misleading = |it: char| {
        it.is_control()
            || matches!(it, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    if name.trim().is_empty() {
        return Err("`client_name` is empty".into());
    }
    if name.contains(is_misleading) {
        return Err("`client_name` has characters that control how text is shown".into());
    }
    Ok(name.to_owned())
}

fn redirects(claims: &Claims<'_>, accepts: &Accepts) -> Result<Vec<Redirect>, String> {
    let all = claims.texts("redirect_uris")?.ok_or("`redirect_uris` is missing")?;
    if all.is_empty() {
        return Err("`redirect_uris` is empty".into());
    }
    let parse = |(place, text): (usize, &&str)| {
        Redirect::parse(text, &accepts.redirect_schemes)
            .map_err(|why| format!("the redirect URI number {} {why}", place + 1))
    };
    all.iter().enumerate().map(parse).collect()
}

/// The draft has no shared secret, so the usual default of RFC 7591, `client_secret_basic`, cannot be meant.
fn auth_method(claims: &Claims<'_>) -> Result<AuthMethod, String> {
    let text = claims.text("token_endpoint_auth_method")?.unwrap_or("none");
    let method = AuthMethod::parse(text)
        .ok_or("`token_endpoint_auth_method` is not one that works without a shared secret")?;
    let algorithm = claims.text("token_endpoint_auth_signing_alg")?;
    if algorithm.is_some_and(|it| it == "none" || it.starts_with("HS")) {
        return Err("`token_endpoint_auth_signing_alg` needs a shared secret, or signs nothing".into());
    }
    let keys = claims.0.get("jwks");
    match (keys, claims.text("jwks_uri")?) {
        (Some(_), Some(_)) => return Err("`jwks` and `jwks_uri` must not be there both".into()),
        (None, None) if matches!(method, AuthMethod::PrivateKeyJwt | AuthMethod::SelfSignedTlsClientAuth) => {
            return Err(format!("`{}` needs `jwks` or `jwks_uri`", method.as_str()));
        }
        _ => {}
    }
    keys.map_or(Ok(()), check_keys)?;
    Ok(method)
}

/// Public keys only: a document that everybody can read must not hold what proves the client.
fn check_keys(keys: &Value) -> Result<(), String> {
    let keys =
        keys.get("keys").and_then(Value::as_array).ok_or("`jwks` is not an object with an array `keys`")?;
    for key in keys {
        let key = key.as_object().ok_or("a key in `jwks` is not an object")?;
        let is_secret = key.get("kty").and_then(Value::as_str) == Some("oct")
            || ["k", "d", "p", "q", "dp", "dq", "qi", "oth", "priv"].iter().any(|it| key.contains_key(*it));
        if is_secret {
            return Err("`jwks` has a secret key".into());
        }
        if !key.get("kty").is_some_and(Value::is_string) {
            return Err("a key in `jwks` has no `kty`".into());
        }
    }
    Ok(())
}

fn fingerprint(redirects: &[Redirect], method: AuthMethod, members: &Map<String, Value>) -> [u8; 32] {
    let mut uris: Vec<_> = redirects.iter().map(|it| it.uri.as_str()).collect();
    uris.sort_unstable();
    uris.dedup();
    json_digest(&json!({
        "redirect_uris": uris,
        "token_endpoint_auth_method": method.as_str(),
        "jwks": members.get("jwks"),
        "jwks_uri": members.get("jwks_uri"),
    }))
}
