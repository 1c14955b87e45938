//! The one look at the bytes of a body before serde sees them.
//!
//! serde_json takes the last of two equal keys, gives its private keys a meaning of their own, and recurses.
//! A body that passes the scan has one meaning for every parser, and serde_json accepts it.

mod fault;
mod keys;
mod number;
mod outline;
mod string;
mod walk;

#[cfg(test)]
mod tests;

pub(crate) use fault::Fault;
pub(crate) use outline::{Kind, Outline, Slot, Span, kind};
pub(crate) use string::{inside, plain_end, says, text};

use walk::walk;

/// Judges a body in one pass and notes where the members stand that every request is judged by.
///
/// The stack of open objects is on the heap, so the depth of a body costs no thread stack. Nothing is allocated
/// per value; a key is copied only if it has escapes.
///
/// # Errors
///
/// The first fault met. Keys that are equal to none of the first sixteen of their object, but to a later one, are
/// met where the object ends.
pub(crate) fn scan(body: &[u8], bounds: &Bounds) -> Result<Outline, Fault> {
    if u32::try_from(body.len()).is_err() {
        return Err(Fault::BodyTooLong);
    }
    if body.starts_with(b"\xEF\xBB\xBF") {
        return Err(Fault::ByteOrderMark);
    }
    // Most bodies are, and it is told much faster.
    if !body.is_ascii()
        && let Err(error) = std::str::from_utf8(body)
    {
        return Err(Fault::NotUtf8(error.valid_up_to()));
    }
    walk(body, bounds)
}

/// What a body may hold at most.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// Arrays and objects inside one another, the outermost counted.
    pub(crate) depth: usize,
    /// Values in the whole body, the outermost object counted.
    pub(crate) values: usize,
    /// Keys in one object.
    pub(crate) keys: usize,
    /// Bytes in one key, after its escapes are resolved.
    pub(crate) key_bytes: usize,
    /// Bytes in one number.
    pub(crate) number_bytes: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { depth: 64, values: 100_000, keys: 4_096, key_bytes: 1_024, number_bytes: 64 }
    }
}
