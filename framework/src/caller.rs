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

use sha2::{Digest, Sha256};

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

    /// Stands for the principal where handles are kept.
    pub(crate) fn holder(&self) -> [u8; 32] {
        match &self.0 {
            Who::Anonymous => *b"tollgate anonymous caller       ",
            Who::Local => *b"tollgate local caller           ",
            Who::Named(it) => digest("tollgate named 1", &[Some(&it.name)]),
            #[cfg(feature = "auth")]
            Who::Known(it) => it.id,
        }
    }

    /// Stands for the same subject by whichever client: whom something was shared with.
    pub(crate) fn person(&self) -> Option<[u8; 32]> {
        match &self.0 {
            Who::Anonymous | Who::Local => None,
            Who::Named(it) => Some(digest(PERSON, &[None, Some(&it.name), None])),
            #[cfg(feature = "auth")]
            Who::Known(it) => Some(it.person),
        }
    }

    /// The same of another subject, of the same issuer and tenant. Nobody is told apart without auth.
    pub(crate) fn person_named(&self, subject: &str) -> Option<[u8; 32]> {
        match &self.0 {
            Who::Anonymous | Who::Local => None,
            Who::Named(_) => Some(digest(PERSON, &[None, Some(subject), None])),
            #[cfg(feature = "auth")]
            Who::Known(it) => Some(it.principal.person(subject)),
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

/// Each part with its length, or that there is none, so that no two of a label have the same bytes.
fn digest(label: &str, parts: &[Option<&str>]) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(label);
    for part in parts {
        hash.update([u8::from(part.is_some())]);
        let part = part.unwrap_or_default();
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    hash.finalize().into()
}

/// Of issuer, subject and tenant.
const PERSON: &str = "tollgate person 1";

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
