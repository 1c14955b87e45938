//! Who calls, and is there room for one more call?

use super::{
    door::{Post, Verb},
    headers::Headers,
    refusal::{Reason, Refusal},
};
use crate::{
    caller::Caller,
    engine::Engine,
    gate::Gate,
    permits::Permit,
    wire::{capabilities::Capabilities, version::Version},
};
use std::sync::Arc;

/// A request whose caller is known.
pub(crate) struct Known<B> {
    pub(crate) engine: Arc<Engine>,
    pub(crate) verb: Verb,
    /// None on stdio, which has no layer of headers.
    pub(crate) headers: Option<Headers>,
    pub(crate) body: B,
    pub(crate) caller: Caller,
    pub(crate) room: Room,
    /// What a legacy client on stdio negotiated: there, the process is the session.
    pub(crate) handshake: Option<Handshake>,
}

/// What `initialize` settled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Handshake {
    pub(crate) version: Version,
    pub(crate) capabilities: Capabilities,
    /// Stands for the process, where there is only one client.
    pub(crate) session: Option<[u8; 32]>,
}

/// The places that a call takes, until its answer is sent whole.
#[derive(Debug)]
pub(crate) struct Room {
    _process: Permit,
    _caller: Option<Permit>,
    pub(crate) tool: Option<Permit>,
}

pub(crate) struct Identify<B>(std::marker::PhantomData<B>);

impl<B> Gate for Identify<B> {
    type In = Post<B>;
    type Out = Known<B>;

    fn pass(it: Post<B>) -> Result<Known<B>, Refusal> {
        let caller = it.caller.unwrap_or(Caller::ANONYMOUS);
        let room = Room::take(&it.engine, &caller).map_err(|reason| reason.of(None))?;
        Ok(Known {
            engine: it.engine,
            verb: it.verb,
            headers: Some(it.headers),
            body: it.body,
            caller,
            room,
            handshake: None,
        })
    }
}

impl Room {
    pub(crate) fn take(engine: &Engine, caller: &Caller) -> Result<Self, Reason> {
        if engine.catalog.changes.drains() {
            return Err(Reason::Draining);
        }
        let process = engine.calls.take().map_err(|_| Reason::ProcessFull)?;
        let of_caller = engine.calls_per_caller.take(caller).map_err(|_| Reason::CallerFull)?;
        Ok(Self { _process: process, _caller: of_caller, tool: None })
    }
}
