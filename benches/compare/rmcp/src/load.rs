//! The tools of the `load` example on rmcp, as somebody who knows rmcp would set it up for speed.
//!
//! No sessions, JSON answers, one router for all requests (the macro's own default builds it anew for each), and no
//! waiting for small packets.

use std::sync::Arc;

use axum::serve::ListenerExt as _;
use rmcp::{
    ErrorData, Peer, RoleServer, ServerHandler, ServiceExt as _,
    handler::server::{
        router::tool::{ToolRoute, ToolRouter},
        tool::ToolCallContext,
        wrapper::Parameters,
    },
    model::{CallToolResult, ContentBlock, ProgressNotificationParam, RequestMetaObject, Tool},
    schemars, tool, tool_handler, tool_router,
    transport::streamable_http_server::{
        StreamableHttpServerConfig, StreamableHttpService, session::never::NeverSessionManager,
    },
};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Echo {
    /// The text.
    text: String,
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Add {
    /// The first number.
    a: i64,
    /// The second number.
    b: i64,
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Count {
    /// How many reports.
    n: u32,
}

#[derive(Clone)]
struct Load {
    router: Arc<ToolRouter<Self>>,
}

#[tool_router]
impl Load {
    /// Says the text back.
    ///
    /// Use when the user wants to hear the text again.
    /// Do not use when it has to be changed first.
    #[tool(annotations(read_only_hint = true))]
    fn echo(&self, Parameters(Echo { text }): Parameters<Echo>) -> String {
        text
    }

    /// Adds two numbers.
    ///
    /// Use when two whole numbers have to be added.
    /// Do not use when they are no whole numbers.
    #[tool(annotations(read_only_hint = true))]
    fn add(&self, Parameters(Add { a, b }): Parameters<Add>) -> Result<String, String> {
        let sum = a.checked_add(b).ok_or("The sum is too large. Add smaller numbers.")?;
        Ok(sum.to_string())
    }

    /// Reports each number up to `n`.
    ///
    /// Use when many reports have to be read.
    /// Do not use when the answer alone matters.
    #[tool(annotations(read_only_hint = true))]
    async fn count(
        &self,
        Parameters(Count { n }): Parameters<Count>,
        meta: RequestMetaObject,
        peer: Peer<RoleServer>,
    ) -> Result<String, String> {
        let Some(token) = meta.get_progress_token() else { return Ok(n.to_string()) };
        for done in 1..=n {
            let report = ProgressNotificationParam::new(token.clone(), f64::from(done));
            let sent = peer.notify_progress(report.with_message("counting")).await;
            sent.map_err(|error| error.to_string())?;
        }
        Ok(n.to_string())
    }
}

#[tool_handler(router = self.router, name = "load", version = "1.0.0")]
impl ServerHandler for Load {}

fn filler(n: usize) -> ToolRoute<Load> {
    let schema = serde_json::json!({
        "type": "object",
        "properties": {"text": {"type": "string", "description": "The text."}},
        "required": ["text"],
        "additionalProperties": false,
    });
    let schema = schema.as_object().cloned().unwrap_or_default();
    let description = format!(
        "Does nothing, for the {n}th time.\n\nUse when a list has to be long.\nDo not use when anything has to happen."
    );
    ToolRoute::new_dyn(
        Tool::new(format!("filler_{n}"), description, schema),
        |_: ToolCallContext<'_, Load>| {
            Box::pin(async {
                Ok::<_, ErrorData>(CallToolResult::success(vec![ContentBlock::text("nothing")]).into())
            })
        },
    )
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let fillers = std::env::var("TOOLS").ok().and_then(|it| it.parse().ok()).unwrap_or(0);
    let mut router = Load::tool_router();
    for n in 1..=fillers {
        router.add_route(filler(n));
    }
    let load = Load { router: router.into() };
    if std::env::args().any(|it| it == "--stdio") {
        load.serve((tokio::io::stdin(), tokio::io::stdout())).await?.waiting().await?;
        return Ok(());
    }
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .enforce_origin_validation();
    let mcp =
        StreamableHttpService::new(move || Ok(load.clone()), NeverSessionManager::default().into(), config);
    let port: u16 = std::env::var("PORT").ok().and_then(|it| it.parse().ok()).unwrap_or(8000);
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", port)).await?;
    let listener = listener.tap_io(|stream| {
        // A socket without the option is slower and works.
        let _ = stream.set_nodelay(true);
    });
    axum::serve(listener, axum::Router::new().route_service("/mcp", mcp)).await?;
    Ok(())
}
