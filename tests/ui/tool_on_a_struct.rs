use tollgate::prelude::*;

#[tool]
pub struct Door;

fn main() {}
