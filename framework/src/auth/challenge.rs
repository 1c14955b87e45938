//! What a client is told that has no token, or the wrong one (RFC 6750, section 3; RFC 9728, section 5.1).

use http::HeaderValue;

use super::resource::Resource;
use crate::caller::scope_fault;

/// The parts of `WWW-Authenticate` that are the same for every request.
pub(crate) struct Challenge {
    metadata: Option<String>,
    scopes: Vec<String>,
}

impl Challenge {
    pub(super) fn new(resource: Option<&Resource>, scopes: &[String]) -> Self {
        Self { metadata: resource.map(Resource::metadata_url), scopes: scopes.to_vec() }
    }

    #[cfg(test)]
    pub(crate) const fn none() -> Self {
        Self { metadata: None, scopes: Vec::new() }
    }

    /// There was no token. An error would say that there was one (RFC 6750, section 3.1).
    pub(crate) fn missing(&self) -> HeaderValue {
        self.header(None, &self.scopes)
    }

    /// The token is no good, for whatever reason.
    pub(crate) fn invalid(&self) -> HeaderValue {
        self.header(Some(("invalid_token", "the token is invalid or has expired")), &self.scopes)
    }

    /// The token came in a way that no token may come.
    pub(crate) fn malformed(&self) -> HeaderValue {
        let text = "send one token, in one Authorization header, as Bearer";
        self.header(Some(("invalid_request", text)), &self.scopes)
    }

    /// The token is good, and the operation needs all of these scopes.
    pub(crate) fn insufficient(&self, scopes: &[String]) -> HeaderValue {
        self.header(Some(("insufficient_scope", "the operation needs more scopes")), scopes)
    }

    fn header(&self, error: Option<(&str, &str)>, scopes: &[String]) -> HeaderValue {
        let mut parts = Vec::new();
        if let Some((error, description)) = error {
            parts.push(format!("error={}", quoted(error)));
            parts.push(format!("error_description={}", quoted(description)));
        }
        if let Some(metadata) = &self.metadata {
            parts.push(format!("resource_metadata={}", quoted(metadata)));
        }
        let scopes: Vec<_> =
            scopes.iter().map(String::as_str).filter(|it| scope_fault(it).is_none()).collect();
        if !scopes.is_empty() {
            parts.push(format!("scope={}", quoted(&scopes.join(" "))));
        }
        let text = if parts.is_empty() { "Bearer".into() } else { format!("Bearer {}", parts.join(", ")) };
        HeaderValue::from_str(&text).unwrap_or(HeaderValue::from_static("Bearer"))
    }
}

/// A quoted string (RFC 9110, section 5.6.4), of printable ASCII alone.
fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for it in text.chars().filter(|it| (' '..='~').contains(it)) {
        if matches!(it, '"' | '\\') {
            out.push('\\');
        }
        out.push(it);
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn challenge(scopes: &[&str]) -> Challenge {
        let resource = Resource::parse("https://notes.example.com/mcp").unwrap();
        Challenge::new(Some(&resource), &owned(scopes))
    }

    fn owned(all: &[&str]) -> Vec<String> {
        all.iter().map(|it| (*it).to_owned()).collect()
    }

    #[test]
    fn a_challenge_names_the_metadata_and_the_scopes() {
        assert_eq!(
            challenge(&["a", "b:c"]).missing(),
            "Bearer resource_metadata=\"https://notes.example.com/.well-known/oauth-protected-resource/mcp\", \
             scope=\"a b:c\""
        );
    }

    #[test]
    fn a_missing_scope_is_answered_with_all_that_the_operation_needs() {
        assert_eq!(
            challenge(&["a"]).insufficient(&owned(&["a", "b", "offline_access", "no scope"])),
            "Bearer error=\"insufficient_scope\", error_description=\"the operation needs more scopes\", \
             resource_metadata=\"https://notes.example.com/.well-known/oauth-protected-resource/mcp\", \
             scope=\"a b\""
        );
    }

    #[test]
    fn without_metadata_and_scopes_nothing_but_the_scheme_is_said() {
        assert_eq!(Challenge::none().missing(), "Bearer");
    }

    #[test]
    fn nothing_leaves_a_quoted_string() {
        assert_eq!(quoted("a\"b\\c\r\nd\u{e4}"), "\"a\\\"b\\\\cd\"");
    }
}
