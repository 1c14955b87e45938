//! Durations on the command line: exact to the nanosecond, so that a limit is one.

use std::time::Duration;

/// Reads `250ms`, `1.5s`, `2m` or `1m30s`.
pub(crate) fn parse(text: &str) -> Result<Duration, String> {
    let wrong = || "write a duration with its unit: ms, s, m or h, as `250ms` or `1m30s`".to_owned();
    let mut rest = text.trim();
    let mut total: u128 = 0;
    if rest.is_empty() {
        return Err(wrong());
    }
    if rest == "0" {
        return Ok(Duration::ZERO);
    }
    while !rest.is_empty() {
        let digits = rest.find(|it: char| !it.is_ascii_digit() && it != '.').ok_or_else(wrong)?;
        let (number, after) = rest.split_at(digits);
        let letters = after.find(|it: char| it.is_ascii_digit() || it == '.').unwrap_or(after.len());
        let (unit, after) = after.split_at(letters);
        let nanos = UNITS.iter().find(|it| it.0 == unit).map(|it| it.1).ok_or_else(wrong)?;
        total = total.checked_add(scaled(number, nanos).ok_or_else(wrong)?).ok_or_else(wrong)?;
        rest = after;
    }
    let (seconds, nanos) = (total / SECOND, total % SECOND);
    let seconds = u64::try_from(seconds).map_err(|_| wrong())?;
    u32::try_from(nanos).map(|nanos| Duration::new(seconds, nanos)).map_err(|_| wrong())
}

const SECOND: u128 = 1_000_000_000;
const UNITS: [(&str, u128); 7] = [
    ("ns", 1),
    ("us", 1000),
    ("µs", 1000),
    ("ms", 1_000_000),
    ("s", SECOND),
    ("m", 60 * SECOND),
    ("h", 3600 * SECOND),
];

/// A decimal number of a unit in nanoseconds, rounded up: nothing that is there becomes nothing.
fn scaled(number: &str, unit: u128) -> Option<u128> {
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    if (whole.is_empty() && part.is_empty()) || part.contains('.') || whole.len() > 18 || part.len() > 18 {
        return None;
    }
    let read = |digits: &str| if digits.is_empty() { Some(0) } else { digits.parse::<u128>().ok() };
    let scale = 10_u128.pow(u32::try_from(part.len()).ok()?);
    read(whole)?.checked_mul(unit)?.checked_add((read(part)? * unit).div_ceil(scale))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_is_exact() {
        let table = [
            ("10s", 10_000_000_000),
            ("10.0000001s", 10_000_000_100),
            ("0.5ms", 500_000),
            ("0.0000000001s", 1),
            ("1m30s", 90_000_000_000),
            ("2h", 7_200_000_000_000),
            ("0", 0),
        ];
        for (text, nanos) in table {
            assert_eq!(parse(text).unwrap(), Duration::from_nanos(nanos), "{text}");
        }
    }

    #[test]
    fn what_has_no_unit_or_no_number_is_refused() {
        for bad in ["", "5", "s", "-1s", "1.2.3s", "1 s", "1d", ".s", "99999999999999999999s"] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }
}
