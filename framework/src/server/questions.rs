//! What a server answers with when it is asked whether tools are ready.

use std::sync::Arc;

use super::Server;
use crate::ready::{Activity, Gateway, OperatorKey};

impl<S, A> Server<S, A> {
    /// What is known of the servers that stand behind this one: which of their tools may be used, by whom, and how their
    /// connections stand. See [`Tool::upstream`](crate::Tool::upstream) and [`ready`](crate::ready).
    #[must_use]
    pub fn gateway(self, gateway: impl Gateway) -> Self {
        self.config(|it| it.readiness.gateway = Some(Arc::new(gateway)))
    }

    /// Where it is kept who asked whether tools are ready, and what came out. Default: the log, which is told counts and
    /// reasons and no names.
    #[must_use]
    pub fn activity(self, activity: impl Activity) -> Self {
        self.config(|it| it.readiness.activity = Arc::new(activity))
    }

    /// Serves the question whether tools are ready by HTTP and JSON as well, at a path beside the endpoint, such as
    /// `/api/v1/preflight`. Who may call is the same as there; without auth it is anybody who reaches the server.
    #[must_use]
    pub fn preflight_api(self, path: impl Into<String>) -> Self {
        let path = path.into();
        self.config(|it| it.readiness.api = Some(path))
    }

    /// Who shows this key there learns what callers do not. Nobody else does, whatever their tokens say.
    #[must_use]
    pub fn operator(self, key: OperatorKey) -> Self {
        self.config(|it| it.readiness.operator = Some(key))
    }
}
