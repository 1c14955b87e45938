use tollgate::prelude::*;

/// Who was at the door.
#[resource(uri = "door://visitors", shared, scope = "doors:see")]
pub async fn visitors() -> String {
    String::new()
}

fn main() {
    let _ = Server::new("door", "1.0.0").resources(resources![visitors]);
}
