//! What was done, in order, for the test to read.

use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;

/// Clones write into one journal.
#[derive(Clone, Default)]
pub(super) struct Journal(Arc<Mutex<Vec<Value>>>);

impl Journal {
    pub(super) fn note(&self, entry: Value) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(entry);
    }

    pub(super) fn so_far(&self) -> Value {
        Value::Array(self.0.lock().unwrap_or_else(PoisonError::into_inner).clone())
    }
}
