//! One list cut into pages. A page is the whole answer but for the id, which ends it.

use bytes::Bytes;
use sha2::{Digest, Sha256};

use super::{Cache, Frame, Kind};
use crate::{
    author::access::Protected,
    limits::Limits,
    seal::Purpose,
    wire::{version::Version, write},
};

pub(super) struct Pages {
    modern: Vec<Bytes>,
    legacy: Vec<Bytes>,
    /// The index of the first item on each page.
    starts: Vec<usize>,
    binding: Binding,
}

/// What the cursors of a list are bound to. When the list changes, or for somebody who sees another, they are refused,
/// and the client starts over.
struct Binding {
    kind: Kind,
    scope: &'static str,
    fingerprint: [u8; 32],
}

impl Pages {
    pub(super) fn new<'a>(
        frame: &Frame,
        kind: Kind,
        cache: Cache,
        result_end: &[u8],
        items: impl Iterator<Item = &'a dyn Protected>,
    ) -> Self {
        let items = frame.spending.affordable(items);
        let (modern, legacy): (Vec<_>, Vec<_>) = items.map(|it| (it.json(), it.legacy_json())).unzip();
        let starts = starts(&frame.limits, &modern);
        let binding = Binding::of(kind, cache, &modern);
        let cursors = cursors(frame, &binding, &starts);
        let write = |items: &[&str], modern_end: Option<(Cache, &[u8])>| {
            starts
                .iter()
                .enumerate()
                .map(|(page, start)| {
                    let end = starts.get(page + 1).copied().unwrap_or(items.len());
                    let next = cursors.get(page).map(String::as_str);
                    page_bytes(kind, &items[*start..end], next, modern_end)
                })
                .collect()
        };
        Self {
            modern: write(&modern, Some((cache, result_end))),
            legacy: write(&legacy, None),
            starts,
            binding,
        }
    }

    /// A page; `None` when the cursor is not one of this list.
    pub(super) fn find(&self, frame: &Frame, version: Version, cursor: Option<&str>) -> Option<&Bytes> {
        let at = match cursor {
            None => 0,
            Some(cursor) => {
                let start = frame.keys.open_signed(Purpose::Cursor, &self.binding.fields(), cursor).ok()?;
                let start = u64::from_be_bytes(start.try_into().ok()?);
                self.starts.iter().position(|it| *it as u64 == start)?
            }
        };
        if version.is_modern() { self.modern.get(at) } else { self.legacy.get(at) }
    }
}

impl Binding {
    fn of(kind: Kind, cache: Cache, items: &[&str]) -> Self {
        let mut digest = Sha256::new();
        for it in items {
            digest.update((it.len() as u64).to_be_bytes());
            digest.update(it);
        }
        Self { kind, scope: cache.scope(), fingerprint: digest.finalize().into() }
    }

    fn fields(&self) -> [&[u8]; 3] {
        [self.kind.member().as_bytes(), self.scope.as_bytes(), &self.fingerprint]
    }
}

/// Where each page starts.
fn starts(limits: &Limits, items: &[&str]) -> Vec<usize> {
    let mut starts = vec![0];
    let (mut count, mut bytes) = (0, 0);
    for (at, item) in items.iter().enumerate() {
        if count > 0 && (count == limits.page_items || bytes + item.len() > limits.page_bytes) {
            starts.push(at);
            (count, bytes) = (0, 0);
        }
        count += 1;
        bytes += item.len();
    }
    starts
}

/// The cursor of each page but the first.
fn cursors(frame: &Frame, binding: &Binding, starts: &[usize]) -> Vec<String> {
    let cursor =
        |start: &usize| frame.keys.sign(Purpose::Cursor, &binding.fields(), &(*start as u64).to_be_bytes());
    starts[1..].iter().map(|it| cursor(it).expect("a cursor is a few bytes long")).collect()
}

fn page_bytes(kind: Kind, items: &[&str], next: Option<&str>, modern_end: Option<(Cache, &[u8])>) -> Bytes {
    let mut out = Vec::with_capacity(items.iter().map(|it| it.len() + 1).sum::<usize>() + 512);
    out.extend_from_slice(br#"{"jsonrpc":"2.0","result":{"#);
    if modern_end.is_some() {
        out.extend_from_slice(br#""resultType":"complete","#);
    }
    write::string(&mut out, kind.member());
    out.extend_from_slice(b":[");
    out.extend_from_slice(items.join(",").as_bytes());
    out.push(b']');
    if let Some(next) = next {
        out.extend_from_slice(br#","nextCursor":"#);
        write::string(&mut out, next);
    }
    match modern_end {
        Some((cache, end)) => {
            cache.write(&mut out);
            out.extend_from_slice(end);
        }
        None => out.push(b'}'),
    }
    out.extend_from_slice(br#","id":"#);
    out.into()
}
