//! Reads tool definitions as a model does, and says what would lead it astray.
//!
//! For tools that are made at run time, and for servers of strangers: [`lint`] takes the tools as `tools/list` gives
//! them, in any revision of the protocol, and never fails, whatever JSON it is given. It knows the descriptions of
//! tools in English; in others it does not look for phrases that it would not find.
//!
//! ```
//! use tollgate::{lint::{Lint, Rule, lint}, serde_json::json};
//!
//! let tools = [json!({
//!     "name": "find_note",
//!     "description": "Finds a note by words in it. Use when the user looks for one. Do not use when its title is \
//!                     known: call `raed_note`.",
//!     "inputSchema": {"type": "object"},
//!     "annotations": {"readOnlyHint": true},
//! }), json!({
//!     "name": "read_note",
//!     "description": "Reads the note of a title. Use when the title is known. Do not use for a search.",
//!     "inputSchema": {"type": "object"},
//!     "annotations": {"readOnlyHint": true},
//! })];
//!
//! let found = lint(&tools);
//! assert_eq!(found.len(), 1);
//! assert_eq!(found[0].rule, Rule::UnknownTool);
//! assert_eq!(found[0].fix, "write `read_note`, if that is meant, or leave the name out");
//!
//! assert!(Lint::new().without(Rule::UnknownTool).check(&tools).is_empty());
//! ```

mod rule;

mod finding;

mod definition;
mod property;

mod shape;
mod names;
mod prose;
mod twins;
mod mentions;

mod hidden;
mod injected;

mod parameters;
mod choices;
mod secrets;
mod handles;

mod vocabulary;
mod phrases;
mod words;

use std::collections::BTreeSet;

use serde_json::Value;

use self::{definition::Definition, finding::Findings, names::Names};
pub use self::{
    finding::{Finding, Level},
    rule::{Rule, UnknownRule},
};

/// What every rule says of `tools`, which are the definitions that `tools/list` gives. See [`Lint::check`].
#[must_use]
pub fn lint(tools: &[Value]) -> Vec<Finding> {
    Lint::new().check(tools)
}

/// Which rules are asked, and how strictly.
#[derive(Clone, Debug, Default)]
pub struct Lint {
    off: BTreeSet<Rule>,
    is_strict: bool,
}

impl Lint {
    /// All rules, each at its usual level.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Leaves a rule out.
    #[must_use]
    pub fn without(mut self, rule: Rule) -> Self {
        self.off.insert(rule);
        self
    }

    /// Makes an error of every warning. Notes stay notes.
    #[must_use]
    pub fn strict(mut self) -> Self {
        self.is_strict = true;
        self
    }

    /// What the rules say of `tools`, tool by tool in the order of the list, and by place within each.
    ///
    /// The same list gives the same findings. The work grows with the size of the list, not with its square: of more
    /// than 128 descriptions that share their rarest words only 128 are compared with each other. A definition that is
    /// nested deeper than 64 levels is said to be, and not looked into further.
    #[must_use]
    pub fn check(&self, tools: &[Value]) -> Vec<Finding> {
        let tools: Vec<Definition<'_>> =
            tools.iter().enumerate().map(|(at, it)| Definition::read(at, it)).collect();
        let names = Names::of(&tools);
        let mut found = Findings::new(self);
        for tool in &tools {
            shape::check(tool, &mut found);
            prose::check(tool, &mut found);
            hidden::check(tool, &mut found);
            injected::check(tool, &mut found);
            parameters::check(tool, &mut found);
            secrets::check(tool, &mut found);
        }
        names::check(&tools, &names, &mut found);
        mentions::check(&tools, &names, &mut found);
        twins::check(&tools, &mut found);
        handles::check(&tools, &mut found);
        found.in_order()
    }

    /// The level at which a rule speaks; `None` when it is not asked.
    fn level(&self, rule: Rule) -> Option<Level> {
        match rule.level() {
            _ if self.off.contains(&rule) => None,
            Level::Warning if self.is_strict => Some(Level::Error),
            level => Some(level),
        }
    }
}
