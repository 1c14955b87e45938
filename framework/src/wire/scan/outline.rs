//! Where the members stand that every request is judged by.

use smallvec::SmallVec;

use super::string::text;

/// The members of three objects of a body.
///
/// Where a body has no such object, or something else in its place, there are no members.
#[derive(Debug, Default)]
pub(crate) struct Outline {
    /// The body itself.
    pub(crate) top: Members,
    /// The object at `params`.
    pub(crate) params: Members,
    /// The object at `_meta` in `params`.
    pub(crate) meta: Members,
}

/// The members of one object, in the order of the body.
#[derive(Debug, Default)]
pub(crate) struct Members(SmallVec<[Member; USUAL_MEMBERS]>);

#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    pub(super) key: Span,
    pub(super) escaped: bool,
    /// Equal for equal keys, different for most others.
    pub(super) tag: u32,
    pub(super) value: Span,
}

impl Members {
    /// Where the value of a key stands, compared byte by byte after the escapes of the body are resolved.
    pub(crate) fn find(&self, body: &[u8], key: &str) -> Option<Span> {
        let tag = tag(key.as_bytes());
        self.0
            .iter()
            .find(|member| member.tag == tag && member.is_called(body, key))
            .map(|member| member.value)
    }

    /// How many members there are.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Each key, which [`text`] reads, with its value.
    #[cfg(test)]
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Span, Span)> {
        self.0.iter().map(|member| (member.key, member.value))
    }

    #[inline(always)]
    pub(super) fn push(&mut self, member: Member) {
        self.0.push(member);
    }
}

impl Member {
    fn is_called(&self, body: &[u8], key: &str) -> bool {
        if self.escaped {
            return text(body, self.key).is_some_and(|it| it == key);
        }
        *self.key.inside(body) == *key.as_bytes()
    }
}

/// Where a value stands in a body; a string with its quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    /// The position of its first byte.
    pub(crate) start: u32,
    /// The position after its last byte.
    pub(crate) end: u32,
}

impl Span {
    /// The bytes of the value.
    ///
    /// # Panics
    ///
    /// When the body is shorter than the one that was scanned.
    pub(crate) fn of(self, body: &[u8]) -> &[u8] {
        &body[self.start as usize..self.end as usize]
    }

    /// The bytes between the quotes of a string.
    #[inline(always)]
    pub(super) fn inside(self, body: &[u8]) -> &[u8] {
        &body[self.start as usize + 1..self.end as usize - 1]
    }
}

/// The length, the first and the last byte of a key, from which most keys can be told apart.
#[inline(always)]
pub(super) fn tag(key: &[u8]) -> u32 {
    match *key {
        [] => 0,
        [only] => u32::from(only),
        [first, .., last] => position(key.len()) << 16 | u32::from(first) << 8 | u32::from(last),
    }
}

/// A position or a count, which are all below the length of the body.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "`scan` refuses a body whose positions do not fit")]
pub(super) fn position(at: usize) -> u32 {
    at as u32
}

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Object,
    Array,
    String,
    Number,
    Bool,
    Null,
}

/// Tells what a value of a scanned body is, from its first byte.
pub(crate) fn kind(body: &[u8], span: Span) -> Kind {
    match span.of(body).first() {
        Some(b'{') => Kind::Object,
        Some(b'[') => Kind::Array,
        Some(b'"') => Kind::String,
        Some(b't' | b'f') => Kind::Bool,
        Some(b'n') | None => Kind::Null,
        Some(_) => Kind::Number,
    }
}

const USUAL_MEMBERS: usize = 8;
