//! Everything that leaves the server and must come back unchanged.
//!
//! A stateless server hands its memory to the client: `requestState`, list cursors, legacy session ids, the ids of
//! elicitations. All of them are attacker-controlled when they return (basic/patterns/mrtr), so all of them are
//! tokens made and opened here, with the keys of one [`KeyRing`].
//!
//! A token is `<prefix>.<key id>.<body>.<tag>`, with body and tag in unpadded base64url:
//!
//! | prefix | body                                        | lives           |
//! |--------|---------------------------------------------|-----------------|
//! | `v1`   | issued ‖ expires ‖ nonce ‖ payload          | until `expires` |
//! | `v1e`  | issued ‖ expires ‖ nonce ‖ sealed payload   | until `expires` |
//! | `v1s`  | payload                                     | as its key      |
//!
//! The tag is the full HMAC-SHA-256, under a key of the purpose, over prefix, key id, purpose, body and every field
//! of the binding, each preceded by its length as a big-endian `u32`. The binding is what the token belongs to
//! (caller, method, target, digest of the arguments): it is recomputed from the live request and never stored in
//! the token, so that a forgotten field fails closed. No token names an algorithm.

mod cipher;
mod digest;
mod ring;
mod secret;
mod token;

use std::fmt;

pub(crate) use self::digest::{arguments_digest, json_digest};
pub use self::ring::KeyRing;
pub use self::secret::{Secret, SecretError};
use self::token::{Form, Token};

impl KeyRing {
    /// Makes a token that opens until `times.expires`, for the same purpose and binding only.
    ///
    /// The payload is encrypted where the purpose may hold what the client must not read, if the feature `encrypt`
    /// is on. The nonce must be fresh from a secure source of randomness: two payloads under one nonce give away
    /// their difference. It also names the token where a token may be used only once.
    ///
    /// # Errors
    ///
    /// [`TooLarge`] if the token would be longer than [`MAX_TOKEN_BYTES`] and could therefore never be opened.
    pub(crate) fn seal(
        &self,
        purpose: Purpose,
        binding: &[&[u8]],
        payload: &[u8],
        times: Times,
        nonce: [u8; 24],
    ) -> Result<String, TooLarge> {
        let keys = self.keys();
        let key = keys.signing();
        let hidden = if purpose.is_private() { cipher::hide(key, purpose, &nonce, payload) } else { None };
        match hidden {
            Some(hidden) => token::write(Form::Hidden, key, purpose, binding, &body(times, nonce, &hidden)),
            None => token::write(Form::Timed, key, purpose, binding, &body(times, nonce, payload)),
        }
    }

    /// Makes a token that anyone can read, that never expires, and that is the same each time: for list cursors, so
    /// that a page can be serialized once.
    ///
    /// # Errors
    ///
    /// [`TooLarge`] if the token would be longer than [`MAX_TOKEN_BYTES`].
    pub(crate) fn sign(
        &self,
        purpose: Purpose,
        binding: &[&[u8]],
        payload: &[u8],
    ) -> Result<String, TooLarge> {
        token::write(Form::Lasting, self.keys().signing(), purpose, binding, payload)
    }

    /// Opens what [`KeyRing::seal`] made, if nothing about it has changed and its time is now.
    ///
    /// # Errors
    ///
    /// An [`OpenError`] with the reason, for the log only: the client gets one answer for all of them.
    pub(crate) fn open(
        &self,
        purpose: Purpose,
        binding: &[&[u8]],
        token: &str,
        now: u64,
    ) -> Result<Opened, OpenError> {
        let token = Token::read(token)?;
        if token.form == Form::Lasting {
            return Err(OpenError::Shape);
        }
        let keys = self.keys();
        let key = keys.find(token.key_id).ok_or(OpenError::UnknownKey)?;
        token.verify(key, purpose, binding)?;

        let (issued, rest) = token.body.split_first_chunk().ok_or(OpenError::Shape)?;
        let (expires, rest) = rest.split_first_chunk().ok_or(OpenError::Shape)?;
        let (nonce, payload) = rest.split_first_chunk().ok_or(OpenError::Shape)?;
        let times = Times { issued: u64::from_be_bytes(*issued), expires: u64::from_be_bytes(*expires) };
        times.check(now)?;

        let payload = match token.form {
            Form::Hidden => cipher::reveal(key, purpose, nonce, payload).ok_or(OpenError::Unreadable)?,
            Form::Timed | Form::Lasting => payload.to_vec(),
        };
        Ok(Opened { payload, issued: times.issued, expires: times.expires, nonce: *nonce, key_id: key.id() })
    }

