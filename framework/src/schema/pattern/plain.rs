//! Patterns that need no engine: `^note_[0-9a-z]{26}$`, `^\d{4}-\d{2}-\d{2}$`. Most of those that people write are.

use std::{iter::Peekable, str::Bytes};

/// A whole text: how it begins, then one kind of character after the other. Only the last may come any number of times,
/// so one look at each character decides.
#[derive(Debug, Default)]
pub(super) struct Plain {
    start: String,
    parts: Vec<Part>,
}

#[derive(Debug)]
struct Part {
    set: Set,
    least: usize,
    most: usize,
}

/// A bit for each ASCII character.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Set([u64; 2]);

impl Plain {
    /// The pattern, if it is of this form; everything else is for the engine.
    pub(super) fn read(written: &str) -> Option<Self> {
        let mut rest = written.strip_prefix('^')?.strip_suffix('$')?.bytes().peekable();
        let mut plain = Self::default();
        while let Some(byte) = rest.next() {
            if plain.parts.last().is_some_and(|it| it.least != it.most) {
                return None;
            }
            let set = match byte {
                b'[' => class(&mut rest)?,
                b'\\' => rest.next_if_eq(&b'd').and(Some(range(b'0', b'9')))?,
                it if stands_for_itself(it) => range(it, it),
                _ => return None,
            };
            match count(&mut rest)? {
                (1, 1) if plain.parts.is_empty() && stands_for_itself(byte) => {
                    plain.start.push(char::from(byte))
                }
                (least, most) => plain.parts.push(Part { set, least, most }),
            }
        }
        Some(plain)
    }

    pub(super) fn matches(&self, text: &str) -> bool {
        let Some(rest) = text.strip_prefix(&self.start) else { return false };
        let mut rest = rest.as_bytes();
        for Part { set, least, most } in &self.parts {
            let these = &rest[..rest.len().min(*most)];
            let there = these.iter().position(|it| !set.has(*it)).unwrap_or(these.len());
            if there < *least {
                return false;
            }
            rest = &rest[there..];
        }
        rest.is_empty()
    }
}

impl Set {
    const NONE: Self = Self([0; 2]);

    const fn has(self, byte: u8) -> bool {
        byte < 128 && self.0[(byte >> 6) as usize] >> (byte & 63) & 1 == 1
    }

    const fn or(self, other: Self) -> Self {
        Self([self.0[0] | other.0[0], self.0[1] | other.0[1]])
    }
}

fn range(first: u8, last: u8) -> Set {
    let mut set = Set::NONE;
    for it in first..=last {
        set.0[usize::from(it >> 6)] |= 1 << (it & 63);
    }
    set
}

const fn stands_for_itself(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'_' | b'-' | b':' | b'/' | b' ' | b'@' | b',' | b'=' | b'#')
}

fn class(rest: &mut Peekable<Bytes<'_>>) -> Option<Set> {
    let mut set = Set::NONE;
    loop {
        match rest.next()? {
            b']' if set != Set::NONE => return Some(set),
            b'-' => {
                // Between two characters it makes a range; here it is itself, at an end.
                let is_at_end = set == Set::NONE || rest.peek() == Some(&b']');
                set = set.or(is_at_end.then(|| range(b'-', b'-'))?);
            }
            first if first.is_ascii_alphanumeric() || matches!(first, b'_' | b'.') => {
                let mut ahead = rest.clone();
                let more = match (ahead.next(), ahead.next()) {
                    (Some(b'-'), Some(last)) if last != b']' => {
                        *rest = ahead;
                        (last.is_ascii_alphanumeric() && first < last).then(|| range(first, last))?
                    }
                    _ => range(first, first),
                };
                set = set.or(more);
            }
            _ => return None,
        }
    }
}

fn count(rest: &mut Peekable<Bytes<'_>>) -> Option<(usize, usize)> {
    let counted = match rest.peek() {
        Some(b'+') => (1, usize::MAX),
        Some(b'*') => (0, usize::MAX),
        Some(b'?') => (0, 1),
        Some(b'{') => return braces(rest),
        _ => return Some((1, 1)),
    };
    rest.next();
    unrepeated(rest, counted)
}

fn braces(rest: &mut Peekable<Bytes<'_>>) -> Option<(usize, usize)> {
    rest.next();
    let mut inner = String::new();
    loop {
        match rest.next()? {
            b'}' => break,
            byte => inner.push(char::from(byte)),
        }
    }
    let (least, most) = inner.split_once(',').unwrap_or((&inner, &inner));
    let most = if most.is_empty() { usize::MAX } else { most.parse().ok()? };
    unrepeated(rest, (least.parse().ok().filter(|it| *it <= most)?, most))
}

fn unrepeated(rest: &mut Peekable<Bytes<'_>>, counted: (usize, usize)) -> Option<(usize, usize)> {
    match rest.peek() {
        Some(b'?' | b'*' | b'+' | b'{') => None,
        _ => Some(counted),
    }
}

#[cfg(test)]
mod tests {
    use regex_lite::Regex;

    use super::*;

    #[test]
    fn it_decides_as_the_engine_does() {
        let patterns = [
            "^note_[0-9a-hjkmnp-tv-z]{3}$",
            r"^\d{4}-\d{2}$",
            "^[a-z]+$",
            "^[A-Za-z0-9_.-]{1,4}$",
            "^a*$",
            "^x[-a]{2,}$",
            "^[a-]?$",
            "^$",
            "^ab$",
        ];
        let pieces = ["", "note_", "a", "b", "u", "z", "0", "9", "-", ".", "_", "A", "é", "\n", "2026", "x"];
        for pattern in patterns {
            let (plain, regex) = (Plain::read(pattern).unwrap(), Regex::new(pattern).unwrap());
            for (one, two) in pieces.iter().flat_map(|one| pieces.iter().map(move |two| (one, two))) {
                for three in pieces {
                    let text = format!("{one}{two}{three}{two}");
                    assert_eq!(plain.matches(&text), regex.is_match(&text), "{pattern} {text:?}");
                }
            }
        }
    }

    #[test]
    fn what_it_cannot_decide_is_left_to_the_engine() {
        for pattern in [
            "a",
            "^a",
            "a$",
            "^a|b$",
            "^a+b$",
            "^(a)$",
            "^[^a]$",
            "^.$",
            r"^\w$",
            "^[]$",
            "^[z-a]$",
            "^a{2}{3}$",
            "^a+?$",
            r"^a\$",
            "^[a&&b]$",
            "^é$",
        ] {
            assert!(Plain::read(pattern).is_none(), "{pattern}");
        }
    }
}
