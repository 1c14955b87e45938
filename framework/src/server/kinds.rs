//! Which kinds of record a server's tools, prompts and resources give and take, and what is odd about it.

use super::Items;
use crate::handles::Kind;

pub(super) struct Kinds {
    takes: Vec<&'static Kind>,
    gives: Vec<&'static Kind>,
}

impl Kinds {
    pub(super) fn of<S>(items: &Items<S>) -> Self {
        let tools = items.tools.iter().flat_map(|it| &it.takes);
        let prompts = items.prompts.iter().flat_map(|it| &it.takes);
        let resources = items.resources.iter().flat_map(|it| &it.takes);
        Self {
            takes: tools.chain(prompts).chain(resources).copied().collect(),
            gives: items.tools.iter().flat_map(|it| &it.gives).copied().collect(),
        }
    }

    /// Two types of one name would be looked up as one.
    pub(super) fn namesakes(&self) -> Option<String> {
        let all: Vec<_> = self.takes.iter().chain(&self.gives).collect();
        let twice =
            all.iter().find(|one| all.iter().any(|other| one.name == other.name && !one.is(other)))?;
        Some(format!("two types of record are of the kind `{}`: give one another", twice.name))
    }

    /// Says what works, and is seldom meant.
    pub(super) fn warn(&self, has_auth: bool) {
        for kind in &self.takes {
            if !self.gives.iter().any(|it| it.is(kind)) {
                tracing::warn!(kind = kind.name, "a handle is taken, and no tool says that it makes one");
            }
        }
        let is_used = !self.takes.is_empty() || !self.gives.is_empty();
        if is_used && !has_auth {
            tracing::warn!(
                "without auth whoever knows a handle may use it: the names cannot be guessed and expire, and that is all"
            );
        }
    }
}
