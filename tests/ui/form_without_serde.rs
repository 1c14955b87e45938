use tollgate::prelude::*;

#[derive(Elicit)]
pub struct Hold {
    pub hold: bool,
}

fn main() {}
