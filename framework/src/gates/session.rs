//! What a legacy client negotiated, from the session id that it carries. Modern requests pass at once.
//!
//! Nothing is kept per client: the id is the session, signed by this server. Only the ids of sessions that were ended
//! before their time are remembered.

use std::{future::Future, sync::Arc, time::Duration};

use sha2::{Digest, Sha256};
use tokio::time::timeout;

use super::{
    era::Dated,
    message::Sort,
    refusal::{Reason, Refusal},
};
use crate::{
    caller::Caller,
    engine::Engine,
    gate::{Passing, WaitingGate},
    seal::Purpose,
    wire::{capabilities::Capabilities, version::Version},
};

/// A request whose session, if it needs one, is alive.
pub(crate) struct Seated(pub(crate) Dated);

pub(crate) struct Resume;

impl WaitingGate for Resume {
    type In = Dated;
    type Out = Seated;

    fn pass(
        mut it: Dated,
    ) -> Passing<Seated, impl Future<Output = Result<Seated, Refusal>> + Send + 'static> {
        if it.era.version.is_modern() || it.read.headers.is_none() {
            return Passing::Now(Ok(Seated(it)));
        }
        let id = it.read.message.id.clone();
        match open(&it) {
            Err(reason) => Passing::Now(Err(reason.of(id.as_ref()))),
            Ok(None) => Passing::Now(Ok(Seated(it))),
            Ok(Some(session)) => Passing::Later(async move {
                it.era.version = session.version;
                it.era.capabilities = session.capabilities;
                it.era.session = Some(session.key);
                let engine = it.read.engine.clone();
                match timeout(STORE_TIME, engine.sessions.is_spent(session.key)).await {
                    Ok(Ok(false)) => Ok(Seated(it)),
                    Ok(Ok(true)) => Err(Reason::SessionGone.of(id.as_ref())),
                    Ok(Err(error)) => Err(Reason::internal(&engine, &error).of(id.as_ref())),
                    Err(elapsed) => Err(Reason::internal(&engine, &elapsed).of(id.as_ref())),
                }
            }),
        }
    }
}

/// How long a store may take to answer.
pub(crate) const STORE_TIME: Duration = Duration::from_secs(5);

/// What an id says.
pub(crate) struct Session {
    pub(crate) version: Version,
    pub(crate) capabilities: Capabilities,
    /// Stands for the session where its id must not be kept.
    pub(crate) key: [u8; 32],
}

fn open(it: &Dated) -> Result<Option<Session>, Reason> {
    let read = &it.read;
    let headers = read.headers.as_ref().expect("stdio passed before");
    let Some(id) = headers.session.text("Mcp-Session-Id")? else {
        return if read.message.sort == Sort::Verb { Err(Reason::SessionNeeded) } else { Ok(None) };
    };
    // A client that opens anew may still carry the id of what it had.
    if read.message.method() == "initialize" {
        return Ok(None);
    }
    let engine = &read.engine;
    let opened = engine
        .keys
        .open(Purpose::Session, &binding(engine, &read.caller), id, engine.seconds())
        .map_err(|error| {
            tracing::debug!(?error, "a session id was refused");
            Reason::SessionGone
        })?;
    let (version, capabilities) = read_payload(&opened.payload).ok_or(Reason::SessionGone)?;
    Ok(Some(Session { version, capabilities, key: key(id) }))
}

fn read_payload(payload: &[u8]) -> Option<(Version, Capabilities)> {
    let (bits, version) = payload.split_first()?;
    let version = Version::parse(std::str::from_utf8(version).ok()?)?;
    Some((version, Capabilities::from_bits(*bits)))
}

/// What a session is bound to: this server, and whoever opened it.
fn binding<'a>(engine: &'a Engine, caller: &'a Caller) -> [&'a [u8]; 3] {
    let [kind, name] = caller.principal();
    [engine.audience.as_bytes(), kind, name]
}

fn key(id: &str) -> [u8; 32] {
    Sha256::new().chain_update("session").chain_update(id).finalize().into()
}

/// The id of a new session.
///
/// # Errors
/// When the source of randomness fails.
pub(crate) fn mint(
    engine: &Arc<Engine>,
    caller: &Caller,
    version: Version,
    capabilities: Capabilities,
) -> std::io::Result<String> {
    let mut payload = vec![capabilities.bits()];
    payload.extend_from_slice(version.as_str().as_bytes());
    let times = engine.times(engine.limits.session_time);
    let sealed =
        engine.keys.seal(Purpose::Session, &binding(engine, caller), &payload, times, engine.nonce()?);
    Ok(sealed.expect("a session is a few bytes long"))
}
