//! The server: what it offers, and nothing about where it runs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tollgate::{Decided, prelude::*};

/// The whole server, for the program and for the tests.
pub fn server() -> Server<(), Decided> {
    Server::new("{{name}}", "0.1.0")
        .tools(tools![convert_length, order_lunch])
        .without_auth()
}

/// Converts a length to another unit.
///
/// Use when the user has a length in one unit and wants it in another.
/// Do not use when it is an area or a volume: there is no tool for them.
#[tool(read_only)]
pub async fn convert_length(
    /// How many units of `from` it is.
    length: f64,
    /// The unit that it is in.
    from: Unit,
    /// The unit that is wanted.
    to: Unit,
) -> Length {
    let length = length * from.metres() / to.metres();
    Length { length, unit: to }
}

/// A unit of length.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    Foot,
    Metre,
    Mile,
}

impl Unit {
    fn metres(self) -> f64 {
        match self {
            Self::Foot => 0.3048,
            Self::Metre => 1.0,
            Self::Mile => 1609.344,
        }
    }
}

/// A length and its unit.
#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Length {
    pub length: f64,
    pub unit: Unit,
}

/// Orders lunch for a group, after the user has agreed.
///
/// Use when the user wants lunch and has said for how many people.
/// Do not use when the user asks what there is to eat: say that you do not know.
#[tool]
pub async fn order_lunch(
    cx: &Cx,
    /// How many people will eat.
    people: Int<1, 50>,
) -> Result<String> {
    let lunch: Lunch = cx.ask(format!("Lunch for {people}. Order it?")).await?;
    if !lunch.order {
        fail!("The user said no. Nothing was ordered; ask what they want instead.");
    }
    // Below this line it happens once, however often the client comes back.
    cx.redeem().await?;
    Ok(format!("Lunch for {people} is on its way."))
}

/// What the user is asked.
#[derive(Elicit, Serialize, Deserialize, JsonSchema)]
pub struct Lunch {
    /// Order this lunch?
    pub order: bool,
}
