//! A request is understood from itself alone (basic/index#statelessness).

use serde_json::{Value, json};
use tollgate::{KeyRing, Limits, Secret};
use tollgate_tests::{Call, Connection, Running, raw::meta, start};

use super::{
    house::{ask_again, ask_call, initialize, legacy, meta_with_forms, server, session, watched},
    lines::{Lines, call, request},
};

// --- nothing is learnt from an earlier request ---

// S-021, S-042.
#[tokio::test]
async fn capabilities_of_one_request_do_not_count_for_the_next_on_its_connection() {
    let running = start(server()).await;
    let mut connection = Connection::open(running.address).await;
    let incapable = ask_call("Ann").edit(|it| it["params"]["_meta"] = meta());

    connection.send(&ask_call("Ann").bytes()).await;
    let capable = connection.answer().await;
    connection.send(&incapable.bytes()).await;
    let refused = connection.answer().await;

    assert_eq!(capable.result()["resultType"], "input_required");
    assert_eq!(refused.verdict(), (400, -32021));
}

// S-021, S-042.
#[tokio::test]
async fn capabilities_of_one_request_do_not_count_for_the_next_on_stdio() {
    let mut lines = Lines::open(server());
    let ask = |meta: Value| json!({"name": "ask", "arguments": {"host": "Ann"}, "_meta": meta});

    let capable = lines.ask(&request(1, "tools/call", ask(meta_with_forms()))).await;
    let refused = lines.ask(&request(2, "tools/call", ask(meta()))).await;

    assert_eq!(capable["result"]["resultType"], "input_required");
    assert_eq!(refused["error"]["code"], -32021);
}

// S-021.
#[tokio::test]
async fn a_handshake_does_not_count_for_modern_requests_on_its_process() {
    let mut lines = Lines::open(server());
    lines.ask(&initialize(&json!({"elicitation": {}}))).await;

    let listed = lines.ask(&request(1, "tools/list", json!({}))).await;
    let refused = lines.ask(&call(2, "ask", &json!({"host": "Ann"}))).await;

    assert_eq!(listed["result"]["resultType"], "complete");
    assert_eq!(refused["error"]["code"], -32021);
}

// S-021.
#[tokio::test]
async fn a_version_is_not_remembered() {
    let mut lines = Lines::open(server().modern_only());

    let modern = lines.ask(&request(1, "tools/list", json!({}))).await;
    let bare = lines.ask(&json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"})).await;

    assert!(modern["result"].is_object());
    assert_eq!((&bare["id"], &bare["error"]["code"]), (&json!(2), &json!(-32602)));
}

// S-021.
#[tokio::test]
async fn a_log_level_and_a_progress_token_are_those_of_their_request() {
    let running = start(server()).await;
    let mut connection = Connection::open(running.address).await;
    let mut wordy = meta();
    wordy["io.modelcontextprotocol/logLevel"] = "debug".into();
    wordy["progressToken"] = 7.into();
    let say = |meta: Value| {
        Call::modern("tools/call", json!({"name": "say", "arguments": {"text": "hi"}, "_meta": meta}))
    };

    connection.send(&say(wordy).bytes()).await;
    let first = connection.answer().await;
    connection.send(&say(meta()).bytes()).await;
    let second = connection.answer().await;

    assert_eq!(first.events().len(), 3);
    assert_eq!(second.header("content-type"), Some("application/json"));
    assert_eq!(second.result()["content"][0]["text"], "hi");
}

// --- conversations share a connection ---

// S-022.
#[tokio::test]
async fn a_call_that_takes_its_time_holds_nobody_up_on_stdio() {
    let (server, mut watch) = watched();
    let mut lines = Lines::open(server);

    lines.send(&call("slow", "hold", &json!({}))).await;
    assert_eq!(watch.next().await, "started");
    let fast = lines.ask(&call("fast", "echo", &json!({"text": "hi"}))).await;
    watch.release.notify_waiters();
    let slow = lines.next().await;

    assert_eq!((&fast["id"], &slow["id"]), (&json!("fast"), &json!("slow")));
}

// S-022, S-024.
#[tokio::test]
async fn each_conversation_is_known_by_the_state_that_it_carries() {
    let running = start(server()).await;

    let of_ann = ask_call("Ann").send(running.address).await.result();
    let of_bob = ask_call("Bob").send(running.address).await.result();
    let mixed = ask_again("Ann", &of_bob, "Bea").send(running.address).await;
    let bob = ask_again("Bob", &of_bob, "Bea").send(running.address).await;
    let ann = ask_again("Ann", &of_ann, "Cem").send(running.address).await;

    assert_eq!(mixed.verdict(), (200, -32602));
    assert_eq!(bob.result()["content"][0]["text"], "Bob greets Bea");
    assert_eq!(ann.result()["content"][0]["text"], "Ann greets Cem");
}

// --- copies of a server ---

/// Two servers that share a key and nothing else.
async fn twins() -> [Running; 2] {
    let keys = KeyRing::new(Secret::random().unwrap());
    let mut limits = Limits::default();
    limits.page_items = 1;
    let twin = || start(server().keys(keys.clone()).limits(limits.clone()));
    [twin().await, twin().await]
}

// S-023.
#[tokio::test]
async fn a_question_of_one_server_is_answered_at_another() {
    let [first, second] = twins().await;

    let asked = ask_call("Ann").send(first.address).await.result();
    let done = ask_again("Ann", &asked, "Bea").send(second.address).await;

    assert_eq!(done.result()["content"][0]["text"], "Ann greets Bea");
}

// S-023.
#[tokio::test]
async fn a_list_that_one_server_began_goes_on_at_another() {
    let [first, second] = twins().await;
    let page = |cursor: &Value| Call::modern("tools/list", json!({"cursor": cursor}));

    let one = Call::modern("tools/list", json!({})).send(first.address).await.result();
    let two = page(&one["nextCursor"]).send(second.address).await.result();
    let three = page(&two["nextCursor"]).send(first.address).await.result();

    let names = [one, two, three].map(|it| it["tools"][0]["name"].clone());
    assert_eq!(names, ["echo", "ask", "say"]);
}

// S-023.
#[tokio::test]
async fn a_legacy_session_of_one_server_is_known_at_another() {
    let [first, second] = twins().await;
    let session = session(first.address, &json!({})).await;

    let answers = [
        legacy(&session, "ping", &json!({})).send(second.address).await,
        legacy(&session, "ping", &json!({})).send(first.address).await,
    ];

    assert!(answers.iter().all(|it| it.result() == json!({})));
}

// S-023.
#[tokio::test]
async fn requests_alternate_between_servers() {
    let [first, second] = twins().await;
    let turns = [&first, &second, &first, &second];

    let mut texts = Vec::new();
    for (turn, server) in turns.into_iter().enumerate() {
        let answer = Call::tool("echo", &json!({"text": turn.to_string()})).send(server.address).await;
        texts.push(answer.result()["content"][0]["text"].clone());
    }

    assert_eq!(texts, ["0", "1", "2", "3"]);
}

// S-024.
#[tokio::test]
async fn a_session_that_was_made_up_is_none() {
    let running = start(server()).await;
    let other = start(server()).await;
    let strange = session(other.address, &json!({})).await;

    let made_up = legacy("made-up", "tools/list", &json!({})).send(running.address).await;
    let strange = legacy(&strange, "tools/list", &json!({})).send(running.address).await;

    assert_eq!([made_up.status, strange.status], [404, 404]);
}
