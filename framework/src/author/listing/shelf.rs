//! One list as each caller may see it. Callers who may see the same get the same bytes, which are written at the first
//! of them.

use std::sync::{
    Arc, OnceLock,
    atomic::{AtomicU64, Ordering},
};

use super::{Cache, Frame, Kind, pages::Pages};
use crate::{
    author::access::Protected,
    caller::{Caller, Scopes},
    ready::Scope,
};

pub(super) struct Shelf {
    kind: Kind,
    cache: Cache,
    /// What those see who may see everything.
    full: Pages,
    /// `None` where that is everybody.
    rest: Option<Rest>,
}

/// What those see who may not see everything.
struct Rest {
    items: Vec<Item>,
    /// What items need, each need once.
    needed: Vec<Need>,
    /// Whether some of it is a matter of what lies behind this server, which may change at any time.
    has_servers: bool,
    views: Box<[OnceLock<View>]>,
    /// Tells the notes of this shelf from those of others.
    number: u64,
}

struct Item {
    it: Arc<dyn Protected>,
    /// Which of the needs it has, if any.
    needs: Option<usize>,
}

/// What a caller has to have to see an item.
#[derive(PartialEq)]
struct Need {
    scopes: Vec<String>,
    /// The server behind this one that it has to be let through to.
    server: Option<String>,
}

/// The list of those who have the same of what is needed.
struct View {
    has: Box<[bool]>,
    pages: Pages,
}

/// Views that are kept of one list, the full one included; others are written each time.
const VIEWS: u64 = 64;

impl Shelf {
    pub(super) fn new(frame: &Frame, kind: Kind, result_end: &[u8], items: Vec<Arc<dyn Protected>>) -> Self {
        let is_same_for_all = items.iter().all(|it| Need::of(&**it, frame.has_gateway).is_none());
        let shared = frame.cache.shared && (is_same_for_all || !frame.has_auth);
        let cache = Cache { shared, ..frame.cache };
        let full = Pages::new(frame, kind, cache, result_end, items.iter().map(|it| &**it));
        Self { kind, cache, full, rest: (!is_same_for_all).then(|| Rest::new(items, frame.has_gateway)) }
    }

    /// Takes something from the pages that a caller may see.
    pub(super) fn shown_to<T>(
        &self,
        frame: &Frame,
        result_end: &[u8],
        caller: &Caller,
        servers: &Scope,
        take: impl FnOnce(&Pages) -> T,
    ) -> T {
        let scopes = caller.scopes();
        let Some(rest) = self.rest.as_ref().filter(|it| scopes.is_some() || it.has_servers) else {
            return take(&self.full);
        };
        // What a caller may see by its scopes alone is noted with it.
        let noted = scopes.filter(|_| !rest.has_servers);
        let list = self.kind as usize;
        let kept =
            noted.and_then(|it| rest.recall(it.noted(list))).and_then(|view| match view.checked_sub(1) {
                None => Some(&self.full),
                Some(at) => rest.views[at].get().map(|it| &it.pages),
            });
        if let Some(pages) = kept {
            return take(pages);
        }
        let has: Box<[bool]> = rest.needed.iter().map(|it| it.is_met(scopes, servers)).collect();
        if has.iter().all(|it| *it) {
            noted.into_iter().for_each(|it| it.note(list, rest.note(0)));
            return take(&self.full);
        }
        let write = || {
            let seen = rest.items.iter().filter(|it| it.needs.is_none_or(|it| has[it]));
            Pages::new(frame, self.kind, self.cache, result_end, seen.map(|it| &*it.it))
        };
        for (before, slot) in (1..).zip(&rest.views) {
            let view = slot.get_or_init(|| View { has: has.clone(), pages: write() });
            if view.has == has {
                noted.into_iter().for_each(|it| it.note(list, rest.note(before)));
                return take(&view.pages);
            }
        }
        take(&write())
    }
}

impl Need {
    fn of(it: &dyn Protected, has_gateway: bool) -> Option<Self> {
        let mut scopes = it.access().scopes().to_vec();
        scopes.sort_unstable();
        let server = it.server().filter(|_| has_gateway).map(ToOwned::to_owned);
        (!scopes.is_empty() || server.is_some()).then_some(Self { scopes, server })
    }

    fn is_met(&self, scopes: Option<&Scopes>, servers: &Scope) -> bool {
        scopes.is_none_or(|it| it.contain_all(&self.scopes))
            && self.server.as_ref().is_none_or(|it| servers.contains(it))
    }
}

impl Rest {
    fn new(all: Vec<Arc<dyn Protected>>, has_gateway: bool) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let mut needed: Vec<Need> = Vec::new();
        let mut items = Vec::with_capacity(all.len());
        for it in all {
            let needs = Need::of(&*it, has_gateway).map(|need| {
                needed.iter().position(|it| *it == need).unwrap_or_else(|| {
                    needed.push(need);
                    needed.len() - 1
                })
            });
            items.push(Item { it, needs });
        }
        Self {
            items,
            has_servers: needed.iter().any(|it| it.server.is_some()),
            needed,
            views: (1..VIEWS).map(|_| OnceLock::new()).collect(),
            number: NEXT.fetch_add(1, Ordering::Relaxed),
        }
    }

    /// What is noted for a view, so that whoever has seen it finds it without looking at scopes.
    const fn note(&self, view: u64) -> u64 {
        self.number * VIEWS + view
    }

    fn recall(&self, noted: u64) -> Option<usize> {
        let view = noted.checked_sub(self.number * VIEWS).filter(|it| *it < VIEWS)?;
        usize::try_from(view).ok()
    }
}
