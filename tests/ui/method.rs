use tollgate::prelude::*;

pub struct Door;

impl Door {
    /// Opens the door.
    ///
    /// Use when somebody rings.
    /// Do not use when it is open.
    #[tool]
    pub async fn open(&self) {}
}

fn main() {}
