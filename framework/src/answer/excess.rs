//! Results with more tokens than they may have. They are not cut: a model would take a part for the whole.

use serde_json::Value;

use crate::{
    author::{output::Said, registered::RegisteredTool},
    budget::count_within,
    handles::Action,
};

/// What the model is told in place of a result that is too long for it; `None` where it is not. The limit is that of
/// the tool, or else the server's.
pub(super) fn told(tool: &RegisteredTool, of_server: Option<usize>, said: &Said) -> Option<String> {
    let most = tool.result_tokens().or(of_server)?;
    let texts = || said.content.iter().map(|it| it.readable());
    // No text has more tokens than bytes, so that most results need not be counted.
    if texts().map(str::len).sum::<usize>() <= most {
        return None;
    }
    let counted_to = COUNTED_TO.max(most);
    let counted = texts().try_fold(0, |tokens, it| Some(tokens + count_within(it, counted_to - tokens)?));
    let tokens = match counted {
        Some(tokens) if tokens <= most => return None,
        Some(tokens) => tokens.to_string(),
        None => format!("over {counted_to}"),
    };
    let done = if tool.action == Action::Read { "" } else { " What the call changed stays changed." };
    let mend = how_to_narrow(tool);
    Some(format!(
        "The result has {tokens} tokens, and at most {most} are allowed. It is not shown.{done} {mend}"
    ))
}

/// Nobody waits until the end of a text is counted that is far too long.
const COUNTED_TO: usize = 50_000;

/// Names the arguments that might ask for less. A handle only says of what.
fn how_to_narrow(tool: &RegisteredTool) -> String {
    let definition: Value = serde_json::from_str(&tool.json).unwrap_or_default();
    let is_handle = |name: &str| tool.places.iter().any(|it| it.argument() == Some(name));
    let arguments = definition["inputSchema"]["properties"].as_object();
    let arguments = arguments.into_iter().flat_map(|it| it.keys());
    let names: Vec<_> = arguments.filter(|it| !is_handle(it)).map(|it| format!("`{it}`")).collect();
    match &names[..] {
        [] => "Use another tool that says less, or tell the user that this is too much to read.".into(),
        [one] => format!("Ask for less with {one}."),
        [all @ .., last] => format!("Ask for less with {} or {last}.", all.join(", ")),
    }
}
