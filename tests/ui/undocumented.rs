use tollgate::prelude::*;

#[tool]
pub async fn open() {}

fn main() {
    let _ = Server::new("door", "1.0.0").tools(tools![open]);
}
