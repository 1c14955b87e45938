//! A budget as a table with a bar for each tool, as JSON, and as Markdown.

use comfy_table::{Cell, CellAlignment, Color, ColumnConstraint, Width};
use console::style;
use serde_json::{Value, json};
use tollgate::budget::{Budget, Costs, Field, Form, Report, TOKENIZER, ToolCost, WARN_PERCENT};

use super::changed;
use crate::{
    out,
    report::{cell, code},
    text,
};

pub(super) fn text(report: &Report, is_blessed: bool) -> String {
    let mut lines = table(&report.costs, report.budget, out::width());
    lines.push('\n');
    for it in report.over() {
        lines.push_str(&format!("{} {}\n", style("over:").red().bold(), text::line(&it.to_string())));
    }
    for it in report.near() {
        lines.push_str(&format!(
            "{} {}\n",
            style("near:").color256(ORANGE).bold(),
            text::line(&it.to_string())
        ));
    }
    if let Some(drift) = report.drift.as_ref().filter(|it| !it.is_none()) {
        for it in &drift.changes {
            lines.push_str(&format!("{} {}\n", style("changed:").bold(), changed(it)));
        }
        lines.push_str(&format!("tokens since the baseline: {:+}", drift.tokens()));
        let has_to_be_agreed_to = drift.must_be_agreed_to() && !is_blessed;
        lines.push_str(if has_to_be_agreed_to { "; `--bless` agrees to it\n" } else { "\n" });
    }
    lines
}

/// Legible on light and on dark.
const ORANGE: u8 = 166;

fn table(costs: &Costs, limits: Budget, width: u16) -> String {
    let mut tools: Vec<&ToolCost> = costs.tools().iter().collect();
    tools.sort_by_key(|it| std::cmp::Reverse(it.tokens()));
    let scale = tools.first().map_or(0, |it| it.tokens()).max(limits.each.unwrap_or(0));
    let bar = bar_width(width);

    let mut table = out::table(&["Tool", "Tokens", "Wire", "Function", "", ""]);
    let mut add = |name: String, tokens: [usize; 3], scale: usize, limit: Option<usize>| {
        let state = State::of(tokens[0], limit);
        let numbers = tokens.map(|it| Cell::new(it).set_alignment(CellAlignment::Right));
        let bar = state.paint(Cell::new(drawn(tokens[0], scale, bar)));
        table.add_row([Cell::new(name)].into_iter().chain(numbers).chain([bar, Cell::new(state.word())]));
    };
    for tool in &tools {
        let [wire, function] = [Form::Wire, Form::Function].map(|it| tool.tokens_in(it));
        add(text::short(tool.name(), 64), [tool.tokens(), wire, function], scale, limits.each);
    }
    let [wire, function] = [Form::Wire, Form::Function].map(|it| costs.total_in(it));
    let whole = limits.total.unwrap_or_else(|| costs.total());
    add(
        format!("All {}", text::counted(tools.len(), "tool")),
        [costs.total(), wire, function],
        whole,
        limits.total,
    );
    let others = [8, 6, 10, bar + 2, WORD];
    for (column, width) in (1..).zip(others) {
        if let Some(column) = table.column_mut(column) {
            column.set_constraint(ColumnConstraint::Absolute(Width::Fixed(width)));
        }
    }
    out::keep_names(&mut table, width.saturating_sub(others.iter().sum::<u16>() + 2));
    let said = said(limits);
    format!("{table}\n\nTokens of {TOKENIZER}; the dearer of the two forms counts.\n{said}\n")
}

/// Room for `232 % ✗`.
const WORD: u16 = 10;

fn said(limits: Budget) -> String {
    let limit = |what: &str, it: Option<usize>| it.map(|it| format!("{it} {what}"));
    let all = [
        limit("for the list", limits.total),
        limit("for a tool", limits.each),
        limit("for a description", limits.description),
    ];
    match all.into_iter().flatten().collect::<Vec<_>>() {
        none if none.is_empty() => "No limit is set.".into(),
        all => format!("Limits: {}.", all.join(", ")),
    }
}

/// How much room a bar has.
fn bar_width(width: u16) -> u16 {
    match width {
        0..=99 => 10,
        100..=139 => 24,
        _ => 40,
    }
}

/// A bar of eighths; what is beyond the scale fills it.
fn drawn(tokens: usize, scale: usize, width: u16) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let width = usize::from(width);
    let filled =
        (tokens * width * 8).checked_div(scale).unwrap_or(0).clamp(usize::from(tokens > 0), width * 8);
    format!("{}{}", "█".repeat(filled / 8), EIGHTHS[filled % 8])
}

/// How a cost stands to its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Free,
    Within(usize),
    Near(usize),
    Over(usize),
}

impl State {
    fn of(tokens: usize, limit: Option<usize>) -> Self {
        let Some(limit) = limit else { return Self::Free };
        let percent = (tokens * 100).checked_div(limit).unwrap_or(100);
        match percent {
            _ if tokens > limit => Self::Over(percent),
            WARN_PERCENT.. => Self::Near(percent),
            _ => Self::Within(percent),
        }
    }

    fn paint(self, bar: Cell) -> Cell {
        match self {
            Self::Free => bar,
            Self::Within(_) => bar.fg(Color::DarkGreen),
            Self::Near(_) => bar.fg(Color::AnsiValue(ORANGE)),
            Self::Over(_) => bar.fg(Color::DarkRed),
        }
    }

