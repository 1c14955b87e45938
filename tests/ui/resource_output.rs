use tollgate::prelude::*;

/// What a room looks like.
#[resource(uri = "house://room")]
pub async fn room() -> u32 {
    7
}

fn main() {
    let _ = Server::new("door", "1.0.0").resources(resources![room]);
}
