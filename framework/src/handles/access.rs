//! What may be done with a record.

/// What a call does with a record, as its tool's hints say: `read_only` reads, `destructive` deletes, all others write.
/// Prompts and resources read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Action {
    /// The record stays as it is.
    Read,
    /// The record changes.
    Write,
    /// The record, or what it stands for, goes.
    Delete,
}

/// A caller who has a handle, and what it is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Access {
    /// What the call does.
    pub action: Action,
    /// Whether the caller made the record; otherwise it was shared with them.
    pub is_owner: bool,
}

/// What somebody may do with a record that is shared with them. Everybody may read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rights(u8);

impl Rights {
    /// Read it.
    pub const READ: Self = Self(1);
    /// Read and change it.
    pub const WRITE: Self = Self(1 | 2);
    /// Read, change and delete it.
    pub const ALL: Self = Self(1 | 2 | 4);

    pub(crate) const fn bits(self) -> u8 {
        self.0
    }

    /// Bits that mean nothing allow nothing.
    pub(crate) const fn from_bits(bits: u8) -> Self {
        Self(bits & Self::ALL.0)
    }

    pub(crate) const fn allow(self, action: Action) -> bool {
        let needed = match action {
            Action::Read => 1,
            Action::Write => 2,
            Action::Delete => 4,
        };
        self.0 & needed != 0
    }
}
