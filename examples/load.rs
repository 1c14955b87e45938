//! Tools to measure with: `echo`, `add`, `count`, and as many others as `TOOLS` says.

use tollgate::{
    Limits,
    prelude::*,
    serde_json::{Map, Value, json},
};

/// Says the text back.
///
/// Use when the user wants to hear the text again.
/// Do not use when it has to be changed first.
#[tool(read_only)]
async fn echo(
    /// The text.
    text: String,
) -> String {
    text
}

/// Adds two numbers.
///
/// Use when two whole numbers have to be added.
/// Do not use when they are no whole numbers.
#[tool(read_only)]
async fn add(
    /// The first number.
    a: i64,
    /// The second number.
    b: i64,
) -> Result<i64> {
    a.checked_add(b).or_fail("The sum is too large. Add smaller numbers.")
}

/// Reports each number up to `n`.
///
/// Use when many reports have to be read.
/// Do not use when the answer alone matters.
#[tool(read_only)]
async fn count(
    cx: &Cx,
    /// How many reports.
    n: u32,
) -> u32 {
    for _ in 0..n {
        cx.progress("counting").await;
    }
    n
}

fn filler(n: usize) -> Tool {
    let description = format!(
        "Does nothing, for the {n}th time.\n\nUse when a list has to be long.\nDo not use when anything has to happen."
    );
    let schema = json!({
        "type": "object",
        "properties": {"text": {"type": "string", "description": "The text."}},
        "required": ["text"],
        "additionalProperties": false,
    });
    Tool::new(format!("filler_{n}"), description, schema, async |_cx: Cx, _: Map<String, Value>| {
        Ok("nothing")
    })
    .read_only(true)
}

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let fillers = std::env::var("TOOLS").ok().and_then(|it| it.parse().ok()).unwrap_or(0);
    let mut limits = Limits::default();
    limits.notifications_per_second = 0;
    let server = Server::new("load", "1.0.0")
        .limits(limits)
        .tools(tools![echo, add, count])
        .tools((1..=fillers).map(filler).collect::<ToolSet>())
        .without_auth();
    tollgate_examples::run(server, r#"echo {"text":"hello"}"#).await
}
