use tollgate::prelude::*;

/// Opens the door.
///
/// Use when somebody rings.
/// Do not use when it is open.
#[tool(scop = "x", read_only = 1)]
pub fn open<T>(self, (_floor, _room): (u32, u32), _key: &str) {}

fn main() {}
