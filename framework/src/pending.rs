//! Questions that went out on a legacy stream and wait for their answer to come by another road.
//!
//! The stream they went out on lives in this process, so the answer has to reach this process too: of all that a
//! server does, asking on the legacy wire is the one thing that a load balancer has to keep together.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use serde_json::Value;
use tokio::sync::oneshot;

/// What came back: a result, or the error that the client gave instead.
pub(crate) type Reply = Result<Value, Value>;

#[derive(Debug, Default)]
pub(crate) struct Pending(Mutex<HashMap<String, Open>>);

#[derive(Debug)]
struct Open {
    /// Only the session that was asked can answer.
    session: Option<[u8; 32]>,
    answer: oneshot::Sender<Reply>,
}

/// A question in flight. Dropping it forgets the question.
#[derive(Debug)]
pub(crate) struct InFlight<'a> {
    pending: &'a Pending,
    id: String,
    answer: oneshot::Receiver<Reply>,
}

impl Pending {
    /// Opens a question under an id that nobody can guess.
    pub(crate) fn open(&self, id: String, session: Option<[u8; 32]>) -> InFlight<'_> {
        let (sender, answer) = oneshot::channel();
        self.map().insert(id.clone(), Open { session, answer: sender });
        InFlight { pending: self, id, answer }
    }

    /// Hands over an answer; an id that is unknown, or another session's, changes nothing.
    pub(crate) fn answer(&self, id: &str, session: Option<[u8; 32]>, reply: Reply) {
        let mut map = self.map();
        if map.get(id).is_some_and(|it| it.session == session)
            && let Some(open) = map.remove(id)
        {
            // The asker may have left just now.
            let _ = open.answer.send(reply);
        }
    }

    fn map(&self) -> std::sync::MutexGuard<'_, HashMap<String, Open>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl InFlight<'_> {
    pub(crate) async fn reply(mut self) -> Option<Reply> {
        (&mut self.answer).await.ok()
    }
}

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        self.pending.map().remove(&self.id);
    }
}
