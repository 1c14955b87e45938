//! The requests of one client that are still running, by their ids.

use std::{
    collections::HashMap,
    convert::Infallible,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::oneshot;

use crate::{gates::refusal::Reason, wire::id::Id};

/// Dropping the sender of an id stops its request.
pub(crate) struct Running {
    most: usize,
    all: Arc<Mutex<HashMap<Id, oneshot::Sender<Infallible>>>>,
}

/// A request in flight. Dropping it makes its id free.
pub(crate) struct Place {
    id: Id,
    all: Arc<Mutex<HashMap<Id, oneshot::Sender<Infallible>>>>,
    stopped: oneshot::Receiver<Infallible>,
}

impl Running {
    pub(crate) fn new(most: usize) -> Self {
        Self { most, all: Arc::default() }
    }

    /// Notes a request, unless its id is in use or there are too many.
    pub(crate) fn start(&self, id: Id) -> Result<Place, Reason> {
        let mut all = lock(&self.all);
        if all.contains_key(&id) {
            return Err(Reason::Envelope("a request with this `id` is still running"));
        }
        if all.len() >= self.most {
            return Err(Reason::ClientFull);
        }
        let (alive, stopped) = oneshot::channel();
        all.insert(id.clone(), alive);
        Ok(Place { id, all: self.all.clone(), stopped })
    }

    /// Stops the request of that id; says whether there was one. The id is free once it has stopped.
    pub(crate) fn stop(&self, id: &Id) -> bool {
        let mut all = lock(&self.all);
        let Some(alive) = all.get_mut(id) else { return false };
        // A sender whose receiver has gone keeps the id in use until the request has let go of it.
        *alive = oneshot::channel().0;
        true
    }
}

impl Place {
    /// Waits until the request is stopped.
    pub(crate) async fn stopped(&mut self) {
        let _ = (&mut self.stopped).await;
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        lock(&self.all).remove(&self.id);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
