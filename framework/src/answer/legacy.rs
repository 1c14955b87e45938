//! What only clients of 2025-11-25 and before ask for.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::timeout;

use super::{Answering, Payload, Reply, ready};
use crate::{
    Capabilities,
    gates::{
        call::Resolved,
        caller::Handshake,
        refusal::Reason,
        session::{self, STORE_TIME},
    },
    ready,
    store::StoreError,
    wire::{id::Id, version::Version, write},
};

/// Settles a version, and what the client can do, in a session that the client carries itself.
pub(super) fn initialize(
    resolved: &Resolved,
    version: Version,
    capabilities: Capabilities,
    id: &Id,
) -> Result<Answering, Reason> {
    let read = &resolved.dated.read;
    let frame = &read.engine.catalog.frame;
    let mut result = json!({
        "protocolVersion": version.as_str(),
        "capabilities": with_experimental(&resolved.listing.capabilities),
        "serverInfo": frame.info.json(),
    });
    if let (Some(instructions), Some(result)) = (&frame.instructions, result.as_object_mut()) {
        result.insert("instructions".into(), instructions.as_str().into());
    }
    let mut out = Vec::with_capacity(512);
    write::result(&mut out, id.json());
    write::json(&mut out, &result);
    out.push(b'}');
    let session = match &read.headers {
        Some(_) => {
            Some(session::mint(&read.engine, &read.caller, version, capabilities).map_err(|error| {
                tracing::error!(%error, "no random bytes for a session");
                Reason::Internal(String::new())
            })?)
        }
        None => None,
    };
    let handshake = Some(Handshake { version, capabilities, session: None });
    Ok(ready(Reply { session, handshake, ..Reply::message(out.into(), None) }))
}

/// Before there were extensions, this one is declared as an experiment.
fn with_experimental(capabilities: &Value) -> Value {
    let mut all = capabilities.clone();
    if all.get("tools").is_some() {
        all["experimental"] = json!({ ready::EXTENSION: {"version": ready::VERSION} });
    }
    all
}

/// Remembers that the session is over for as long as its id would be good.
pub(super) fn end_session(resolved: &Resolved) -> Answering {
    let engine = resolved.dated.read.engine.clone();
    let session = resolved.dated.era.session;
    Answering::Waiting(Box::pin(async move {
        let Some(session) = session else { return Err(Reason::SessionNeeded.of(None)) };
        let expires = engine.now() + engine.limits.session_time + SKEW;
        match timeout(STORE_TIME, engine.sessions.spend(session, expires)).await {
            // A session that cannot be ended early ends by itself: its client has gone either way.
            Ok(Ok(_) | Err(StoreError::Full)) => Ok(Reply::of(Payload::Ended, None)),
            Ok(Err(error)) => Err(Reason::internal(&engine, &error).of(None)),
            Err(elapsed) => Err(Reason::internal(&engine, &elapsed).of(None)),
        }
    }))
}

/// How far the clocks of two servers may be apart.
const SKEW: Duration = Duration::from_secs(60);
