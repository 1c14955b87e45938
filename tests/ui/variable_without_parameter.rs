use tollgate::prelude::*;

/// What a room looks like.
#[resource(uri = "house://rooms/{id}")]
pub async fn room() -> String {
    String::new()
}

fn main() {}
