use tollgate::prelude::*;

/// A note.
#[resource(uri = "notes://{id}", size = 1024)]
pub async fn note(id: String) -> String {
    id
}

fn main() {}
