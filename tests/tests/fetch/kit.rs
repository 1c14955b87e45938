//! What the tests share.

use std::{
    sync::{Arc, Mutex},
    time::{Duration, SystemTime},
};

use serde_json::{Value, json};
use tollgate::{
    Clock,
    oauth::{ClientDocuments, ClientDocumentsBuilder, FetchPolicy},
};

use super::{
    page::Page,
    town::{ROOT, Town},
};

/// The client id of most tests, without its scheme.
pub(super) const APP: &str = "app.example.com/client.json";

pub(super) fn id(at: &str) -> String {
    format!("https://{at}")
}

/// A valid document of a client id without its scheme.
pub(super) fn document(at: &str) -> Value {
    json!({
        "client_id": id(at),
        "client_name": "Example",
        "redirect_uris": ["https://app.example.com/callback"],
    })
}

/// The document of `APP`, changed.
pub(super) fn with(changes: Value) -> Value {
    let mut document = document(APP);
    document.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
    document
}

/// A policy that trusts the town.
pub(super) fn policy() -> FetchPolicy {
    FetchPolicy::new().root_certificate(ROOT.pem.as_bytes())
}

pub(super) fn builder(town: &Town) -> ClientDocumentsBuilder {
    ClientDocuments::builder().policy(policy()).network(town.clone())
}

pub(super) fn documents(town: &Town) -> ClientDocuments {
    builder(town).build().unwrap()
}

/// A town with a valid document at `APP`.
pub(super) fn town() -> Town {
    let town = Town::default();
    town.page(APP, Page::json(&document(APP)));
    town
}

/// A clock that a test turns.
#[derive(Clone)]
pub(super) struct Watch(Arc<Mutex<SystemTime>>);

impl Watch {
    pub(super) fn new() -> Self {
        Self(Arc::new(Mutex::new(SystemTime::UNIX_EPOCH + Duration::from_secs(1_800_000_000))))
    }

    pub(super) fn advance(&self, seconds: u64) {
        *self.0.lock().unwrap() += Duration::from_secs(seconds);
    }

    pub(super) fn set_back(&self, seconds: u64) {
        *self.0.lock().unwrap() -= Duration::from_secs(seconds);
    }
}

impl Clock for Watch {
    fn now(&self) -> SystemTime {
        *self.0.lock().unwrap()
    }
}

/// Lets every other task run until it waits.
pub(super) async fn settle() {
    for _ in 0..2_000 {
        tokio::task::yield_now().await;
    }
}
