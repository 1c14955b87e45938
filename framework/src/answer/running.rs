//! A call that runs. It is polled inside the response, so that nobody waiting means nothing running.

use std::{
    future::Future,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use bytes::Bytes;
use tokio::time::{Instant, Sleep, sleep_until};

use super::{Messages, finish::Finisher};
use crate::{
    author::{
        ask::Question,
        call::{Call, Heard, Stopped},
        content::ResourceContents,
        error::Result as ToolResult,
        output::Said,
        prompt::Message,
        tool::BoxFuture,
    },
    gates::{call::Resolved, refusal::Refusal, room::Room},
    guard,
};

/// The author's code.
pub(crate) enum Work {
    Tool(BoxFuture<ToolResult<Said>>),
    Prompt(BoxFuture<ToolResult<Vec<Message>>>),
    Resource(BoxFuture<ToolResult<Vec<ResourceContents>>>),
    Complete(BoxFuture<ToolResult<Vec<String>>>),
    /// It panicked before there was anything to poll.
    Broken(String),
    Over,
}

/// How a call ended.
pub(crate) enum Outcome {
    Tool(ToolResult<Said>),
    Prompt(ToolResult<Vec<Message>>),
    Resource(ToolResult<Vec<ResourceContents>>),
    Complete(ToolResult<Vec<String>>),
    Asks(Vec<(String, Question)>),
    Stopped(Stopped),
    TimedOut,
    Panicked(String),
}

/// What a call did last.
pub(crate) enum Step {
    Note(Bytes),
    Done(Result<Bytes, Refusal>),
}

pub(crate) struct Running {
    work: Work,
    call: Arc<Call>,
    resolved: Option<Resolved>,
    room: Option<Room>,
    timer: Option<Pin<Box<Sleep>>>,
    outcome: Option<Outcome>,
    first: Option<Bytes>,
}

impl Running {
    pub(crate) const fn new(work: Work, call: Arc<Call>, resolved: Resolved) -> Self {
        Self { work, call, resolved: Some(resolved), room: None, timer: None, outcome: None, first: None }
    }

    /// The same with a message that was taken out already.
    pub(crate) fn after(mut self: Box<Self>, first: Bytes) -> Box<Self> {
        self.first = Some(first);
        self
    }

    pub(crate) fn poll_step(&mut self, cx: &mut Context<'_>) -> Poll<Step> {
        if self.outcome.is_none() {
            match self.poll_outcome(cx) {
                Poll::Ready(Ok(outcome)) => {
                    self.work.end();
                    self.outcome = Some(outcome);
                }
                Poll::Ready(Err(note)) => return Poll::Ready(Step::Note(note.into())),
                Poll::Pending => return Poll::Pending,
            }
        }
        if let Some(note) = self.call.rest() {
            return Poll::Ready(Step::Note(note.into()));
        }
        let (Some(outcome), Some(resolved)) = (self.outcome.take(), self.resolved.take()) else {
            return Poll::Pending;
        };
        let done = Finisher::of(&resolved).finish(outcome, &self.call);
        self.room = resolved.dated.read.room;
        Poll::Ready(Step::Done(done.map(Bytes::from)))
    }

    /// The outcome, or a message that comes before it.
    fn poll_outcome(&mut self, cx: &mut Context<'_>) -> Poll<Result<Outcome, Vec<u8>>> {
        loop {
            let work = &mut self.work;
            match catch_unwind(AssertUnwindSafe(|| work.poll(cx))) {
                Ok(Poll::Ready(outcome)) => return Poll::Ready(Ok(outcome)),
                Err(panic) => return Poll::Ready(Ok(Outcome::Panicked(guard::text(panic.as_ref())))),
                Ok(Poll::Pending) => {}
            }
            let due = match self.call.hear(cx.waker()) {
                Heard::Note(_) if Instant::now() >= self.call.deadline => {
                    return Poll::Ready(Ok(Outcome::TimedOut));
                }
                Heard::Note(note) => return Poll::Ready(Err(note)),
                Heard::Questions(questions) => return Poll::Ready(Ok(Outcome::Asks(questions))),
                Heard::Stopped(why) => return Poll::Ready(Ok(Outcome::Stopped(why))),
                Heard::Nothing(due) => due,
            };
            std::task::ready!(self.poll_timer(due, cx));
            if Instant::now() >= self.call.deadline {
                return Poll::Ready(Ok(Outcome::TimedOut));
            }
            self.call.release();
        }
    }

    /// Waits for the deadline or for a message that was held back. Calls that never wait make no timer.
    fn poll_timer(&mut self, due: Option<Instant>, cx: &mut Context<'_>) -> Poll<()> {
        let at = due.map_or(self.call.deadline, |due| due.min(self.call.deadline));
        let timer = self.timer.get_or_insert_with(|| Box::pin(sleep_until(at)));
        if timer.deadline() != at {
            timer.as_mut().reset(at);
        }
        timer.as_mut().poll(cx)
    }

    /// The places that the call takes, to be held until its answer is sent.
    pub(crate) fn take_room(&mut self) -> Option<Room> {
        self.room.take()
    }
}

impl Messages for Running {
    fn poll_message(&mut self, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        if let Some(first) = self.first.take() {
            return Poll::Ready(Some(first));
        }
        if self.resolved.is_none() {
            return Poll::Ready(None);
        }
        self.poll_step(cx).map(|step| {
            Some(match step {
                Step::Note(note) => note,
                Step::Done(Ok(message)) => message,
                Step::Done(Err(refusal)) => refusal.body().into(),
            })
        })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.work.end();
        self.call.leave();
    }
}

impl Work {
    /// Calls the author's code. What panics here has no future yet.
    pub(crate) fn start(run: impl FnOnce() -> Self) -> Self {
        catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|panic| Self::Broken(guard::text(panic.as_ref())))
    }

    /// Drops the author's future, which may panic as well.
    fn end(&mut self) {
        let work = std::mem::replace(self, Self::Over);
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| drop(work))) {
            tracing::error!(panic = %guard::text(panic.as_ref()), "a call panicked while it was dropped");
        }
    }

    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Outcome> {
        match self {
            Self::Tool(it) => it.as_mut().poll(cx).map(Outcome::Tool),
            Self::Prompt(it) => it.as_mut().poll(cx).map(Outcome::Prompt),
            Self::Resource(it) => it.as_mut().poll(cx).map(Outcome::Resource),
            Self::Complete(it) => it.as_mut().poll(cx).map(Outcome::Complete),
            Self::Broken(text) => Poll::Ready(Outcome::Panicked(std::mem::take(text))),
            Self::Over => Poll::Pending,
        }
    }
}
