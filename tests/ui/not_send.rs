use tollgate::prelude::*;

/// Opens the door.
///
/// Use when somebody rings.
/// Do not use when it is open.
#[tool]
pub async fn open(cx: &Cx) -> String {
    let key = std::rc::Rc::new(1);
    cx.progress("turning the key").await;
    key.to_string()
}

fn main() {
    let _ = Server::new("door", "1.0.0").tools(tools![open]);
}
