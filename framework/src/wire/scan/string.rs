//! JSON strings: where one ends, and what it says.

use std::borrow::Cow;

use super::Span;

/// The text of a JSON string in a scanned body, `None` when the value is not a string.
///
/// It is borrowed from the body unless the string has escapes.
pub(crate) fn text(body: &[u8], span: Span) -> Option<Cow<'_, str>> {
    let raw = std::str::from_utf8(inside(body, span)?).ok()?;
    if !raw.contains('\\') {
        return Some(Cow::Borrowed(raw));
    }
    let mut out = String::with_capacity(raw.len());
    decode(raw, &mut out);
    Some(Cow::Owned(out))
}

/// What stands between the quotes of a JSON string, with its escapes; `None` when the value is not a string.
pub(crate) fn inside(body: &[u8], span: Span) -> Option<&[u8]> {
    span.of(body).strip_prefix(b"\"")?.strip_suffix(b"\"")
}

/// Whether the value is a JSON string that says this. Spares most comparisons to look for escapes.
pub(crate) fn says(body: &[u8], span: Span, expected: &str) -> bool {
    inside(body, span).is_some_and(|it| it == expected.as_bytes() && !expected.contains('\\'))
        || text(body, span).is_some_and(|it| it == expected)
}

pub(super) struct Measure {
    /// The position after the closing quote.
    pub(super) end: usize,
    pub(super) escaped: bool,
}

/// Finds the end of the string whose opening quote is at `start`; the error is the position that is wrong.
#[inline(always)]
pub(super) fn measure(body: &[u8], start: usize) -> Result<Measure, usize> {
    let at = plain_end(body, start + 1);
    match body.get(at) {
        Some(b'"') => Ok(Measure { end: at + 1, escaped: false }),
        Some(b'\\') => measure_escaped(body, at),
        _ => Err(at),
    }
}

fn measure_escaped(body: &[u8], mut at: usize) -> Result<Measure, usize> {
    loop {
        match body.get(at) {
            Some(b'"') => return Ok(Measure { end: at + 1, escaped: true }),
            Some(b'\\') => at = plain_end(body, escape_end(body, at)?),
            _ => return Err(at),
        }
    }
}

/// The position of the first byte from `start` on that does not stand for itself in a string.
#[inline(always)]
pub(crate) fn plain_end(body: &[u8], start: usize) -> usize {
    let mut at = start;
    while let Some(word) = body.get(at..).and_then(<[u8]>::first_chunk) {
        let marks = special_bytes(u64::from_le_bytes(*word));
        if marks != 0 {
            return at + (marks.trailing_zeros() / 8) as usize;
        }
        at += 8;
        if at == start + SHORT {
            break;
        }
    }
    long_plain_end(body, at)
}

/// The same for what is long, or close to the end of the body. Each look goes no further than a piece, so that many
/// lines cost no more than their length.
#[inline(never)]
fn long_plain_end(body: &[u8], mut at: usize) -> usize {
    for piece in body[at..].chunks(PIECE) {
        let plain = &piece[..memchr::memchr2(b'"', b'\\', piece).unwrap_or(piece.len())];
        // Without an early exit, this is a loop over vectors.
        let has_control = plain.iter().fold(false, |found, &byte| found | (byte < 0x20));
        let control = if has_control { plain.iter().position(|&byte| byte < 0x20) } else { None };
        let end = control.unwrap_or(plain.len());
        at += end;
        if end < piece.len() {
            break;
        }
    }
    at
}

/// Sets the high bit of the first quote, backslash or control character of eight bytes, and none before it.
#[inline(always)]
fn special_bytes(word: u64) -> u64 {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    let control = word.wrapping_sub(ONES * 0x20);
    let quote = (word ^ (ONES * b'"' as u64)).wrapping_sub(ONES);
    let backslash = (word ^ (ONES * b'\\' as u64)).wrapping_sub(ONES);
    (control | quote | backslash) & !word & (ONES * 0x80)
}

/// The position after the escape at `at`. Half of a surrogate pair is no escape: it stands for no character.
fn escape_end(body: &[u8], at: usize) -> Result<usize, usize> {
    match body.get(at + 1) {
        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(at + 2),
        Some(b'u') => match unit(body, at + 2).ok_or(at)? {
            0xD800..0xDC00 if is_low_surrogate(body, at + 6) => Ok(at + 12),
            0xD800..0xE000 => Err(at),
            _ => Ok(at + 6),
        },
        _ => Err(at),
    }
}

fn is_low_surrogate(body: &[u8], at: usize) -> bool {
    body.get(at..).is_some_and(|rest| rest.starts_with(b"\\u"))
        && unit(body, at + 2).is_some_and(|it| (0xDC00..0xE000).contains(&it))
}

/// Reads the four hexadecimal digits at `at`.
fn unit(body: &[u8], at: usize) -> Option<u32> {
    let digits = body.get(at..)?.first_chunk::<4>()?;
    digits.iter().try_fold(0, |unit, &byte| Some(unit << 4 | char::from(byte).to_digit(16)?))
}

/// Appends what a scanned string says; `raw` is the string without its quotes.
fn decode(raw: &str, out: &mut String) {
    let mut rest = raw;
    while let Some((plain, escape)) = rest.split_once('\\') {
        out.push_str(plain);
        let (character, length) = resolve(escape.as_bytes());
        out.push(character);
        rest = escape.get(length..).unwrap_or_default();
    }
    out.push_str(rest);
}

/// The character of an escape, without its backslash, and how many bytes it takes.
fn resolve(escape: &[u8]) -> (char, usize) {
    match escape.first() {
        Some(b'b') => ('\u{8}', 1),
        Some(b'f') => ('\u{c}', 1),
        Some(b'n') => ('\n', 1),
        Some(b'r') => ('\r', 1),
        Some(b't') => ('\t', 1),
        Some(b'u') => resolve_unicode(escape),
        Some(&other) => (char::from(other), 1),
        None => (char::REPLACEMENT_CHARACTER, 0),
    }
}

fn resolve_unicode(escape: &[u8]) -> (char, usize) {
    let units = [unit(escape, 1), unit(escape, 7)];
    match units.map(Option::unwrap_or_default) {
        [high @ 0xD800..0xDC00, low @ 0xDC00..0xE000] => {
            (scalar(0x1_0000 + ((high - 0xD800) << 10) + (low - 0xDC00)), 11)
        }
        [one, _] => (scalar(one), 5),
    }
}

fn scalar(code: u32) -> char {
    char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// From this many bytes on, the call to `memchr` pays.
const SHORT: usize = 64;
/// Bytes that are looked at together.
const PIECE: usize = 512;
