//! What people who write tools say about them, and what their tests ask.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering::Relaxed},
};

use serde_json::{Map, json};
use tollgate::{
    prelude::*,
    ready::{Reason, Verdict},
};
use tollgate_tests::Log;

/// The app's own type.
#[derive(Clone, Default)]
struct Calendar {
    is_down: Arc<AtomicBool>,
    is_closed: Arc<AtomicBool>,
}

/// Books a table.
///
/// Use when the guest has named a day.
/// Do not use when the day is open.
#[tool(ready = calendar_up)]
async fn book_table(cx: &Cx<Calendar>) -> Result<String> {
    let _ = cx.state();
    Ok("booked".into())
}

fn calendar_up(calendar: &Calendar) -> Result<(), Unready> {
    match (calendar.is_closed.load(Relaxed), calendar.is_down.load(Relaxed)) {
        (true, _) => Err(Unready::Disabled),
        (_, true) => Err(Unready::Unhealthy),
        _ => Ok(()),
    }
}

/// Says the time.
///
/// Use when somebody asks for it.
/// Do not use when it is known.
#[tool(ready = never, read_only)]
async fn clock() -> String {
    "noon".into()
}

fn never() -> Result<(), Unready> {
    Err(Unready::LoginNeeded)
}

fn server(calendar: &Calendar) -> Server<Calendar> {
    Server::new("booking", "1").state(calendar.clone()).tools(tools![book_table, clock]).without_auth()
}

#[tokio::test]
async fn a_tool_is_as_ready_as_its_function_says() {
    let calendar = Calendar::default();
    let guest = server(&calendar).client("guest");
    let asked = guest.preflight(["book_table"]).await.unwrap();
    assert_eq!(asked.verdict, Verdict::Ready);

    calendar.is_down.store(true, Relaxed);
    let asked = guest.preflight(["book_table", "clock"]).await.unwrap();

    assert_eq!(asked.verdict, Verdict::Blocked);
    let reasons: Vec<_> = asked.tools.iter().map(|it| it.reason).collect();
    assert_eq!(reasons, [Some(Reason::ServerUnhealthy), Some(Reason::OauthRequired)]);
}

#[tokio::test]
async fn what_somebody_decided_holds_for_calls_and_what_may_pass_is_left_to_them() {
    let calendar = Calendar::default();
    let guest = server(&calendar).client("guest");

    calendar.is_down.store(true, Relaxed);
    assert_eq!(guest.call(book_table {}).await.unwrap(), "booked");

    calendar.is_closed.store(true, Relaxed);
    let told = guest.call(book_table {}).await.unwrap_err();
    assert!(told.text().starts_with("`book_table` cannot be called now: "), "{}", told.text());
}

#[tokio::test]
async fn names_are_those_of_the_list() {
    let guest = server(&Calendar::default()).client("guest");

    let asked = guest.preflight(["book_tabel", "booking:book_table"]).await.unwrap();

    assert_eq!(asked.verdict, Verdict::UnknownIds);
    assert_eq!(asked.tools[0].did_you_mean, ["book_table"]);
    assert!(asked.tools.iter().all(|it| it.reason == Some(Reason::NotFound)));
}

#[tokio::test]
async fn a_tool_that_a_caller_may_not_see_is_not_there() {
    let secret =
        Tool::new("secret", "Is there.", json!({"type": "object"}), async |_, _: Map<_, _>| Ok("ok"))
            .scope("deep");
    let server = Server::new("scoped", "1").tools(vec![secret]).without_auth();

    let with = server.client("ann").with_scopes(["deep"]).preflight(["secret"]).await.unwrap();
    let without = server.client("bob").with_scopes(["other"]).preflight(["secret", "secrets"]).await.unwrap();

    assert_eq!(with.verdict, Verdict::Ready);
    assert_eq!(without.verdict, Verdict::UnknownIds);
    assert!(without.tools.iter().all(|it| it.did_you_mean.is_empty()));
}

#[tokio::test]
async fn a_tool_made_at_run_time_can_say_it_too() {
    let flag = Arc::new(AtomicBool::new(true));
    let of_tool = flag.clone();
    let made = Tool::new("made", "Is there.", json!({"type": "object"}), async |_, _: Map<_, _>| Ok("ok"))
        .ready(move |()| if of_tool.load(Relaxed) { Ok(()) } else { Err(Unready::Blocked) });
    let server = Server::new("made", "1").dynamic().without_auth();
    server.catalog().add_tool(made).unwrap();
    let ann = server.client("ann");
    assert_eq!(ann.preflight(["made"]).await.unwrap().verdict, Verdict::Ready);

    flag.store(false, Relaxed);

    let asked = ann.preflight(["made"]).await.unwrap();
    assert_eq!(asked.tools[0].reason, Some(Reason::ToolBlockedByUser));
    assert!(ann.call_raw("made", json!({})).await.is_err());
}

#[test]
fn a_server_behind_is_named_without_a_colon() {
    for (server, tool) in [("a:b", "c"), ("", "c"), ("a", ""), (" a", "c"), ("a", "c ")] {
        let made =
            Tool::new("made", "Is there.", json!({"type": "object"}), async |_, _: Map<_, _>| Ok("ok"))
                .upstream(server, tool);
        let faults =
            Server::new("x", "1").tools(vec![made]).without_auth().check().run().unwrap_err().to_string();
        assert!(faults.contains("behind this one"), "{faults}");
    }
}

#[test]
fn a_gateway_that_was_forgotten_is_told_to_the_log() {
    let log = Log::start();
    let made = Tool::new("made", "Is there.", json!({"type": "object"}), async |_, _: Map<_, _>| Ok("ok"))
        .upstream("gh", "made");

    Server::new("x", "1").tools(vec![made]).without_auth().check().assert();

    assert_eq!(log.with("call `.gateway(..)`").len(), 1, "{}", log.text());
}
