//! What can be wrong with a key, told to the operator without telling the key.

use std::{fmt, io};

/// A key, or a set of keys, that cannot be used.
#[non_exhaustive]
pub enum SecretError {
    /// The environment variable is not set, or empty.
    Missing {
        /// The name of the variable.
        variable: String,
    },
    /// The file cannot be read.
    Unreadable {
        /// Where the key should be.
        place: String,
        /// What the operating system said.
        error: io::Error,
    },
    /// There are fewer than 32 bytes of key.
    TooShort {
        /// Where the key is.
        place: String,
        /// How many bytes there are, after decoding.
        bytes: usize,
    },
    /// The file is larger than 4096 bytes and hardly a key.
    TooLong {
        /// Where the key should be.
        place: String,
    },
    /// The key can be guessed.
    Obvious {
        /// Where the key is.
        place: String,
        /// What makes it easy to guess.
        why: &'static str,
    },
    /// The operating system has no randomness to give.
    NoRandomness,
    /// A ring has the same key twice.
    Duplicate {
        /// The id of that key.
        id: String,
    },
    /// A ring has more than four keys that only verify.
    TooMany,
}

impl fmt::Display for SecretError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing { variable } => {
                write!(
                    f,
                    "environment variable `{variable}` holds no key: set it to the output of {MAKE_ONE}"
                )
            }
            Self::Unreadable { place, error } => write!(f, "cannot read the key in {place}: {error}"),
            Self::TooShort { place, bytes } => {
                write!(f, "{place} holds {bytes} bytes and a key needs 32: make one with {MAKE_ONE}")
            }
            Self::TooLong { place } => {
                write!(f, "{place} is larger than 4096 bytes, is it a key? make one with {MAKE_ONE}")
            }
            Self::Obvious { place, why } => {
                write!(f, "{place} is easy to guess, {why}: make a key with {MAKE_ONE}")
            }
            Self::NoRandomness => f.write_str("the operating system has no randomness to make a key from"),
            Self::Duplicate { id } => write!(f, "key `{id}` is in the ring twice: remove one of them"),
            Self::TooMany => {
                f.write_str("a ring accepts up to 4 more keys: remove those whose tokens expired")
            }
        }
    }
}

/// The same sentence: a `main` that returns an error prints its `Debug` form.
impl fmt::Debug for SecretError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for SecretError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Unreadable { error, .. } => Some(error),
            Self::Missing { .. }
            | Self::TooShort { .. }
            | Self::TooLong { .. }
            | Self::Obvious { .. }
            | Self::NoRandomness
            | Self::Duplicate { .. }
            | Self::TooMany => None,
        }
    }
}

const MAKE_ONE: &str = "`openssl rand -hex 32`";

impl From<SecretError> for std::io::Error {
    fn from(error: SecretError) -> Self {
        Self::other(error)
    }
}
