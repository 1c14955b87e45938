//! What a server's list of tools may cost, in tokens.

use super::Server;
use crate::budget::{Budget, OverBudget};

impl<S, A> Server<S, A> {
    /// Limits what `tools/list` costs a caller who may see all of it. A server whose tools cost more does not start, and
    /// says which; a change that would cost more while it serves is [refused](OverBudget::Refuse).
    ///
    /// What is near a limit at start is told to the log, and so is every change, with `tokens`, `budget` and `left_out`.
    /// [`CatalogHandle::tokens`] says the same at any time.
    ///
    /// ```
    /// # use tollgate::{budget::Budget, prelude::*, serde_json::json};
    /// let ping = || Tool::new("ping", "Says pong.", json!({"type": "object"}), async |_cx, _| Ok("pong"));
    /// let server = |budget| Server::new("pings", "1.0.0").tools(vec![ping()]).budget(budget).without_auth();
    ///
    /// assert!(server(Budget::total(900).each(300)).check().run().is_ok());
    /// let error = server(Budget::total(20)).check().run().unwrap_err();
    /// assert_eq!(error.faults(), ["tools/list costs 24 tokens, the budget is 20: ping 24"]);
    /// ```
    ///
    /// [`CatalogHandle::tokens`]: crate::CatalogHandle::tokens
    #[must_use]
    pub fn budget(self, budget: Budget) -> Self {
        self.config(|it| it.spending.budget = Some(budget))
    }

    /// What happens to a change that the [budget](Self::budget) does not allow, made while the server serves. At start
    /// all of it is a fault, whatever this says.
    #[must_use]
    pub fn over_budget(self, policy: OverBudget) -> Self {
        self.config(|it| it.spending.policy = policy)
    }
}
