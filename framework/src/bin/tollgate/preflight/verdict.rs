//! What an answer means, and the exit code that it comes to. What is not known here never means that all is well.

use serde_json::Value;
use tollgate::ready::{Reason, Verdict};

use crate::{out::Failure, text};

/// The verdict of a word; what a later version may say counts as one that somebody has to look at.
fn verdict_of(word: &str) -> Verdict {
    const ALL: [Verdict; 4] =
        [Verdict::Ready, Verdict::DegradedRetryable, Verdict::Blocked, Verdict::UnknownIds];
    ALL.into_iter().find(|it| it.as_str() == word).unwrap_or(Verdict::Blocked)
}

/// The same of a reason.
fn verdict_for(reason: &str) -> Verdict {
    Reason::ALL.into_iter().find(|it| it.as_str() == reason).map_or(Verdict::Blocked, Reason::verdict)
}

/// An answer, as far as people see it.
#[derive(Debug)]
pub(crate) struct Answered {
    /// The word of the server.
    pub(crate) verdict: String,
    pub(crate) checked_at: String,
    pub(crate) waited_ms: Option<u64>,
    pub(crate) tools: Vec<Judged>,
}

#[derive(Debug)]
pub(crate) struct Judged {
    pub(crate) id: String,
    pub(crate) status: String,
    pub(crate) reason: Option<String>,
    pub(crate) retryable: Option<bool>,
    pub(crate) action: Option<String>,
    pub(crate) detail: Option<String>,
    pub(crate) did_you_mean: Vec<String>,
}

impl Answered {
    /// Reads an answer, which has to say something about each id.
    pub(crate) fn read(answer: &Value, ids: &[String]) -> Result<Self, Failure> {
        let tools: Vec<Judged> = answer["tools"].as_array().into_iter().flatten().map(Judged::read).collect();
        let Some(verdict) = said(answer, "verdict") else {
            return Err("the answer has no verdict: nothing is known of the tools".into());
        };
        if let Some(missing) = ids.iter().find(|id| !tools.iter().any(|it| it.id.trim() == id.trim())) {
            return Err(format!("the answer says nothing of `{}`", text::line(missing)).into());
        }
        let checked_at = said(answer, "checked_at").unwrap_or_default();
        Ok(Self { verdict, checked_at, waited_ms: answer["waited_ms"].as_u64(), tools })
    }

    /// The worse of what the server says and of what follows from the results.
    pub(crate) fn code(&self) -> u8 {
        let worst = self.tools.iter().map(Judged::verdict).max().unwrap_or(Verdict::Blocked);
        worst.max(verdict_of(&self.verdict)).exit_code()
    }
}

impl Judged {
    fn read(tool: &Value) -> Self {
        let near = tool["did_you_mean"].as_array().into_iter().flatten();
        Self {
            id: said(tool, "id").unwrap_or_default(),
            status: said(tool, "status").unwrap_or_default(),
            reason: said(tool, "reason"),
            retryable: tool["retryable"].as_bool(),
            action: said(tool, "action"),
            detail: said(tool, "detail").or_else(|| said(tool, "remediation")),
            did_you_mean: near.filter_map(Value::as_str).map(str::to_owned).collect(),
        }
    }

    pub(crate) fn is_ready(&self) -> bool {
        self.status == "ready"
    }

    fn verdict(&self) -> Verdict {
        match self.is_ready() {
            true => Verdict::Ready,
            false => verdict_for(self.reason.as_deref().unwrap_or_default()),
        }
    }
}

fn said(object: &Value, member: &str) -> Option<String> {
    object[member].as_str().filter(|it| !it.is_empty()).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn code(answer: &Value) -> u8 {
        Answered::read(answer, &["a".to_owned()]).unwrap().code()
    }

    fn with(verdict: &str, reason: &str) -> Value {
        json!({"verdict": verdict, "tools": [{"id": "a", "status": "unavailable", "reason": reason}]})
    }

    #[test]
    fn each_reason_has_its_exit_code() {
        let table = [
            ("server_initializing", 10),
            ("server_unhealthy", 10),
            ("server_disabled", 11),
            ("server_quarantined", 11),
            ("tool_pending_approval", 11),
            ("tool_changed", 11),
            ("tool_blocked_by_user", 11),
            ("oauth_required", 11),
            ("hash_mismatch", 11),
            ("server_not_in_scope", 11),
            ("tool_denied_by_config", 11),
            ("missing_annotation", 11),
            ("policy_filtered", 11),
            ("not_found", 12),
            ("server_not_configured", 12),
            ("something_new", 11),
            ("", 11),
        ];
        for (reason, expected) in table {
            assert_eq!(code(&with("ready", reason)), expected, "{reason}");
        }
    }

    #[test]
    fn the_worse_counts_of_what_is_said_and_what_follows() {
        let ready = |verdict: &str| json!({"verdict": verdict, "tools": [{"id": "a", "status": "ready"}]});

        assert_eq!(code(&ready("ready")), 0);
        assert_eq!(code(&ready("degraded_retryable")), 10);
        assert_eq!(code(&ready("blocked")), 11);
        assert_eq!(code(&ready("unknown_ids")), 12);
        assert_eq!(code(&ready("splendid")), 11);
        assert_eq!(code(&with("blocked", "server_initializing")), 11);
        assert_eq!(code(&with("degraded_retryable", "not_found")), 12);
    }

    #[test]
    fn a_status_that_is_not_known_is_not_ready() {
        assert_eq!(code(&json!({"verdict": "ready", "tools": [{"id": "a", "status": "perhaps"}]})), 11);
    }

    #[test]
    fn an_answer_that_leaves_an_id_out_is_none() {
        let ids = ["a".to_owned(), "b".to_owned()];

        assert!(
            Answered::read(&json!({"verdict": "ready", "tools": [{"id": "a", "status": "ready"}]}), &ids)
                .is_err()
        );
        assert!(Answered::read(&json!({"tools": []}), &[]).is_err());
    }
}
