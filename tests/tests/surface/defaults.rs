//! Arguments that may be left out because they have a default.

use std::sync::atomic::{AtomicI64, Ordering};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tollgate::prelude::*;

use crate::{client, faults, listed, said};

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Unit {
    Metric,
    Imperial,
}

static CALLS: AtomicI64 = AtomicI64::new(0);

fn next() -> i64 {
    CALLS.fetch_add(1, Ordering::Relaxed)
}

/// Looks at the weather.
///
/// Use when a town is given.
/// Do not use when none is.
#[tool]
async fn weather(
    town: Text<20>,
    #[arg(default = 3)] days: Int<1, 7>,
    #[arg(default = "metric")] unit: Unit,
    #[arg(default = vec![1, 2])] hours: Vec<i64>,
    #[arg(default = 0.5)] odds: f64,
    #[arg(default = true)] rain: bool,
) -> String {
    format!("{town} {days} {unit:?} {hours:?} {odds} {rain}")
}

#[tokio::test]
async fn a_default_is_published_and_its_argument_is_not_required() {
    let client = client(tools![weather]);

    let schema = listed(&client, "weather").await["inputSchema"].clone();

    assert_eq!(schema["required"], json!(["town"]));
    assert_eq!(schema["properties"]["days"]["default"], 3);
    assert_eq!(schema["properties"]["unit"]["default"], "metric");
    assert_eq!(schema["properties"]["hours"]["default"], json!([1, 2]));
    assert_eq!(schema["properties"]["odds"]["default"], 0.5);
    assert_eq!(schema["properties"]["rain"]["default"], true);
}

#[tokio::test]
async fn what_is_left_out_or_null_has_its_default() {
    let client = client(tools![weather]);

    assert_eq!(said(&client, "weather", json!({"town": "Ulm"})).await, "Ulm 3 Metric [1, 2] 0.5 true");
    let nulls = json!({"town": "Ulm", "days": null, "unit": null, "hours": null});
    assert_eq!(said(&client, "weather", nulls).await, "Ulm 3 Metric [1, 2] 0.5 true");
}

#[tokio::test]
async fn what_is_given_wins_over_its_default_and_is_checked() {
    let client = client(tools![weather]);
    let given =
        json!({"town": "Ulm", "days": 7.0, "unit": "imperial", "hours": [], "odds": 1, "rain": false});

    assert_eq!(said(&client, "weather", given).await, "Ulm 7 Imperial [] 1 false");
    assert_eq!(
        faults(&client, "weather", json!({"town": "Ulm", "days": 8})).await,
        ["/days: expected an integer from 1 to 7, found 8"],
    );
}

/// Counts.
///
/// Use when a number is wanted.
/// Do not use when none is.
#[tool]
async fn counted(#[arg(default = next())] number: i64) -> String {
    number.to_string()
}

#[tokio::test]
async fn an_expression_is_evaluated_in_each_call() {
    let client = client(tools![counted]);

    let first: i64 = said(&client, "counted", json!({})).await.parse().unwrap();
    let second: i64 = said(&client, "counted", json!({})).await.parse().unwrap();

    assert_eq!(second, first + 1);
}

/// Waits.
///
/// Use when there is time.
/// Do not use when there is none.
#[tool]
async fn wait(#[arg(default = 9)] hours: Int<1, 7>) -> String {
    hours.to_string()
}

#[tokio::test]
#[should_panic(expected = "the default 9 does not fit its argument: expected a whole number from 1 to 7")]
async fn a_default_that_does_not_fit_is_found_at_the_start() {
    let _ = client(tools![wait]);
}
