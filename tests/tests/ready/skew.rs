//! What was decided against a tool holds for calls as it does for questions.

use serde_json::{Value, json};
use tollgate::ready::{Approval, Connection};
use tollgate_tests::Call;

use super::kit::{Behind, SAFE, Stand, Way};

const ID: &str = "gh:sync_issues";

/// Whether a call reached the server behind, and what was answered.
async fn call(stand: &Stand) -> (bool, String) {
    let before = stand.upstream_calls();
    let answer = Call::tool("gh__sync_issues", &json!({})).send(stand.running.address).await.json();
    let result = &answer["result"];
    assert_eq!(result["isError"] == true, stand.upstream_calls() == before, "{answer}");
    (stand.upstream_calls() > before, result["content"][0]["text"].as_str().unwrap_or_default().to_owned())
}

type Edit = fn(&mut Behind);

fn approval(it: &mut Behind, approval: Approval) {
    it.approvals.insert("sync_issues".into(), approval);
}

#[tokio::test]
async fn a_call_is_refused_exactly_where_something_was_decided_against_the_tool() {
    let states: [(&str, Edit, Option<&str>); 10] = [
        ("approved", |it| approval(it, Approval::approved()), None),
        ("pending", |it| approval(it, Approval::pending()), Some("tool_pending_approval")),
        ("changed", |it| approval(it, Approval::changed()), Some("tool_changed")),
        ("blocked", |it| approval(it, Approval::approved().blocked()), Some("tool_blocked_by_user")),
        ("denied", |it| it.denied.extend(["sync_issues".to_owned()]), Some("tool_denied_by_config")),
        ("disabled", |it| it.policy = it.policy.enabled(false), Some("server_disabled")),
        ("quarantined", |it| it.policy = it.policy.quarantined(true), Some("server_quarantined")),
        (
            "disabled and pending",
            |it| {
                approval(it, Approval::pending());
                it.policy = it.policy.enabled(false);
            },
            Some("server_disabled"),
        ),
        (
            "changed, on a server whose tools need no approval",
            |it| {
                approval(it, Approval::changed());
                it.policy = it.policy.needs_approval(false);
            },
            None,
        ),
        (
            "blocked, on a server whose tools need no approval",
            |it| {
                approval(it, Approval::pending().blocked());
                it.policy = it.policy.needs_approval(false);
            },
            Some("tool_blocked_by_user"),
        ),
    ];
    for (name, edit, reason) in states {
        let stand = Stand::new().await;
        stand.world.gh(edit);

        let told = stand.one(Way::Modern, ID).await;
        let (ran, text) = call(&stand).await;

        assert_eq!(told.get("reason"), reason.map(Value::from).as_ref(), "{name}");
        assert_eq!(ran, reason.is_none(), "{name}: {text}");
        if let Some(detail) = told["detail"].as_str() {
            assert!(text.contains(detail), "{name}: {text}");
            assert!(text.contains(told["remediation"].as_str().unwrap()), "{name}: {text}");
        }
    }
}

#[tokio::test]
async fn a_call_finds_out_itself_whether_a_server_answers() {
    for connection in
        [Some(Connection::down()), Some(Connection::LoginNeeded), Some(Connection::Starting), None]
    {
        let stand = Stand::new().await;
        stand.world.gh(|it| it.connection = connection);

        assert_eq!(stand.one(Way::Modern, ID).await["status"], "unavailable");
        assert!(call(&stand).await.0);
    }
}

#[tokio::test]
async fn a_definition_that_is_not_the_approved_one_does_not_run() {
    let stand = Stand::new().await;
    let hash = stand.one(Way::Operator, ID).await["hash"].as_str().unwrap().to_owned();
    let approved = tollgate::ready::Fingerprint::parse(&hash).unwrap();
    stand.world.approve("sync_issues", Approval::approved_as(approved));
    assert!(call(&stand).await.0);

    stand.put("sync_issues", SAFE, "Sends everything to me.");

    assert_eq!(stand.one(Way::Modern, ID).await["reason"], "tool_changed");
    assert!(!call(&stand).await.0);
}

#[tokio::test]
async fn what_cannot_be_read_lets_no_call_through() {
    let stand = Stand::new().await;
    for broken in ["server", "approval", "denies", "scope"] {
        stand.world.edit().broken = Some(broken);
        let answer = Call::tool("gh__sync_issues", &json!({})).send(stand.running.address).await.json();
        assert_eq!(answer["error"]["code"], -32603, "{broken}: {answer}");
        assert!(!answer.to_string().contains("SECRET"));
    }
    assert_eq!(stand.upstream_calls(), 0);
}

#[tokio::test]
async fn every_way_to_ask_gets_the_same_answer() {
    let ids = ["gh:sync_issues", "gh:plain", "gh:nothing", "slack:post_message", "own", "gh:", "nowhere:x"];
    let edits: [Edit; 5] = [
        |_| {},
        |it| it.policy = it.policy.quarantined(true),
        |it| it.connection = Some(Connection::LoginNeeded),
        |it| approval(it, Approval::changed()),
        |it| it.denied.extend(["plain".to_owned()]),
    ];
    for edit in edits {
        let stand = Stand::new().await;
        stand.world.gh(edit);
        let told = async |way| {
            let facet = stand.ask(way, &ids, &json!({"exclude_open_world": true})).await.facet;
            (facet["verdict"].clone(), facet["tools"].clone())
        };
        let modern = told(Way::Modern).await;
        assert_eq!(modern, told(Way::Legacy).await);
        assert_eq!(modern, told(Way::Rest).await);
    }
}
