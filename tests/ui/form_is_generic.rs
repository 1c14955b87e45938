use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tollgate::prelude::*;

#[derive(Elicit, Serialize, Deserialize, JsonSchema)]
pub struct Hold<T> {
    pub hold: T,
}

fn main() {}
