use tollgate::prelude::*;

/// What a room looks like.
#[resource(uri = "house://rooms")]
pub async fn room(_id: u32) -> String {
    String::new()
}

fn main() {}
