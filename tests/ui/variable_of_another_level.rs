use tollgate::prelude::*;

/// What a room looks like.
#[resource(uri = "house://rooms{?id}")]
pub async fn room(id: u32) -> String {
    id.to_string()
}

fn main() {}
