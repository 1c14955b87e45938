//! Who wants to know what has changed. A slow reader costs nothing: it gets the newest state once it reads.

use std::{
    collections::{BTreeSet, HashMap},
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
};

use tokio::sync::{Notify, watch};

use crate::wire::level::Level;

/// A list that can change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Topic {
    Tools,
    Prompts,
    Resources,
}

/// How often each list has changed, and whether the server is about to stop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) tools: u64,
    pub(crate) prompts: u64,
    pub(crate) resources: u64,
    pub(crate) drains: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Changes {
    counts: watch::Sender<Counts>,
    watched: Arc<Watched>,
    /// Legacy clients whose stream is open here.
    attached: Mutex<HashMap<[u8; 32], Weak<Attached>>>,
}

/// Who watches which resource.
#[derive(Debug, Default)]
struct Watched(Mutex<HashMap<Arc<str>, Vec<Weak<Watcher>>>>);

/// The resources that one listener watches, and those that changed since it last looked. Dropping it forgets them.
#[derive(Debug)]
pub(crate) struct Watcher {
    watched: Arc<Watched>,
    uris: Mutex<BTreeSet<Arc<str>>>,
    changed: Mutex<BTreeSet<Arc<str>>>,
    notify: Notify,
}

/// A legacy client's stream. What it subscribed to and the level of its log messages last as long as the stream.
#[derive(Debug)]
pub(crate) struct Attached {
    pub(crate) watcher: Arc<Watcher>,
    level: Mutex<Option<Level>>,
    told: Mutex<Counts>,
}

impl Changes {
    pub(crate) fn list_changed(&self, topic: Topic) {
        self.counts.send_modify(|it| match topic {
            Topic::Tools => it.tools += 1,
            Topic::Prompts => it.prompts += 1,
            Topic::Resources => it.resources += 1,
        });
    }

    /// Ends all listeners.
    pub(crate) fn drain(&self) {
        self.counts.send_modify(|it| it.drains = true);
    }

    pub(crate) fn drains(&self) -> bool {
        self.counts.borrow().drains
    }

    pub(crate) fn counts(&self) -> watch::Receiver<Counts> {
        self.counts.subscribe()
    }

    pub(crate) fn resource_updated(&self, uri: &str) {
        // The watchers are told after the lock is given back: the last one of a listener that has just left would
        // take it again.
        let watchers: Vec<_> =
            lock(&self.watched.0).get(uri).into_iter().flatten().filter_map(Weak::upgrade).collect();
        watchers.iter().for_each(|it| it.mark(uri));
    }

    pub(crate) fn watcher(&self) -> Arc<Watcher> {
        Arc::new(Watcher {
            watched: self.watched.clone(),
            uris: Mutex::default(),
            changed: Mutex::default(),
            notify: Notify::new(),
        })
    }

    /// Opens the stream of a legacy session. A second one of the same session shares what the first one set.
    pub(crate) fn attach(&self, session: [u8; 32]) -> Arc<Attached> {
        let mut all = self.attached();
        all.retain(|_, it| it.strong_count() > 0);
        match all.get(&session).and_then(Weak::upgrade) {
            Some(attached) => attached,
            None => {
                let told = Mutex::new(*self.counts.borrow());
                let attached = Arc::new(Attached { watcher: self.watcher(), level: Mutex::default(), told });
                all.insert(session, Arc::downgrade(&attached));
                attached
            }
        }
    }

    pub(crate) fn attached_to(&self, session: Option<[u8; 32]>) -> Option<Arc<Attached>> {
        self.attached().get(&session?)?.upgrade()
    }

    fn attached(&self) -> MutexGuard<'_, HashMap<[u8; 32], Weak<Attached>>> {
        lock(&self.attached)
    }
}

impl Attached {
    /// What any stream of the session has told before; the caller tells the rest.
    pub(crate) fn tell(&self, now: Counts) -> Counts {
        let mut told = lock(&self.told);
        let before = *told;
        told.tools = before.tools.max(now.tools);
        told.prompts = before.prompts.max(now.prompts);
        told.resources = before.resources.max(now.resources);
        before
    }

    pub(crate) fn set_level(&self, level: Level) {
        *lock(&self.level) = Some(level);
    }

    pub(crate) fn level(&self) -> Option<Level> {
        *lock(&self.level)
    }
}

impl Watcher {
    /// Watches one more resource, unless it watches so many already.
    pub(crate) fn watch(self: &Arc<Self>, uri: &str, most: usize) -> Result<(), TooMany> {
        let uri: Arc<str> = uri.into();
        let mut uris = lock(&self.uris);
        if uris.contains(&uri) {
            return Ok(());
        }
        if uris.len() >= most {
            return Err(TooMany);
        }
        uris.insert(uri.clone());
        lock(&self.watched.0).entry(uri).or_default().push(Arc::downgrade(self));
        Ok(())
    }

    pub(crate) fn unwatch(&self, uri: &str) {
        if lock(&self.uris).remove(uri) {
            self.forget(uri);
        }
    }

    fn forget(&self, uri: &str) {
        let mut watched = lock(&self.watched.0);
        let Some(all) = watched.get_mut(uri) else { return };
        all.retain(|it| !std::ptr::eq(it.as_ptr(), self));
        if all.is_empty() {
            watched.remove(uri);
        }
    }

    fn mark(&self, uri: &str) {
        lock(&self.changed).insert(uri.into());
        self.notify.notify_one();
    }

    /// One resource that has changed since the last look.
    pub(crate) fn pop(&self) -> Option<Arc<str>> {
        lock(&self.changed).pop_first()
    }

    /// Waits for a change.
    pub(crate) async fn changed_once(&self) {
        self.notify.notified().await;
    }
}

/// A listener watches as many resources as it may.
#[derive(Debug)]
pub(crate) struct TooMany;

impl Drop for Watcher {
    fn drop(&mut self) {
        let uris = std::mem::take(&mut *lock(&self.uris));
        uris.iter().for_each(|it| self.forget(it));
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
