//! What was found, for the person who can change it.

use std::fmt;

use serde::Serialize;

use super::{Lint, definition::Definition, hidden::is_hidden, rule::Rule};

/// One thing to do something about. Its `Display` is one line, without anything in it that a terminal obeys.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Finding {
    /// The rule that is broken.
    pub rule: Rule,
    /// How bad it is.
    pub level: Level,
    /// The name of the tool as it stands in the definition; where there is none, its position as `#3`, from 1.
    pub tool: String,
    /// Where in the definition, as a JSON pointer; empty for the whole.
    pub place: String,
    /// What is wrong. What it quotes is escaped and short.
    pub text: String,
    /// What to write instead.
    pub fix: String,
}

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Good to know.
    Note,
    /// Models do worse than they could, or somebody should look at it.
    Warning,
    /// Clients refuse the tool, or it acts against who uses it.
    Error,
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        })
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rule, level, text, fix, .. } = self;
        let tool = shown(&self.tool, 128);
        match self.place.as_str() {
            "" => write!(f, "{level}[{rule}]: {tool}: {text}; {fix}"),
            place => write!(f, "{level}[{rule}]: {tool} {}: {text}; {fix}", shown(place, 256)),
        }
    }
}

/// The findings so far.
pub(super) struct Findings<'l> {
    lint: &'l Lint,
    all: Vec<(usize, Finding)>,
}

impl<'l> Findings<'l> {
    pub(super) fn new(lint: &'l Lint) -> Self {
        Self { lint, all: Vec::new() }
    }

    /// Notes that `tool` breaks `rule`.
    pub(super) fn add(
        &mut self,
        tool: &Definition<'_>,
        rule: Rule,
        place: &str,
        text: impl Into<String>,
        fix: impl Into<String>,
    ) {
        let Some(level) = self.lint.level(rule) else { return };
        let (text, fix) = (text.into(), fix.into());
        let finding = Finding { rule, level, tool: tool.label(), place: place.to_owned(), text, fix };
        self.all.push((tool.at, finding));
    }

    pub(super) fn in_order(mut self) -> Vec<Finding> {
        self.all.sort_by(|(at, one), (other_at, other)| {
            (at, &one.place, one.rule).cmp(&(other_at, &other.place, other.rule))
        });
        self.all.into_iter().map(|(_, it)| it).collect()
    }
}

/// A text of a stranger between backticks, escaped and short.
pub(super) fn quote(text: &str) -> String {
    format!("`{}`", shown(text, 80))
}

/// At most so many characters of a text, with all that cannot be seen escaped.
fn shown(text: &str, most: usize) -> String {
    let mut shown = String::new();
    for (at, char) in text.chars().enumerate() {
        if at == most {
            shown.push('…');
            break;
        }
        match is_hidden(char) || char.is_control() {
            true => shown.extend(char.escape_unicode()),
            false => shown.push(char),
        }
    }
    shown
}
