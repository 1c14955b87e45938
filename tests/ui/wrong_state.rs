use tollgate::prelude::*;

#[derive(Clone)]
pub struct House;

/// Opens the door.
///
/// Use when somebody rings.
/// Do not use when it is open.
#[tool]
pub async fn open(_cx: &Cx<House>) {}

fn main() {
    let _ = Server::new("door", "1.0.0").tools(tools![open]).without_auth();
}
