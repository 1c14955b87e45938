//! A token taken apart, before anything in it is believed.

use std::fmt;

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde_json::{Map, Value};

use crate::wire::scan::{Bounds, scan};

/// What is wrong with a token, for the log alone. It quotes nothing of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Flaw(pub(super) &'static str);

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// The three parts of a signed token (RFC 7515, section 7.1).
pub(super) struct Parts<'a> {
    pub(super) header: Map<String, Value>,
    pub(super) claims: Map<String, Value>,
    /// What the signature is over.
    pub(super) signed: &'a [u8],
    pub(super) signature: Vec<u8>,
}

impl<'a> Parts<'a> {
    pub(super) fn parse(token: &'a str) -> Result<Self, Flaw> {
        let parts: Vec<_> = token.splitn(4, '.').collect();
        let [header, claims, signature] = parts[..] else { return Err(Flaw("it has not three parts")) };
        Ok(Self {
            header: object(header)?,
            claims: object(claims)?,
            signed: &token.as_bytes()[..header.len() + 1 + claims.len()],
            signature: bytes(signature)?,
        })
    }
}

/// Base64url in its one form: no padding, no bits that stand for nothing.
pub(super) fn bytes(text: &str) -> Result<Vec<u8>, Flaw> {
    let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|_| Flaw("a part is no canonical base64url"))?;
    if bytes.is_empty() { Err(Flaw("a part is empty")) } else { Ok(bytes) }
}

fn object(part: &str) -> Result<Map<String, Value>, Flaw> {
    let bytes = bytes(part)?;
    scan(&bytes, &BOUNDS).map_err(|_| Flaw("a part is no JSON object, or says something twice"))?;
    serde_json::from_slice(&bytes).map_err(|_| Flaw("a part is no JSON object"))
}

const BOUNDS: Bounds = Bounds { depth: 16, values: 2_000, keys: 256, key_bytes: 256, number_bytes: 64 };
