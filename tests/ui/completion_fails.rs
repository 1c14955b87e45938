use tollgate::prelude::*;

/// Asks about a room.
#[prompt]
pub async fn ask(#[arg(complete = rooms)] _room: Text<8>) -> String {
    String::new()
}

async fn rooms(_cx: &Cx, _typed: &str) -> Result<Vec<String>> {
    Ok(Vec::new())
}

fn main() {}
