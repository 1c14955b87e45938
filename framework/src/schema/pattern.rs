//! Regular expressions of JSON Schema (ECMA-262, Unicode mode) for an engine that never backtracks.

mod plain;

use std::iter::Peekable;
use std::str::Chars;

use plain::Plain;
use regex_lite::{Error, Regex, RegexBuilder};

/// Compiles an ECMA-262 pattern so that its cost is linear in the text. It matches anywhere unless anchored.
///
/// Some forms that only browsers take are taken too, with the meaning they have there: `[\w-.]`, `\-`, a lone `]`.
///
/// # Errors
///
/// When the pattern is malformed, needs backtracking (look-around, backreferences), asks for Unicode properties
/// or is too large.
pub(super) fn compile(written: &str) -> Result<Pattern, String> {
    let mut translation =
        Translation { rest: written.chars().peekable(), out: String::with_capacity(written.len()) };
    translation.pattern()?;
    let build = |size| RegexBuilder::new(&translation.out).size_limit(size).build();
    let small = SIZES.iter().find_map(|size| Some((*size, build(*size).ok()?)));
    let (size, regex) =
        small.map_or_else(|| Ok((LARGEST, build(LARGEST)?)), Ok).map_err(|error: Error| error.to_string())?;
    let plain = Plain::read(written);
    Ok(Pattern { written: written.to_owned(), plain, regex, weight: size / SIZES[0] })
}

/// A regular expression, and how its author wrote it.
#[derive(Debug)]
pub(super) struct Pattern {
    pub(super) written: String,
    /// The same without an engine, where that can be.
    plain: Option<Plain>,
    regex: Regex,
    weight: usize,
}

impl Pattern {
    pub(super) fn matches(&self, text: &str) -> bool {
        match &self.plain {
            Some(plain) => plain.matches(text),
            None => self.regex.is_match(text),
        }
    }

    /// What a match against `text` costs at worst, in steps.
    pub(super) fn cost(&self, text: &str) -> usize {
        text.len() * self.weight / 8
    }
}

struct Translation<'w> {
    rest: Peekable<Chars<'w>>,
    out: String,
}

