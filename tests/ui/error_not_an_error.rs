use tollgate::prelude::*;

pub struct Broken;

/// Opens the door.
///
/// Use when somebody rings.
/// Do not use when it is open.
#[tool]
pub async fn open() -> std::result::Result<String, Broken> {
    Err(Broken)
}

fn main() {
    let _ = Server::new("door", "1.0.0").tools(tools![open]);
}
