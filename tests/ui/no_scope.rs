use tollgate::prelude::*;

/// Opens the door.
///
/// Use when somebody rings.
/// Do not use when it is open.
#[tool(scope = "doors:open  doors:see")]
pub async fn open() {}

/// Says how to open a door.
#[prompt(scope = "döörs")]
pub async fn how() -> String {
    String::new()
}

/// Who was at the door.
#[resource(uri = "door://visitors", scope = "")]
pub async fn visitors() -> String {
    String::new()
}

fn main() {
    let _ = Server::new("door", "1.0.0")
        .tools(tools![open])
        .prompts(prompts![how])
        .resources(resources![visitors]);
}
