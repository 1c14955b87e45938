//! From an admitted call to its answer.

pub(crate) mod checked;
mod finish;
mod legacy;
mod listening;
#[cfg(feature = "budget")]
mod excess;
mod running;

use std::{
    fmt,
    future::Future,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use bytes::Bytes;
use tower::Service;

use crate::{
    author::{
        argument::Arguments,
        call::{Call, Round},
        held::Grants,
        listing::Wanted,
        resource::Origin,
    },
    changes::Attached,
    gates::{
        call::{Resolved, Source, Target},
        caller::Handshake,
        refusal::{Reason, Refusal},
        room::Room,
    },
    layers::Admitted,
    schema::Violation,
    wire::{id::Id, write},
};
use finish::Finisher;
use listening::Listening;
pub(crate) use listening::standing;
use running::{Running, Step, Work};

/// Answers what was admitted.
#[derive(Clone, Copy)]
pub(crate) struct Answer;

/// What goes back: nothing, one message, or a stream of them.
pub struct Reply {
    pub(crate) payload: Payload,
    /// The id of the session that `initialize` opened.
    pub(crate) session: Option<String>,
    /// What `initialize` settled, for the transport that has no session ids.
    pub(crate) handshake: Option<Handshake>,
    /// The places that the call takes until its answer is sent whole. Streams that only listen take none.
    pub(crate) room: Option<Room>,
}

pub(crate) enum Payload {
    Nothing,
    /// A session is over.
    Ended,
    Message(Bytes),
    /// A page that was written before, and what ends it.
    Page(Bytes, Bytes),
    Stream(Box<dyn Messages>),
}

/// Several messages, one after the other.
pub(crate) trait Messages: Send {
    /// The next message; `None` after the last.
    fn poll_message(&mut self, cx: &mut Context<'_>) -> Poll<Option<Bytes>>;

    /// Brings a stream that has no end of its own to its end. What it still has to say follows.
    fn end(&mut self) {}
}

impl fmt::Debug for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match &self.payload {
            Payload::Nothing | Payload::Ended => "Reply::Nothing",
            Payload::Message(_) | Payload::Page(..) => "Reply::Message",
            Payload::Stream(_) => "Reply::Stream",
        })
    }
}

/// An answer on its way: there already, or a tool that has not said anything yet.
pub(crate) enum Answering {
    Ready(Option<Box<Result<Reply, Refusal>>>),
    Running(Option<Box<Running>>),
    Waiting(Pin<Box<dyn Future<Output = Result<Reply, Refusal>> + Send>>),
}

impl Service<Admitted> for Answer {
    type Response = Reply;
    type Error = Refusal;
    type Future = Answering;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Refusal>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, it: Admitted) -> Answering {
        let id = it.resolved.dated.read.message.id.clone();
        match answer(it, id.as_ref()) {
            Ok(answering) => answering,
            Err(reason) => Answering::Ready(Some(Box::new(Err(reason.of(id.as_ref()))))),
        }
    }
}

impl Future for Answering {
    type Output = Result<Reply, Refusal>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        match self.get_mut() {
            Self::Ready(ready) => ready.take().map_or(Poll::Pending, |it| Poll::Ready(*it)),
            Self::Waiting(waiting) => waiting.as_mut().poll(cx),
            Self::Running(slot) => {
                let Some(running) = slot.as_mut() else { return Poll::Pending };
                let step = std::task::ready!(running.poll_step(cx));
                let room = running.take_room();
                Poll::Ready(match step {
                    // Nothing was said before the result: it goes out as plain JSON.
                    Step::Done(done) => done.map(|message| Reply::message(message, room)),
                    Step::Note(first) => {
                        let running = slot.take().expect("it was there above");
                        Ok(Reply::of(Payload::Stream(running.after(first)), room))
                    }
                })
            }
        }
    }
}

impl Reply {
    const fn of(payload: Payload, room: Option<Room>) -> Self {
        Self { payload, session: None, handshake: None, room }
    }

    const fn message(message: Bytes, room: Option<Room>) -> Self {
        Self::of(Payload::Message(message), room)
    }

    const fn nothing() -> Self {
        Self::of(Payload::Nothing, None)
    }
}

