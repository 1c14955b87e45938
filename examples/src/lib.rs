//! What every example does at its start: listen where `PORT` says, or speak on standard input and output.

use std::io;

use tollgate::Server;

/// Serves on `127.0.0.1:PORT` (8000 unless set), or on standard input and output with `--stdio`.
///
/// # Errors
/// When an argument is unknown, `PORT` is no port, the address is taken, or the server is configured wrongly.
pub async fn run<S: Clone + Send + Sync + 'static>(server: Server<S>, to_try: &str) -> io::Result<()> {
    match std::env::args().nth(1).as_deref() {
        None => {}
        Some("--stdio") => return server.serve_stdio().await,
        Some(it) => return Err(io::Error::other(format!("`{it}` is no argument: there is `--stdio` only"))),
    }
    let port = match std::env::var("PORT") {
        Ok(text) => text.parse().map_err(|_| io::Error::other(format!("PORT is no port: `{text}`")))?,
        Err(_) => 8000,
    };
    eprintln!("http://127.0.0.1:{port}/mcp");
    eprintln!("try: {}", curl(port, to_try));
    server.serve(("127.0.0.1", port)).await
}

/// A whole call for a shell, from `name {"arguments": ..}`.
fn curl(port: u16, to_try: &str) -> String {
    let (name, arguments) = to_try.split_once(' ').unwrap_or((to_try, "{}"));
    let meta = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}}}}"#;
    format!(
        "curl http://127.0.0.1:{port}/mcp -H 'content-type: application/json' -H 'mcp-protocol-version: 2026-07-28' \
         -H 'mcp-method: tools/call' -H 'mcp-name: {name}' -d '{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\
         \"params\":{{\"name\":\"{name}\",\"arguments\":{arguments},{meta}}}}}'"
    )
}
