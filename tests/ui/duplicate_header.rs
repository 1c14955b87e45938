use tollgate::prelude::*;

/// Opens the door.
///
/// Use when somebody rings.
/// Do not use when it is open.
#[tool]
pub async fn open(#[arg(header = "Key")] _key: Text<8>, #[arg(header = "key")] _other: Text<8>) {}

fn main() {
    let _ = Server::new("door", "1.0.0").tools(tools![open]);
}
