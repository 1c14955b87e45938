//! The caller by its token (RFC 6750).

use std::{sync::Arc, time::SystemTime};

use super::{
    super::headers::{Once, bearer},
    Identified, Reason,
};
use crate::auth::{Authority, TokenError};

/// Knows the caller at once if the token was checked a moment ago.
pub(super) fn identify(
    auth: &Arc<Authority>,
    header: &Once,
    has_token_in_query: bool,
    now: SystemTime,
) -> Result<Identified, Reason> {
    if has_token_in_query {
        return Err(Reason::TokenMalformed);
    }
    let token = token(header)?;
    if let Some(caller) = auth.recall(token, now) {
        return Ok(Identified::Now(caller));
    }
    // What was checked before needs no second look at its letters.
    let letters = std::str::from_utf8(token).ok().filter(|it| it.bytes().all(|it| it.is_ascii_graphic()));
    let (auth, token) = (auth.clone(), letters.ok_or(Reason::TokenMalformed)?.to_owned());
    Ok(Identified::Later(Box::pin(async move { auth.check(&token, now).await.map_err(refused) })))
}

/// One field, one scheme, one token. Another scheme is no token at all (RFC 6750, section 3.1).
fn token(header: &Once) -> Result<&[u8], Reason> {
    let value = header.bytes().map_err(|()| Reason::TokenMalformed)?.ok_or(Reason::TokenMissing)?;
    let token = bearer(value).ok_or(Reason::TokenMissing)?;
    if token.is_empty() { Err(Reason::TokenMalformed) } else { Ok(token) }
}

fn refused(error: TokenError) -> Reason {
    match error {
        TokenError::Invalid => Reason::TokenInvalid,
        TokenError::Unavailable { retry_after } => Reason::TokenUnchecked {
            retry_after: u8::try_from(retry_after.as_secs()).unwrap_or(u8::MAX).max(1),
        },
    }
}
