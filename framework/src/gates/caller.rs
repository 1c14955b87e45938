//! Who calls.

use super::{
    door::{Post, Verb},
    headers::Headers,
    refusal::Refusal,
};
use crate::{
    caller::Caller,
    engine::Engine,
    gate::Gate,
    wire::{capabilities::Capabilities, version::Version},
};
use std::sync::Arc;

/// A request whose caller is known.
pub(crate) struct Known<B> {
    pub(crate) engine: Arc<Engine>,
    pub(crate) verb: Verb,
    /// None on stdio, which has no layer of headers.
    pub(crate) headers: Option<Box<Headers>>,
    pub(crate) body: B,
    pub(crate) caller: Caller,
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

pub(crate) struct Identify<B>(std::marker::PhantomData<B>);

impl<B> Gate for Identify<B> {
    type In = Post<B>;
    type Out = Known<B>;

    fn pass(it: Post<B>) -> Result<Known<B>, Refusal> {
        let caller = it.caller.unwrap_or(Caller::ANONYMOUS);
        Ok(Known {
            engine: it.engine,
            verb: it.verb,
            headers: Some(it.headers),
            body: it.body,
            caller,
            handshake: None,
        })
    }
}
