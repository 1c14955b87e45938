//! What a client is told that has to show a token, or a better one (RFC 6750, section 3).

use http::HeaderValue;

use super::Reason;
use crate::{auth::Challenge, engine::Engine};

impl Reason {
    /// The `WWW-Authenticate` of a refusal.
    pub(crate) fn challenge(&self, engine: &Engine) -> Option<HeaderValue> {
        self.challenged(&engine.auth.as_ref()?.challenge)
    }

    fn challenged(&self, challenge: &Challenge) -> Option<HeaderValue> {
        match self {
            Self::TokenMissing => Some(challenge.missing()),
            Self::TokenMalformed => Some(challenge.malformed()),
            Self::TokenInvalid => Some(challenge.invalid()),
            Self::ScopeMissing { scopes } => Some(challenge.insufficient(scopes)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use http::StatusCode;

    use super::*;
    use crate::wire::{id::Id, names::code};

    #[test]
    fn a_missing_scope_is_forbidden_with_all_scopes_of_the_operation() {
        let reason = Reason::ScopeMissing { scopes: vec!["notes:read".into(), "notes:write".into()] };
        let id = Id::parse(bytes::Bytes::from_static(b"7"));

        let row = reason.row();
        let header = reason.challenged(&Challenge::none()).unwrap();
        let body = reason.of(id.as_ref()).body();

        assert_eq!((row.status, row.code), (StatusCode::FORBIDDEN, code::INVALID_REQUEST));
        assert_eq!(
            header,
            "Bearer error=\"insufficient_scope\", error_description=\"the operation needs more scopes\", \
             scope=\"notes:read notes:write\""
        );
        assert_eq!(
            String::from_utf8_lossy(&body),
            r#"{"jsonrpc":"2.0","id":7,"error":{"code":-32600,"message":"this needs the scopes notes:read notes:write"}}"#
        );
    }

    #[test]
    fn only_what_is_about_tokens_is_a_challenge() {
        for reason in [Reason::TokenUnchecked { retry_after: 1 }, Reason::HostDenied, Reason::ProcessFull] {
            assert_eq!(reason.challenged(&Challenge::none()), None);
        }
    }
}
