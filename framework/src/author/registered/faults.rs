//! What is wrong with one tool, prompt or resource, all of it at once.

use crate::{author::access::Requirement, handles::Kind};

/// What is wrong with one item.
pub(super) struct Faults {
    item: String,
    pub(super) all: Vec<String>,
}

impl Faults {
    pub(super) fn of(kind: &str, name: &str) -> Self {
        Self { item: format!("the {kind} `{name}`"), all: Vec::new() }
    }

    pub(super) fn add(&mut self, fault: impl std::fmt::Display) {
        self.all.push(format!("{}: {fault}", self.item));
    }

    pub(super) fn check(&mut self, holds: bool, fault: &str) {
        if !holds {
            self.add(fault);
        }
    }

    /// An id is cut at its first colon.
    pub(super) fn check_upstream(&mut self, upstream: Option<&(String, String)>) {
        let Some((server, tool)) = upstream else { return };
        let is_name = |it: &str| !it.is_empty() && it.trim() == it;
        self.check(
            is_name(server) && is_name(tool) && !server.contains(':'),
            "a server behind this one, and its tool, have names without blanks around them, the server's without `:`",
        );
    }

    pub(super) fn check_kinds(&mut self, kinds: &[&Kind]) {
        for kind in kinds {
            self.check(
                !kind.is_sealed || cfg!(feature = "encrypt"),
                "it uses a sealed record, which needs the feature `encrypt`",
            );
            self.check(!kind.idle.is_zero() && !kind.lifetime.is_zero(), "its records last 0 seconds");
        }
    }

    pub(super) fn check_name(&mut self, name: &str) {
        let legal = |it: u8| it.is_ascii_alphanumeric() || matches!(it, b'_' | b'.' | b'-');
        self.check(
            (1..=128).contains(&name.len()) && name.bytes().all(legal),
            "a name has 1 to 128 characters of `A-Z a-z 0-9 _ . -`",
        );
    }

    pub(super) fn check_result_tokens(&mut self, most: Option<usize>) {
        self.check(most != Some(0), "its results may have 0 tokens");
        self.check(
            most.is_none() || cfg!(feature = "budget"),
            "it limits the tokens of its results, which needs the feature `budget`",
        );
    }

    pub(super) fn check_access(&mut self, access: &Requirement) {
        for fault in access.faults() {
            self.add(fault);
        }
    }

    pub(super) fn take<T>(&mut self, what: &str, result: Result<T, impl std::fmt::Display>) -> Option<T> {
        result.map_err(|error| self.add(format!("{what}: {error}"))).ok()
    }

    pub(super) fn finish(&self) -> Result<(), Vec<String>> {
        if self.all.is_empty() { Ok(()) } else { Err(self.all.clone()) }
    }
}
