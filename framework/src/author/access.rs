//! Who may see and use something that a server offers (basic/authorization#scope-challenge-handling).

use crate::caller::{Caller, scope_fault};

/// The scopes that a caller has to have, all of them, and what those hear who have not.
#[derive(Clone, Debug, Default)]
pub(crate) struct Requirement {
    scopes: Vec<String>,
    /// Whether it does not exist for them.
    pub(crate) is_hidden: bool,
}

/// Something that is listed and used by those who have access.
pub(crate) trait Protected: Send + Sync {
    fn access(&self) -> &Requirement;

    /// The server behind this one that it belongs to.
    fn server(&self) -> Option<&str> {
        None
    }

    /// What is listed.
    fn json(&self) -> &str;

    /// What is listed for legacy clients.
    fn legacy_json(&self) -> &str {
        self.json()
    }

    /// What it takes of the budget of its list.
    fn tokens(&self) -> usize {
        0
    }
}

impl Requirement {
    /// One scope, or several with a blank between.
    pub(crate) fn add(&mut self, scopes: &str) {
        for scope in scopes.split(' ') {
            if self.scopes.iter().all(|it| it != scope) {
                self.scopes.push(scope.to_owned());
            }
        }
    }

    /// In the order in which they were written.
    pub(crate) fn scopes(&self) -> &[String] {
        &self.scopes
    }

    pub(crate) fn lets_in(&self, caller: &Caller) -> bool {
        self.scopes.is_empty() || caller.scopes().is_none_or(|it| it.contain_all(&self.scopes))
    }

    pub(crate) fn faults(&self) -> Vec<String> {
        let mut faults: Vec<_> = self.scopes.iter().filter_map(|it| scope_fault(it)).collect();
        if self.is_hidden && self.scopes.is_empty() {
            faults
                .push("it is hidden and has no scope: nobody could be told from those who may use it".into());
        }
        faults
    }
}

/// The scopes that clients may be told of, each once, in the order in which they are first needed.
#[cfg(feature = "auth")]
pub(crate) fn published<'a>(all: impl IntoIterator<Item = &'a Requirement>) -> Vec<String> {
    let mut published = Requirement::default();
    for access in all.into_iter().filter(|it| !it.is_hidden) {
        access.scopes.iter().for_each(|it| published.add(it));
    }
    published.scopes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn needing(scopes: &str) -> Requirement {
        let mut access = Requirement::default();
        access.add(scopes);
        access
    }

    #[test]
    fn scopes_keep_their_order_and_stand_once() {
        let mut access = needing("b a");
        access.add("a c");

        assert_eq!(access.scopes(), ["b", "a", "c"]);
    }

    #[test]
    fn all_scopes_are_needed() {
        let access = needing("a b");

        assert!(access.lets_in(&Caller::ANONYMOUS) && access.lets_in(&Caller::named("ann")));
        assert!(access.lets_in(&Caller::named_with("ann", ["b".into(), "c".into(), "a".into()])));
        assert!(!access.lets_in(&Caller::named_with("ann", ["a".into()])));
        assert!(Requirement::default().lets_in(&Caller::named_with("ann", [])));
    }

    #[test]
    fn what_is_no_scope_is_a_fault() {
        assert_eq!(needing("a b:c/d").faults(), [""; 0]);
        for wrong in ["", "a  b", " a", "a\tb", "a\"", "\\", "ä", "offline_access"] {
            assert_eq!(needing(wrong).faults().len(), 1, "{wrong:?}");
        }
        assert_eq!(Requirement { is_hidden: true, ..Requirement::default() }.faults().len(), 1);
    }

    #[cfg(feature = "auth")]
    #[test]
    fn only_what_is_not_hidden_is_published() {
        let hidden = Requirement { is_hidden: true, ..needing("admin a") };

        assert_eq!(published([&needing("b"), &hidden, &needing("a b")]), ["b", "a"]);
    }
}
