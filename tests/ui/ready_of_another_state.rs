//! Whether a tool is ready is told from the state that the tool looks at.

use tollgate::prelude::*;

/// Books a table.
///
/// Use when the user has named a day.
/// Do not use when the day is open.
#[tool(ready = calendar_up)]
async fn book(cx: &Cx<String>) -> String {
    cx.state().clone()
}

fn calendar_up(_: &u32) -> Result<(), Unready> {
    Ok(())
}

fn main() {
    let _ = Server::new("booking", "1").state(String::new()).tools(tools![book]);
}
