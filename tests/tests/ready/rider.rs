//! A question that is malformed is refused with its first fault, and nothing is evaluated.

use serde_json::{Value, json};
use tollgate::ready::EXTENSION;

use super::kit::{Stand, Way};

/// What is sent; where the fault is, its kind, and what the message must say.
fn malformed() -> Vec<(Value, &'static str, &'static str, Vec<&'static str>)> {
    let one = || json!({"id": "a"});
    let with = |name: &str, value: Value| {
        let mut rider = json!({"tools": [{"id": "a"}]});
        rider[name] = value;
        rider
    };
    let entry = |name: &str, value: Value| json!({"tools": [{"id": "a"}, {"id": "b", name: value}]});
    vec![
        // M1
        (Value::Null, "", "not_object", vec!["must be an object", "null"]),
        (json!([]), "", "not_object", vec!["an array"]),
        (json!("a"), "", "not_object", vec!["a string"]),
        (json!(1), "", "not_object", vec!["a number"]),
        (json!(true), "", "not_object", vec!["a boolean"]),
        // M2
        (json!({}), "/tools", "missing", vec!["`tools` is required"]),
        (json!({"policy": {}}), "/tools", "missing", vec!["`tools` is required"]),
        // M3
        (json!({"tools": null}), "/tools", "not_array", vec!["must be an array", "null"]),
        (json!({"tools": {"id": "a"}}), "/tools", "not_array", vec!["an object"]),
        // M4
        (json!({"tools": []}), "/tools", "count", vec!["1 to 50"]),
        // M5
        (json!({"tools": vec![one(); 51]}), "/tools", "count", vec!["51", "50"]),
        // M6
        (
            json!({"tools": [{"id": "a"}, "b"]}),
            "/tools/1",
            "not_object",
            vec!["`tools[1]` must be an object"],
        ),
        // M7
        (json!({"tools": [{}]}), "/tools/0/id", "missing", vec!["`tools[0].id` is required"]),
        // M8
        (json!({"tools": [{"id": null}]}), "/tools/0/id", "not_string", vec!["must be a string", "null"]),
        (json!({"tools": [{"id": 7}]}), "/tools/0/id", "not_string", vec!["a number"]),
        // M9
        (json!({"tools": [{"id": ""}]}), "/tools/0/id", "empty", vec!["must not be empty"]),
        // M10
        (entry("x", json!(1)), "/tools/1/x", "unknown_member", vec!["`tools[1]`", "unknown member \"x\""]),
        // M11
        (entry("pin_hash", json!("a")), "/tools/1/pin_hash", "reserved", vec!["reserved in version 1"]),
        (entry("expect_hashes", json!({})), "/tools/1/expect_hashes", "reserved", vec!["reserved"]),
        (with("pin_hash", json!("a")), "/pin_hash", "reserved", vec!["`pin_hash` is reserved"]),
        (with("expect_hashes", json!(1)), "/expect_hashes", "reserved", vec!["reserved"]),
        // M12, M13
        (with("wait_ms", json!(1)), "/wait_ms", "reserved", vec!["`wait_ms` is reserved"]),
        (with("profile", json!("p")), "/profile", "reserved", vec!["`profile` is reserved"]),
        // M14
        (with("policy", Value::Null), "/policy", "not_object", vec!["`policy` must be an object", "null"]),
        (with("policy", json!([])), "/policy", "not_object", vec!["an array"]),
        // M15
        (
            with("policy", json!({"x": true})),
            "/policy/x",
            "unknown_member",
            vec!["unknown member `policy.x`"],
        ),
        // M16
        (
            with("policy", json!({"read_only_only": "yes"})),
            "/policy/read_only_only",
            "not_boolean",
            vec!["`policy.read_only_only` must be a boolean", "a string"],
        ),
        (
            with("policy", json!({"exclude_destructive": null})),
            "/policy/exclude_destructive",
            "not_boolean",
            vec!["null"],
        ),
        // M17
        (with("x", json!(1)), "/x", "unknown_member", vec!["unknown member \"x\""]),
        // The first by name, members before what is in them.
        (json!({"tools": 1, "b": 1, "a": 1}), "/a", "unknown_member", vec!["\"a\""]),
        (json!({"tools": [{}], "policy": 1}), "/policy", "not_object", vec!["`policy`"]),
        (
            with("policy", json!({"z": 1, "read_only_only": 1})),
            "/policy/z",
            "unknown_member",
            vec!["policy.z"],
        ),
        // Strangers' names are escaped, and short.
        (with("a/b~c", json!(1)), "/a~1b~0c", "unknown_member", vec!["a/b~c"]),
        (with("\u{1b}[31m", json!(1)), "/\u{1b}[31m", "unknown_member", vec!["\\u{1b}[31m"]),
    ]
}

