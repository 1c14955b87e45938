use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tollgate::prelude::*;

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Address {
    pub street: String,
}

#[derive(Elicit, Serialize, Deserialize, JsonSchema)]
pub struct Shipping {
    pub to: Address,
}

fn main() {}
