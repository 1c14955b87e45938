//! Whether a tool is ready is told without waiting.

use tollgate::prelude::*;

/// Books a table.
///
/// Use when the user has named a day.
/// Do not use when the day is open.
#[tool(ready = calendar_up)]
async fn book(cx: &Cx<String>) -> String {
    cx.state().clone()
}

async fn calendar_up(_: &String) -> Result<(), Unready> {
    Ok(())
}

fn main() {
    let _ = Server::new("booking", "1").state(String::new()).tools(tools![book]);
}
