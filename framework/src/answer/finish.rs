//! The outcome of a call in the words of its era.

use std::fmt::Write;

use serde::Serialize;

#[cfg(feature = "budget")]
use super::excess;
use super::running::Outcome;
use crate::{
    author::{
        ask::Question,
        call::{Call, Stopped, input_requests},
        content::{Content, ResourceContents},
        error::{Repr, ToolError},
        listing::Cache,
        output::Said,
        prompt::Message,
        registered::{RegisteredResource, RegisteredTool},
    },
    gates::{
        call::{Resolved, Target},
        refusal::{Reason, Refusal},
        round::{self, Unsealed},
    },
    wire::{version::Version, write},
};

/// Writes the answer to one request.
pub(crate) struct Finisher<'a> {
    resolved: &'a Resolved,
    version: Version,
}

impl<'a> Finisher<'a> {
    pub(crate) const fn of(resolved: &'a Resolved) -> Self {
        Self { resolved, version: resolved.dated.era.version }
    }

    pub(crate) fn finish(&self, outcome: Outcome, call: &Call) -> Result<Vec<u8>, Refusal> {
        let most = self.resolved.dated.read.engine.limits.result_bytes;
        let written = match outcome {
            Outcome::Tool(Ok(said)) => self.said(said),
            Outcome::Tool(Err(error)) => Ok(self.tool_error(&self.told(error))),
            Outcome::Prompt(Ok(messages)) => Ok(self.prompt(&messages)),
            Outcome::Resource(Ok(contents)) => Ok(self.resource(&contents)),
            Outcome::Complete(Ok(values)) => Ok(self.completion(values)),
            Outcome::Prompt(Err(error)) | Outcome::Resource(Err(error)) | Outcome::Complete(Err(error)) => {
                Err(self.refused(error))
            }
            Outcome::Asks(questions) => self.asks(&questions, call),
            Outcome::Stopped(Stopped::Needs(need)) if self.version.is_modern() => Err(Reason::Needs(need)),
            Outcome::Stopped(Stopped::Needs(need)) => self
                .failed(&format!("The client cannot do what this needs: {}. Use another tool.", need.name())),
            Outcome::Stopped(Stopped::Spent | Stopped::AskAgain) => Err(Reason::State),
            Outcome::TimedOut => {
                self.failed("It took too long and was stopped. Ask for less, or try again later.")
            }
            Outcome::Panicked(text) => {
                let reference = self.reference();
                tracing::error!(%reference, panic = %text, name = %self.name(), "a call panicked");
                Err(Reason::Internal(reference))
            }
        };
        match written {
            Ok(bytes) if bytes.len() > most => self
                .failed(&format!("The result is larger than {most} bytes. Ask for less of it."))
                .map_err(|reason| self.refusal(reason)),
            other => other.map_err(|reason| self.refusal(reason)),
        }
    }

    fn refusal(&self, reason: Reason) -> Refusal {
        reason.of(self.resolved.dated.read.message.id.as_ref())
    }

    // --- tools ---

    fn said(&self, said: Said) -> Result<Vec<u8>, Reason> {
        let tool = self.tool();
        if let Some(checker) = tool.and_then(|it| it.output.as_ref()) {
            let fits = said.structured.as_ref().is_some_and(|it| checker.is_valid(it));
            if !fits {
                let reference = self.reference();
                tracing::error!(%reference, tool = %self.name(), "the output of a tool does not fit its own schema");
                return Err(Reason::Internal(reference));
            }
        }
        #[cfg(feature = "budget")]
        if let Some(told) =
            tool.and_then(|it| excess::told(it, self.resolved.dated.read.engine.result_tokens, &said))
        {
            return Ok(self.tool_error(&told));
        }
        let shows_structure = self.version.is_modern()
            || (self.version >= Version::V2025_06_18 && tool.is_some_and(|it| it.legacy_structured));
        let mut out = self.begin(256);
        self.content(&mut out, &said.content);
        if let Some(structured) = said.structured.filter(|_| shows_structure) {
            self.member(&mut out, "structuredContent", &structured);
        }
        Ok(self.end(out))
    }

    /// A result that tells the model what went wrong.
    pub(crate) fn tool_error(&self, text: &str) -> Vec<u8> {
        self.resolved.tool_error(text)
    }

    /// What the model reads of an error. Of one that was not meant for it, it reads a reference.
    fn told(&self, error: ToolError) -> String {
        match error.into_repr() {
            Repr::Told(text) => text,
            Repr::Internal(error) => {
                let reference = self.reference();
                tracing::error!(%reference, error = %chain(error.as_ref()), tool = %self.name(), "a tool failed");
                format!("internal error (reference {reference})")
            }
        }
    }

    // --- prompts, resources, completion ---

    fn prompt(&self, messages: &[Message]) -> Vec<u8> {
        let mut out = self.begin(256);
        if let Target::Prompt { prompt, .. } = &self.resolved.target {
            self.member(&mut out, "description", &prompt.description);
        }
        self.member(&mut out, "messages", messages);
        self.end(out)
    }

    fn resource(&self, contents: &[ResourceContents]) -> Vec<u8> {
        let mut out = self.begin(256);
        self.member(&mut out, "contents", contents);
        if let (true, Target::Resource { resource, .. }) = (self.version.is_modern(), &self.resolved.target) {
            cache(resource).write(&mut out);
        }
        self.end(out)
    }

