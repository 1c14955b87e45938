//! Numbers as JSON Schema compares them: by value, whatever way they were written.

use std::cmp::Ordering;
use std::fmt::Write;

use serde_json::Number;

/// The number as an integer, `None` when it has a fraction or is beyond 64 bits.
pub(super) fn as_whole(number: &Number) -> Option<i128> {
    let integer = number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from));
    integer
        .or_else(|| number.as_f64().filter(|it| it.fract() == 0.0 && it.abs() < LARGEST).map(|it| it as i128))
}

/// Whether the number has no fraction: `2.0` and `1e300` are integers.
pub(super) fn is_integer(number: &Number) -> bool {
    !number.is_f64() || number.as_f64().is_some_and(|it| it.fract() == 0.0)
}

pub(super) fn compare(left: &Number, right: &Number) -> Ordering {
    match (as_whole(left), as_whole(right)) {
        (Some(left), Some(right)) => left.cmp(&right),
        (Some(left), None) => compare_whole(left, as_float(right)),
        (None, Some(right)) => compare_whole(right, as_float(left)).reverse(),
        (None, None) => as_float(left).total_cmp(&as_float(right)),
    }
}

fn compare_whole(whole: i128, float: f64) -> Ordering {
    if float >= LARGEST {
        Ordering::Less
    } else if float <= -LARGEST {
        Ordering::Greater
    } else {
        whole.cmp(&(float.trunc() as i128)).then(0.0_f64.total_cmp(&float.fract()))
    }
}

fn as_float(number: &Number) -> f64 {
    number.as_f64().unwrap_or(0.0)
}

/// Whether `number` is a multiple of `of`, decided in decimal: `0.3` is a multiple of `0.1`.
pub(super) fn is_multiple(number: &Number, of: &Number) -> bool {
    let (number, of) = (Decimal::of(number), Decimal::of(of));
    if number.digits == 0 {
        return true;
    }
    let shift = number.exponent - of.exponent;
    if shift >= 0 {
        (0..shift).fold(number.digits % of.digits, |rest, _| rest * 10 % of.digits) == 0
    } else {
        let scale = 10_u128.checked_pow(shift.unsigned_abs());
        scale.and_then(|it| it.checked_mul(of.digits)).is_some_and(|it| number.digits % it == 0)
    }
}

/// `digits` times ten to the `exponent`; the sign does not matter for multiples.
struct Decimal {
    digits: u128,
    exponent: i32,
}

impl Decimal {
    fn of(number: &Number) -> Self {
        match as_whole(number) {
            Some(whole) => Self { digits: whole.unsigned_abs(), exponent: 0 },
            None => Self::of_float(as_float(number)),
        }
    }

    /// Reads the shortest decimal that means this float, which is what its author wrote.
    fn of_float(float: f64) -> Self {
        let mut text = Short { bytes: [0; 32], length: 0 };
        let _ = write!(text, "{float:e}");
        let (mut digits, mut exponent, mut fraction) = (0_u128, 0_i32, 0_i32);
        let mut bytes = text.bytes[..text.length].iter().copied();
        let mut after_point = 0;
        for byte in bytes.by_ref().take_while(|byte| *byte != b'e') {
            match byte {
                b'0'..=b'9' => {
                    digits = digits * 10 + u128::from(byte - b'0');
                    fraction += after_point;
                }
                b'.' => after_point = 1,
                _ => {}
            }
        }
        let mut sign = 1;
        for byte in bytes {
            match byte {
                b'-' => sign = -1,
                _ => exponent = exponent * 10 + i32::from(byte - b'0'),
            }
        }
        Self { digits, exponent: sign * exponent - fraction }
    }
}

/// The text of a float, without the heap.
struct Short {
    bytes: [u8; 32],
    length: usize,
}

impl Write for Short {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        let end = self.length + text.len();
        self.bytes.get_mut(self.length..end).ok_or(std::fmt::Error)?.copy_from_slice(text.as_bytes());
        self.length = end;
        Ok(())
    }
}

/// Two to the 64: floats below it fit an `i128` with room to spare.
const LARGEST: f64 = 18_446_744_073_709_551_616.0;
