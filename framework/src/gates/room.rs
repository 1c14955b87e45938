//! Is there room for one more call?

use super::{
    message::{Read, Sort},
    refusal::{Reason, Refusal},
};
use crate::{caller::Caller, engine::Engine, gate::Gate, permits::Permit};

/// A request that there is room for.
pub(crate) struct Housed(pub(crate) Box<Read>);

/// The places that a call takes, until its answer is sent whole.
#[derive(Debug)]
pub(crate) struct Room {
    _caller: Option<Permit>,
    _process: Permit,
    pub(crate) tool: Option<Permit>,
}

pub(crate) struct MakeRoom;

impl Gate for MakeRoom {
    type In = Box<Read>;
    type Out = Housed;

    /// Only requests take places: the answer to a question must get through to the call that asks.
    fn pass(mut it: Box<Read>) -> Result<Housed, Refusal> {
        if it.message.sort == Sort::Request {
            let room =
                Room::take(&it.engine, &it.caller).map_err(|reason| reason.of(it.message.id.as_ref()))?;
            it.room = Some(room);
        }
        Ok(Housed(it))
    }
}

impl Room {
    pub(crate) fn take(engine: &Engine, caller: &Caller) -> Result<Self, Reason> {
        if engine.catalog.changes.drains() {
            return Err(Reason::Draining);
        }
        // The caller's own limit first, so that one who is over it takes nothing from the others.
        let of_caller = engine.calls_per_caller.take(caller).map_err(|_| Reason::CallerFull)?;
        let process = engine.calls.take().map_err(|_| Reason::ProcessFull)?;
        Ok(Self { _caller: of_caller, _process: process, tool: None })
    }
}
