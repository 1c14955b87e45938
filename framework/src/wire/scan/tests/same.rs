//! What the scan accepts, serde_json accepts, and both read the same.

use serde_json::{Map, Value};

use super::super::{Bounds, Fault, Kind, Outline, kind, outline::Place, says, scan, text};

/// A small generator of numbers, so that a failure can be seen again from its seed.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % sides
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.roll(from.len())]
    }
}

const KEYS: &[&str] = &[
    "a",
    "b",
    "A",
    "\\u0061",
    "params",
    "p\\u0061rams",
    "_meta",
    "\\u005fmeta",
    "method",
    "name",
    "\\u006eame",
    "progressToken",
    "",
    "\\\\u0061",
    "é",
    "e\u{301}",
    "\\ud83d\\ude00",
    "\u{1f600}",
    "$serde_json::private::Number",
    "long key of more than eight bytes",
];
const SCALARS: &[&str] = &[
    "0",
    "-0",
    "1",
    "-1",
    "1.5",
    "1e3",
    "1E-3",
    "1e308",
    "1e309",
    "1e400",
    "1.7976931348623158e308",
    "1.7976931348623159e308",
    "179769313486231580793e289",
    "18446744073709551615",
    "18446744073709551616",
    "-9223372036854775809",
    "0.1e1",
    "1e-400",
    "01",
    "+1",
    ".5",
    "1.",
    "1e",
    "-",
    "NaN",
    "true",
    "false",
    "null",
    "nul",
    "\"\"",
    "\"text of twenty bytes\"",
    "\"\\n\\u0000\"",
    "\"\\ud83d\\ude00\"",
    "\"\\ud83d\"",
    "\"\\x\"",
    "\"€\"",
    "\"a\u{7f}\"",
    "\"\t\"",
];
const NOISE: &[u8] =
    b"{}[],:\"\\ \t\n\r0123456789-+.eEtrufalsn/bd\0\x1f\x7f\x80\xc3\xa9\xed\xa0\xef\xbb\xbf\xff";

fn space(dice: &mut Dice, out: &mut String) {
    if dice.roll(6) == 0 {
        out.push_str(dice.pick(&[" ", "\n", "\t\r", "  "]));
    }
}

fn value(dice: &mut Dice, depth: usize, out: &mut String) {
    space(dice, out);
    match dice.roll(if depth > 5 { 4 } else { 10 }) {
        0 => out.push_str(dice.pick(SCALARS)),
        1..4 => out.push_str(dice.pick(&["1", "\"x\"", "true", "{}", "[]", "12.25"])),
        4..8 => object(dice, depth, out),
        _ => {
            out.push('[');
            for n in 0..dice.roll(4) {
                if n > 0 {
                    out.push(',');
                }
                value(dice, depth + 1, out);
            }
            out.push(']');
        }
    }
    space(dice, out);
}

fn object(dice: &mut Dice, depth: usize, out: &mut String) {
    out.push('{');
    let members = if dice.roll(20) == 0 { 15 + dice.roll(5) } else { dice.roll(4) };
    for n in 0..members {
        if n > 0 {
            out.push(',');
        }
        space(dice, out);
        let number =
            if members > 4 || dice.roll(3) == 0 { dice.roll(200).to_string() } else { String::new() };
        out.push_str(&format!("\"{}{number}\"", dice.pick(KEYS)));
        space(dice, out);
        out.push(':');
        value(dice, depth + 1, out);
    }
    out.push('}');
}

fn mutate(dice: &mut Dice, body: &mut Vec<u8>) {
    for _ in 0..dice.roll(3) {
        let at = dice.roll(body.len() + 1);
        let byte = NOISE[dice.roll(NOISE.len())];
        match dice.roll(6) {
            0 => body.insert(at, byte),
            1 => body.truncate(at),
            2 if at < body.len() => body[at] = byte,
            3 if at < body.len() => drop(body.remove(at)),
            4 => swap_mark(dice, &mut body[at..]),
            _ => {
                let end = (at + dice.roll(12)).min(body.len());
                let piece = body[at..end].to_vec();
                body.splice(at..at, piece);
            }
        }
    }
}

/// Puts another mark of the grammar in the place of the next one.
fn swap_mark(dice: &mut Dice, body: &mut [u8]) {
    const MARKS: &[u8] = b"{}[],:\"";
    if let Some(mark) = body.iter_mut().find(|byte| MARKS.contains(byte)) {
        *mark = MARKS[dice.roll(MARKS.len())];
    }
}