impl Translation<'_> {
    fn pattern(&mut self) -> Result<(), String> {
        while let Some(char) = self.rest.next() {
            match char {
                '\\' => self.escape()?,
                '[' => self.class()?,
                '(' => self.group()?,
                '{' => self.count()?,
                '*' | '+' | '?' => self.quantify(char)?,
                '.' => self.out.push_str(r"[^\n\r\u{2028}\u{2029}]"),
                char => self.out.push(char),
            }
        }
        Ok(())
    }

    fn group(&mut self) -> Result<(), String> {
        self.out.push_str("(?:");
        if self.rest.next_if_eq(&'?').is_none() {
            return Ok(());
        }
        match (self.rest.next(), self.rest.peek()) {
            (Some(':'), _) => Ok(()),
            (Some('='), _) | (Some('!'), _) | (Some('<'), Some('=' | '!')) => {
                Err("look-around is not supported".into())
            }
            (Some('<'), _) => match self.rest.by_ref().find(|it| *it == '>') {
                Some(_) => Ok(()),
                None => Err("the name of a group is not closed".into()),
            },
            _ => Err("this kind of group is not supported".into()),
        }
    }

    /// A count in braces, which Unicode mode allows in three forms only.
    fn count(&mut self) -> Result<(), String> {
        let mut inner = String::new();
        while let Some(char) = self.rest.next_if(|it| *it != '}') {
            inner.push(char);
        }
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let (least, most) = inner.split_once(',').unwrap_or((&inner, ""));
        if self.rest.next().is_none() || !is_number(least) || !(most.is_empty() || is_number(most)) {
            return Err("`{` must be escaped, or open a count".into());
        }
        self.quantify_with(&format!("{{{inner}}}"))
    }

    fn quantify(&mut self, quantifier: char) -> Result<(), String> {
        self.quantify_with(quantifier.encode_utf8(&mut [0; 4]))
    }

    fn quantify_with(&mut self, quantifier: &str) -> Result<(), String> {
        self.out.push_str(quantifier);
        if self.rest.next_if_eq(&'?').is_some() {
            self.out.push('?');
        }
        match self.rest.peek() {
            Some('*' | '+' | '?' | '{') => Err("there is nothing to repeat".into()),
            _ => Ok(()),
        }
    }

    fn escape(&mut self) -> Result<(), String> {
        match self.rest.peek() {
            Some('b' | 'B') => {
                self.out.push('\\');
                self.out.extend(self.rest.next());
                match self.rest.peek() {
                    Some('{') => Err("there is nothing to repeat".into()),
                    _ => Ok(()),
                }
            }
            Some('s') => self.space("[", "]", SPACE),
            Some('S') => self.space("[", "]", NOT_SPACE),
            _ => self.escaped().map(|it| self.out.push_str(&it)),
        }
    }

    fn space(&mut self, open: &str, close: &str, ranges: &str) -> Result<(), String> {
        self.rest.next();
        [open, ranges, close].iter().for_each(|it| self.out.push_str(it));
        Ok(())
    }

    /// An escape that means the same inside a class and outside.
    fn escaped(&mut self) -> Result<String, String> {
        let char = self.rest.next().ok_or("a trailing `\\`")?;
        Ok(match char {
            'd' | 'D' | 'w' | 'W' | 'n' | 'r' | 't' | 'v' | 'f' => format!("\\{char}"),
            '0' if !self.rest.peek().is_some_and(char::is_ascii_digit) => literal('\0'),
            'c' => {
                let letter =
                    self.rest.next().filter(char::is_ascii_alphabetic).ok_or("`\\c` wants a letter")?;
                literal(char::from(letter as u8 % 32))
            }
            'x' => literal(self.digits(2)?),
            'u' => literal(self.code_point()?),
            'p' | 'P' => return Err("Unicode properties are not supported".into()),
            '0'..='9' | 'k' => return Err("backreferences are not supported".into()),
            char if char.is_ascii_punctuation() => literal(char),
            char => return Err(format!("`\\{char}` is not an escape")),
        })
    }

    fn code_point(&mut self) -> Result<char, String> {
        if self.rest.next_if_eq(&'{').is_some() {
            let mut digits = String::new();
            while let Some(digit) = self.rest.next_if(char::is_ascii_hexdigit) {
                digits.push(digit);
            }
            let closed = self.rest.next() == Some('}');
            let value = u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32);
            return value.filter(|_| closed).ok_or_else(|| "`\\u{…}` wants a code point".into());
        }
        let high = self.unit(4)?;
        if !(0xD800..0xDC00).contains(&high) {
            return char::from_u32(high).ok_or_else(|| "a lone surrogate".into());
        }
        let paired = self.rest.next() == Some('\\') && self.rest.next() == Some('u');
        let low = if paired { self.unit(4)? } else { 0 };
        let value = char::decode_utf16([high as u16, low as u16]).next().and_then(Result::ok);
        value.ok_or_else(|| "a lone surrogate".into())
    }

    fn digits(&mut self, count: usize) -> Result<char, String> {
        self.unit(count)?.try_into().map_err(|_| "not a code point".into())
    }

    fn unit(&mut self, count: usize) -> Result<u32, String> {
        (0..count).try_fold(0, |value, _| {
            let digit =
                self.rest.next().and_then(|it| it.to_digit(16)).ok_or("too few hexadecimal digits")?;
            Ok(value * 16 + digit)
        })
    }

    fn class(&mut self) -> Result<(), String> {
        let open = self.out.len();
        self.out.push('[');
        let negated = self.rest.next_if_eq(&'^').is_some();
        if negated {
            self.out.push('^');
        }
        if self.rest.next_if_eq(&']').is_some() {
            // `[^]` is any character; `[]` is none, which no author means.
            self.out.truncate(open);
            self.out.push_str(r"[\x00-\u{10FFFF}]");
            return if negated { Ok(()) } else { Err("`[]` matches nothing".into()) };
        }
        let start = self.out.len();
        while let Some(char) = self.rest.next() {
            match char {
                ']' => {
                    self.out.push(']');
                    return Ok(());
                }
                '\\' => self.class_escape()?,
                '-' if self.rest.peek() == Some(&']') || self.out.len() == start => self.out.push_str(r"\-"),
                '-' => self.out.push('-'),
                char => self.out.push_str(&literal(char)),
            }
        }
        Err("a class is not closed".into())
    }

    fn class_escape(&mut self) -> Result<(), String> {
        let is_set = matches!(self.rest.peek(), Some('d' | 'D' | 'w' | 'W' | 's' | 'S'));
        match self.rest.peek() {
            Some('s') => self.space("", "", SPACE)?,
            Some('S') => self.space("", "", NOT_SPACE)?,
            Some('b') => self.space("", "", r"\x08")?,
            _ => {
                let it = self.escaped()?;
                self.out.push_str(&it);
            }
        }
        // A set cannot open a range: the `-` in `[\w-.]` is itself.
        if is_set && self.rest.next_if_eq(&'-').is_some() {
            self.out.push_str(r"\-");
        }
        Ok(())
    }
}

/// `char` as itself, inside a class and outside.
fn literal(char: char) -> String {
    match char {
        '<' | '>' => char.to_string(),
        char if char.is_ascii_punctuation() => format!("\\{char}"),
        char if char.is_ascii_graphic() => char.to_string(),
        char => format!("\\u{{{:X}}}", u32::from(char)),
    }
}

/// White space and line ends as ECMA-262 counts them.
const SPACE: &str =
    r"\x09-\x0D\x20\u{A0}\u{1680}\u{2000}-\u{200A}\u{2028}\u{2029}\u{202F}\u{205F}\u{3000}\u{FEFF}";
const NOT_SPACE: &str = concat!(
    r"\x00-\x08\x0E-\x1F\x21-\u{9F}\u{A1}-\u{167F}\u{1681}-\u{1FFF}\u{200B}-\u{2027}",
    r"\u{202A}-\u{202E}\u{2030}-\u{205E}\u{2060}-\u{2FFF}\u{3001}-\u{FEFE}\u{FF00}-\u{10FFFF}",
);
/// The sizes of compiled patterns that are told apart, in bytes.
const SIZES: [usize; 4] = [4 << 10, 16 << 10, 64 << 10, 256 << 10];
/// The largest compiled pattern, in bytes.
const LARGEST: usize = 1 << 20;
