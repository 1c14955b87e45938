use tollgate::prelude::*;

#[derive(Clone)]
pub struct House;

#[derive(Clone)]
pub struct Key;

/// Opens the door.
///
/// Use when somebody rings.
/// Do not use when it is open.
#[tool]
pub async fn open(_cx: &Cx<Key>) {}

fn main() {
    let _ = Server::new("door", "1.0.0").state(House).tools(tools![open]).without_auth();
}
