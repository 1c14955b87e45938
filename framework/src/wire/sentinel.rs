//! Header values that stand for text which a header cannot carry
//! (basic/transports/streamable-http#value-encoding).

use std::borrow::Cow;

use base64::{Engine, engine::general_purpose::STANDARD};

/// The text that a header value stands for; `None` when it holds what no client may send.
pub(crate) fn decode(value: &[u8]) -> Option<Cow<'_, str>> {
    if !value.iter().all(|it| matches!(it, b'\t' | b' '..=b'~')) {
        return None;
    }
    let plain = std::str::from_utf8(value).ok()?;
    let Some(encoded) = plain.strip_prefix("=?base64?").and_then(|it| it.strip_suffix("?=")) else {
        return Some(Cow::Borrowed(plain));
    };
    // The engine refuses wrong padding, other alphabets and trailing bits.
    let bytes = STANDARD.decode(encoded).ok()?;
    String::from_utf8(bytes).ok().map(Cow::Owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_value_is_itself() {
        for plain in ["us-west1", "SGVsbG8=", "=?base64?SGVsbG8=", "SGVsbG8=?=", "=?BASE64?SGVsbG8=?=", ""] {
            assert_eq!(decode(plain.as_bytes()).as_deref(), Some(plain));
        }
    }

    #[test]
    fn an_encoded_value_is_decoded_once() {
        let table = [
            ("=?base64?SGVsbG8=?=", "Hello"),
            ("=?base64?IHBhZGRlZCA=?=", " padded "),
            ("=?base64?SGVsbG8sIOS4lueVjA==?=", "Hello, 世界"),
            ("=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=", "=?base64?literal?="),
            ("=?base64??=", ""),
        ];
        for (encoded, text) in table {
            assert_eq!(decode(encoded.as_bytes()).as_deref(), Some(text), "{encoded}");
        }
    }

    #[test]
    fn a_broken_encoding_is_refused() {
        for broken in ["SGVsbG8", "SGVs!!!bG8=", "SGVsbG9=", "SGVsbG8==", "SGVs bG8=", "_-8=", "/w=="] {
            assert_eq!(decode(format!("=?base64?{broken}?=").as_bytes()), None, "{broken}");
        }
    }

    #[test]
    fn bytes_outside_visible_ascii_are_refused() {
        for bad in [&b"caf\xc3\xa9"[..], b"\x01", b"\x7f", b"a\xff"] {
            assert_eq!(decode(bad), None);
        }
    }
}
