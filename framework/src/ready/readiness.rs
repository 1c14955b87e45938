//! What one server answers questions with.

use std::sync::Arc;

use super::{
    activity::{Activity, LogOnly},
    known::{Gateway, Scope, Unreadable},
    operator::OperatorKey,
};
use crate::{caller::Caller, permits::Permits};

#[derive(Clone)]
pub(crate) struct Readiness {
    pub(crate) gateway: Option<Arc<dyn Gateway>>,
    pub(crate) activity: Arc<dyn Activity>,
    /// The path of the HTTP call, if it is served.
    pub(crate) api: Option<String>,
    pub(crate) operator: Option<OperatorKey>,
    /// Questions that wait for a better verdict.
    pub(crate) waiting: Permits,
}

/// Questions that may wait at one time; others are answered at once.
const WAITING: usize = 4;

impl Default for Readiness {
    fn default() -> Self {
        Self {
            gateway: None,
            activity: Arc::new(LogOnly),
            api: None,
            operator: None,
            waiting: Permits::new(WAITING, None),
        }
    }
}

impl Readiness {
    pub(crate) fn gateway(&self) -> Option<&dyn Gateway> {
        self.gateway.as_deref()
    }

    /// The servers behind this one that a caller may use.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(crate) fn scope(&self, caller: &Caller) -> Result<Scope, Unreadable> {
        self.gateway().map_or(Ok(Scope::Everything), |it| it.scope(caller))
    }
}
