use tollgate::prelude::*;

/// Opens the door.
///
/// Use when somebody rings.
/// Do not use when it is open.
#[tool]
pub async fn open() {}

fn main() {
    let _ = Server::new("door", "1.0.0").prompts(prompts![open]);
}