    /// The same without colour.
    fn word(self) -> String {
        match self {
            Self::Free => String::new(),
            Self::Within(percent) => format!("{percent} %"),
            Self::Near(percent) => format!("{percent} % !"),
            Self::Over(percent) => format!("{percent} % ✗"),
        }
    }
}

pub(super) fn json(report: &Report) -> Value {
    let tool = |it: &ToolCost| {
        let fields: serde_json::Map<String, Value> =
            it.fields().iter().map(|(field, tokens)| (field.to_string(), tokens.into())).collect();
        json!({
            "name": it.name(),
            "tokens": it.tokens(),
            "wire": it.tokens_in(Form::Wire),
            "function": it.tokens_in(Form::Function),
            "fields": fields,
            "hash": it.hash(),
        })
    };
    let said = |all: Vec<String>| all;
    json!({
        "tokenizer": TOKENIZER,
        "total": report.costs.total(),
        "wire": report.costs.total_in(Form::Wire),
        "function": report.costs.total_in(Form::Function),
        "limits": report.budget,
        "tools": report.costs.tools().iter().map(tool).collect::<Vec<_>>(),
        "over": said(report.over().iter().map(ToString::to_string).collect()),
        "near": said(report.near().iter().map(ToString::to_string).collect()),
        "drift": report.drift.as_ref().map(|it| said(it.changes.iter().map(ToString::to_string).collect())),
        "passes": report.passes(),
    })
}

pub(super) fn markdown(report: &Report) -> String {
    let costs = &report.costs;
    let mut lines = format!("### Tokens of the tools: {}", costs.total());
    if let Some(limit) = report.budget.total {
        lines.push_str(&format!(" of {limit}"));
    }
    lines.push_str(
        "\n\n| Tool | Tokens | Wire | Function | Description | Input schema |\n|---|--:|--:|--:|--:|--:|\n",
    );
    let mut tools: Vec<&ToolCost> = costs.tools().iter().collect();
    tools.sort_by_key(|it| std::cmp::Reverse(it.tokens()));
    for tool in tools {
        let fields = tool.fields();
        lines.push_str(&format!(
            "| {} | {} | {} | {} | {} | {} |\n",
            code(tool.name()),
            tool.tokens(),
            tool.tokens_in(Form::Wire),
            tool.tokens_in(Form::Function),
            fields[Field::Description],
            fields[Field::InputSchema],
        ));
    }
    let over = report.over().into_iter().map(|it| ("Over", it.to_string()));
    let near = report.near().into_iter().map(|it| ("Near", it.to_string()));
    let drift = report.drift.iter().flat_map(|it| &it.changes).map(|it| ("Changed", it.to_string()));
    for (place, (word, it)) in over.chain(near).chain(drift).enumerate() {
        lines.push_str(&format!("{}- **{word}**: {}\n", if place == 0 { "\n" } else { "" }, cell(&it)));
    }
    lines.push_str(&format!("\n{TOKENIZER}; the dearer of the two forms counts. {}\n", said(report.budget)));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(limits: Budget) -> Report {
        let tools = [
            json!({"name": "ping", "description": "Says pong.", "inputSchema": {"type": "object"}}),
            json!({"name": "trigger-long-running-operation", "inputSchema": {"type": "object"}}),
            json!({"name": "evil | \u{1b}[31m", "description": "x ".repeat(400), "inputSchema": {"type": "object"}}),
        ];
        Report::new(Costs::of(&tools), limits)
    }

    #[test]
    fn a_bar_is_never_wider_than_its_room_and_never_empty_for_something() {
        assert_eq!(drawn(0, 100, 12), "");
        assert_eq!(drawn(1, 100_000, 12), "▏");
        assert_eq!(drawn(100, 100, 12), "█".repeat(12));
        assert_eq!(drawn(900, 100, 12), "█".repeat(12));
        assert_eq!(drawn(50, 100, 12), "█".repeat(6));
        assert_eq!(drawn(7, 0, 12), "▏");
    }

    #[test]
    fn what_a_colour_says_is_said_in_words_too() {
        assert_eq!(State::of(9, Some(10)), State::Near(90));
        assert_eq!(State::of(10, Some(10)), State::Near(100));
        assert_eq!(State::of(11, Some(10)).word(), "110 % ✗");
        assert_eq!(State::of(1, Some(10)).word(), "10 %");
        assert_eq!(State::of(1, None).word(), "");
    }

    #[test]
    fn the_dearest_tool_comes_first_and_no_line_is_too_wide() {
        for width in [80, 200] {
            let shown = table(&report(Budget::default()).costs, Budget::default(), width);

            let widest = shown.lines().map(console::measure_text_width).max();
            assert!(widest.is_some_and(|it| it <= usize::from(width)), "{shown}");
            assert!(shown.find("evil") < shown.find("ping"), "{shown}");
            assert!(shown.contains("trigger-long-running-operation"), "{shown}");
            assert!(!shown.contains("\u{1b}[31m"), "{shown}");
        }
    }

    #[test]
    fn markdown_keeps_its_table_whatever_a_tool_is_called() {
        let shown = markdown(&report(Budget::total(30)));

        assert!(shown.contains("| `evil \\| ` |"), "{shown}");
        assert!(shown.contains("- **Over**: tools/list costs"), "{shown}");
    }

    #[test]
    fn json_has_both_forms_and_the_dearer_one_counts() {
        let shown = json(&report(Budget::total(30)));

        let tool = &shown["tools"][0];
        assert_eq!(tool["tokens"].as_u64(), tool["wire"].as_u64().max(tool["function"].as_u64()));
        assert_eq!(shown["passes"], false);
        assert_eq!(shown["limits"]["total"], 30);
    }
}
