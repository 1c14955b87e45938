//! One list cut into pages. A page is the whole answer but for the id, which ends it.

use bytes::Bytes;
use sha2::{Digest, Sha256};

use super::{Cache, Frame, Kind};
use crate::{
    author::access::Protected,
    limits::Limits,
    ready::EXTENSION,
    seal::Purpose,
    wire::{version::Version, write},
};

pub(super) struct Pages {
    modern: Vec<Page>,
    legacy: Vec<Page>,
    /// The index of the first item on each page.
    starts: Vec<usize>,
    binding: Binding,
    cache: Cache,
    /// Cursors that lead through the list for one caller alone; of each page but the first.
    private_cursors: Vec<String>,
    /// What those are bound to, where caches may share the list. Elsewhere all its cursors are such.
    private_binding: Option<Binding>,
}

struct Page {
    bytes: Bytes,
    /// Where the items end.
    items_end: usize,
}

/// What the cursors of a list are bound to. When the list changes, or for somebody who sees another, they are refused,
/// and the client starts over.
struct Binding {
    kind: Kind,
    scope: &'static str,
    fingerprint: [u8; 32],
}

/// A page that was found, before it is written to its end.
pub(crate) struct OpenPage {
    items: Bytes,
    next: Option<String>,
    cache: Cache,
    result_end: Bytes,
    is_modern: bool,
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
        let (modern, legacy) = (write(&modern, Some((cache, result_end))), write(&legacy, None));
        let private_binding =
            cache.shared.then(|| Binding { scope: Cache { shared: false, ..cache }.scope(), ..binding });
        let private_cursors = match &private_binding {
            Some(binding) => self::cursors(frame, binding, &starts),
            None => cursors,
        };
        Self { modern, legacy, starts, binding, cache, private_cursors, private_binding }
    }

    /// A page; `None` when the cursor is not one of this list.
    pub(super) fn find(
        &self,
        frame: &Frame,
        result_end: &Bytes,
        version: Version,
        cursor: Option<&str>,
    ) -> Option<Bytes> {
        let (at, is_private) = self.at(frame, cursor)?;
        if is_private && version.is_modern() {
            let mut out = Vec::new();
            self.open_at(at, result_end, version).write(&mut out, None);
            return Some(out.into());
        }
        self.pages(version).get(at).map(|it| it.bytes.clone())
    }

    /// The same, to be written to its end for one caller alone.
    pub(super) fn open(
        &self,
        frame: &Frame,
        result_end: &Bytes,
        version: Version,
        cursor: Option<&str>,
    ) -> Option<OpenPage> {
        let (at, _) = self.at(frame, cursor)?;
        Some(self.open_at(at, result_end, version))
    }

    /// Which page a cursor names, and whether it leads through the list for one caller alone.
    fn at(&self, frame: &Frame, cursor: Option<&str>) -> Option<(usize, bool)> {
        let Some(cursor) = cursor else { return Some((0, false)) };
        let read =
            |binding: &Binding| frame.keys.open_signed(Purpose::Cursor, &binding.fields(), cursor).ok();
        let private = || read(self.private_binding.as_ref()?);
        let (start, is_private) =
            read(&self.binding).map(|it| (it, false)).or_else(|| private().map(|it| (it, true)))?;
        let start = u64::from_be_bytes(start.try_into().ok()?);
        let at = self.starts.iter().position(|it| *it as u64 == start)?;
        Some((at, is_private))
    }

    fn open_at(&self, at: usize, result_end: &Bytes, version: Version) -> OpenPage {
        let page = &self.pages(version)[at];
        OpenPage {
            items: page.bytes.slice(..page.items_end),
            next: self.private_cursors.get(at).cloned(),
            cache: Cache { shared: false, ..self.cache },
            result_end: result_end.clone(),
            is_modern: version.is_modern(),
        }
    }

    fn pages(&self, version: Version) -> &[Page] {
        if version.is_modern() { &self.modern } else { &self.legacy }
    }
}

const NEXT: &[u8] = br#","nextCursor":"#;

impl OpenPage {
    /// Writes it up to the id, with what is told about the tools that were asked for. That holds for this moment, so
    /// nobody may keep it.
    pub(crate) fn with_facet(mut self, facet: &[u8]) -> Vec<u8> {
        self.cache = Cache::private(std::time::Duration::ZERO);
        let mut out = Vec::with_capacity(self.items.len() + self.result_end.len() + facet.len() + 512);
        self.write(&mut out, Some(facet));
        out
    }

    fn write(&self, out: &mut Vec<u8>, facet: Option<&[u8]>) {
        out.extend_from_slice(&self.items);
        if let Some(next) = &self.next {
            out.extend_from_slice(NEXT);
            write::string(out, next);
        }
        if self.is_modern {
            self.cache.write(out);
        }
        out.extend_from_slice(match (self.is_modern, facet) {
            (true, None) => &self.result_end,
            // Without its last two brackets, the one of `_meta` and the one of the result.
            (true, Some(_)) => &self.result_end[..self.result_end.len() - 2],
            (false, None) => b"}",
            (false, Some(_)) => br#","_meta":{"#,
        });
        if let Some(facet) = facet {
            if self.is_modern {
                out.push(b',');
            }
            write::string(out, EXTENSION);
            out.push(b':');
            out.extend_from_slice(facet);
            out.extend_from_slice(b"}}");
        }
        out.extend_from_slice(br#","id":"#);
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

fn page_bytes(kind: Kind, items: &[&str], next: Option<&str>, modern_end: Option<(Cache, &[u8])>) -> Page {
    let mut out = Vec::with_capacity(items.iter().map(|it| it.len() + 1).sum::<usize>() + 512);
    out.extend_from_slice(br#"{"jsonrpc":"2.0","result":{"#);
    if modern_end.is_some() {
        out.extend_from_slice(br#""resultType":"complete","#);
    }
    write::string(&mut out, kind.member());
    out.extend_from_slice(b":[");
    out.extend_from_slice(items.join(",").as_bytes());
    out.push(b']');
    let items_end = out.len();
    if let Some(next) = next {
        out.extend_from_slice(NEXT);
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
    Page { bytes: out.into(), items_end }
}
