//! The grammar of RFC 8259, walked without recursion.
//!
//! Each step has one caller and is inlined into it by force, so that the state of the walk stays in registers.

use std::cell::RefCell;

use super::keys::{Key, Keys};
use super::outline::{Outline, Place, Span, position};
use super::{Bounds, Fault, number, string};

/// Walks a body from its first to its last byte.
pub(super) fn walk(body: &[u8], bounds: &Bounds) -> Result<Outline, Fault> {
    let mut outline = Outline::default();
    STACKS.with_borrow_mut(|Stacks { outer, keys }| {
        outer.clear();
        let keys = &mut Keys::new(body, keys);
        let frame = Frame { role: Role::Document, start: 0, first_key: 0 };
        Scanner { body, bounds, at: 0, values: 0, frame, outer, keys, outline: &mut outline }.document()
    })?;
    Ok(outline)
}

thread_local! {
    /// What is open, in the memory of the walk before.
    static STACKS: RefCell<Stacks> = const { RefCell::new(Stacks { outer: Vec::new(), keys: Vec::new() }) };
}

struct Stacks {
    outer: Vec<Frame>,
    keys: Vec<Key>,
}

/// What grows is borrowed, so that the rest can live in registers.
struct Scanner<'a, 'b> {
    body: &'a [u8],
    bounds: &'a Bounds,
    at: usize,
    values: usize,
    frame: Frame,
    outer: &'b mut Vec<Frame>,
    keys: &'b mut Keys<'a, 'b>,
    outline: &'b mut Outline,
}

/// An array or object that is still open.
#[derive(Clone, Copy)]
struct Frame {
    role: Role,
    start: u32,
    first_key: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Document,
    Top,
    Params,
    Meta,
    Object,
    Array,
}

/// What the grammar wants next.
enum Want {
    Key,
    Value,
    CommaOrClose,
    Close,
    Nothing,
}

impl Scanner<'_, '_> {
    #[inline(always)]
    fn document(mut self) -> Result<(), Fault> {
        match self.token() {
            b'{' => self.tree()?,
            b'[' => return Err(Fault::NotAnObject(self.at)),
            0 if self.at == self.body.len() => return Err(Fault::Empty),
            first => {
                let start = self.at;
                self.scalar(first)?;
                self.end()?;
                return Err(Fault::NotAnObject(start));
            }
        }
        self.end()
    }

    #[inline(always)]
    fn tree(&mut self) -> Result<(), Fault> {
        let mut want = Want::Value;
        loop {
            want = match want {
                Want::Key => self.key()?,
                Want::Value => self.value()?,
                Want::CommaOrClose => self.comma_or_close()?,
                Want::Close => self.close()?,
                Want::Nothing => return Ok(()),
            };
        }
    }

    #[inline(always)]
    fn value(&mut self) -> Result<Want, Fault> {
        let first = self.token();
        let start = self.at;
        self.values += 1;
        if self.values > self.bounds.values {
            return Err(Fault::TooManyValues(start));
        }
        match first {
            b'{' => self.open_object(),
            b'[' => self.open_array(),
            _ => {
                self.scalar(first)?;
                self.note(start);
                Ok(Want::CommaOrClose)
            }
        }
    }

    #[inline(always)]
    fn open_object(&mut self) -> Result<Want, Fault> {
        let role = match self.frame.role {
            Role::Document => Role::Top,
            Role::Top if self.keys.last_is(b"params") => Role::Params,
            Role::Params if self.keys.last_is(b"_meta") => Role::Meta,
            _ => Role::Object,
        };
        self.open(role)?;
        Ok(if self.token() == b'}' { Want::Close } else { Want::Key })
    }

    #[inline(always)]
    fn open_array(&mut self) -> Result<Want, Fault> {
        self.open(Role::Array)?;
        Ok(if self.token() == b']' { Want::Close } else { Want::Value })
    }

