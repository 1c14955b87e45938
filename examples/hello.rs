//! The smallest server: one tool.

use tollgate::prelude::*;

/// Greets a person by name.
///
/// Use when the user asks to be greeted.
/// Do not use when a message has to reach somebody else.
#[tool(read_only)]
async fn greet(
    /// What the person likes to be called.
    name: Text<80>,
) -> String {
    format!("Hello, {name}!")
}

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let server = Server::new("hello", "1.0.0").tools(tools![greet]).without_auth();
    tollgate_examples::run(server, r#"greet {"name":"Ann"}"#).await
}
