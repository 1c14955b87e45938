//! What has to come of each caller with each handle at each entrance, told from the rules alone.

/// Who comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Caller {
    /// Ann of acme with the editor, who may read and write.
    Owner,
    /// The same with a token that may only read.
    Reader,
    /// The same with a token that may do nothing in particular.
    Scopeless,
    /// Bob of acme, with whom some notes are shared.
    OtherUser,
    /// Ann of acme with another client.
    OtherClient,
    /// Ann of globex.
    OtherTenant,
    /// Whom another issuer calls ann of acme.
    OtherIssuer,
    /// Without a token.
    Anonymous,
    /// Ann with a token whose time is over.
    Late,
}

impl Caller {
    pub(super) const ALL: [Self; 9] = [
        Self::Owner,
        Self::Reader,
        Self::Scopeless,
        Self::OtherUser,
        Self::OtherClient,
        Self::OtherTenant,
        Self::OtherIssuer,
        Self::Anonymous,
        Self::Late,
    ];

    pub(super) const fn scopes(self) -> &'static str {
        match self {
            Self::Reader => "notes:read",
            Self::Scopeless => "other",
            _ => "notes:read notes:write",
        }
    }

    /// Whether it is the principal that made the notes, whatever its token lets it do.
    pub(super) const fn is_ann(self) -> bool {
        matches!(self, Self::Owner | Self::Reader | Self::Scopeless)
    }
}

/// What they bring. All notes are Ann's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Named {
    Valid,
    /// Never made.
    Unknown,
    /// Ann's, with Bob as a reader.
    Shared,
    /// Shared with Bob for a time that is over.
    SharedBefore,
    /// Shared with Bob and taken back.
    TakenBack,
    Expired,
    Deleted,
    /// Deleted while Bob could read it.
    SharedAndDeleted,
    OneCharacterChanged,
    /// Ann's list, under the prefix of notes.
    ListAsNote,
    /// Ann's list.
    OtherKind,
    /// The valid one under the prefix of lists.
    PrefixSwapped,
    UpperCase,
    TooShort,
    TooLong,
    MuchTooLong,
    PaddedBefore,
    PaddedAfter,
    PaddedLikeBase64,
    Empty,
}

impl Named {
    pub(super) const ALL: [Self; 20] = [
        Self::Unknown,
        Self::Valid,
        Self::Shared,
        Self::SharedBefore,
        Self::TakenBack,
        Self::Expired,
        Self::Deleted,
        Self::SharedAndDeleted,
        Self::OneCharacterChanged,
        Self::ListAsNote,
        Self::OtherKind,
        Self::PrefixSwapped,
        Self::UpperCase,
        Self::TooShort,
        Self::TooLong,
        Self::MuchTooLong,
        Self::PaddedBefore,
        Self::PaddedAfter,
        Self::PaddedLikeBase64,
        Self::Empty,
    ];

    /// Whether a note could be called so.
    const fn is_written_as_a_note(self) -> bool {
        !matches!(
            self,
            Self::OtherKind
                | Self::PrefixSwapped
                | Self::UpperCase
                | Self::TooShort
                | Self::TooLong
                | Self::MuchTooLong
                | Self::PaddedBefore
                | Self::PaddedAfter
                | Self::PaddedLikeBase64
                | Self::Empty
        )
    }
}

/// Where they bring it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Entrance {
    /// A tool that changes the note.
    Change,
    /// A tool that reads it.
    Show,
    Resource,
    Prompt,
    Listen,
    CompletePrompt,
    CompleteTemplate,
}

impl Entrance {
    pub(super) const ALL: [Self; 7] = [
        Self::Change,
        Self::Show,
        Self::Resource,
        Self::Prompt,
        Self::Listen,
        Self::CompletePrompt,
        Self::CompleteTemplate,
    ];

    pub(super) const fn completes(self) -> bool {
        matches!(self, Self::CompletePrompt | Self::CompleteTemplate)
    }
}

/// What comes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Verdict {
    Works,
    NoToken,
    BadToken,
    NoScope,
    /// There is no such note.
    Unknown,
    /// There was one.
    Expired,
    /// A note is not called so.
    Malformed,
    /// No resource is called so.
    NoResource,
    /// Neither yes nor no.
    Nothing,
}

pub(super) fn expected(caller: Caller, named: Named, entrance: Entrance) -> Verdict {
    match caller {
        Caller::Anonymous => return Verdict::NoToken,
        Caller::Late => return Verdict::BadToken,
        _ => {}
    }
    // Without its variable it is no URI of the template.
    if entrance == Entrance::Resource && named == Named::Empty {
        return Verdict::NoResource;
    }
    let needed = if entrance == Entrance::Change { "notes:write" } else { "notes:read" };
    let has_scope = caller.scopes().split(' ').any(|it| it == needed);
    let told = match () {
        () if !has_scope => Verdict::NoScope,
        () if !named.is_written_as_a_note() => Verdict::Malformed,
        () => about_a_note(caller, named, entrance),
    };
    match (entrance, told) {
        (_, Verdict::Works) => Verdict::Works,
        (Entrance::Resource, Verdict::Malformed) => Verdict::NoResource,
        // Who listens or completes is told nothing about what is not theirs, not even that it is not.
        (Entrance::Listen, _) => Verdict::Nothing,
        (Entrance::CompletePrompt | Entrance::CompleteTemplate, Verdict::NoScope) => Verdict::NoScope,
        // What was typed is the beginning of a handle. Nothing begins all that are held.
        (Entrance::CompletePrompt | Entrance::CompleteTemplate, _) if begins_some(caller, named) => {
            Verdict::Works
        }
        (Entrance::CompletePrompt | Entrance::CompleteTemplate, _) => Verdict::Nothing,
        (_, told) => told,
    }
}

fn about_a_note(caller: Caller, named: Named, entrance: Entrance) -> Verdict {
    let reads = entrance != Entrance::Change;
    match named {
        Named::Valid | Named::Shared | Named::SharedBefore | Named::TakenBack if caller.is_ann() => {
            Verdict::Works
        }
        Named::Shared if caller == Caller::OtherUser && reads => Verdict::Works,
        Named::Expired if caller.is_ann() => Verdict::Expired,
        _ => Verdict::Unknown,
    }
}

fn begins_some(caller: Caller, named: Named) -> bool {
    match named {
        Named::TooShort => caller.is_ann(),
        Named::Empty => caller.is_ann() || caller == Caller::OtherUser,
        _ => false,
    }
}
