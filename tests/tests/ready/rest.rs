//! The question by HTTP: what is refused, who learns more, and how long it waits.

use std::time::Duration;

use serde_json::{Value, json};
use tollgate::{
    Server,
    ready::{Connection, OperatorKey, OperatorKeyError},
    tools,
};
use tollgate_tests::{Answer, Call};

use super::kit::{API, KEY, Stand, Way};

async fn post(stand: &Stand, body: &str) -> Answer {
    let mut call = Call::post(body);
    call.line = format!("POST {API} HTTP/1.1");
    call.send(stand.running.address).await
}

#[tokio::test]
async fn an_answer_stands_in_an_envelope() {
    let stand = Stand::new().await;

    let told = stand.ask(Way::Rest, &["own"], &Value::Null).await;

    assert_eq!(told.answer.status, 200);
    assert_eq!(told.answer.header("content-type"), Some("application/json"));
    assert_eq!(told.answer.header("cache-control"), Some("no-store"));
    assert_eq!(told.body["success"], true);
    let members: Vec<_> = told.facet.as_object().unwrap().keys().cloned().collect();
    assert_eq!(members, ["verdict", "checked_at", "request_id", "tools"]);
}

#[tokio::test]
async fn a_wrong_question_is_refused_with_its_fault() {
    let stand = Stand::new().await;
    let one = json!({"id": "own"});
    let pin = |it: &str| json!({"id": "own", "pin_hash": it});
    for (body, words) in [
        ("{".to_owned(), ""),
        (r#"{"tools":[{"id":"own"}]} {}"#.to_owned(), ""),
        (r#"{"tools":[{"id":"own","id":"x"}]}"#.to_owned(), ""),
        ("[]".to_owned(), ""),
        (json!({"tools": [one], "more": 1}).to_string(), "unknown member"),
        (json!({"tools": [{"id": "own", "more": 1}]}).to_string(), "unknown member"),
        (json!({"tools": []}).to_string(), "1 to 100"),
        (json!({"tools": vec![one.clone(); 101]}).to_string(), "1 to 100"),
        (json!({"tools": [{"id": ""}]}).to_string(), "must not be empty"),
        (json!({"tools": [pin("a"), pin("b")]}).to_string(), "pin one tool differently"),
        (json!({"tools": [pin("a"), one]}).to_string(), "pin one tool differently"),
        (json!({"tools": [one], "profile": "nobody"}).to_string(), "no such profile"),
        (json!({"tools": [one], "profile": 1}).to_string(), "`profile` must be a string"),
        (json!({"tools": [one], "wait_ms": -1}).to_string(), "0 to 10000"),
        (json!({"tools": [one], "wait_ms": 10_001}).to_string(), "0 to 10000"),
        (json!({"tools": [one], "wait_ms": 1.5}).to_string(), "0 to 10000"),
        (json!({"tools": [one], "policy": {"x": true}}).to_string(), "policy.x"),
        (format!(r#"{{"tools":[{{"id":"{}"}}]}}"#, "x".repeat(1024 * 1024)), "1048576 bytes"),
    ] {
        let answer = post(&stand, &body).await;
        let told = answer.json();
        assert_eq!(answer.status, 400, "{told}");
        assert_eq!(told["success"], false);
        assert!(told["error"].as_str().unwrap().contains(words), "{told}");
    }
    assert_eq!(stand.records.count(), 0);

    let hundred = json!({"tools": vec![json!({"id": "own"}); 100]});
    assert_eq!(post(&stand, &hundred.to_string()).await.status, 200);
    let agreeing = json!({"tools": [pin("a"), json!({"id": " own", "pin_hash": "a"})]});
    assert_eq!(
        post(&stand, &agreeing.to_string()).await.json()["data"]["tools"][0]["reason"],
        "hash_mismatch"
    );
}

#[tokio::test]
async fn what_the_endpoint_refuses_at_the_door_is_refused_here() {
    let stand = Stand::new().await;
    let mut good = Call::post(&json!({"tools": [{"id": "own"}]}).to_string());
    good.line = format!("POST {API} HTTP/1.1");
    let status = async |call: Call| call.send(stand.running.address).await.status;

    assert_eq!(status(good.clone()).await, 200);
    assert_eq!(status(good.clone().replace("Host", "evil.example")).await, 403);
    assert_eq!(status(good.clone().header("Origin: https://evil.example")).await, 403);
    assert_eq!(status(good.clone().replace("Content-Type", "text/plain")).await, 415);
    let mut get = good.clone();
    get.line = format!("GET {API} HTTP/1.1");
    let refused = get.send(stand.running.address).await;
    assert_eq!((refused.status, refused.header("allow")), (405, Some("POST")));
    assert_eq!(status(good.clone().body("x".repeat(2 * 1024 * 1024))).await, 400);
}

#[tokio::test]
async fn only_the_operator_s_key_makes_an_operator() {
    let stand = Stand::new().await;
    let question = json!({"tools": [{"id": "nowhere:x"}]});
    let reason = async |headers: &[String]| {
        let mut call = Call::post(&question.to_string());
        call.line = format!("POST {API} HTTP/1.1");
        let call = headers.iter().fold(call, |call, it| call.header(it));
        call.send(stand.running.address).await.json()["data"]["tools"][0]["reason"].clone()
    };
    let bearer = |key: &str| format!("Authorization: Bearer {key}");

    assert_eq!(reason(&[bearer(KEY)]).await, "server_not_configured");
    assert_eq!(reason(&[format!("authorization: bEARER  {KEY}")]).await, "server_not_configured");
    assert_eq!(reason(&[]).await, "not_found");
    assert_eq!(reason(&[bearer(&KEY[1..])]).await, "not_found");
    assert_eq!(reason(&[bearer(&format!("{KEY}0"))]).await, "not_found");
    assert_eq!(reason(&[format!("Authorization: Basic {KEY}")]).await, "not_found");
    assert_eq!(reason(&[bearer(KEY), bearer("other")]).await, "not_found");
}

#[test]
fn a_key_of_operators_cannot_be_guessed() {
    assert!(OperatorKey::new(KEY).is_ok());
    for weak in ["", "short", &KEY[1..], &format!("{KEY} "), &"ä".repeat(32)] {
        assert_eq!(OperatorKey::new(weak).unwrap_err(), OperatorKeyError::Unfit, "{weak}");
    }
    let missing = OperatorKey::from_env("TOLLGATE_NO_SUCH_VARIABLE").unwrap_err();
    assert!(missing.to_string().contains("TOLLGATE_NO_SUCH_VARIABLE"));
    assert!(!format!("{:?}", OperatorKey::new(KEY).unwrap()).contains(KEY));
}

#[tokio::test(start_paused = true)]
async fn a_question_waits_while_waiting_may_help() {
    let stand = Stand::new().await;
    stand.world.gh(|it| it.connection = Some(Connection::Starting));
    let question = json!({"tools": [{"id": "gh:sync_issues"}], "wait_ms": 10_000});
    let world = stand.world.clone();

    let (told, ()) = tokio::join!(stand.ask_this(Way::Rest, &question), async {
        tokio::time::sleep(Duration::from_millis(2_100)).await;
        world.gh(|it| it.connection = Some(Connection::Ready));
    });

    let waited = told.facet["waited_ms"].as_u64().unwrap();
    assert_eq!(told.facet["verdict"], "ready");
    assert!((2_000..4_000).contains(&waited), "{waited}");
    assert_eq!(stand.records.count(), 1);
}

#[tokio::test(start_paused = true)]
async fn when_the_time_is_over_the_last_verdict_is_told() {
    let stand = Stand::new().await;
    stand.world.gh(|it| it.connection = Some(Connection::down()));
    let ask = |id: &str, wait: u64| json!({"tools": [{"id": id}], "wait_ms": wait});

    let over = stand.ask_this(Way::Rest, &ask("gh:sync_issues", 600)).await.facet;
    let at_once = stand.ask_this(Way::Rest, &ask("gh:sync_issues", 0)).await.facet;
    let hopeless = stand.ask_this(Way::Rest, &ask("gh:none", 5_000)).await.facet;

    assert_eq!(over["verdict"], "degraded_retryable");
    assert!(over["waited_ms"].as_u64().unwrap() >= 600, "{over}");
    assert_eq!((&at_once["verdict"], &at_once["waited_ms"]), (&json!("degraded_retryable"), &json!(0)));
    assert!(hopeless["waited_ms"].as_u64().unwrap() >= 5_000);
}

#[tokio::test]
async fn four_questions_wait_and_the_fifth_is_answered_at_once() {
    let stand = Stand::new().await;
    stand.world.gh(|it| it.connection = Some(Connection::Starting));
    let question = json!({"tools": [{"id": "gh:sync_issues"}], "wait_ms": 10_000});
    let mut waiting = Vec::new();
    for _ in 0..4 {
        let mut connection = tollgate_tests::Connection::open(stand.running.address).await;
        let mut call = Call::post(&question.to_string());
        call.line = format!("POST {API} HTTP/1.1");
        let before = stand.world.edit().reads;
        connection.send(&call.bytes()).await;
        while stand.world.edit().reads == before {
            tokio::task::yield_now().await;
        }
        waiting.push(connection);
    }

    let fifth = stand.ask_this(Way::Rest, &question).await.facet;
    assert_eq!((&fifth["verdict"], &fifth["waited_ms"]), (&json!("degraded_retryable"), &json!(0)));

    stand.world.gh(|it| it.connection = Some(Connection::Ready));
    for mut connection in waiting {
        assert_eq!(connection.answer().await.json()["data"]["verdict"], "ready");
    }
}

#[test]
fn a_wrong_configuration_is_told_at_start() {
    let faults = |edit: fn(Server) -> Server| {
        edit(Server::new("x", "1").tools(tools![]).without_auth()).check().run().unwrap_err().to_string()
    };
    assert!(faults(|it| it.preflight_api("api")).contains("does not start with `/`"));
    assert!(faults(|it| it.preflight_api("/mcp")).contains("both at `/mcp`"));
    let key = || OperatorKey::new(KEY).unwrap();
    assert!(faults(|it| it.operator(OperatorKey::new(KEY).unwrap())).contains(".preflight_api"));
    assert!(Server::new("x", "1").preflight_api(API).operator(key()).without_auth().check().run().is_ok());
}
