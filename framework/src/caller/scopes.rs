//! What a caller may do, as its token says it.

use std::{
    panic::{RefUnwindSafe, UnwindSafe},
    sync::atomic::{AtomicU64, Ordering},
};

/// Scopes in order, each once.
pub(crate) struct Scopes {
    all: Box<[Box<str>]>,
    /// What each of a server's lists has made of them. No part of who the caller is: behind the trait, nobody who takes
    /// a caller for a key is warned that it changes.
    notes: Box<dyn Notes>,
}

trait Notes: Send + Sync + UnwindSafe + RefUnwindSafe {
    fn of(&self, list: usize) -> &AtomicU64;
}

impl Notes for [AtomicU64; LISTS] {
    fn of(&self, list: usize) -> &AtomicU64 {
        &self[list]
    }
}

/// Lists that a server has.
const LISTS: usize = 4;

impl Scopes {
    pub(super) fn new(all: impl IntoIterator<Item = String>) -> Self {
        let mut all: Vec<_> = all.into_iter().map(String::into_boxed_str).collect();
        all.sort_unstable();
        all.dedup();
        Self { all: all.into(), notes: Box::<[AtomicU64; LISTS]>::default() }
    }

    pub(super) fn contain(&self, scope: &str) -> bool {
        self.all.binary_search_by(|it| (**it).cmp(scope)).is_ok()
    }

    pub(crate) fn contain_all(&self, scopes: &[String]) -> bool {
        scopes.iter().all(|it| self.contain(it))
    }

    /// What a list has noted, or 0.
    pub(crate) fn noted(&self, list: usize) -> u64 {
        self.notes.of(list).load(Ordering::Relaxed)
    }

    /// Notes what a list has made of these scopes, in place of what it noted before.
    pub(crate) fn note(&self, list: usize, seen: u64) {
        self.notes.of(list).store(seen, Ordering::Relaxed);
    }
}

/// Why nobody may ask for a scope, if that is so.
pub(crate) fn fault(scope: &str) -> Option<String> {
    match scope {
        "offline_access" => {
            Some("`offline_access` is between a client and its authorization server: leave it out".to_owned())
        }
        _ if is_scope(scope) => None,
        _ => Some(format!("`{scope}` is no scope: it is printable ASCII without blanks, `\"` and `\\`")),
    }
}

/// The characters of a scope (RFC 6749, section 3.3).
fn is_scope(scope: &str) -> bool {
    !scope.is_empty() && scope.bytes().all(|it| it.is_ascii_graphic() && it != b'"' && it != b'\\')
}
