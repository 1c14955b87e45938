use tollgate::prelude::*;

/// Looks through the door.
///
/// Use when somebody rings.
/// Do not use when it is open.
#[tool(read_only, result_tokens = 0)]
pub async fn look() {}

fn main() {
    let _ = Server::new("door", "1.0.0").tools(tools![look]);
}
