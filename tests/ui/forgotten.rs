#![deny(dead_code)]

use tollgate::prelude::*;

/// Opens the door.
///
/// Use when somebody rings.
/// Do not use when it is open.
#[tool]
async fn open() {}

fn main() {}
