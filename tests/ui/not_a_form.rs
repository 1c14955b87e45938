use tollgate::prelude::*;

/// Opens the door.
///
/// Use when somebody rings.
/// Do not use when it is open.
#[tool]
pub async fn open(cx: &Cx) -> Result<String> {
    let key: u32 = cx.ask("Which key?").await?;
    Ok(key.to_string())
}

fn main() {
    let _ = Server::new("door", "1.0.0").tools(tools![open]);
}
