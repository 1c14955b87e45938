//! A sealed record travels in its handle, for servers without a store.

use serde::{Deserialize, Serialize};
use tollgate::{Client, Secret, prelude::*, serde_json::json};

use super::shop::told;

#[derive(Record, Serialize, Deserialize)]
#[record(owner_only, sealed, max_seconds = 600)]
struct Report {
    number: u32,
}

/// Names a report.
///
/// Use when it is to be named.
/// Do not use when it has a name.
#[tool]
async fn name_report(cx: &Cx, number: u32) -> Result<Handle<Report>> {
    cx.mint(Report { number }).await
}

/// Tells the number of a report.
///
/// Use when it is asked for.
/// Do not use when it is known.
#[tool(read_only)]
async fn number_of(report: Held<Report>) -> Result<u32> {
    Ok(report.load().await?.number)
}

fn server(secret: &str, audience: &str) -> Server {
    let secret = Secret::new(secret.as_bytes()).unwrap();
    Server::new("reports", "1")
        .secret(secret)
        .audience(audience)
        .tools(tools![name_report, number_of])
        .without_auth()
}

const ONE: &str = "u3x9-Rw1q_Zk7t2LpV8n.Yd4s6Gh0jBe5";
const OTHER: &str = "Mf7c2-Xa9w_Qr4z8TnK1.vH6d3Js5bLe0";

const UNKNOWN: &str =
    "`report`: there is no such report. Use a handle that this user was given, or make a new one.";

async fn told_of(client: &Client, report: &str) -> String {
    told(client.call_raw("number_of", json!({"report": report})).await)
}

#[tokio::test]
async fn another_copy_reads_it_without_a_store() {
    let here = server(ONE, "reports").client("ann");
    let there = server(ONE, "reports").client("ann");

    let report = here.call(name_report { number: 7 }).await.unwrap();

    assert_eq!(there.call(number_of { report: report.clone() }).await.unwrap(), 7);
    assert!(!report.as_str().contains('7') || report.as_str().len() > 60);
}

#[tokio::test]
async fn it_is_bound_to_caller_key_and_server() {
    let ann = server(ONE, "reports").client("ann");
    let report = ann.call(name_report { number: 7 }).await.unwrap().to_string();

    for client in [
        server(ONE, "reports").client("bob"),
        server(OTHER, "reports").client("ann"),
        server(ONE, "others").client("ann"),
    ] {
        assert_eq!(told_of(&client, &report).await, UNKNOWN);
    }
}

#[tokio::test]
async fn whatever_is_changed_in_it_makes_it_none() {
    let ann = server(ONE, "reports").client("ann");
    let report = ann.call(name_report { number: 7 }).await.unwrap().to_string();

    for at in "report_".len()..report.len() {
        let mut changed = report.clone().into_bytes();
        changed[at] = if changed[at] == b'A' { b'B' } else { b'A' };
        let changed = String::from_utf8(changed).unwrap();
        assert_eq!(told_of(&ann, &changed).await, UNKNOWN, "at {at}");
    }
    assert_eq!(told_of(&ann, &report[..report.len() - 1]).await, UNKNOWN);
}
