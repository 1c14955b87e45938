//! A record of each question that was answered, kept before the answer goes out.

mod file;

use std::{collections::BTreeMap, fmt};

use serde::{Deserialize, Serialize};

use super::{
    evaluate::{Asked, Evaluation},
    facet::Status,
    reason::{Reason, Verdict},
};
use crate::{caller::Caller, store::BoxFuture};
pub use file::ActivityFile;

/// Keeps the records of questions, for [`Server::activity`](crate::Server::activity).
///
/// Without one, each question is an event in the log, which tells counts and reasons and no names.
pub trait Activity: Send + Sync + 'static {
    /// Keeps a record, so that it is there when this is done. The question is answered only then.
    ///
    /// # Errors
    /// When it cannot be kept: whoever asked gets an internal error and no verdict, as when it takes longer than 5 seconds.
    fn keep<'a>(&'a self, record: &'a ActivityRecord) -> BoxFuture<'a, Result<(), ActivityError>>;
}

/// Why a record was not kept.
#[derive(Debug)]
pub struct ActivityError(String);

/// One question and what came out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ActivityRecord {
    /// Always `preflight`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The same as in the answer.
    pub request_id: String,
    /// When it was looked at (RFC 3339, UTC).
    pub time: String,
    /// How it was asked.
    pub surface: Surface,
    /// Who asked: the subject of the token; absent where the server asks for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub caller: Option<String>,
    /// How many tools were asked about, each counted once.
    pub count: usize,
    /// The ids as they were sent.
    pub ids: Vec<String>,
    /// The filters that were on.
    pub filters: Vec<String>,
    /// `success` when all are ready, else `blocked`.
    pub status: String,
    /// The worst of all.
    pub verdict: Verdict,
    /// How often each reason was given.
    pub reasons: BTreeMap<Reason, usize>,
    /// What was told about each tool.
    pub tools: Vec<RecordedTool>,
}

/// What was told about one tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RecordedTool {
    /// As in the answer.
    pub id: String,
    /// Whether it was ready.
    pub status: Status,
    /// Why not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
}

/// How a question was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Surface {
    /// With `tools/list`.
    Rider,
    /// By HTTP, beside the endpoint.
    Rest,
    /// With `tools/resolve`.
    Resolve,
}

impl ActivityRecord {
    pub(crate) fn new(
        request_id: &str,
        time: &str,
        surface: Surface,
        caller: &Caller,
        asked: &Asked,
        found: &Evaluation,
    ) -> Self {
        let mut reasons = BTreeMap::new();
        for reason in found.tools.iter().filter_map(|it| it.reason) {
            *reasons.entry(reason).or_default() += 1;
        }
        let tools = asked.tools.iter().zip(&found.tools).map(|(wanted, told)| RecordedTool {
            id: wanted.id.clone(),
            status: told.status,
            reason: told.reason,
        });
        let status = if found.verdict == Verdict::Ready { "success" } else { "blocked" };
        Self {
            kind: "preflight".to_owned(),
            request_id: request_id.to_owned(),
            time: time.to_owned(),
            surface,
            caller: caller.name().map(ToOwned::to_owned),
            count: found.tools.len(),
            ids: asked.raw.clone(),
            filters: asked.filters.on().map(|it| it.name().to_owned()).collect(),
            status: status.to_owned(),
            verdict: found.verdict,
            reasons,
            tools: tools.collect(),
        }
    }

    /// The reasons given most, as `2 x tool_changed, not_found, +1 more`.
    fn top_reasons(&self) -> String {
        const MOST: usize = 3;
        let mut reasons: Vec<_> = self.reasons.iter().collect();
        reasons.sort_by_key(|(reason, count)| (std::cmp::Reverse(**count), **reason));
        let mut shown: Vec<String> = reasons
            .iter()
            .take(MOST)
            .map(
                |(reason, count)| {
                    if **count > 1 { format!("{count} x {reason}") } else { reason.to_string() }
                },
            )
            .collect();
        if reasons.len() > MOST {
            shown.push(format!("+{} more", reasons.len() - MOST));
        }
        shown.join(", ")
    }
}

/// On one line, without the names of tools: the verdict, how many were asked about, and the reasons given most.
impl fmt::Display for ActivityRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} asked", self.verdict, self.count)?;
        if self.reasons.is_empty() { Ok(()) } else { write!(f, ", {}", self.top_reasons()) }
    }
}

/// No place for records but the log, which is told no names.
pub(crate) struct LogOnly;

impl Activity for LogOnly {
    fn keep<'a>(&'a self, record: &'a ActivityRecord) -> BoxFuture<'a, Result<(), ActivityError>> {
        tracing::info!(
            request_id = record.request_id,
            surface = ?record.surface,
            verdict = %record.verdict,
            count = record.count,
            reasons = record.top_reasons(),
            "a preflight was answered"
        );
        Box::pin(std::future::ready(Ok(())))
    }
}

impl ActivityError {
    /// Says what went wrong. It is logged, and no client sees it.
    pub fn new(error: impl fmt::Display) -> Self {
        Self(error.to_string())
    }
}

impl fmt::Display for ActivityError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the record of a preflight was not kept: {}", self.0)
    }
}

impl std::error::Error for ActivityError {}
