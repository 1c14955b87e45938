//! What a tool costs in a list, counted when somebody asks.

use std::sync::OnceLock;

use super::RegisteredTool;
use crate::budget::ToolCost;

/// Empty until then.
pub(super) type Cost = OnceLock<ToolCost>;

impl RegisteredTool {
    /// What it costs as modern clients see it.
    pub(crate) fn cost(&self) -> &ToolCost {
        self.cost.get_or_init(|| {
            let definition = serde_json::from_str(&self.json).expect("it was written from a value");
            ToolCost::of(&definition)
        })
    }
}
