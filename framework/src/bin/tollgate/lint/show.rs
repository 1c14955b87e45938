//! Findings tool by tool, as JSON, and as Markdown.

use console::style;
use serde_json::{Value, json};
use tollgate::lint::{Finding, Level, Rule};

use crate::{
    out,
    report::{cell, code},
    text,
};

pub(super) fn text(found: &[Finding], tools: usize) -> String {
    let mut lines = String::new();
    let mut last = None;
    for it in found {
        if last != Some(&it.tool) {
            let gap = if last.is_none() { "" } else { "\n" };
            lines.push_str(&format!("{gap}{}\n", style(text::short(&it.tool, 128)).bold()));
            last = Some(&it.tool);
        }
        let place =
            if it.place.is_empty() { String::new() } else { format!(" {}", text::short(&it.place, 128)) };
        let (what, fix) = (text::line(&it.text), text::line(&it.fix));
        lines.push_str(&format!("  {}{place}\n    {what}\n    fix: {fix}\n", head(it)));
    }
    if !found.is_empty() {
        lines.push('\n');
    }
    lines + &summary(found, tools)
}

fn head(it: &Finding) -> String {
    let head = format!("{}[{}]", it.level, it.rule);
    match it.level {
        Level::Error => style(head).red().bold().to_string(),
        Level::Warning => style(head).color256(166).bold().to_string(),
        Level::Note => style(head).cyan().to_string(),
    }
}

pub(super) fn summary(found: &[Finding], tools: usize) -> String {
    let counted = |(level, one)| text::counted(found.iter().filter(|it| it.level == level).count(), one);
    let said = [(Level::Error, "error"), (Level::Warning, "warning"), (Level::Note, "note")];
    format!("{} in {}", said.map(counted).join(", "), text::counted(tools, "tool"))
}

pub(super) fn json(found: &[Finding]) -> Value {
    json!({"findings": found})
}

pub(super) fn markdown(found: &[Finding], tools: usize) -> String {
    let mut lines = format!("### Tool definitions: {}\n", summary(found, tools));
    for (place, it) in found.iter().enumerate() {
        if place == 0 {
            lines.push_str("\n| Tool | Place | Level | Rule | What | Fix |\n|---|---|---|---|---|---|\n");
        }
        let at = if it.place.is_empty() { "-".to_owned() } else { code(&it.place) };
        lines.push_str(&format!(
            "| {} | {at} | {} | {} | {} | {} |\n",
            code(&it.tool),
            it.level,
            code(it.rule.id()),
            cell(&it.text),
            cell(&it.fix),
        ));
    }
    lines
}

pub(super) fn rules() -> String {
    let mut table = out::table(&["Rule", "Level", "Why"]);
    for rule in Rule::ALL {
        table.add_row([rule.id().to_owned(), rule.level().to_string(), rule.why().to_owned()]);
    }
    table.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_stand_under_their_tool_and_are_counted() {
        let found = tollgate::lint::lint(&[json!({"name": "a"}), json!({"name": "b\u{1b}[2J"})]);
        let shown = console::strip_ansi_codes(&text(&found, 2)).into_owned();

        assert!(shown.starts_with("a\n  note[no-annotations]\n"), "{shown}");
        assert!(shown.contains("\n\nb\n"), "{shown}");
        assert!(shown.ends_with("in 2 tools"), "{shown}");
        assert!(!shown.contains('\u{1b}'), "{shown}");
    }

    #[test]
    fn markdown_has_a_row_for_each_finding() {
        let found = tollgate::lint::lint(&[json!({"name": "a|b"})]);
        let rows = markdown(&found, 1).lines().filter(|it| it.starts_with("| `")).count();

        assert_eq!(rows, found.len());
        assert!(
            markdown(&[], 1).starts_with("### Tool definitions: 0 errors, 0 warnings, 0 notes in 1 tool")
        );
    }
}
