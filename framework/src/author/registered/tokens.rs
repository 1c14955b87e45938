//! What a tool costs in a list, counted when somebody asks, and what its results may cost.

use std::sync::OnceLock;

use super::RegisteredTool;
use crate::budget::ToolCost;

pub(super) struct Tokens {
    of_results: Option<usize>,
    /// Empty until somebody asks.
    in_lists: OnceLock<ToolCost>,
}

impl Tokens {
    pub(super) const fn new(of_results: Option<usize>) -> Self {
        Self { of_results, in_lists: OnceLock::new() }
    }
}

impl RegisteredTool {
    /// What it costs as modern clients see it.
    pub(crate) fn cost(&self) -> &ToolCost {
        self.tokens.in_lists.get_or_init(|| {
            let definition = serde_json::from_str(&self.json).expect("it was written from a value");
            ToolCost::of(&definition)
        })
    }

    /// How many tokens a result may have, if the tool says so itself.
    pub(crate) const fn result_tokens(&self) -> Option<usize> {
        self.tokens.of_results
    }
}
