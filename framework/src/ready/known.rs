//! What an evaluation may look at. Nothing of it can wait, and nothing of it leads to another server.

use std::{borrow::Cow, collections::BTreeSet, fmt};

use super::{
    filter::Annotations,
    fingerprint::Fingerprint,
    nearest::Corpus,
    reason::{Action, Unready},
};
use crate::caller::Caller;

/// What a server that stands before others knows of them, for [`Server::gateway`](crate::Server::gateway).
///
/// Everything is read from what is known already: no method can wait, and none is given a way to another server. The
/// tools themselves are those of `tools/list`; [`Tool::upstream`](crate::Tool::upstream) says whose they are. What is
/// said here holds for calls as well: a tool that is not in scope is unknown, and one of a server that is disabled or
/// in quarantine, that is denied, blocked, not approved, or not what was approved is refused. Connections are looked at
/// by questions alone, since the call itself finds out better.
///
/// ```
/// use tollgate::ready::{Connection, Gateway, ServerPolicy, Unreadable};
///
/// struct One;
///
/// impl Gateway for One {
///     fn server(&self, server: &str) -> Result<Option<ServerPolicy>, Unreadable> {
///         Ok((server == "gh").then(ServerPolicy::default))
///     }
///     fn connection(&self, _: &str) -> Result<Option<Connection>, Unreadable> {
///         Ok(Some(Connection::LoginNeeded))
///     }
/// }
/// ```
pub trait Gateway: Send + Sync + 'static {
    /// What was decided about a server; `None` when there is none of this name.
    ///
    /// # Errors
    /// When it cannot be read: the whole question is then answered with an internal error, never with a guess.
    fn server(&self, server: &str) -> Result<Option<ServerPolicy>, Unreadable>;

    /// How its connection stands; `None` when nothing has been noted yet, which counts as starting.
    ///
    /// # Errors
    /// As [`server`](Self::server).
    fn connection(&self, server: &str) -> Result<Option<Connection>, Unreadable>;

    /// What was decided about one of its tools, also about one that is in no list for that reason. `None` is approved.
    ///
    /// # Errors
    /// As [`server`](Self::server).
    fn approval(&self, server: &str, tool: &str) -> Result<Option<Approval>, Unreadable> {
        let _ = (server, tool);
        Ok(None)
    }

    /// Whether the configuration of the server denies the tool.
    ///
    /// # Errors
    /// As [`server`](Self::server).
    fn denies(&self, server: &str, tool: &str) -> Result<bool, Unreadable> {
        let _ = (server, tool);
        Ok(false)
    }

    /// Which servers a caller may use.
    ///
    /// # Errors
    /// As [`server`](Self::server).
    fn scope(&self, caller: &Caller) -> Result<Scope, Unreadable> {
        let _ = caller;
        Ok(Scope::Everything)
    }

    /// Which servers a named profile narrows a question to; `None` when there is no such profile.
    ///
    /// # Errors
    /// As [`server`](Self::server).
    fn profile(&self, profile: &str) -> Result<Option<Scope>, Unreadable> {
        let _ = profile;
        Ok(None)
    }
}

/// What was decided about a server. By default it is on, trusted, and its tools need approval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ServerPolicy {
    /// Whether it is switched on.
    pub enabled: bool,
    /// Whether it is kept apart until somebody has looked at it.
    pub quarantined: bool,
    /// Whether its tools have to be approved. Not so where the server is trusted as a whole, or nothing is ever kept
    /// apart. A tool that somebody blocked stays blocked.
    pub needs_approval: bool,
}

impl Default for ServerPolicy {
    fn default() -> Self {
        Self { enabled: true, quarantined: false, needs_approval: true }
    }
}

impl ServerPolicy {
    /// The same, switched on or off.
    #[must_use]
    pub const fn enabled(mut self, yes: bool) -> Self {
        self.enabled = yes;
        self
    }

    /// The same, kept apart or not.
    #[must_use]
    pub const fn quarantined(mut self, yes: bool) -> Self {
        self.quarantined = yes;
        self
    }

    /// The same, with tools that need approval or do not.
    #[must_use]
    pub const fn needs_approval(mut self, yes: bool) -> Self {
        self.needs_approval = yes;
        self
    }
}

