//! What `load` is, with what rights cost: handles, and with `JWKS` set (a file with keys) tokens and scopes.

use serde::{Deserialize, Serialize};
use tollgate::{
    auth::{Jwt, Keys},
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

#[derive(Record, Serialize, Deserialize)]
#[record(owner_only, max_seconds = 86_400)]
struct Memo(String);

/// Writes a memo.
///
/// Use when a handle is needed.
/// Do not use when there is one.
#[tool]
async fn write_memo(cx: &Cx) -> Result<Handle<Memo>> {
    cx.mint(Memo("hello".into())).await
}

/// Takes a handle, and does no more.
///
/// Use when the cost of a handle is measured.
/// Do not use when that of a text is.
#[tool(read_only)]
async fn take_handle(memo: Held<Memo>) -> &'static str {
    drop(memo);
    "hello"
}

/// Takes a text of the same form, and does no more.
///
/// Use when the cost of a text is measured.
/// Do not use when that of a handle is.
#[tool(read_only)]
async fn take_text(memo: String) -> &'static str {
    drop(memo);
    "hello"
}

/// A tool that half of the callers may use.
fn filler(n: usize) -> Tool {
    let description = format!(
        "Does nothing, for the {n}th time.\n\nUse when a list has to be long.\nDo not use when anything has to happen."
    );
    let tool = Tool::new(
        format!("filler_{n}"),
        description,
        json!({"type": "object"}),
        async |_cx: Cx, _: Map<String, Value>| Ok("nothing"),
    );
    if n.is_multiple_of(2) { tool.scope("more") } else { tool }
}

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let server = Server::new("guarded", "1.0.0")
        .tools(tools![echo, write_memo, take_handle, take_text])
        .tools((1..=20).map(filler).collect::<ToolSet>());
    let server = match std::env::var("JWKS") {
        Ok(keys) => server.auth(
            Jwt::issuer("https://login.example.com")
                .audience("https://guarded.example.com/mcp")
                .keys(Keys::file(keys)),
        ),
        Err(_) => server.without_auth(),
    };
    tollgate_examples::run(server, r#"echo {"text":"hello"}"#).await
}
