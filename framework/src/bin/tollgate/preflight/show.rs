//! A verdict for people.

use crate::{out, text};

use super::verdict::{Answered, Judged};

pub(crate) fn table(it: &Answered) -> String {
    let mut lines = format!(
        "Verdict     {} (exit code {})\nChecked at  {}\n",
        text::line(&it.verdict),
        it.code(),
        text::line(&it.checked_at)
    );
    if let Some(waited) = it.waited_ms {
        lines.push_str(&format!("Waited      {waited} ms\n"));
    }
    let mut table = out::table(&["Id", "Status", "Reason", "Retryable", "Action", "Detail"]);
    for tool in &it.tools {
        let retryable = tool.retryable.map(|it| if it { "yes" } else { "no" });
        table.add_row([
            text::line(&tool.id),
            text::line(&tool.status),
            or_dash(tool.reason.as_deref()),
            or_dash(retryable),
            or_dash(tool.action.as_deref()),
            or_dash(detail(tool).as_deref()),
        ]);
    }
    format!("{lines}{table}")
}

fn or_dash(text: Option<&str>) -> String {
    text.map_or_else(|| "-".into(), text::line)
}

fn detail(tool: &Judged) -> Option<String> {
    let near = match tool.did_you_mean.is_empty() {
        true => None,
        false => Some(format!("Did you mean {}?", tool.did_you_mean.join(", "))),
    };
    match (&tool.detail, near) {
        (Some(detail), Some(near)) => Some(format!("{}. {near}", detail.trim_end_matches('.'))),
        (Some(detail), None) => Some(detail.clone()),
        (None, near) => near,
    }
}

/// `2 of 5 tools are unavailable: …`, where some are.
pub(crate) fn summary(it: &Answered) -> Option<String> {
    let missing: Vec<&Judged> = it.tools.iter().filter(|it| !it.is_ready()).collect();
    let named = |it: &&Judged| format!("{} ({})", it.id, it.reason.as_deref().unwrap_or("no reason given"));
    match (missing.as_slice(), it.code()) {
        ([], 0) => None,
        ([], _) => Some(format!("all tools are ready, and yet the server says `{}`", it.verdict)),
        (missing, _) => {
            let named: Vec<_> = missing.iter().map(named).collect();
            Some(format!("{} of {} tools unavailable: {}", missing.len(), it.tools.len(), named.join(", ")))
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn answered() -> Answered {
        let answer = json!({"verdict": "unknown_ids", "checked_at": "2026-09-01T00:00:00Z", "waited_ms": 3, "tools": [
            {"id": "a", "status": "ready"},
            {"id": "b\u{1b}[31m", "status": "unavailable", "reason": "not_found", "retryable": false,
             "remediation": "Look\u{202e} again.", "did_you_mean": ["bb", "cb"]},
        ]});
        Answered::read(&answer, &[]).unwrap()
    }

    #[test]
    fn the_verdict_comes_first_and_nothing_moves_the_cursor() {
        let shown = table(&answered());

        assert!(shown.starts_with("Verdict     unknown_ids (exit code 12)\n"), "{shown}");
        assert!(shown.contains("Waited      3 ms"), "{shown}");
        assert!(shown.contains("Did you mean"), "{shown}");
        assert!(!shown.contains(['\u{1b}', '\u{202e}']), "{shown}");
    }

    #[test]
    fn a_detail_ends_before_what_was_meant() {
        let told = detail(&answered().tools[1]).unwrap();

        assert!(told.ends_with(" again. Did you mean bb, cb?"), "{told}");
    }

    #[test]
    fn a_summary_counts_and_names_what_is_missing() {
        assert_eq!(text::line(&summary(&answered()).unwrap()), "1 of 2 tools unavailable: b (not_found)");
    }
}
