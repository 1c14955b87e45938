use tollgate::prelude::*;

fn find() -> std::result::Result<String, String> {
    Err("not there".into())
}

/// Opens the door.
///
/// Use when somebody rings.
/// Do not use when it is open.
#[tool]
pub async fn open() -> Result<String> {
    Ok(find()?)
}

fn main() {
    let _ = Server::new("door", "1.0.0").tools(tools![open]);
}