    /// At most 100 values travel (schema: `CompleteResult`).
    fn completion(&self, mut values: Vec<String>) -> Vec<u8> {
        const MOST: usize = 100;
        let total = values.len();
        values.truncate(MOST);
        let completion = serde_json::json!({"values": values, "total": total, "hasMore": total > MOST});
        let mut out = self.begin(128);
        self.member(&mut out, "completion", &completion);
        self.end(out)
    }

    fn refused(&self, error: ToolError) -> Reason {
        match error.into_repr() {
            Repr::Told(message) => {
                let uri = match &self.resolved.target {
                    Target::Resource { uri, .. } => Some(uri.clone()),
                    _ => None,
                };
                Reason::Told { message, uri }
            }
            Repr::Internal(error) => {
                let reference = self.reference();
                tracing::error!(%reference, error = %chain(error.as_ref()), name = %self.name(), "a call failed");
                Reason::Internal(reference)
            }
        }
    }

    // --- asking ---

    /// The call ends with questions; it starts again when the answers come (basic/patterns/mrtr).
    fn asks(&self, questions: &[(String, Question)], call: &Call) -> Result<Vec<u8>, Reason> {
        if matches!(self.resolved.target, Target::Complete { .. }) {
            let reference = self.reference();
            tracing::error!(%reference, "a completion asked a question, which the protocol does not allow");
            return Err(Reason::Internal(reference));
        }
        let asked = questions.iter().map(|it| it.0.clone()).collect();
        let state = match round::seal(self.resolved, call.round(), asked) {
            Ok(state) => state,
            Err(Unsealed::TooLarge) => {
                return self.failed(
                    "What was kept and answered so far is too long to go on with. Ask for less of it.",
                );
            }
            Err(Unsealed::NoRandomness(error)) => {
                return Err(Reason::internal(&self.resolved.dated.read.engine, &error));
            }
        };
        let Some(state) = state else {
            return self.failed(
                "It asked too often without an answer that it could use. Ask the user how to go on.",
            );
        };
        let mut out = self.begin_as(r#""resultType":"input_required""#, 512);
        self.member(&mut out, "inputRequests", &input_requests(questions));
        self.member(&mut out, "requestState", &state);
        Ok(self.end(out))
    }

    /// Tools tell the model; everything else has only the protocol to speak through.
    fn failed(&self, text: &str) -> Result<Vec<u8>, Reason> {
        match &self.resolved.target {
            Target::Tool { .. } => Ok(self.tool_error(text)),
            _ => Err(Reason::internal(&self.resolved.dated.read.engine, &text)),
        }
    }

    // --- the frame of every result ---

    fn begin(&self, capacity: usize) -> Vec<u8> {
        let result_type = if self.version.is_modern() { r#""resultType":"complete""# } else { "" };
        self.begin_as(result_type, capacity)
    }

    fn begin_as(&self, result_type: &str, capacity: usize) -> Vec<u8> {
        let mut out = Vec::with_capacity(capacity + self.resolved.listing.result_end.len());
        let id = self.resolved.dated.read.message.id.as_ref();
        write::result(&mut out, id.map_or(b"null", |it| it.json()));
        out.push(b'{');
        out.extend_from_slice(result_type.as_bytes());
        out
    }

    fn member(&self, out: &mut Vec<u8>, name: &'static str, value: &(impl Serialize + ?Sized)) {
        self.key(out, name);
        write::json(out, value);
    }

    fn key(&self, out: &mut Vec<u8>, name: &'static str) {
        if out.last() != Some(&b'{') {
            out.push(b',');
        }
        write::key(out, name);
    }

    /// The content of a tool's result. One text, which most are, is written without a detour.
    fn content(&self, out: &mut Vec<u8>, content: &[Content]) {
        if let [one] = content
            && let Some(text) = one.as_plain_text()
        {
            self.key(out, "content");
            out.extend_from_slice(br#"[{"type":"text","text":"#);
            write::string(out, text);
            out.extend_from_slice(b"}]");
        } else {
            self.member(out, "content", content);
        }
    }

    fn end(&self, mut out: Vec<u8>) -> Vec<u8> {
        match self.version.is_modern() {
            true => out.extend_from_slice(&self.resolved.listing.result_end),
            false => out.push(b'}'),
        }
        out.push(b'}');
        out
    }

    fn tool(&self) -> Option<&RegisteredTool> {
        match &self.resolved.target {
            Target::Tool { tool, .. } => Some(tool),
            _ => None,
        }
    }

    fn name(&self) -> &str {
        match &self.resolved.target {
            Target::Tool { tool, .. } => &tool.name,
            Target::Prompt { prompt, .. } => &prompt.name,
            Target::Resource { resource, .. } => &resource.uri,
            _ => "",
        }
    }

    /// Ties what a caller sees to what the log says.
    fn reference(&self) -> String {
        self.resolved.dated.read.engine.reference()
    }
}

fn cache(resource: &RegisteredResource) -> Cache {
    Cache { ttl: resource.ttl, shared: resource.shared }
}

/// An error with everything that caused it.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(it) = cause {
        let _ = write!(text, ": {it}");
        cause = it.source();
    }
    text
}
