//! The requests of one client that are still running, by their ids.

use std::{
    collections::HashMap,
    convert::Infallible,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::oneshot;

use crate::{gates::refusal::Reason, wire::id::Id};

pub(crate) struct Running {
    most: usize,
    all: Arc<Mutex<All>>,
}

#[derive(Default)]
struct All {
    by_id: HashMap<Id, Entry>,
    started: u64,
}

/// Dropping the sender stops the request.
struct Entry {
    number: u64,
    _alive: oneshot::Sender<Infallible>,
}

/// A request in flight. Dropping it makes its id free, unless a cancellation has done so before.
pub(crate) struct Place {
    id: Id,
    /// Tells it from a later request of the same id.
    number: u64,
    all: Arc<Mutex<All>>,
    stopped: oneshot::Receiver<Infallible>,
}

impl Running {
    pub(crate) fn new(most: usize) -> Self {
        Self { most, all: Arc::default() }
    }

    /// Notes a request, unless its id is in use or there are too many.
    pub(crate) fn start(&self, id: Id) -> Result<Place, Reason> {
        let mut all = lock(&self.all);
        if all.by_id.contains_key(&id) {
            return Err(Reason::Envelope("a request with this `id` is still running"));
        }
        if all.by_id.len() >= self.most {
            return Err(Reason::ClientFull);
        }
        let (alive, stopped) = oneshot::channel();
        all.started += 1;
        let number = all.started;
        all.by_id.insert(id.clone(), Entry { number, _alive: alive });
        Ok(Place { id, number, all: self.all.clone(), stopped })
    }

    /// Stops the request of that id, which is free at once; says whether there was one.
    pub(crate) fn stop(&self, id: &Id) -> bool {
        lock(&self.all).by_id.remove(id).is_some()
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
        let mut all = lock(&self.all);
        if all.by_id.get(&self.id).is_some_and(|it| it.number == self.number) {
            all.by_id.remove(&self.id);
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
