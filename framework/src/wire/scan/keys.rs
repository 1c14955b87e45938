//! The keys of the objects that are still open, each of which may stand there once.

use std::num::NonZeroU32;

use super::outline::{Span, position, tag};
use super::{Bounds, Fault, text};

/// The keys, those of an inner object after those of the outer ones.
pub(super) struct Keys<'a, 'b> {
    body: &'a [u8],
    open: &'b mut Vec<Key>,
    /// What the keys with escapes say, each resolved once and kept until the end.
    decoded: Vec<String>,
}

#[derive(Clone, Copy)]
pub(super) struct Key {
    /// Equal for equal keys, different for most others.
    pub(super) tag: u32,
    pub(super) span: Span,
    /// The number of its text in `decoded`.
    decoded: Option<NonZeroU32>,
}

impl<'a, 'b> Keys<'a, 'b> {
    /// The keys of a body, in memory that another body may have grown.
    pub(super) fn new(body: &'a [u8], open: &'b mut Vec<Key>) -> Self {
        open.clear();
        open.shrink_to(USUAL_KEYS);
        Self { body, open, decoded: Vec::new() }
    }

    /// How many keys are open, which is where the keys of an object begin that opens now.
    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.open.len()
    }

    /// The key that was added last to the innermost object.
    #[inline(always)]
    pub(super) fn last(&self) -> Option<&Key> {
        self.open.last()
    }

    /// Whether the last key says this.
    pub(super) fn last_is(&self, bytes: &[u8]) -> bool {
        self.open.last().is_some_and(|key| self.bytes(key) == bytes)
    }

    /// Adds a key to the object whose keys begin at `first`.
    #[inline(always)]
    pub(super) fn push(
        &mut self,
        span: Span,
        escaped: bool,
        first: usize,
        bounds: &Bounds,
    ) -> Result<(), Fault> {
        if self.open.len() - first >= bounds.keys {
            return Err(Fault::TooManyKeys(span.start as usize));
        }
        let decoded = if escaped { self.decode(span) } else { None };
        let mut key = Key { tag: 0, span, decoded };
        key.tag = judge(self.bytes(&key), span, bounds)?;
        for other in self.open[first..].iter().take(FEW) {
            if other.tag == key.tag {
                self.compare(other, &key)?;
            }
        }
        self.open.push(key);
        Ok(())
    }

    /// Forgets the keys from `first` on, for their object ends.
    #[inline(always)]
    pub(super) fn close(&mut self, first: usize) -> Result<(), Fault> {
        if self.open.len() - first > FEW {
            self.compare_many(first)?;
        }
        self.open.truncate(first);
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn compare(&self, one: &Key, other: &Key) -> Result<(), Fault> {
        let bytes = self.bytes(one);
        if bytes != self.bytes(other) {
            return Ok(());
        }
        Err(Fault::duplicate(bytes, one.span.start.max(other.span.start) as usize))
    }

    /// Finds equal keys by sorting, which no choice of keys makes quadratic.
    #[cold]
    fn compare_many(&self, first: usize) -> Result<(), Fault> {
        let mut keys: Vec<_> = self.open[first..].iter().map(|key| (key.tag, self.bytes(key), key)).collect();
        keys.sort_unstable_by_key(|&(tag, bytes, _)| (tag, bytes));
        match keys.windows(2).find(|pair| pair[0].1 == pair[1].1) {
            Some(pair) => self.compare(pair[0].2, pair[1].2),
            None => Ok(()),
        }
    }

    #[cold]
    fn decode(&mut self, span: Span) -> Option<NonZeroU32> {
        self.decoded.push(text(self.body, span).unwrap_or_default().into_owned());
        NonZeroU32::new(position(self.decoded.len()))
    }

    #[inline(always)]
    pub(super) fn bytes(&self, key: &Key) -> &[u8] {
        match key.decoded {
            None => key.span.inside(self.body),
            Some(number) => self.decoded[number.get() as usize - 1].as_bytes(),
        }
    }
}

/// Judges a key by itself and returns its tag.
#[inline(always)]
fn judge(bytes: &[u8], span: Span, bounds: &Bounds) -> Result<u32, Fault> {
    if bytes.len() > bounds.key_bytes {
        return Err(Fault::KeyTooLong(span.start as usize));
    }
    if bytes.first() == Some(&b'$') && bytes.starts_with(PRIVATE) {
        return Err(Fault::private(bytes, span.start as usize));
    }
    Ok(tag(bytes))
}

/// serde_json gives objects with these keys a meaning of their own when certain features are on.
const PRIVATE: &[u8] = b"$serde_json::private::";
/// The first keys of an object, with which each is compared as it comes.
const FEW: usize = 16;
/// Room that is kept for the next body.
const USUAL_KEYS: usize = 4_096;
