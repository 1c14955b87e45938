use tollgate::prelude::*;

pub struct Connection;

/// Opens the door.
///
/// Use when somebody rings.
/// Do not use when it is open.
#[tool]
pub async fn open() -> Result<Connection> {
    Ok(Connection)
}

fn main() {
    let _ = Server::new("door", "1.0.0").tools(tools![open]);
}
