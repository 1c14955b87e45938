use tollgate::prelude::*;

/// What a room looks like.
#[resource]
pub async fn room() -> String {
    String::new()
}

fn main() {}
