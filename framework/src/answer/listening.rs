//! A stream of changes: `subscriptions/listen`, and the standing stream of legacy clients
//! (basic/patterns/subscriptions).

use std::{
    collections::VecDeque,
    future::Future,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use bytes::Bytes;
use serde_json::{Map, Value, json};
use tokio::{
    sync::watch,
    time::{Instant, Sleep, sleep_until},
};

use super::{Messages, Payload, Reply};
use crate::{
    author::{access::Protected, listing::Listing},
    caller::Caller,
    changes::{Attached, Counts, Watcher},
    engine::Engine,
    gates::{
        call::{Filter, Resolved, Target},
        handles::may_hear_of,
        refusal::Reason,
    },
    permits::Permit,
    wire::{id::Id, names, write},
};

/// A listener. It keeps counters and names rather than messages, so that one that does not read costs nothing.
pub(crate) struct Listening {
    filter: Filter,
    /// The subscription's name; a legacy stream has none.
    id: Option<Id>,
    is_on_stdio: bool,
    result_end: Bytes,
    seen: Counts,
    waiting: VecDeque<Bytes>,
    watcher: Arc<Watcher>,
    attached: Option<Arc<Attached>>,
    /// Who listens, for whether they may read what has changed.
    reader: Box<(Arc<Engine>, Caller)>,
    /// Looks up whether a handle in the URI is the reader's still. Meanwhile the other resources wait.
    asking: Option<Asking>,
    /// Wakes on a change, on the end of its time, or when the server drains.
    wait: Option<Pin<Box<dyn Future<Output = watch::Receiver<Counts>> + Send>>>,
    counts: Option<watch::Receiver<Counts>>,
    end: Pin<Box<Sleep>>,
    is_over: bool,
    _places: (Permit, Option<Permit>),
}

/// The resource that has changed, if the reader may hear of it.
type Asking = Pin<Box<dyn Future<Output = Option<Arc<str>>> + Send>>;

/// The stream of changes that a legacy client gets without asking.
pub(crate) fn standing(
    engine: &Arc<Engine>,
    caller: &Caller,
    session: [u8; 32],
) -> Result<Listening, Reason> {
    let attached = engine.catalog.changes.attach(session);
    let listing = engine.catalog.current();
    let filter =
        honoured(Filter { tools: true, prompts: true, resources: true, ..Filter::default() }, &listing);
    Listening::new(engine, &listing, caller, filter, None, Some(attached))
}

impl Listening {
    pub(crate) fn modern(resolved: Resolved) -> Result<Self, Reason> {
        let Target::Listen(filter) = resolved.target else { unreachable!("the caller has looked") };
        let filter = honoured(filter, &resolved.listing);
        let read = resolved.dated.read;
        let mut it =
            Self::new(&read.engine, &resolved.listing, &read.caller, filter, read.message.id.as_ref(), None)?;
        it.is_on_stdio = read.headers.is_none();
        let acknowledged = json!({"notifications": it.filter.json()});
        it.say("notifications/subscriptions/acknowledged", acknowledged);
        Ok(it)
    }

    pub(crate) fn legacy(resolved: &Resolved) -> Result<Self, Reason> {
        let session = resolved.dated.era.session.ok_or(Reason::SessionNeeded)?;
        standing(&resolved.dated.read.engine, &resolved.dated.read.caller, session)
    }

    fn new(
        engine: &Arc<Engine>,
        listing: &Listing,
        caller: &Caller,
        filter: Filter,
        id: Option<&Id>,
        attached: Option<Arc<Attached>>,
    ) -> Result<Self, Reason> {
        let process = engine.listeners.take().map_err(|_| Reason::ProcessFull)?;
        let of_caller = engine.listeners_per_caller.take(caller).map_err(|_| Reason::CallerFull)?;
        let watcher =
            attached.as_ref().map_or_else(|| engine.catalog.changes.watcher(), |it| it.watcher.clone());
        for uri in filter.uris.iter().filter(|it| !filter.unheard.contains(it)) {
            watcher
                .watch(uri, engine.limits.listen_uris)
                .map_err(|_| Reason::too_many_uris(&engine.limits))?;
        }
        let counts = engine.catalog.changes.counts();
        let seen = *counts.borrow();
        Ok(Self {
            end: Box::pin(sleep_until(Instant::now() + time(engine, caller))),
            seen,
            filter,
            id: id.map(Id::detached),
            is_on_stdio: false,
            result_end: listing.result_end.clone(),
            waiting: VecDeque::with_capacity(1),
            watcher,
            attached,
            reader: Box::new((engine.clone(), caller.clone())),
            asking: None,
            wait: None,
            counts: Some(counts),
            is_over: false,
            _places: (process, of_caller),
        })
    }

    pub(super) fn into_reply(self) -> Reply {
        Reply::of(Payload::Stream(Box::new(self)), None)
    }

    fn say(&mut self, method: &str, mut params: Value) {
        if let (Some(id), Some(params)) = (&self.id, params.as_object_mut()) {
            let id: Value = serde_json::from_slice(id.json()).unwrap_or_default();
            params.insert("_meta".into(), json!({ names::SUBSCRIPTION_ID: id }));
        }
        self.waiting.push_back(write::notification(method, &params).into());
    }

    /// Says what has changed since the last look.
    fn look(&mut self, now: Counts) {
        let mut seen = std::mem::replace(&mut self.seen, now);
        // A session may have several streams, and each message goes out on one (2025-11-25, basic/transports).
        if let Some(session) = &self.attached {
            seen = session.tell(now);
        }
        if self.filter.tools && now.tools > seen.tools {
            self.say("notifications/tools/list_changed", json!({}));
        }
        if self.filter.prompts && now.prompts > seen.prompts {
            self.say("notifications/prompts/list_changed", json!({}));
        }
        if self.filter.resources && now.resources > seen.resources {
            self.say("notifications/resources/list_changed", json!({}));
        }
        while self.asking.is_none()
            && let Some(uri) = self.watcher.pop()
        {
            match self.may_hear_of(&uri) {
                Some(true) => self.updated(&uri),
                Some(false) => {}
                None => self.asking = Some(Box::pin(ask(self.reader.clone(), uri))),
            }
        }
    }

    fn updated(&mut self, uri: &str) {
        self.say("notifications/resources/updated", json!({"uri": uri}));
    }

    /// Anybody may watch any URI; that something has changed is only for those who may read it. `None` where that
    /// depends on a handle, which may have been taken back since.
    fn may_hear_of(&self, uri: &str) -> Option<bool> {
        let (engine, caller) = &*self.reader;
        match engine.catalog.current().resource(uri) {
            Some((it, _)) if !it.access().lets_in(caller) => Some(false),
            Some((it, _)) if !it.places.is_empty() => None,
            _ => Some(true),
        }
    }

    /// The answer to the request itself, which ends the stream (basic/patterns/subscriptions#graceful-closure).
    fn finish(&mut self) {
        self.is_over = true;
        let Some(id) = self.id.clone() else { return };
        // On a shared channel a client is told that the server ends it (basic/patterns/cancellation).
        if self.is_on_stdio {
            let request: Value = serde_json::from_slice(id.json()).unwrap_or_default();
            self.say("notifications/cancelled", json!({"requestId": request}));
        }
        let mut out = Vec::with_capacity(192);
        write::result(&mut out, id.json());
        out.extend_from_slice(br#"{"resultType":"complete""#);
        let end = self.result_end.strip_suffix(b"}}").unwrap_or(&self.result_end);
        out.extend_from_slice(end);
        out.push(b',');
        write::string(&mut out, names::SUBSCRIPTION_ID);
        out.push(b':');
        out.extend_from_slice(id.json());
        out.extend_from_slice(b"}}}");
        self.waiting.push_back(out.into());
    }
}

impl Messages for Listening {
    fn poll_message(&mut self, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        loop {
            if let Some(message) = self.waiting.pop_front() {
                return Poll::Ready(Some(message));
            }
            if self.is_over {
                return Poll::Ready(None);
            }
            if self.end.as_mut().poll(cx).is_ready() {
                self.finish();
                continue;
            }
            if let Some(asking) = &mut self.asking
                && let Poll::Ready(heard) = asking.as_mut().poll(cx)
            {
                self.asking = None;
                heard.iter().for_each(|it| self.updated(it));
                self.look(self.seen);
                continue;
            }
            if let Some(counts) = self.counts.take() {
                let now = *counts.borrow();
                self.look(now);
                if now.drains {
                    self.finish();
                }
                self.wait = Some(Box::pin(wait(counts, self.watcher.clone())));
                continue;
            }
            let Some(wait) = &mut self.wait else { return Poll::Ready(None) };
            self.counts = Some(std::task::ready!(wait.as_mut().poll(cx)));
        }
    }

    fn end(&mut self) {
        if !self.is_over {
            self.finish();
        }
    }
}

async fn ask(reader: Box<(Arc<Engine>, Caller)>, uri: Arc<str>) -> Option<Arc<str>> {
    let (engine, caller) = *reader;
    let listing = engine.catalog.current();
    may_hear_of(&engine, &caller, &listing, &uri).await.then_some(uri)
}

async fn wait(mut counts: watch::Receiver<Counts>, watcher: Arc<Watcher>) -> watch::Receiver<Counts> {
    tokio::select! {
        // The server holds the sender for as long as it lives.
        _ = counts.changed() => {}
        () = watcher.changed_once() => {}
    }
    counts
}

/// How long a stream may last: it does not outlive the token that opened it.
fn time(engine: &Engine, caller: &Caller) -> Duration {
    let most = engine.limits.listen_time;
    let left = caller.expires().map(|it| it.duration_since(engine.now()).unwrap_or_default());
    left.map_or(most, |it| most.min(it))
}

/// What a server without such things cannot tell about is left out, and so not acknowledged.
fn honoured(filter: Filter, listing: &Listing) -> Filter {
    let has_resources = listing.has("resources");
    Filter {
        tools: filter.tools && listing.has("tools"),
        prompts: filter.prompts && listing.has("prompts"),
        resources: filter.resources && has_resources,
        uris: if has_resources { filter.uris } else { Vec::new() },
        unheard: filter.unheard,
    }
}

impl Filter {
    fn json(&self) -> Value {
        let mut all = Map::new();
        let flags = [
            ("toolsListChanged", self.tools),
            ("promptsListChanged", self.prompts),
            ("resourcesListChanged", self.resources),
        ];
        for (name, _) in flags.into_iter().filter(|it| it.1) {
            all.insert(name.into(), true.into());
        }
        if !self.uris.is_empty() {
            all.insert("resourceSubscriptions".into(), json!(self.uris));
        }
        all.into()
    }
}
