//! Filters by what tools say about themselves. What a tool does not say is not assumed.

use serde::Serialize;

use super::reason::Reason;

/// What a tool's annotations say, as far as filters ask. Defaults of the protocol are not put in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Annotations {
    pub(crate) read_only: Option<bool>,
    pub(crate) destructive: Option<bool>,
    pub(crate) open_world: Option<bool>,
}

/// The filters of one question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Filters {
    pub(crate) read_only_only: bool,
    pub(crate) exclude_destructive: bool,
    pub(crate) exclude_open_world: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Filter {
    ReadOnlyOnly,
    ExcludeDestructive,
    ExcludeOpenWorld,
}

impl Filter {
    /// In the order in which they are looked at.
    pub(crate) const ALL: [Self; 3] = [Self::ReadOnlyOnly, Self::ExcludeDestructive, Self::ExcludeOpenWorld];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::ReadOnlyOnly => "read_only_only",
            Self::ExcludeDestructive => "exclude_destructive",
            Self::ExcludeOpenWorld => "exclude_open_world",
        }
    }

    /// The annotation that it asks about.
    pub(crate) const fn hint(self) -> &'static str {
        match self {
            Self::ReadOnlyOnly => "readOnlyHint",
            Self::ExcludeDestructive => "destructiveHint",
            Self::ExcludeOpenWorld => "openWorldHint",
        }
    }

    /// Why it leaves a tool out, if it does.
    fn leaves_out(self, tool: Annotations) -> Option<Reason> {
        let (hint, safe) = match self {
            Self::ReadOnlyOnly => (tool.read_only, true),
            // What only reads destroys nothing, whether it says so or not.
            Self::ExcludeDestructive if tool.read_only == Some(true) => return None,
            Self::ExcludeDestructive => (tool.destructive, false),
            Self::ExcludeOpenWorld => (tool.open_world, false),
        };
        match hint {
            None => Some(Reason::MissingAnnotation),
            Some(it) if it == safe => None,
            Some(_) => Some(Reason::PolicyFiltered),
        }
    }
}

impl Filters {
    pub(crate) const fn has(self, filter: Filter) -> bool {
        match filter {
            Filter::ReadOnlyOnly => self.read_only_only,
            Filter::ExcludeDestructive => self.exclude_destructive,
            Filter::ExcludeOpenWorld => self.exclude_open_world,
        }
    }

    pub(crate) const fn set(&mut self, filter: Filter, on: bool) {
        match filter {
            Filter::ReadOnlyOnly => self.read_only_only = on,
            Filter::ExcludeDestructive => self.exclude_destructive = on,
            Filter::ExcludeOpenWorld => self.exclude_open_world = on,
        }
    }

    pub(crate) fn on(self) -> impl Iterator<Item = Filter> {
        Filter::ALL.into_iter().filter(move |it| self.has(*it))
    }

    /// The first filter that leaves a tool out, and why.
    pub(crate) fn leave_out(self, tool: Annotations) -> Option<(Filter, Reason)> {
        self.on().find_map(|it| Some((it, it.leaves_out(tool)?)))
    }
}