/// Each slot holds what serde_json finds under its key, or nothing where it finds nothing.
fn same_members(body: &[u8], outline: &Outline, place: Place, object: &Map<String, Value>) {
    for slot in Outline::slots().iter().filter(|it| it.place() == place) {
        let Some(span) = outline.get(*slot) else {
            assert_eq!(object.get(slot.name()), None, "{slot:?}");
            continue;
        };
        let value: Value = serde_json::from_slice(span.of(body)).unwrap();
        assert_eq!(object.get(slot.name()), Some(&value));
        assert_eq!(text(body, span).as_deref(), value.as_str());
        assert!(value.as_str().is_none_or(|it| says(body, span, it)));
        assert_eq!(kind(body, span), kind_of(&value));
    }
}

fn kind_of(value: &Value) -> Kind {
    match value {
        Value::Null => Kind::Null,
        Value::Bool(_) => Kind::Bool,
        Value::Number(_) => Kind::Number,
        Value::String(_) => Kind::String,
        Value::Array(_) => Kind::Array,
        Value::Object(_) => Kind::Object,
    }
}

/// Tells whether the scan accepted the body.
fn both_read_the_same(body: &[u8]) -> bool {
    let Ok(outline) = scan(body, &Bounds::default()) else {
        return false;
    };
    let read: Value = serde_json::from_slice(body).unwrap_or_else(|error| {
        panic!("accepted, but serde_json says {error}: {}", body.escape_ascii());
    });
    let empty = Map::new();
    let inner = |value: Option<&Value>| value.and_then(Value::as_object).unwrap_or(&empty).clone();
    let top = read.as_object().expect("an object");
    let params = inner(top.get("params"));
    same_members(body, &outline, Place::Top, top);
    same_members(body, &outline, Place::Params, &params);
    same_members(body, &outline, Place::Meta, &inner(params.get("_meta")));
    true
}

#[test]
fn generated_bodies_read_the_same() {
    let mut dice = Dice(0x9E37_79B9_7F4A_7C15);
    let mut accepted = 0;

    for _ in 0..20_000 {
        let mut text = String::new();
        object(&mut dice, 0, &mut text);
        accepted += usize::from(both_read_the_same(text.as_bytes()));
    }

    assert!((5_000..19_000).contains(&accepted), "{accepted} of 20000 accepted");
}

#[test]
fn mutated_bodies_read_the_same() {
    let mut dice = Dice(0xD1B5_4A32_D192_ED03);
    let mut accepted = 0;

    for _ in 0..40_000 {
        let mut text = String::new();
        object(&mut dice, 0, &mut text);
        let mut body = text.into_bytes();
        mutate(&mut dice, &mut body);
        accepted += usize::from(both_read_the_same(&body));
    }

    assert!((5_000..38_000).contains(&accepted), "{accepted} of 40000 accepted");
}

/// Bodies without a rule of ours in them: the scan refuses what serde_json refuses and nothing else.
#[test]
fn plain_scalars_are_accepted_exactly_when_serde_json_accepts_them() {
    let mut dice = Dice(0xA076_1D64_78BD_642F);

    for _ in 0..40_000 {
        let mut scalar = dice.pick(SCALARS).as_bytes().to_vec();
        mutate(&mut dice, &mut scalar);
        let body = [b"{\"v\":[", &scalar[..], b"]}"].concat();
        // A number too large by less than a rounding error is serde_json's largest.
        if matches!(scan(&body, &Bounds::default()), Err(Fault::NumberTooLarge(_))) {
            continue;
        }
        let theirs = serde_json::from_slice::<Value>(&body).is_ok();
        assert_eq!(both_read_the_same(&body), theirs, "{}", body.escape_ascii());
    }
}

/// Around the largest `f64`, where rounding decides.
#[test]
fn numbers_near_the_largest_are_read_the_same() {
    let mut dice = Dice(0xE703_7ED1_A0B4_28DB);

    for _ in 0..5_000 {
        let zeros = "0".repeat(dice.roll(20));
        let digits = 1_797_693_134_862_315_000 + dice.roll(2_000) as u64;
        both_read_the_same(format!("{{\"v\":{digits}{zeros}e{}}}", 290 - zeros.len()).as_bytes());
    }
}