/// One line for each thing that a message can be about.
fn answer(it: Admitted, id: Option<&Id>) -> Result<Answering, Reason> {
    let Admitted { resolved, grants, round } = it;
    let is_modern = resolved.dated.era.version.is_modern();
    let Some(id) = id else { return no_answer(resolved) };
    match &resolved.target {
        Target::Discover => Ok(page(resolved.listing.discover.clone(), id)),
        Target::List { asked: Some(_), .. } => {
            let servers = checked::scope_of(&resolved)?;
            checked::list(resolved, &servers)
        }
        Target::List { kind, cursor, asked: None } => {
            let read = &resolved.dated.read;
            let servers = checked::scope_of(&resolved)?;
            let wanted = Wanted {
                kind: *kind,
                caller: &read.caller,
                servers: &servers,
                version: resolved.dated.era.version,
                cursor: cursor.as_deref(),
            };
            let found = resolved.listing.page(&read.engine.catalog.frame, &wanted);
            found.map(|it| page(it, id)).ok_or(Reason::CursorUnknown)
        }
        #[cfg(feature = "resolve")]
        Target::Resolve { .. } => {
            let servers = checked::scope_of(&resolved)?;
            checked::resolve(resolved, &servers)
        }
        Target::Tool { .. } => call_tool(resolved, grants, round),
        Target::Prompt { .. } | Target::Resource { .. } | Target::Complete { .. } => {
            read(resolved, grants, round)
        }
        Target::Listen(_) => listen(resolved),
        Target::Initialize { version, capabilities } => {
            legacy::initialize(&resolved, *version, *capabilities, id)
        }
        Target::Ping => Ok(empty(id)),
        Target::SetLevel(level) => {
            attached(&resolved).into_iter().for_each(|it| it.set_level(*level));
            Ok(empty(id))
        }
        Target::Subscribe(uri) => {
            if let Some(it) = attached(&resolved) {
                let limits = &resolved.dated.read.engine.limits;
                let watched = it.watcher.watch(uri, limits.listen_uris);
                watched.map_err(|_| Reason::too_many_uris(limits))?;
            }
            Ok(empty(id))
        }
        Target::Unsubscribe(uri) => {
            attached(&resolved).into_iter().for_each(|it| it.watcher.unwatch(uri));
            Ok(empty(id))
        }
        Target::Notification | Target::Answer(_) | Target::Stream | Target::EndSession => {
            debug_assert!(!is_modern || matches!(resolved.target, Target::Notification));
            no_answer(resolved)
        }
    }
}

/// The open stream of the legacy session that a request belongs to.
fn attached(resolved: &Resolved) -> Option<Arc<Attached>> {
    resolved.dated.read.engine.catalog.changes.attached_to(resolved.dated.era.session)
}

/// Messages that no message answers.
fn no_answer(resolved: Resolved) -> Result<Answering, Reason> {
    match resolved.target {
        Target::Stream => Ok(ready(Listening::legacy(&resolved)?.into_reply())),
        Target::EndSession => Ok(legacy::end_session(&resolved)),
        Target::Answer(reply) => {
            let era = &resolved.dated.era;
            let id = resolved
                .dated
                .read
                .message
                .id
                .as_ref()
                .and_then(|it| serde_json::from_slice::<String>(it.json()).ok());
            resolved.dated.read.engine.backing.pending.answer(&id.unwrap_or_default(), era.session, reply);
            Ok(ready(Reply::nothing()))
        }
        _ => Ok(ready(Reply::nothing())),
    }
}

fn ready(reply: Reply) -> Answering {
    Answering::Ready(Some(Box::new(Ok(reply))))
}

/// Bytes that were written before, with the id at the end.
fn page(page: Bytes, id: &Id) -> Answering {
    let mut end = Vec::with_capacity(id.json().len() + 1);
    end.extend_from_slice(id.json());
    end.push(b'}');
    ready(Reply::of(Payload::Page(page, end.into()), None))
}

fn empty(id: &Id) -> Answering {
    let mut out = Vec::with_capacity(64);
    write::result(&mut out, id.json());
    out.extend_from_slice(b"{}}");
    ready(Reply::message(out.into(), None))
}

fn listen(resolved: Resolved) -> Result<Answering, Reason> {
    Ok(ready(Listening::modern(resolved)?.into_reply()))
}

