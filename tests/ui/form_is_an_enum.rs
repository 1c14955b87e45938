use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tollgate::prelude::*;

#[derive(Elicit, Serialize, Deserialize, JsonSchema)]
pub enum Hold {
    Keep,
    Drop,
}

fn main() {}
