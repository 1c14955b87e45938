//! What the list of tools may cost, and what happens when it costs more.

#[cfg(feature = "budget")]
use std::borrow::Borrow;
use std::sync::Arc;

use crate::author::{access::Protected, registered::RegisteredTool};
#[cfg(feature = "budget")]
use crate::budget::{Budget, Costs, Finding, OverBudget, Subject};

/// What a server lets its list of tools cost. Nothing is limited until somebody says so, and nothing is counted then.
#[derive(Clone, Copy, Default)]
pub(crate) struct Spending {
    #[cfg(feature = "budget")]
    pub(crate) budget: Option<Budget>,
    #[cfg(feature = "budget")]
    pub(crate) policy: OverBudget,
}

impl Spending {
    /// The items that fit into a list, from the first.
    pub(crate) fn affordable<'a>(
        self,
        items: impl Iterator<Item = &'a dyn Protected>,
    ) -> impl Iterator<Item = &'a dyn Protected> {
        let room = self.room();
        let mut used = 0;
        items.take_while(move |it| {
            room.is_none_or(|room| {
                used += it.tokens();
                used <= room
            })
        })
    }
}

#[cfg(feature = "budget")]
impl Spending {
    /// How many tokens a list may have, where it is cut there.
    fn room(self) -> Option<usize> {
        self.budget.filter(|_| self.policy == OverBudget::Trim)?.total
    }

    /// What is over at start, where nothing is made to fit: whoever wrote the tools is there to hear it.
    pub(crate) fn faults(self, tools: &[RegisteredTool]) -> Vec<String> {
        let Some(budget) = self.budget else { return Vec::new() };
        let costs = costs(tools);
        for it in budget.near(&costs) {
            tracing::warn!("{it}");
        }
        told(&budget.over(&costs))
    }

    /// # Errors
    /// What is over, if these tools may not be.
    pub(crate) fn allow(self, tools: &[Arc<RegisteredTool>]) -> Result<(), Vec<String>> {
        let Some(budget) = self.budget else { return Ok(()) };
        let mut over = budget.over(&costs(tools));
        match self.policy {
            OverBudget::Refuse => {}
            OverBudget::Warn => over.clear(),
            OverBudget::Trim => over.retain(|it| it.subject != Subject::List),
        }
        if over.is_empty() { Ok(()) } else { Err(told(&over)) }
    }

    /// Says what the list costs after a change.
    pub(crate) fn tell(self, tools: &[Arc<RegisteredTool>]) {
        let Some(budget) = self.budget else { return };
        let costs = costs(tools);
        let tokens = costs.total();
        let shown = self.affordable(tools.iter().map(|it| &**it as &dyn Protected)).count();
        // Whoever sees fewer tools has more room for each: what is left out for anybody is left out here.
        let left_out: Vec<_> = tools[shown..].iter().map(|it| it.name.as_str()).collect();
        let over = told(&budget.over(&costs)).join("; ");
        let budget = budget.total;
        if !left_out.is_empty() {
            tracing::warn!(tokens, budget, ?left_out, "tools are left out of tools/list: it costs too much");
        } else if !over.is_empty() {
            tracing::warn!(tokens, budget, ?left_out, %over, "tools/list costs more than its budget");
        } else {
            tracing::info!(tokens, budget, ?left_out, "tools/list has changed");
        }
    }
}

#[cfg(feature = "budget")]
fn costs<T: Borrow<RegisteredTool>>(tools: &[T]) -> Costs {
    tools.iter().map(|it| it.borrow().cost().clone()).collect()
}

#[cfg(feature = "budget")]
fn told(over: &[Finding]) -> Vec<String> {
    over.iter().map(ToString::to_string).collect()
}

/// Where nothing can be counted, nothing is limited.
#[cfg(not(feature = "budget"))]
impl Spending {
    const fn room(self) -> Option<usize> {
        None
    }

    pub(crate) const fn faults(self, _: &[RegisteredTool]) -> Vec<String> {
        Vec::new()
    }

    pub(crate) const fn allow(self, _: &[Arc<RegisteredTool>]) -> Result<(), Vec<String>> {
        Ok(())
    }

    pub(crate) const fn tell(self, _: &[Arc<RegisteredTool>]) {}
}
