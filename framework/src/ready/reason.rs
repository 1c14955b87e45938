//! Why a tool is not ready, and what follows from it. One table.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Why a tool is not ready. The list is closed for version 1 of the extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "a new reason is a new version of the extension")]
pub enum Reason {
    /// Its server is starting.
    ServerInitializing,
    /// Its server cannot be reached, or fails.
    ServerUnhealthy,
    /// Its server was switched off.
    ServerDisabled,
    /// Its server is kept apart until somebody has looked at it.
    ServerQuarantined,
    /// Nobody has approved the tool yet.
    ToolPendingApproval,
    /// Its definition is not the one that was approved.
    ToolChanged,
    /// Somebody blocked it.
    ToolBlockedByUser,
    /// Its server waits for somebody to log in.
    OauthRequired,
    /// Its definition is not the one that was pinned. Only HTTP asks so.
    HashMismatch,
    /// Its server is outside of what the caller may use. Operators only: to others it is [`NotFound`](Self::NotFound).
    ServerNotInScope,
    /// The configuration denies it.
    ToolDeniedByConfig,
    /// A filter was asked for, and the tool does not say what the filter needs to know.
    MissingAnnotation,
    /// A filter was asked for, and leaves the tool out.
    PolicyFiltered,
    /// There is no such tool for this caller.
    NotFound,
    /// There is no such server. Operators only: to others it is [`NotFound`](Self::NotFound).
    ServerNotConfigured,
}

/// What somebody can do about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "the list belongs to version 1 of the extension")]
pub enum Action {
    /// Log in.
    Login,
    /// Start the server again.
    Restart,
    /// Switch it on.
    Enable,
    /// Approve it.
    Approve,
    /// Look at the logs.
    ViewLogs,
    /// Set a secret.
    SetSecret,
    /// Change the configuration, or the request.
    Configure,
}

/// What holds for all tools of one question: the worst of their reasons, from best to worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "the list belongs to version 1 of the extension")]
pub enum Verdict {
    /// All are ready.
    Ready,
    /// Some are not, and may be in a moment.
    DegradedRetryable,
    /// Some are not, and somebody has to do something.
    Blocked,
    /// Some do not exist for this caller.
    UnknownIds,
}

/// What `#[tool(ready = f)]` can say of a tool, from what is known already.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "the list belongs to version 1 of the extension")]
pub enum Unready {
    /// What it needs is starting. Calls are let through.
    Initializing,
    /// What it needs cannot be reached, or fails. Calls are let through.
    Unhealthy,
    /// What it needs waits for somebody to log in. Calls are let through.
    LoginNeeded,
    /// It was switched off. Calls are refused, as in all that follow.
    Disabled,
    /// It is kept apart until somebody has looked at it.
    Quarantined,
    /// Nobody has approved it yet.
    PendingApproval,
    /// It is not what was approved.
    Changed,
    /// Somebody blocked it.
    Blocked,
    /// The configuration denies it.
    Denied,
}

impl Reason {
    /// All reasons, in the order in which the extension names them.
    pub const ALL: [Self; 15] = [
        Self::ServerInitializing,
        Self::ServerUnhealthy,
        Self::ServerDisabled,
        Self::ServerQuarantined,
        Self::ToolPendingApproval,
        Self::ToolChanged,
        Self::ToolBlockedByUser,
        Self::OauthRequired,
        Self::HashMismatch,
        Self::ServerNotInScope,
        Self::ToolDeniedByConfig,
        Self::MissingAnnotation,
        Self::PolicyFiltered,
        Self::NotFound,
        Self::ServerNotConfigured,
    ];

    /// Whether asking again in a moment makes sense.
    #[must_use]
    pub const fn is_retryable(self) -> bool {
        matches!(self, Self::ServerInitializing | Self::ServerUnhealthy)
    }

    /// Whether a rider's answer may hold it: there the caller learns nothing of what it may not use.
    #[must_use]
    pub const fn is_in_band(self) -> bool {
        !matches!(self, Self::HashMismatch | Self::ServerNotInScope | Self::ServerNotConfigured)
    }

    /// What somebody can do about it, if anything.
    #[must_use]
    pub const fn action(self) -> Option<Action> {
        match self {
            Self::ServerInitializing | Self::PolicyFiltered => None,
            Self::ServerUnhealthy => Some(Action::ViewLogs),
            Self::ServerDisabled | Self::ToolBlockedByUser => Some(Action::Enable),
            Self::ServerQuarantined | Self::ToolPendingApproval | Self::ToolChanged => Some(Action::Approve),
            Self::OauthRequired => Some(Action::Login),
            Self::HashMismatch
            | Self::ServerNotInScope
            | Self::ToolDeniedByConfig
            | Self::MissingAnnotation
            | Self::NotFound
            | Self::ServerNotConfigured => Some(Action::Configure),
        }
    }

    /// What one tool with this reason makes of the whole question.
    #[must_use]
    pub const fn verdict(self) -> Verdict {
        match self {
            Self::ServerInitializing | Self::ServerUnhealthy => Verdict::DegradedRetryable,
            Self::NotFound | Self::ServerNotConfigured => Verdict::UnknownIds,
            _ => Verdict::Blocked,
        }
    }

