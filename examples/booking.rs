//! A tool that asks before it acts, and acts once.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering::Relaxed},
    },
};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tollgate::prelude::*;

/// What the guest is asked before a table is held.
#[derive(Elicit, Serialize, Deserialize, JsonSchema)]
struct Hold {
    /// Hold this table?
    hold: bool,
    /// Anything the kitchen should know.
    allergies: Option<Text<200>>,
}

/// Books a table and returns the booking.
///
/// Use when the user has settled on a day and a party size.
/// Do not use when the user has not named a day yet: ask for it first.
#[tool]
async fn book_table(
    cx: &Cx<Calendar>,
    /// The day, as `YYYY-MM-DD`.
    day: Text<10>,
    /// How many people will sit down.
    guests: Int<1, 12>,
) -> Result<Offer> {
    let offer: Offer = cx.keep("offer", cx.state().offer(&day)).await?;
    let answer: Hold = cx.ask(format!("{offer} for {guests} on {day}. Hold it?")).await?;
    if !answer.hold {
        fail!("The guest said no. Nothing was booked; offer another day.");
    }
    cx.redeem().await?;
    cx.state().book(&offer).or_fail("That table has just gone. Ask for another day.")?;
    Ok(offer)
}

/// A table, and what it takes to hold it.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Offer {
    table: u32,
    deposit: u32,
}

impl fmt::Display for Offer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Table {}, deposit {} euro,", self.table, self.deposit)
    }
}

/// Ten tables, in memory.
#[derive(Clone, Default)]
struct Calendar {
    booked: Arc<AtomicU32>,
}

impl Calendar {
    async fn offer(&self, day: &str) -> Result<Offer> {
        let is_date = day.len() == 10 && day.bytes().all(|it| it.is_ascii_digit() || it == b'-');
        if !is_date {
            fail!("`{day}` is no day. Write it as YYYY-MM-DD.");
        }
        Ok(Offer { table: self.booked.load(Relaxed) % 10 + 1, deposit: 20 })
    }

    fn book(&self, offer: &Offer) -> Option<()> {
        let free = offer.table - 1;
        let next = |booked| (booked % 10 == free).then_some(booked + 1);
        self.booked.fetch_update(Relaxed, Relaxed, next).ok().map(drop)
    }
}

fn server() -> Server<Calendar> {
    Server::new("booking", "1.0.0").state(Calendar::default()).tools(tools![book_table]).without_auth()
}

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let mut server = server();
    // With a key that outlives the process, a question asked before a restart can be answered after it.
    if std::env::var_os("TOLLGATE_SECRET").is_some() {
        server = server.secret(Secret::from_env("TOLLGATE_SECRET")?);
    }
    tollgate_examples::run(server, r#"book_table {"day":"2026-09-01","guests":4}"#).await
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A model reads all of `tools/list` with every request. When that was changed on purpose, run this with
    /// `TOLLGATE_BLESS=1`, and commit the file.
    #[test]
    fn tools_fit_their_budget() {
        server().check().tokens(300).tokens_description(60).baseline("booking.budget.json").assert();
    }
}
