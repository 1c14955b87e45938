//! How many tokens a list may cost, and what is over or near that.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{
    costs::{Costs, ToolCost},
    field::Field,
};

/// From how much of a limit on somebody is warned, in percent.
pub const WARN_PERCENT: usize = 80;

/// How many tokens a list of tools may cost. What has no limit may cost anything.
///
/// The default is what a list should need that nobody has thought about yet: 8000 for the list, 700 for a tool, 150 for
/// a description.
///
/// ```
/// # use tollgate::budget::Budget;
/// let budget = Budget::total(900).each(300);
/// assert_eq!((budget.total, budget.each, budget.description), (Some(900), Some(300), None));
/// assert_eq!(Budget::default().total, Some(8000));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Budget {
    /// Tokens of the whole list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<usize>,
    /// Tokens of one tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub each: Option<usize>,
    /// Tokens of one tool's description, with its key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<usize>,
}

impl Default for Budget {
    fn default() -> Self {
        Self::total(8000).each(700).description(150)
    }
}

impl Budget {
    /// Limits nothing yet.
    #[must_use]
    pub const fn unlimited() -> Self {
        Self { total: None, each: None, description: None }
    }

    /// Limits the whole list.
    #[must_use]
    pub const fn total(tokens: usize) -> Self {
        Self { total: Some(tokens), ..Self::unlimited() }
    }

    /// Limits each tool.
    #[must_use]
    pub const fn each(self, tokens: usize) -> Self {
        Self { each: Some(tokens), ..self }
    }

    /// Limits the description of each tool.
    #[must_use]
    pub const fn description(self, tokens: usize) -> Self {
        Self { description: Some(tokens), ..self }
    }

    /// What is over its limit, the list first.
    #[must_use]
    pub fn over(&self, costs: &Costs) -> Vec<Finding> {
        self.findings(costs, Finding::is_over)
    }

    /// What is within its limit, but uses [`WARN_PERCENT`] of it or more.
    #[must_use]
    pub fn near(&self, costs: &Costs) -> Vec<Finding> {
        self.findings(costs, |it| !it.is_over() && it.percent() >= WARN_PERCENT)
    }

    fn findings(&self, costs: &Costs, is_wanted: impl Fn(&Finding) -> bool) -> Vec<Finding> {
        let list = self.total.map(|limit| Finding::of_list(costs, limit));
        let tools = costs.tools().iter();
        let tools = tools.flat_map(|it| [self.of_tool(it), self.of_description(it)]).flatten();
        list.into_iter().chain(tools).filter(is_wanted).collect()
    }

    fn of_tool(&self, tool: &ToolCost) -> Option<Finding> {
        let parts = tool.fields().iter().filter(|(_, tokens)| *tokens > 0);
        Some(Finding {
            subject: Subject::Tool(tool.name().into()),
            tokens: tool.tokens(),
            limit: self.each?,
            parts: parts.map(|(field, tokens)| (field.to_string(), tokens)).collect(),
        })
    }

    fn of_description(&self, tool: &ToolCost) -> Option<Finding> {
        Some(Finding {
            subject: Subject::Description(tool.name().into()),
            tokens: tool.fields()[Field::Description],
            limit: self.description?,
            parts: Vec::new(),
        })
    }
}

/// What happens to a change of a server's tools, made while it serves, that its [`Budget`] does not allow.
///
/// It is about the whole list. A tool that costs too much by itself is refused but by [`Warn`](Self::Warn).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum OverBudget {
    /// It is refused, and nothing changes.
    #[default]
    Refuse,
    /// It is made, and the log says so.
    Warn,
    /// It is made. The tools at the end of a caller's list that do not fit are left out of that list, and can be
    /// called all the same. The log names them.
    Trim,
}

/// Something that a [`Budget`] limits.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Subject {
    /// The whole list.
    List,
    /// The tool of this name.
    Tool(String),
    /// The description of the tool of this name.
    Description(String),
}

/// Something that is over its limit, or near it. Its text is a sentence that says so.
///
/// ```
/// # use tollgate::budget::{Budget, Costs, Subject};
/// # use tollgate::serde_json::json;
/// let tools = [json!({"name": "ping", "description": "Says pong.", "inputSchema": {"type": "object"}})];
/// let over = Budget::total(20).over(&Costs::of(&tools));
/// assert_eq!(over[0].subject, Subject::List);
/// assert_eq!(over[0].to_string(), "tools/list costs 24 tokens, the budget is 20: ping 24");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// What it is about.
    pub subject: Subject,
    /// How many tokens it costs.
    pub tokens: usize,
    /// How many it may cost.
    pub limit: usize,
    /// What it is made of: the tools of a list, the fields of a tool.
    pub parts: Vec<(String, usize)>,
}

impl Finding {
    fn of_list(costs: &Costs, limit: usize) -> Self {
        let parts = costs.tools().iter().map(|it| (it.name().to_owned(), it.tokens()));
        Self { subject: Subject::List, tokens: costs.total(), limit, parts: parts.collect() }
    }

    /// Whether it is over its limit, and not only near it.
    #[must_use]
    pub const fn is_over(&self) -> bool {
        self.tokens > self.limit
    }

    /// How much of the limit it uses, in whole percent.
    #[must_use]
    pub const fn percent(&self) -> usize {
        match (self.tokens * 100).checked_div(self.limit) {
            Some(percent) => percent,
            None => 100,
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.subject {
            Subject::List => f.write_str("tools/list costs")?,
            Subject::Tool(name) => write!(f, "`{name}` costs")?,
            Subject::Description(name) => write!(f, "the description of `{name}` costs")?,
        }
        write!(f, " {} tokens, ", self.tokens)?;
        if !self.is_over() {
            write!(f, "{} % of ", self.percent())?;
        }
        let whose = match self.subject {
            Subject::List => "",
            Subject::Tool(_) => " of a tool",
            Subject::Description(_) => " of a description",
        };
        write!(f, "the budget{whose}")?;
        if !self.is_over() {
            return write!(f, " of {}", self.limit);
        }
        write!(f, " is {}", self.limit)?;
        write_parts(f, &self.parts)
    }
}

/// As many parts as anybody reads; of more, the dearest.
fn write_parts(f: &mut fmt::Formatter<'_>, parts: &[(String, usize)]) -> fmt::Result {
    const MOST: usize = 12;
    let mut shown: Vec<_> = parts.iter().collect();
    let mut others = Vec::new();
    if shown.len() > MOST {
        shown.sort_by_key(|(_, tokens)| std::cmp::Reverse(*tokens));
        others = shown.split_off(MOST);
    }
    for (place, (name, tokens)) in shown.into_iter().enumerate() {
        write!(f, "{} {name} {tokens}", if place == 0 { ":" } else { "," })?;
    }
    if others.is_empty() {
        return Ok(());
    }
    let tokens: usize = others.iter().map(|(_, tokens)| tokens).sum();
    write!(f, ", and {} others {tokens}", others.len())
}
