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
    watchers: Mutex<HashMap<String, Vec<Weak<Watcher>>>>,
    /// Legacy clients whose stream is open here.
    attached: Mutex<HashMap<[u8; 32], Weak<Attached>>>,
}

/// A legacy client's stream. What it subscribed to and the level of its log messages last as long as the stream.
#[derive(Debug, Default)]
pub(crate) struct Attached {
    pub(crate) watcher: Arc<Watcher>,
    level: Mutex<Option<Level>>,
}

/// The resources that one listener watches, and those that changed since it last looked.
#[derive(Debug, Default)]
pub(crate) struct Watcher {
    changed: Mutex<BTreeSet<String>>,
    notify: Notify,
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
        let mut watchers = self.watchers();
        let Some(all) = watchers.get_mut(uri) else { return };
        all.retain(|it| it.upgrade().is_some_and(|it| it.mark(uri)));
        if all.is_empty() {
            watchers.remove(uri);
        }
    }

    /// Watches a resource for as long as the watcher lives.
    pub(crate) fn watch(&self, uri: &str, watcher: &Arc<Watcher>) {
        let mut watchers = self.watchers();
        let all = watchers.entry(uri.to_owned()).or_default();
        all.retain(|it| it.strong_count() > 0 && !std::ptr::eq(it.as_ptr(), Arc::as_ptr(watcher)));
        all.push(Arc::downgrade(watcher));
    }

    pub(crate) fn unwatch(&self, uri: &str, watcher: &Arc<Watcher>) {
        let mut watchers = self.watchers();
        let Some(all) = watchers.get_mut(uri) else { return };
        all.retain(|it| it.strong_count() > 0 && !std::ptr::eq(it.as_ptr(), Arc::as_ptr(watcher)));
        if all.is_empty() {
            watchers.remove(uri);
        }
    }

    /// Opens the stream of a legacy session. A second one of the same session shares what the first one set.
    pub(crate) fn attach(&self, session: [u8; 32]) -> Arc<Attached> {
        let mut all = self.attached();
        all.retain(|_, it| it.strong_count() > 0);
        match all.get(&session).and_then(Weak::upgrade) {
            Some(attached) => attached,
            None => {
                let attached = Arc::new(Attached::default());
                all.insert(session, Arc::downgrade(&attached));
                attached
            }
        }
    }

    pub(crate) fn attached_to(&self, session: Option<[u8; 32]>) -> Option<Arc<Attached>> {
        self.attached().get(&session?)?.upgrade()
    }

    fn attached(&self) -> MutexGuard<'_, HashMap<[u8; 32], Weak<Attached>>> {
        self.attached.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn watchers(&self) -> MutexGuard<'_, HashMap<String, Vec<Weak<Watcher>>>> {
        self.watchers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Attached {
    pub(crate) fn set_level(&self, level: Level) {
        *self.level.lock().unwrap_or_else(PoisonError::into_inner) = Some(level);
    }

    pub(crate) fn level(&self) -> Option<Level> {
        *self.level.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Watcher {
    fn mark(&self, uri: &str) -> bool {
        self.changed().insert(uri.to_owned());
        self.notify.notify_one();
        true
    }

    /// One resource that has changed since the last look.
    pub(crate) fn pop(&self) -> Option<String> {
        self.changed().pop_first()
    }

    /// Waits for a change.
    pub(crate) async fn changed_once(&self) {
        self.notify.notified().await;
    }

    fn changed(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.changed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
