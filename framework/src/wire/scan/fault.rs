//! Why a body is refused before it is read.

use std::fmt;

/// A fault of a body, and the byte at which it was met.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// More than 4 GiB.
    BodyTooLong,
    /// Nothing but white space.
    Empty,
    /// The body starts with U+FEFF.
    ByteOrderMark,
    /// Bytes that are no UTF-8.
    NotUtf8(usize),
    /// Not JSON by RFC 8259, or an escape that stands for half a character.
    Syntax(usize),
    /// JSON, but an array, or a value that is no object.
    NotAnObject(usize),
    /// More arrays and objects inside one another than [`Bounds::depth`](super::Bounds::depth).
    TooDeep(usize),
    /// More than [`Bounds::values`](super::Bounds::values).
    TooManyValues(usize),
    /// More than [`Bounds::keys`](super::Bounds::keys).
    TooManyKeys(usize),
    /// More than [`Bounds::key_bytes`](super::Bounds::key_bytes).
    KeyTooLong(usize),
    /// More than [`Bounds::number_bytes`](super::Bounds::number_bytes).
    NumberTooLong(usize),
    /// A number that no finite `f64` is close to.
    NumberTooLarge(usize),
    /// Two equal keys in one object, however they are spelt.
    DuplicateKey {
        /// The key, made safe to print.
        key: String,
        /// The position of the later one.
        at: usize,
    },
    /// A key that serde_json keeps for itself.
    PrivateKey {
        /// The key, made safe to print.
        key: String,
        /// Its position.
        at: usize,
    },
}

impl Fault {
    #[cold]
    pub(super) fn duplicate(key: &[u8], at: usize) -> Self {
        Self::DuplicateKey { key: printable(key), at }
    }

    #[cold]
    pub(super) fn private(key: &[u8], at: usize) -> Self {
        Self::PrivateKey { key: printable(key), at }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BodyTooLong => write!(f, "the body is too long"),
            Self::Empty => write!(f, "the body is empty"),
            Self::ByteOrderMark => write!(f, "the body starts with a byte order mark (byte 0)"),
            Self::NotUtf8(at) => write!(f, "the body is not UTF-8 (byte {at})"),
            Self::Syntax(at) => write!(f, "the body is not JSON (byte {at})"),
            Self::NotAnObject(at) => write!(f, "the body is not a JSON object (byte {at})"),
            Self::TooDeep(at) => write!(f, "arrays and objects are nested too deep (byte {at})"),
            Self::TooManyValues(at) => write!(f, "the body has too many values (byte {at})"),
            Self::TooManyKeys(at) => write!(f, "an object has too many keys (byte {at})"),
            Self::KeyTooLong(at) => write!(f, "a key is too long (byte {at})"),
            Self::NumberTooLong(at) => write!(f, "a number is too long (byte {at})"),
            Self::NumberTooLarge(at) => write!(f, "a number is too large (byte {at})"),
            Self::DuplicateKey { key, at } => {
                write!(f, "the key `{key}` stands twice in one object (byte {at})")
            }
            Self::PrivateKey { key, at } => write!(f, "the key `{key}` is reserved (byte {at})"),
        }
    }
}

impl std::error::Error for Fault {}

/// A key of an unknown sender with everything escaped that a terminal or log could act on, and cut.
fn printable(key: &[u8]) -> String {
    let text = String::from_utf8_lossy(key);
    let mut out = String::new();
    for character in text.chars() {
        let escaped = character.escape_debug();
        if out.chars().count() + escaped.len() > PRINTED_CHARACTERS - CUT.len() {
            return out + CUT;
        }
        out.extend(escaped);
    }
    out
}

const PRINTED_CHARACTERS: usize = 64;
const CUT: &str = "...";