/// How the connection to a server stands.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Connection {
    /// It is up.
    Ready,
    /// It connects, finds out what there is, or authenticates.
    Starting,
    /// It waits for somebody to log in.
    LoginNeeded,
    /// It broke off, or never came about.
    Down {
        /// The last error. Operators alone see it, without what looks like a secret.
        error: Option<String>,
        /// What helps: `Restart`, `Login` or `ViewLogs`; anything else is told as `ViewLogs`.
        action: Option<Action>,
    },
}

impl Connection {
    /// One that broke off.
    #[must_use]
    pub const fn down() -> Self {
        Self::Down { error: None, action: None }
    }
}

/// What was decided about one tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Approval {
    pub(crate) standing: Standing,
    pub(crate) is_blocked: bool,
    pub(crate) approved: Option<Fingerprint>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    Approved,
    Pending,
    Changed,
}

impl Approval {
    /// Somebody approved it, whatever it looks like now.
    #[must_use]
    pub const fn approved() -> Self {
        Self::of(Standing::Approved)
    }

    /// Somebody approved exactly this definition. With any other, the tool has changed.
    #[must_use]
    pub const fn approved_as(fingerprint: Fingerprint) -> Self {
        Self { approved: Some(fingerprint), ..Self::of(Standing::Approved) }
    }

    /// Nobody has approved it yet.
    #[must_use]
    pub const fn pending() -> Self {
        Self::of(Standing::Pending)
    }

    /// It changed since it was approved.
    #[must_use]
    pub const fn changed() -> Self {
        Self::of(Standing::Changed)
    }

    /// Reads a word that was stored. One that is not known is pending: what cannot be read was approved by nobody.
    #[must_use]
    pub fn named(word: &str) -> Self {
        match word {
            "approved" => Self::approved(),
            "changed" => Self::changed(),
            _ => Self::pending(),
        }
    }

    /// The same, blocked by somebody.
    #[must_use]
    pub const fn blocked(mut self) -> Self {
        self.is_blocked = true;
        self
    }

    const fn of(standing: Standing) -> Self {
        Self { standing, is_blocked: false, approved: None }
    }
}

/// Which servers may be used.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "there is all, and there is some")]
pub enum Scope {
    /// All of them.
    Everything,
    /// These and no others; none of them is nothing.
    Servers(BTreeSet<String>),
}

impl Scope {
    /// These servers and no others. `*` among them is everything; without any there is nothing.
    pub fn of<T: Into<String>>(servers: impl IntoIterator<Item = T>) -> Self {
        let servers: BTreeSet<String> = servers.into_iter().map(Into::into).collect();
        if servers.contains("*") { Self::Everything } else { Self::Servers(servers) }
    }

    /// What lies in both.
    #[must_use]
    pub fn and(self, other: &Self) -> Self {
        match (self, other) {
            (Self::Everything, other) => other.clone(),
            (it, Self::Everything) => it,
            (Self::Servers(these), Self::Servers(those)) => Self::Servers(&these & those),
        }
    }

    /// Whether a server lies in it.
    #[must_use]
    pub fn contains(&self, server: &str) -> bool {
        match self {
            Self::Everything => true,
            Self::Servers(servers) => servers.contains(server),
        }
    }
}

/// Something that an evaluation needs cannot be read now. It is logged, and no client sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable(String);

impl Unreadable {
    /// Says what, and why.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unreadable {}

/// The tools that a caller's `tools/list` names.
pub(crate) trait Index {
    /// By the name in the list.
    fn served(&self, name: &str) -> Option<Indexed<'_>>;
    /// By where it comes from.
    fn upstream(&self, server: &str, tool: &str) -> Option<Indexed<'_>>;
    /// The names of all tools, whoever may see them.
    fn names(&self) -> &Names;
    /// Whether the caller may see the tool at a place.
    fn sees(&self, at: usize) -> bool;
}

/// The names of all tools, to find those that are near to another; made once for each list.
pub(crate) struct Names {
    /// As they stand in the list, by where the tool stands.
    pub(crate) served: Corpus,
    /// As `server:tool`.
    pub(crate) upstream: Corpus,
    /// The server of each tool, among `servers`.
    pub(crate) server_of: Vec<Option<usize>>,
    pub(crate) servers: Vec<String>,
}

/// One of them.
pub(crate) struct Indexed<'a> {
    pub(crate) upstream: Option<(&'a str, &'a str)>,
    pub(crate) annotations: Annotations,
    pub(crate) fingerprint: Fingerprint,
    /// What it says of itself now.
    pub(crate) unready: Option<Unready>,
}

/// Words that are fixed, or those of an error, which operators alone see.
pub(crate) type Detail = Cow<'static, str>;
