//! The answer as it travels.

use serde::{Deserialize, Serialize};

use super::{
    fingerprint::Fingerprint,
    known::Detail,
    reason::{Action, Reason, Verdict},
};

/// What is told about all tools that were asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Facet {
    /// The worst of them.
    pub verdict: Verdict,
    /// When it was looked at (RFC 3339, UTC). It holds for that moment.
    pub checked_at: String,
    /// The same as in the activity record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// Each tool once, in the order in which it was first named.
    pub tools: Vec<ToolStatus>,
}

/// What is told about one tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ToolStatus {
    /// As it was asked for, without blanks around it. A tool that was resolved names itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Whether it is ready.
    pub status: Status,
    /// Why not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    /// Whether asking again in a moment makes sense; told of what is not ready.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retryable: Option<bool>,
    /// What somebody can do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<Action>,
    /// What is the matter, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// What to do about it, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remediation: Option<String>,
    /// Names that may have been meant, at most three; only where there is no such tool.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub did_you_mean: Vec<String>,
    /// The fingerprint of the definition. Operators only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
}

/// Whether a tool is ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "it is ready or it is not")]
pub enum Status {
    /// Nothing known stands in the way.
    Ready,
    /// Something does.
    Unavailable,
}

impl ToolStatus {
    pub(super) fn ready(id: &str, hash: Option<Fingerprint>) -> Self {
        Self {
            id: Some(id.to_owned()),
            status: Status::Ready,
            reason: None,
            retryable: None,
            action: None,
            detail: None,
            remediation: None,
            did_you_mean: Vec::new(),
            hash: hash.map(|it| it.to_string()),
        }
    }

    pub(super) fn unavailable(id: &str, reason: Reason, action: Option<Action>, detail: Detail) -> Self {
        Self {
            status: Status::Unavailable,
            reason: Some(reason),
            retryable: Some(reason.is_retryable()),
            action,
            detail: Some(detail.into_owned()),
            remediation: Some(reason.remediation().to_owned()),
            ..Self::ready(id, None)
        }
    }

    pub(super) fn with_suggestions(self, did_you_mean: Vec<String>) -> Self {
        Self { did_you_mean, ..self }
    }

    /// The same about a tool that names itself.
    #[must_use]
    pub fn without_id(self) -> Self {
        Self { id: None, ..self }
    }

    /// Whether it is ready.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        self.status == Status::Ready
    }
}
