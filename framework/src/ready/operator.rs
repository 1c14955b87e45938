//! The credential of operators, who may learn more than callers.

use std::fmt;

use sha2::{Digest, Sha256};

/// What an operator shows as a bearer token to [`Server::preflight_api`](crate::Server::preflight_api), to learn what
/// callers do not: hashes, scopes, names of servers, and the errors of connections.
///
/// Only its digest is kept.
#[derive(Clone)]
pub struct OperatorKey([u8; 32]);

/// Why a text cannot be the key of operators.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a key is missing, or is none")]
pub enum OperatorKeyError {
    /// The environment variable of this name is not set.
    Missing(String),
    /// It has less than 32 characters, or others than visible ASCII.
    Unfit,
}

/// Characters of a key at least.
const LEAST: usize = 32;

impl OperatorKey {
    /// Takes a key of 32 or more visible ASCII characters, such as `openssl rand -hex 32` makes.
    ///
    /// # Errors
    /// [`OperatorKeyError::Unfit`] for any other text.
    pub fn new(key: &str) -> Result<Self, OperatorKeyError> {
        let is_fit = key.len() >= LEAST && key.bytes().all(|it| it.is_ascii_graphic());
        if is_fit { Ok(Self(Sha256::digest(key).into())) } else { Err(OperatorKeyError::Unfit) }
    }

    /// Reads it from an environment variable.
    ///
    /// # Errors
    /// When the variable is not set, or as [`new`](Self::new).
    pub fn from_env(name: &str) -> Result<Self, OperatorKeyError> {
        let key = std::env::var(name).map_err(|_| OperatorKeyError::Missing(name.to_owned()))?;
        Self::new(key.trim())
    }

    /// Whether a token is the key. Digests are compared, so how long it takes tells nothing of the key.
    pub(crate) fn is(&self, token: &[u8]) -> bool {
        self.0 == <[u8; 32]>::from(Sha256::digest(token))
    }
}

impl fmt::Debug for OperatorKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OperatorKey")
    }
}

impl fmt::Display for OperatorKeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(name) => write!(f, "`{name}` is not set: make a key with `openssl rand -hex 32`"),
            Self::Unfit => write!(
                f,
                "an operator's key has {LEAST} or more visible ASCII characters: `openssl rand -hex 32` makes one"
            ),
        }
    }
}

impl std::error::Error for OperatorKeyError {}
