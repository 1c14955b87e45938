//! The id of a request, kept as it was written.

use bytes::Bytes;

/// A string of 1 to 256 bytes or an integer of at most 2^53 - 1, as JSON (basic/index#requests).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Id(Bytes);

const LARGEST: f64 = 9_007_199_254_740_991.0;

impl Id {
    /// Reads the JSON text of an id; `None` when it is not one.
    pub(crate) fn parse(raw: Bytes) -> Option<Self> {
        match raw.first()? {
            b'"' => (3..=258).contains(&raw.len()).then_some(Self(raw)),
            b'-' | b'0'..=b'9' => Self::number(raw),
            _ => None,
        }
    }

    /// `1.0` and `1e0` are the integer 1, and are written back as that.
    fn number(raw: Bytes) -> Option<Self> {
        if raw.len() <= 15 && raw.iter().all(u8::is_ascii_digit) {
            return Some(Self(raw));
        }
        let number: f64 = std::str::from_utf8(&raw).ok()?.parse().ok()?;
        if number.fract() != 0.0 || number.abs() > LARGEST {
            return None;
        }
        #[expect(clippy::cast_possible_truncation, reason = "it is whole and within 2^53")]
        let whole = number as i64;
        Some(Self(Bytes::from(whole.to_string())))
    }

    /// The id on its own, for what outlives the message: a piece of the message would hold all of its bytes.
    pub(crate) fn detached(&self) -> Self {
        Self(Bytes::copy_from_slice(&self.0))
    }

    /// The id as JSON.
    pub(crate) fn json(&self) -> &[u8] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(raw: &'static str) -> Option<Id> {
        Id::parse(Bytes::from_static(raw.as_bytes()))
    }

    #[test]
    fn an_id_is_a_short_string_or_a_safe_integer() {
        for good in ["1", "0", "-7", "9007199254740991", "-9007199254740991", r#""a""#] {
            assert_eq!(parse(good).map(|it| it.json().to_vec()), Some(good.as_bytes().to_vec()), "{good}");
        }
        for bad in ["null", "true", "1.5", "9007199254740992", "1e400", "[]", "{}", r#""""#] {
            assert_eq!(parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_whole_number_is_written_as_an_integer() {
        for (written, read) in [("1.0", "1"), ("1e0", "1"), ("-0", "0"), ("10e1", "100")] {
            assert_eq!(parse(written).map(|it| it.json().to_vec()), Some(read.as_bytes().to_vec()));
        }
    }

    #[test]
    fn a_string_id_has_at_most_256_bytes() {
        let quoted = |n: usize| Bytes::from(format!("\"{}\"", "x".repeat(n)));

        assert!(Id::parse(quoted(256)).is_some());
        assert!(Id::parse(quoted(257)).is_none());
    }
}
