//! Who calls.

use std::{fmt, sync::Arc};

/// Who sent a request, as far as this server can know.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Caller(Who);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Who {
    Anonymous,
    Local,
    Named(Arc<str>),
}

impl Caller {
    /// Nobody in particular: the server asks for no token.
    pub(crate) const ANONYMOUS: Self = Self(Who::Anonymous);
    /// Whoever started this process.
    pub(crate) const LOCAL: Self = Self(Who::Local);

    pub(crate) fn named(name: &str) -> Self {
        Self(Who::Named(name.into()))
    }

    /// The caller's name; `None` when the server asks for none.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        match &self.0 {
            Who::Anonymous => None,
            Who::Local => Some("local"),
            Who::Named(name) => Some(name),
        }
    }

    /// What signed state is bound to: no two callers share it.
    pub(crate) fn principal(&self) -> [&[u8]; 2] {
        match &self.0 {
            Who::Anonymous => [b"anonymous", b""],
            Who::Local => [b"local", b""],
            Who::Named(name) => [b"named", name.as_bytes()],
        }
    }
}

impl fmt::Debug for Caller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name().unwrap_or("anonymous"))
    }
}