    #[inline(always)]
    fn open(&mut self, role: Role) -> Result<(), Fault> {
        if self.outer.len() >= self.bounds.depth {
            return Err(Fault::TooDeep(self.at));
        }
        self.outer.push(self.frame);
        self.frame = Frame { role, start: position(self.at), first_key: position(self.keys.len()) };
        self.at += 1;
        Ok(())
    }

    #[inline(always)]
    fn key(&mut self) -> Result<Want, Fault> {
        if self.token() != b'"' {
            return Err(Fault::Syntax(self.at));
        }
        let start = self.at;
        let escaped = self.string()?;
        let key = self.span_from(start);
        self.keys.push(key, escaped, self.frame.first_key as usize, self.bounds)?;
        match self.token() {
            b':' => {
                self.at += 1;
                Ok(Want::Value)
            }
            _ => Err(Fault::Syntax(self.at)),
        }
    }

    #[inline(always)]
    fn comma_or_close(&mut self) -> Result<Want, Fault> {
        let is_array = self.frame.role == Role::Array;
        match self.token() {
            b',' => {
                self.at += 1;
                Ok(if is_array { Want::Value } else { Want::Key })
            }
            b']' if is_array => Ok(Want::Close),
            b'}' if !is_array => Ok(Want::Close),
            _ => Err(Fault::Syntax(self.at)),
        }
    }

    #[inline(always)]
    fn close(&mut self) -> Result<Want, Fault> {
        self.at += 1;
        let Frame { role, start, first_key } = self.frame;
        if role != Role::Array {
            self.keys.close(first_key as usize)?;
        }
        self.frame = self.outer.pop().expect("a frame is closed once, after it was opened");
        self.note(start as usize);
        Ok(if self.frame.role == Role::Document { Want::Nothing } else { Want::CommaOrClose })
    }

    /// Keeps the value that ends here if its object is one of the outline.
    #[inline(always)]
    fn note(&mut self, start: usize) {
        let value = self.span_from(start);
        let place = match self.frame.role {
            Role::Top => Place::Top,
            Role::Params => Place::Params,
            Role::Meta => Place::Meta,
            Role::Document | Role::Object | Role::Array => return,
        };
        if let Some(key) = self.keys.last() {
            self.outline.note(place, key.tag, self.keys.bytes(key), value);
        }
    }

    #[inline(always)]
    fn scalar(&mut self, first: u8) -> Result<(), Fault> {
        match first {
            b'"' => self.string().map(drop),
            b'-' | b'0'..=b'9' => self.number(),
            b't' => self.literal(b"true"),
            b'f' => self.literal(b"false"),
            b'n' => self.literal(b"null"),
            _ => Err(Fault::Syntax(self.at)),
        }
    }

    /// Moves past a string and tells whether it has escapes.
    #[inline(always)]
    fn string(&mut self) -> Result<bool, Fault> {
        let string = string::measure(self.body, self.at).map_err(Fault::Syntax)?;
        self.at = string.end;
        Ok(string.escaped)
    }

    #[inline(always)]
    fn number(&mut self) -> Result<(), Fault> {
        self.at = number::end(self.body, self.at, self.bounds)?;
        Ok(())
    }

    #[inline(always)]
    fn literal(&mut self, word: &[u8]) -> Result<(), Fault> {
        if !self.body[self.at..].starts_with(word) {
            return Err(Fault::Syntax(self.at));
        }
        self.at += word.len();
        Ok(())
    }

    #[inline(always)]
    fn end(&mut self) -> Result<(), Fault> {
        self.token();
        if self.at < self.body.len() { Err(Fault::Syntax(self.at)) } else { Ok(()) }
    }

    /// Moves past white space and tells the byte that stands there, 0 at the end.
    #[inline(always)]
    fn token(&mut self) -> u8 {
        loop {
            match self.byte() {
                b' ' | b'\t' | b'\n' | b'\r' => self.at += 1,
                byte => return byte,
            }
        }
    }

    #[inline(always)]
    fn byte(&self) -> u8 {
        self.body.get(self.at).copied().unwrap_or(0)
    }

    #[inline(always)]
    fn span_from(&self, start: usize) -> Span {
        Span { start: position(start), end: position(self.at) }
    }
}