#[tokio::test]
async fn the_first_fault_is_told_in_words_and_to_programs() {
    let stand = Stand::new().await;
    for (rider, path, fault, words) in malformed() {
        for way in Way::IN_BAND {
            let answer = stand.send(way, &rider).await;

            let error = answer.json()["error"].clone();
            let message = error["message"].as_str().unwrap_or_default();
            assert_eq!((answer.status, &error["code"]), (200, &json!(-32602)), "{rider} {error}");
            assert_eq!(
                error["data"],
                json!({"extension": EXTENSION, "path": path, "fault": fault}),
                "{rider}: {message}"
            );
            assert!(words.iter().all(|it| message.contains(it)), "{rider}: {message}");
        }
    }
    assert_eq!(stand.records.count(), 0);
    assert_eq!(stand.world.edit().reads, 0);
}

#[tokio::test]
async fn a_long_name_is_cut() {
    let stand = Stand::new().await;
    let mut rider = json!({"tools": [{"id": "a"}]});
    rider["x".repeat(1_000)] = json!(1);

    let error = stand.send(Way::Modern, &rider).await.json()["error"].clone();

    assert!(error.to_string().len() < 400, "{error}");
}

#[tokio::test]
async fn a_fault_of_the_question_is_told_before_one_of_the_cursor() {
    let stand = Stand::new().await;
    for cursor in [json!("nonsense"), json!(7), json!(null)] {
        let meta = json!({ EXTENSION: {"tools": []} });
        let modern = stand.modern(&meta, json!({"cursor": cursor})).await.json();
        let legacy = stand.legacy(json!({"cursor": cursor, "_meta": meta})).await.json();

        assert_eq!(modern["error"]["data"]["fault"], "count");
        assert_eq!(legacy["error"]["data"]["fault"], "count");
    }

    let meta = json!({ EXTENSION: {"tools": [{"id": "own"}]} });
    let refused = stand.modern(&meta, json!({"cursor": "nonsense"})).await;
    assert!(refused.json()["error"]["message"].as_str().unwrap().starts_with("Invalid cursor"));
    assert_eq!(stand.records.count(), 0);
}

#[tokio::test]
async fn an_id_is_told_once_and_without_blanks() {
    let stand = Stand::new().await;
    for way in Way::ALL {
        let ids = [" own ", "gh:sync_issues", "own", "   ", "\tgh : sync_issues\n", "own"];
        let told = stand.ask(way, &ids, &Value::Null).await;

        let tools = told.facet["tools"].as_array().unwrap().clone();
        let named: Vec<_> = tools.iter().map(|it| it["id"].as_str().unwrap()).collect();
        assert_eq!(named, ["own", "gh:sync_issues", "   ", "gh : sync_issues"], "{way:?}");
        let states: Vec<_> = tools.iter().map(|it| it["status"] == "ready").collect();
        assert_eq!(states, [true, true, false, true], "{way:?}");
        assert_eq!(tools[2]["reason"], "not_found");
        let record = stand.records.last();
        assert_eq!((record.count, record.ids), (4, ids.map(ToOwned::to_owned).to_vec()));
    }
}
