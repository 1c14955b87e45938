use tollgate::prelude::*;

/// Asks about a room.
#[prompt]
pub async fn ask() -> u32 {
    7
}

fn main() {
    let _ = Server::new("door", "1.0.0").prompts(prompts![ask]);
}
