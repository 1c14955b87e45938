//! Who calls.

use std::{future::Future, pin::Pin, sync::Arc};

use http::Uri;

#[cfg(feature = "auth")]
mod bearer;

#[cfg(feature = "auth")]
use super::door::has_token_in_query;
use super::{
    door::{Post, Verb},
    headers::Headers,
    refusal::{Reason, Refusal},
};
use crate::{
    caller::Caller,
    engine::Engine,
    gate::{Passing, WaitingGate},
    wire::{capabilities::Capabilities, version::Version},
};

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

impl<B: Send + 'static> WaitingGate for Identify<B> {
    type In = Post<B>;
    type Out = Known<B>;

    /// Before anything of the body is read.
    fn pass(
        it: Post<B>,
    ) -> Passing<Known<B>, impl Future<Output = Result<Known<B>, Refusal>> + Send + 'static> {
        match identify(&it) {
            Ok(Identified::Now(caller)) => Passing::Now(Ok(Known::of(it, caller))),
            Ok(Identified::Later(checking)) => Passing::Later(async move {
                let caller = checking.await.map_err(|reason| reason.of(None))?;
                Ok(Known::of(it, caller))
            }),
            Err(reason) => Passing::Now(Err(reason.of(None))),
        }
    }
}

/// A caller who is known, or whose token has to be checked.
pub(crate) enum Identified {
    Now(Caller),
    #[cfg_attr(not(feature = "auth"), expect(dead_code, reason = "without auth there is no token"))]
    Later(Pin<Box<dyn Future<Output = Result<Caller, Reason>> + Send>>),
}

impl Identified {
    pub(crate) async fn wait(self) -> Result<Caller, Reason> {
        match self {
            Self::Now(caller) => Ok(caller),
            Self::Later(checking) => checking.await,
        }
    }
}

/// The caller of a request beside the endpoint.
#[cfg_attr(
    not(feature = "auth"),
    expect(clippy::unnecessary_wraps, reason = "without auth there is no token")
)]
pub(crate) fn identify_by(engine: &Engine, headers: &Headers, target: &Uri) -> Result<Identified, Reason> {
    #[cfg(feature = "auth")]
    if let Some(auth) = &engine.auth {
        return bearer::identify(auth, &headers.authorization, has_token_in_query(target), engine.now());
    }
    let _ = (engine, headers, target);
    Ok(Identified::Now(Caller::ANONYMOUS))
}

/// Only the client in memory comes with a caller.
fn identify<B>(it: &Post<B>) -> Result<Identified, Reason> {
    if let Some(caller) = &it.caller {
        return Ok(Identified::Now(caller.clone()));
    }
    #[cfg(feature = "auth")]
    if let Some(auth) = &it.engine.auth {
        return bearer::identify(auth, &it.headers.authorization, it.has_token_in_query, it.engine.now());
    }
    Ok(Identified::Now(Caller::ANONYMOUS))
}

impl<B> Known<B> {
    fn of(it: Post<B>, caller: Caller) -> Self {
        Self {
            engine: it.engine,
            verb: it.verb,
            headers: Some(it.headers),
            body: it.body,
            caller,
            handshake: None,
        }
    }
}
