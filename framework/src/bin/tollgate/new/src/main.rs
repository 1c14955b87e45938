//! Serves on 127.0.0.1, or on standard input and output with `--stdio`.

use std::{env, io};

#[tokio::main]
async fn main() -> io::Result<()> {
    let server = server::server();
    if env::args().any(|it| it == "--stdio") {
        return server.serve_stdio().await;
    }
    let port = match env::var("PORT") {
        Ok(port) => port.parse().map_err(io::Error::other)?,
        Err(_) => 8000,
    };
    eprintln!("http://127.0.0.1:{port}/mcp");
    server.serve(("127.0.0.1", port)).await
}
