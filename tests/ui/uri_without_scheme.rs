use tollgate::prelude::*;

/// What a room looks like.
#[resource(uri = "rooms/{id}")]
pub async fn room(id: u32) -> String {
    id.to_string()
}

fn main() {}