/// Faults of the arguments go back to the model, all at once (server/tools#error-handling).
fn call_tool(mut resolved: Resolved, grants: Grants, round: Option<Box<Round>>) -> Result<Answering, Reason> {
    let Target::Tool { tool, arguments } = &mut resolved.target else {
        unreachable!("the caller has looked")
    };
    let tool = tool.clone();
    if let Some(permits) = &tool.permits {
        let permit = permits.take().map_err(|_| Reason::ToolFull)?;
        if let Some(room) = &mut resolved.dated.read.room {
            room.tool = Some(permit);
        }
    }
    let mut arguments = std::mem::take(arguments);
    let faults = tool.input.check(&mut arguments, FAULTS);
    let call = new_call(&resolved, tool.deadline, round);
    let serde_json::Value::Object(map) = arguments else {
        return Err(Reason::Params("`arguments` has to be an object".into()));
    };
    if !faults.is_empty() {
        return Ok(ready(misfit(resolved, &faults)));
    }
    let work = Work::start(|| Work::Tool((tool.run)(call.clone(), Arguments { map, grants })));
    Ok(Answering::Running(Some(Box::new(Running::new(work, call, resolved)))))
}

/// Faults that one answer names at most.
const FAULTS: usize = 20;

/// Tells the model which arguments to correct.
fn misfit(resolved: Resolved, faults: &[Violation]) -> Reply {
    let mut text = String::from("The arguments do not fit the tool's schema. Correct them and call again.");
    for it in faults {
        let place = if it.pointer.is_empty() { "the arguments" } else { &it.pointer };
        text.push_str(&format!("\n{place}: expected {}, found {}", it.expected, it.found));
    }
    let message = Finisher::of(&resolved).tool_error(&text);
    Reply::message(message.into(), resolved.dated.read.room)
}

/// Prompts, resources and completion: their faults are the protocol's, not the model's.
fn read(resolved: Resolved, grants: Grants, round: Option<Box<Round>>) -> Result<Answering, Reason> {
    let time = resolved.dated.read.engine.limits.call_time;
    let call = new_call(&resolved, time, round);
    let work = match &resolved.target {
        Target::Prompt { prompt, arguments } => {
            let arguments = fit(&prompt.input.checker, arguments.clone(), grants)?;
            Work::start(|| Work::Prompt((prompt.run)(call.clone(), arguments)))
        }
        Target::Resource { resource, uri, arguments } => {
            let arguments = match &resource.input {
                Some(input) => {
                    let legacy = !resolved.dated.era.version.is_modern();
                    fit(&input.checker, arguments.clone(), grants)
                        .map_err(|_| Reason::ResourceUnknown { uri: uri.clone(), legacy })?
                }
                None => Arguments { map: arguments.as_object().cloned().unwrap_or_default(), grants },
            };
            let origin = Origin { uri: uri.clone(), mime_type: resource.mime_type.clone() };
            Work::start(|| Work::Resource((resource.run)(call.clone(), (arguments, origin))))
        }
        Target::Complete { source, name, typed } => {
            let completions = match source {
                Source::Prompt(it) => &it.completions,
                Source::Template(it) => &it.completions,
            };
            match completions.get(name) {
                Some(complete) => Work::start(|| Work::Complete(complete(call.clone(), typed.clone()))),
                // An argument that nobody completes has no suggestions.
                None => Work::Complete(Box::pin(async { Ok(Vec::new()) })),
            }
        }
        _ => unreachable!("the caller has looked"),
    };
    Ok(Answering::Running(Some(Box::new(Running::new(work, call, resolved)))))
}

fn fit(
    checker: &crate::schema::Checker,
    mut arguments: serde_json::Value,
    grants: Grants,
) -> Result<Arguments, Reason> {
    let faults = checker.check(&mut arguments, 1);
    match (faults.first(), arguments) {
        (None, serde_json::Value::Object(map)) => Ok(Arguments { map, grants }),
        (None, _) => Ok(Arguments { grants, ..Arguments::default() }),
        (Some(it), _) => {
            Err(Reason::Params(format!("{}: expected {}, found {}", it.pointer, it.expected, it.found)))
        }
    }
}

fn new_call(resolved: &Resolved, time: Duration, round: Option<Box<Round>>) -> Arc<Call> {
    let era = &resolved.dated.era;
    let read = &resolved.dated.read;
    let frame = &read.engine.catalog.frame;
    let set_by_client = || attached(resolved).and_then(|it| it.level());
    let log_level = match era.version.is_modern() {
        _ if !frame.logging => None,
        true => era.log_level,
        false => set_by_client().or(era.log_level),
    };
    Arc::new(Call::new(
        read.engine.backing.clone(),
        read.caller.clone(),
        era.version,
        era.capabilities,
        time,
        era.session,
        era.progress_token.clone(),
        log_level,
        round,
    ))
}