    /// Opens what [`KeyRing::sign`] made, if nothing about it has changed.
    ///
    /// # Errors
    ///
    /// An [`OpenError`] with the reason, for the log only.
    pub(crate) fn open_signed(
        &self,
        purpose: Purpose,
        binding: &[&[u8]],
        token: &str,
    ) -> Result<Vec<u8>, OpenError> {
        let token = Token::read(token)?;
        if token.form != Form::Lasting {
            return Err(OpenError::Shape);
        }
        let keys = self.keys();
        let key = keys.find(token.key_id).ok_or(OpenError::UnknownKey)?;
        token.verify(key, purpose, binding)?;
        Ok(token.body)
    }
}

fn body(times: Times, nonce: [u8; 24], payload: &[u8]) -> Vec<u8> {
    let mut body = Vec::with_capacity(40 + payload.len());
    body.extend_from_slice(&times.issued.to_be_bytes());
    body.extend_from_slice(&times.expires.to_be_bytes());
    body.extend_from_slice(&nonce);
    body.extend_from_slice(payload);
    body
}

/// What a token is for. A token of one purpose never opens for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    RequestState,
    Cursor,
    Session,
    Elicitation,
    Handle,
}

impl Purpose {
    const ALL: [Self; 5] = [Self::RequestState, Self::Cursor, Self::Session, Self::Elicitation, Self::Handle];

    fn name(self) -> &'static [u8] {
        match self {
            Self::RequestState => b"request-state",
            Self::Cursor => b"cursor",
            Self::Session => b"session",
            Self::Elicitation => b"elicitation",
            Self::Handle => b"handle",
        }
    }

    fn is_private(self) -> bool {
        match self {
            Self::RequestState | Self::Session | Self::Elicitation | Self::Handle => true,
            Self::Cursor => false,
        }
    }
}

/// From when until when a token opens, in seconds since 1970 by the server's clock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Times {
    pub(crate) issued: u64,
    pub(crate) expires: u64,
}

impl Times {
    fn check(self, now: u64) -> Result<(), OpenError> {
        if self.issued > now.saturating_add(MAX_SKEW_SECONDS) {
            return Err(OpenError::NotYet);
        }
        if now >= self.expires {
            return Err(OpenError::Expired);
        }
        Ok(())
    }
}

/// What was in a token that is ours, unchanged and in time.
pub(crate) struct Opened {
    pub(crate) payload: Vec<u8>,
    pub(crate) issued: u64,
    pub(crate) expires: u64,
    pub(crate) nonce: [u8; 24],
    pub(crate) key_id: String,
}

impl fmt::Debug for Opened {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The payload may hold a user's answers, which no log should.
        f.debug_struct("Opened")
            .field("bytes", &self.payload.len())
            .field("issued", &self.issued)
            .field("expires", &self.expires)
            .field("key_id", &self.key_id)
            .finish_non_exhaustive()
    }
}

/// Why a token did not open. For the log: on the wire all reasons are one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OpenError {
    TooLong,
    Shape,
    UnknownKey,
    Forged,
    NotYet,
    Expired,
    Unreadable,
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TooLong => "the token is longer than 8192 bytes",
            Self::Shape => "the text is not a token of this kind",
            Self::UnknownKey => "the token names a key that is not in the ring",
            Self::Forged => "the token was changed, or belongs to another caller, request or purpose",
            Self::NotYet => "the token was issued more than 60 s in the future: compare the servers' clocks",
            Self::Expired => "the token has expired",
            Self::Unreadable => {
                "the token is encrypted and this build cannot decrypt: turn on feature `encrypt`"
            }
        })
    }
}

impl std::error::Error for OpenError {}

/// A payload that does not fit in a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooLarge {
    /// How long the token would have been.
    pub(crate) bytes: usize,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a token of {} bytes is over the limit of {MAX_TOKEN_BYTES}: keep less in it", self.bytes)
    }
}

impl std::error::Error for TooLarge {}

/// The longest token that is made or read, in bytes of text.
pub(crate) const MAX_TOKEN_BYTES: usize = 8 * 1024;

/// How far the clocks of two servers may differ.
const MAX_SKEW_SECONDS: u64 = 60;

#[cfg(test)]
mod tests;
