//! What a list of tools costs in tokens, the budget for it, and what has changed since somebody agreed to it.
//!
//! A model reads the whole of `tools/list` before it reads the first question, with every request. So the list has a
//! budget, as a page has: [`Costs`] counts it, a [`Budget`] limits it, and a [`Baseline`] in the repository remembers
//! what was agreed to, so that whoever changes a description sees what it costs. It works on the tools of any server,
//! and asks nobody on the network.
//!
//! ```
//! use tollgate::budget::{Baseline, Budget, Costs, Report};
//! use tollgate::serde_json::json;
//!
//! let mut tools = vec![json!({
//!     "name": "read_note",
//!     "description": "Reads a note. Use when its text is asked for. Do not use to look for notes: `find_notes` does.",
//!     "inputSchema": {"type": "object", "properties": {"note": {"type": "string"}}, "required": ["note"]},
//! })];
//! let baseline = Baseline::new(&Costs::of(&tools), Budget::total(900).each(300));
//!
//! tools[0]["inputSchema"]["properties"]["page"] = json!({"type": "integer"});
//! let report = Report::new(Costs::of(&tools), baseline.budget()).since(&baseline);
//!
//! assert!(!report.passes());
//! assert!(report.to_string().starts_with("`read_note` has changed: 68 tokens, +7 (input schema +7)"));
//! ```
//!
//! # What is counted
//!
//! What hosts put before a model is not what travels, and differs from host to host; a tokenizer differs from a model's
//! as well, where that is known at all. No count is right for everybody, so this one is stable and can be explained:
//! each tool is written in two [`Form`]s, the dearer one counts, and a list costs as much as its tools together. So one
//! more tool changes no other tool's cost. Keys are sorted and nothing is indented, so neither their order nor
//! indentation changes anything. Tokens are those of [`TOKENIZER`].

mod baseline;
mod costs;
mod drift;
mod field;
mod form;
mod limits;
mod report;
mod tokens;

#[cfg(test)]
mod tests;

pub use baseline::{Agreed, Baseline, BaselineError};
pub use costs::{Costs, ToolCost};
pub use drift::{Change, Drift};
pub use field::{Field, Fields};
pub use form::Form;
pub use limits::{Budget, Finding, OverBudget, Subject, WARN_PERCENT};
pub use report::Report;
pub(crate) use tokens::count_within;
pub use tokens::{TOKENIZER, count};

/// Which forms are counted, and how. A baseline that was written for others cannot be compared with.
pub const FORM_VERSION: u32 = 1;

/// The usual name of the file with a [`Baseline`].
pub const BASELINE_FILE: &str = "mcp-tools.budget.json";
