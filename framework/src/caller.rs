//! Who calls.

#[cfg(feature = "auth")]
mod principal;
mod scopes;

use std::{
    fmt,
    hash::{Hash, Hasher},
    sync::Arc,
    time::SystemTime,
};

#[cfg(feature = "auth")]
pub use principal::Principal;
#[cfg(feature = "auth")]
use principal::Verified;
pub(crate) use scopes::{Scopes, fault as scope_fault};

/// Who sent a request, as far as this server can know. Two callers are equal when they are the same principal, whatever
/// each of them may do.
#[derive(Clone)]
pub struct Caller(Who);

#[derive(Clone)]
enum Who {
    Anonymous,
    Local,
    Named(Arc<Named>),
    #[cfg(feature = "auth")]
    Known(Arc<Verified>),
}

/// Whom the client in memory stands for.
struct Named {
    name: Box<str>,
    /// All, unless the test says otherwise.
    scopes: Option<Scopes>,
}

impl Caller {
    /// Nobody in particular: the server asks for no token.
    pub(crate) const ANONYMOUS: Self = Self(Who::Anonymous);
    /// Whoever started this process.
    pub(crate) const LOCAL: Self = Self(Who::Local);

    pub(crate) fn named(name: &str) -> Self {
        Self(Who::Named(Arc::new(Named { name: name.into(), scopes: None })))
    }

    /// The same name with these scopes and no others.
    pub(crate) fn named_with(name: &str, scopes: impl IntoIterator<Item = String>) -> Self {
        Self(Who::Named(Arc::new(Named { name: name.into(), scopes: Some(Scopes::new(scopes)) })))
    }

    #[cfg(feature = "auth")]
    pub(crate) fn verified(principal: Principal) -> Self {
        Self(Who::Known(Arc::new(Verified::new(principal))))
    }

    /// The caller's name: with auth the subject of its token. `None` when the server asks for none.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        match &self.0 {
            Who::Anonymous => None,
            Who::Local => Some("local"),
            Who::Named(it) => Some(&it.name),
            #[cfg(feature = "auth")]
            Who::Known(it) => Some(it.principal.subject()),
        }
    }

    /// Whether the caller's token has this scope, or one that implies it. Scopes are a matter of tokens: without auth
    /// and on stdio a caller has all of them.
    #[must_use]
    pub fn has_scope(&self, scope: &str) -> bool {
        self.scopes().is_none_or(|it| it.contain(scope))
    }

    /// All that it may do; `None` where that is everything.
    pub(crate) fn scopes(&self) -> Option<&Scopes> {
        match &self.0 {
            Who::Anonymous | Who::Local => None,
            Who::Named(it) => it.scopes.as_ref(),
            #[cfg(feature = "auth")]
            Who::Known(it) => Some(&it.scopes),
        }
    }

    /// When what it may do is over, if ever.
    pub(crate) fn expires(&self) -> Option<SystemTime> {
        match &self.0 {
            Who::Anonymous | Who::Local | Who::Named(_) => None,
            #[cfg(feature = "auth")]
            Who::Known(it) => it.principal.expires(),
        }
    }

    /// What signed state is bound to: no two principals share it.
    pub(crate) fn principal(&self) -> [&[u8]; 2] {
        match &self.0 {
            Who::Anonymous => [b"anonymous", b""],
            Who::Local => [b"local", b""],
            Who::Named(it) => [b"named", it.name.as_bytes()],
            #[cfg(feature = "auth")]
            Who::Known(it) => [b"principal", &it.id],
        }
    }
}

/// What only a token says.
#[cfg(feature = "auth")]
impl Caller {
    /// Who the token says it stands for, and for how long; `None` without auth.
    #[must_use]
    pub fn known(&self) -> Option<&Principal> {
        match &self.0 {
            Who::Known(it) => Some(&it.principal),
            Who::Anonymous | Who::Local | Who::Named(_) => None,
        }
    }
}

impl PartialEq for Caller {
    fn eq(&self, other: &Self) -> bool {
        self.principal() == other.principal()
    }
}

impl Eq for Caller {}

impl Hash for Caller {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match &self.0 {
            // A digest is evenly spread: some of it tells as much as all of it.
            #[cfg(feature = "auth")]
            Who::Known(it) => state.write(&it.id[..8]),
            _ => self.principal().hash(state),
        }
    }
}

/// Nothing that a token says: who reads a log can tell two callers apart, and no more.
impl fmt::Debug for Caller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            #[cfg(feature = "auth")]
            Who::Known(it) => {
                f.write_str("principal ")?;
                it.id.iter().take(6).try_for_each(|it| write!(f, "{it:02x}"))
            }
            _ => f.write_str(self.name().unwrap_or("anonymous")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_are_a_matter_of_tokens() {
        for caller in [Caller::ANONYMOUS, Caller::LOCAL, Caller::named("ann")] {
            assert!(caller.has_scope("anything"));
        }
        let narrowed = Caller::named_with("ann", ["b".into(), "a".into(), "b".into()]);
        assert!(narrowed.has_scope("a") && narrowed.has_scope("b") && !narrowed.has_scope("c"));
    }

    #[test]
    fn a_caller_is_the_same_whatever_it_may_do() {
        assert_eq!(Caller::named("ann"), Caller::named_with("ann", []));
        assert_ne!(Caller::named("ann"), Caller::named("bob"));
        assert_ne!(Caller::named("local"), Caller::LOCAL);
    }
}
