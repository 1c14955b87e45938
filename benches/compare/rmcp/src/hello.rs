//! The `hello` example on rmcp, to count its crates, weigh it, and time its build.

use rmcp::{
    handler::server::wrapper::Parameters,
    schemars, tool, tool_router,
    transport::streamable_http_server::{
        StreamableHttpServerConfig, StreamableHttpService, session::never::NeverSessionManager,
    },
};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Greet {
    /// What the person likes to be called.
    #[schemars(length(min = 1, max = 80))]
    name: String,
}

struct Hello;

#[tool_router(server_handler)]
impl Hello {
    /// Greets a person by name.
    ///
    /// Use when the user asks to be greeted.
    /// Do not use when a message has to reach somebody else.
    #[tool(annotations(read_only_hint = true))]
    fn greet(&self, Parameters(Greet { name }): Parameters<Greet>) -> String {
        format!("Hello, {name}!")
    }
}

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .enforce_origin_validation();
    let mcp = StreamableHttpService::new(|| Ok(Hello), NeverSessionManager::default().into(), config);
    let port: u16 = std::env::var("PORT").ok().and_then(|it| it.parse().ok()).unwrap_or(8000);
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", port)).await?;
    axum::serve(listener, axum::Router::new().route_service("/mcp", mcp)).await
}
