//! A record that travels in its handle, and is changed.

use serde::{Deserialize, Serialize};
use tollgate::prelude::*;

#[derive(Record, Serialize, Deserialize)]
#[record(owner_only, sealed)]
struct Report {
    number: u32,
}

/// Counts a report up.
///
/// Use when it is to be counted.
/// Do not use when it is not.
#[tool]
async fn count_up(report: Held<Report>) -> Result {
    report.update(|it| it.number += 1).await
}

fn main() {
    let _ = tools![count_up] as ToolSet<()>;
}
