use tollgate::prelude::*;

#[prompt]
pub async fn ask() -> String {
    String::new()
}

fn main() {}
