//! What has changed since a baseline was agreed to.

use std::fmt;

use super::{
    baseline::Agreed,
    costs::{Costs, ToolCost},
    field::Field,
};

/// What has changed since a [`Baseline`](super::Baseline) was agreed to, in the order of the list; what is gone comes
/// last. Its text has a line for each change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Drift {
    /// Every change.
    pub changes: Vec<Change>,
    /// How many tools are as they were.
    pub unchanged: usize,
}

/// What has become of one tool.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Change {
    /// It was not there.
    New {
        /// Which tool.
        name: String,
        /// What it costs.
        tokens: usize,
    },
    /// It is there no more.
    Gone {
        /// Which tool.
        name: String,
        /// What it cost.
        tokens: usize,
    },
    /// Its definition is another, though it may cost the same.
    Changed {
        /// Which tool.
        name: String,
        /// What it cost.
        before: usize,
        /// What it costs.
        after: usize,
        /// The fields that cost more or less, and how much; what grew most comes first.
        fields: Vec<(Field, isize)>,
    },
}

impl Drift {
    /// Tools are compared by name; among those of one name, by their order.
    pub(super) fn between(agreed: &[Agreed], costs: &Costs) -> Self {
        let mut missing: Vec<_> = agreed.iter().collect();
        let mut drift = Self::default();
        for tool in costs.tools() {
            match missing.iter().position(|it| it.name == tool.name()) {
                None => drift.changes.push(Change::New { name: tool.name().into(), tokens: tool.tokens() }),
                Some(at) => match missing.remove(at) {
                    it if it.hash == tool.hash() => drift.unchanged += 1,
                    it => drift.changes.push(Change::between(it, tool)),
                },
            }
        }
        let gone = missing.into_iter().map(|it| Change::Gone { name: it.name.clone(), tokens: it.tokens });
        drift.changes.extend(gone);
        drift
    }

    /// Whether nothing has changed.
    #[must_use]
    pub const fn is_none(&self) -> bool {
        self.changes.is_empty()
    }

    /// Whether somebody has to agree: a tool is new, gone, or another and no smaller. Tools that only became smaller
    /// pass; to agree to them keeps what was won.
    #[must_use]
    pub fn must_be_agreed_to(&self) -> bool {
        !self.changes.iter().all(Change::is_smaller)
    }

    /// How many tokens more all of it costs; less, where it is negative.
    #[must_use]
    pub fn tokens(&self) -> isize {
        self.changes.iter().map(Change::tokens).sum()
    }
}

impl Change {
    fn between(before: &Agreed, after: &ToolCost) -> Self {
        let fields = Field::ALL.map(|it| (it, difference(before.fields[it], after.fields()[it])));
        let mut fields: Vec<_> = fields.into_iter().filter(|(_, tokens)| *tokens != 0).collect();
        fields.sort_by_key(|(_, tokens)| std::cmp::Reverse(*tokens));
        Self::Changed { name: after.name().into(), before: before.tokens, after: after.tokens(), fields }
    }

    /// Which tool.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::New { name, .. } | Self::Gone { name, .. } | Self::Changed { name, .. } => name,
        }
    }

    /// How many tokens more it costs; less, where it is negative.
    #[must_use]
    pub const fn tokens(&self) -> isize {
        match self {
            Self::New { tokens, .. } => difference(0, *tokens),
            Self::Gone { tokens, .. } => difference(*tokens, 0),
            Self::Changed { before, after, .. } => difference(*before, *after),
        }
    }

    /// Whether a tool that is still there has become smaller.
    #[must_use]
    pub fn is_smaller(&self) -> bool {
        matches!(self, Self::Changed { before, after, .. } if after < before)
    }
}

const fn difference(before: usize, after: usize) -> isize {
    after.cast_signed() - before.cast_signed()
}

impl fmt::Display for Drift {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, it) in self.changes.iter().enumerate() {
            write!(f, "{}{it}", if place == 0 { "" } else { "\n" })?;
        }
        Ok(())
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name();
        match self {
            Self::New { tokens, .. } => write!(f, "`{name}` is new: {tokens} tokens"),
            Self::Gone { tokens, .. } => write!(f, "`{name}` is gone: it had {tokens} tokens"),
            Self::Changed { after, fields, .. } => {
                write!(f, "`{name}` has changed: {after} tokens")?;
                match self.tokens() {
                    0 => f.write_str(", as before")?,
                    more => write!(f, ", {more:+}")?,
                }
                for (place, (field, more)) in fields.iter().enumerate() {
                    write!(f, "{}{field} {more:+}", if place == 0 { " (" } else { ", " })?;
                }
                f.write_str(if fields.is_empty() { "" } else { ")" })
            }
        }
    }
}