    /// The name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ServerInitializing => "server_initializing",
            Self::ServerUnhealthy => "server_unhealthy",
            Self::ServerDisabled => "server_disabled",
            Self::ServerQuarantined => "server_quarantined",
            Self::ToolPendingApproval => "tool_pending_approval",
            Self::ToolChanged => "tool_changed",
            Self::ToolBlockedByUser => "tool_blocked_by_user",
            Self::OauthRequired => "oauth_required",
            Self::HashMismatch => "hash_mismatch",
            Self::ServerNotInScope => "server_not_in_scope",
            Self::ToolDeniedByConfig => "tool_denied_by_config",
            Self::MissingAnnotation => "missing_annotation",
            Self::PolicyFiltered => "policy_filtered",
            Self::NotFound => "not_found",
            Self::ServerNotConfigured => "server_not_configured",
        }
    }

    /// What is the matter, in fixed words: nothing of a server's own errors is in them.
    pub(crate) const fn detail(self) -> &'static str {
        match self {
            Self::ServerInitializing => "its server is still starting",
            Self::ServerUnhealthy => "its server cannot be reached or reports a fault",
            Self::ServerDisabled => "its server is switched off",
            Self::ServerQuarantined => "its server is in quarantine until somebody has reviewed it",
            Self::ToolPendingApproval => "it is new and nobody has approved it yet",
            Self::ToolChanged => "its definition is no longer the one that was approved",
            Self::ToolBlockedByUser => "a user has blocked it",
            Self::OauthRequired => "its server waits for a login",
            Self::HashMismatch => "its definition is not the one that the pin names",
            Self::ServerNotInScope => "its server is outside the scope of this request",
            Self::ToolDeniedByConfig => "the configuration of its server denies it",
            Self::MissingAnnotation => "it does not declare the hint that the filter asks about",
            Self::PolicyFiltered => "a filter of this request leaves it out",
            Self::NotFound => "there is no tool of this name that you may use",
            Self::ServerNotConfigured => "no server of this name is configured",
        }
    }

    /// What to do about it, in fixed words.
    pub(crate) const fn remediation(self) -> &'static str {
        match self {
            Self::ServerInitializing => "Ask again in a few seconds.",
            Self::ServerUnhealthy => "Ask again in a moment; if it stays so, look at the server's logs.",
            Self::ServerDisabled => "Switch the server on, or do the job without this tool.",
            Self::ServerQuarantined => "Have somebody review the server and release it.",
            Self::ToolPendingApproval => "Have somebody review the tool and approve it.",
            Self::ToolChanged => "Have somebody compare the new definition and approve it again.",
            Self::ToolBlockedByUser => "Have the user allow the tool again.",
            Self::OauthRequired => "Log in to the server.",
            Self::HashMismatch => "Review the current definition, then pin it anew.",
            Self::ServerNotInScope => "Widen the scope, or use another profile.",
            Self::ToolDeniedByConfig => "Allow the tool in the configuration of its server.",
            Self::MissingAnnotation => "Have the tool declare the hint, or ask without this filter.",
            Self::PolicyFiltered => "Use another tool, or ask without this filter.",
            Self::NotFound => "Compare the name with tools/list.",
            Self::ServerNotConfigured => "Compare the name with the configured servers.",
        }
    }
}

impl Verdict {
    /// The worst of some reasons; ready when there are none.
    #[must_use]
    pub fn of(reasons: impl IntoIterator<Item = Reason>) -> Self {
        reasons.into_iter().map(Reason::verdict).max().unwrap_or(Self::Ready)
    }

    /// The name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ready => "ready",
            Self::DegradedRetryable => "degraded_retryable",
            Self::Blocked => "blocked",
            Self::UnknownIds => "unknown_ids",
        }
    }

    /// What a command that asks ends with: 0, 10, 11 or 12.
    #[must_use]
    pub const fn exit_code(self) -> u8 {
        match self {
            Self::Ready => 0,
            Self::DegradedRetryable => 10,
            Self::Blocked => 11,
            Self::UnknownIds => 12,
        }
    }
}

impl Unready {
    /// The reason that it is told as.
    #[must_use]
    pub const fn reason(self) -> Reason {
        match self {
            Self::Initializing => Reason::ServerInitializing,
            Self::Unhealthy => Reason::ServerUnhealthy,
            Self::LoginNeeded => Reason::OauthRequired,
            Self::Disabled => Reason::ServerDisabled,
            Self::Quarantined => Reason::ServerQuarantined,
            Self::PendingApproval => Reason::ToolPendingApproval,
            Self::Changed => Reason::ToolChanged,
            Self::Blocked => Reason::ToolBlockedByUser,
            Self::Denied => Reason::ToolDeniedByConfig,
        }
    }

    /// Whether calls are refused as well. What is a matter of the moment is left to the call: it may have passed.
    pub(crate) const fn holds_back(self) -> bool {
        !matches!(self, Self::Initializing | Self::Unhealthy | Self::LoginNeeded)
    }
}

impl From<Unready> for Reason {
    fn from(it: Unready) -> Self {
        it.reason()
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
