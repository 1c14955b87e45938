//! One tool's whole definition in 32 bytes.

use std::fmt;

use serde_json::Value;

use crate::seal::json_digest;

/// Stands for the whole definition of a tool, its annotations included: SHA-256 over JSON with sorted keys. Neither
/// indentation nor the order of keys makes a difference; a hint that is turned does.
///
/// Written `sha256/v1:` and 64 hex digits, which is also how a pin is written.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fingerprint([u8; 32]);

/// Why a text is no pin of a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a text is no pin, or one of another version")]
pub enum BadPin {
    /// It is not `sha256/vN:` with 64 hex digits.
    Malformed,
    /// It was made by another version of this hash: pin the definition anew.
    OtherVersion,
}

const PREFIX: &str = "sha256/v";
const VERSION: &str = "1";

impl Fingerprint {
    /// Of a definition as `tools/list` gives it.
    #[must_use]
    pub fn of(definition: &Value) -> Self {
        Self(json_digest(definition))
    }

    /// Reads a pin.
    ///
    /// # Errors
    /// [`BadPin::OtherVersion`] for a pin that is written well and that this version cannot compare.
    pub fn parse(text: &str) -> Result<Self, BadPin> {
        let (version, hex) =
            text.strip_prefix(PREFIX).and_then(|it| it.split_once(':')).ok_or(BadPin::Malformed)?;
        let is_number = !version.is_empty() && version.bytes().all(|it| it.is_ascii_digit());
        let bytes = bytes(hex).filter(|_| is_number).ok_or(BadPin::Malformed)?;
        if version == VERSION { Ok(Self(bytes)) } else { Err(BadPin::OtherVersion) }
    }
}

fn bytes(hex: &str) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    let is_hex = hex.len() == 64 && hex.bytes().all(|it| it.is_ascii_hexdigit());
    for (byte, digits) in bytes.iter_mut().zip(hex.as_bytes().chunks(2)).filter(|_| is_hex) {
        *byte = u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
    }
    is_hex.then_some(bytes)
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PREFIX}{VERSION}:")?;
        self.0.iter().try_for_each(|it| write!(f, "{it:02x}"))
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for BadPin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Malformed => "a pin is written `sha256/v1:` with 64 hex digits behind",
            Self::OtherVersion => "the pin was made by another version of the hash: pin the definition anew",
        })
    }
}

impl std::error::Error for BadPin {}
