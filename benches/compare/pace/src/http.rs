//! As much of an HTTP answer as is needed to know where it ends.

use std::io::{Error, Result};

/// How many bytes the answer at the start of `bytes` has, or nothing while its head is not whole.
///
/// # Errors
/// When it is not 200, or does not say its length.
pub fn length(bytes: &[u8]) -> Result<Option<usize>> {
    let Some(end) = head(bytes) else { return Ok(None) };
    let text = String::from_utf8_lossy(&bytes[..end]);
    let mut lines = text.split("\r\n");
    let status = lines.next().unwrap_or_default();
    if !status.starts_with("HTTP/1.1 200") {
        return Err(Error::other(status));
    }
    let lengths = lines.filter_map(|it| it.split_once(':'));
    let mut lengths = lengths.filter(|(name, _)| name.eq_ignore_ascii_case("content-length"));
    let body = lengths.next().and_then(|(_, it)| it.trim().parse::<usize>().ok());
    body.map(|it| Some(end + it)).ok_or_else(|| Error::other("an answer without a length"))
}

/// Where the head ends and the body begins.
pub fn head(bytes: &[u8]) -> Option<usize> {
    find(bytes, b"\r\n\r\n").map(|it| it + 4)
}

pub fn find(bytes: &[u8], part: &[u8]) -> Option<usize> {
    bytes.windows(part.len()).position(|it| it == part)
}
