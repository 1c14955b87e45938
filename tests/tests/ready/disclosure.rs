//! What a caller may not use it learns nothing about.

use serde_json::{Value, json};
use tollgate::ready::{Approval, Connection, Scope};

use super::kit::{KEY, SAFE, Stand, Way};

/// The bytes of one entry, with the id masked.
async fn entry(stand: &Stand, way: Way, id: &str) -> String {
    let told = stand.ask(way, &[id], &Value::Null).await;
    let text = String::from_utf8(told.answer.body).unwrap();
    let start = text.find(r#"{"id":"#).unwrap();
    let end = text[start..].find("]}").unwrap() + start;
    text[start..end].replace(id, "*")
}

const CALLERS: [Way; 3] = [Way::Modern, Way::Legacy, Way::Rest];

#[tokio::test]
async fn out_of_scope_unconfigured_and_absent_are_one_answer_byte_for_byte() {
    let stand = Stand::new().await;
    stand.world.edit().scope = Scope::of(["slack"]);
    for way in CALLERS {
        let out_of_scope = entry(&stand, way, "gh:sync_issues").await;
        assert_eq!(out_of_scope, entry(&stand, way, "nowhere:at_all").await, "{way:?}");
        assert_eq!(out_of_scope, entry(&stand, way, "slack:nothing_like_it").await, "{way:?}");
    }
}

#[tokio::test]
async fn the_same_name_is_the_same_answer_whatever_the_server_is() {
    let (configured, unconfigured) = (Stand::new().await, Stand::new().await);
    configured.world.edit().scope = Scope::of(["slack"]);
    unconfigured.world.edit().servers.remove("gh");
    // In the third world the server is there and in scope, and has no such tool.
    let absent = Stand::new().await;
    for tool in ["gh__sync_issues", "gh__drop_repo", "gh__plain"] {
        absent.server.catalog().remove_tool(tool);
    }
    for way in CALLERS {
        for id in ["gh:sync_issues", "gh:post_message", "gh:x", "gh:sync_issue"] {
            let told = entry(&configured, way, id).await;
            assert_eq!(told, entry(&unconfigured, way, id).await, "{way:?} {id}");
            assert_eq!(told, entry(&absent, way, id).await, "{way:?} {id}");
        }
    }
}

#[tokio::test]
async fn an_operator_s_credential_changes_nothing_in_band() {
    let stand = Stand::new().await;
    stand.world.edit().scope = Scope::of(["slack"]);
    let question = json!({"tools": [{"id": "gh:sync_issues"}, {"id": "nowhere:x"}]});
    let mut meta = tollgate_tests::raw::meta();
    meta["io.modelcontextprotocol/clientCapabilities"] =
        json!({"extensions": {tollgate::ready::EXTENSION: {}}});
    meta[tollgate::ready::EXTENSION] = question.clone();
    let call = tollgate_tests::Call::modern("tools/list", json!({"_meta": meta}));

    let as_operator = call.header(format!("Authorization: Bearer {KEY}")).send(stand.running.address).await;
    let as_anybody = stand.send(Way::Modern, &question).await;

    let told = |body: Value| body["result"]["_meta"][tollgate::ready::EXTENSION]["tools"].clone();
    assert_eq!(told(as_operator.json()), told(as_anybody.json()));
}

#[tokio::test]
async fn no_hash_no_error_and_no_name_that_is_not_seen_is_in_any_answer() {
    let stand = Stand::new().await;
    stand.put("MARKER_quarantined", SAFE, "Is there.");
    let error = Some("dial tcp MARKER-HOST:443: token=MARKER-TOKEN".to_owned());
    {
        let mut known = stand.world.edit();
        let mut hidden = known.servers["gh"].clone();
        hidden.connection = Some(Connection::Down { error, action: None });
        known.servers.insert("MARKER-SERVER".into(), hidden.clone());
        known.servers.get_mut("gh").unwrap().policy = hidden.policy.quarantined(true);
        let slack = known.servers.get_mut("slack").unwrap();
        slack.connection = hidden.connection;
        slack.approvals.insert("hidden".into(), Approval::pending());
        known.scope = Scope::of(["slack", "gh"]);
    }
    let ids = [
        "gh:MARKER_quarantine",
        "gh:x",
        "gh__MARKER_quarantine",
        "MARKER",
        "MARKER-SERVE:x",
        "slack:post_message",
        "slack:hidde",
        "slack:post_messag",
        "x:y",
        "x",
        ":",
        "own",
        "ow",
    ];
    for way in CALLERS {
        let told = stand.ask(way, &ids, &json!({"read_only_only": true})).await;
        for entry in told.facet["tools"].as_array().unwrap() {
            let id = entry["id"].as_str().unwrap();
            let text = entry.to_string().replace(id, "*");
            assert!(!text.contains("MARKER") && !text.contains("sha256"), "{way:?} {text}");
            assert!(entry.get("hash").is_none());
        }
    }

    let operator = stand.ask(Way::Operator, &["slack:post_message"], &Value::Null).await.facet;
    let detail = operator["tools"][0]["detail"].as_str().unwrap();
    assert_eq!(detail, "dial tcp MARKER-HOST:443: token=[hidden]");
}

#[tokio::test]
async fn suggestions_are_names_that_the_caller_sees() {
    let stand = Stand::new().await;
    for way in CALLERS {
        let near = stand.one(way, "gh:sync_issue").await;
        assert_eq!(near["did_you_mean"], json!(["gh:sync_issues"]));
        let start = stand.one(way, "slack:post").await;
        assert_eq!(start["did_you_mean"], json!(["slack:post_message"]));
        let server_alone = stand.one(way, "gh:").await;
        assert_eq!(server_alone.get("did_you_mean"), None);
        let far = stand.one(way, "gh:something_else").await;
        assert_eq!(far.get("did_you_mean"), None);
    }
    stand.world.gh(|it| it.policy = it.policy.enabled(false));
    let of_another = stand.one(Way::Modern, "gg:sync_issues").await;
    assert_eq!(of_another.get("did_you_mean"), None, "{of_another}");
}

#[tokio::test]
async fn what_is_out_of_scope_is_in_no_list() {
    let stand = Stand::new().await;
    let names = async || {
        let listed = stand.modern(&json!({}), json!({})).await.result();
        let legacy = stand.legacy(json!({})).await.result();
        let names = |it: &Value| {
            it["tools"].as_array().unwrap().iter().map(|it| it["name"].clone()).collect::<Vec<_>>()
        };
        assert_eq!(names(&listed), names(&legacy));
        names(&listed)
    };
    assert_eq!(names().await.len(), 5);

    stand.world.edit().scope = Scope::of(["slack"]);
    assert_eq!(names().await, ["slack__post_message", "own"]);

    stand.world.edit().scope = Scope::of([""; 0]);
    assert_eq!(names().await, ["own"]);

    stand.world.edit().scope = Scope::of(["*"]);
    assert_eq!(names().await.len(), 5);
}

#[test]
fn an_empty_scope_is_nothing_and_a_star_is_everything() {
    let (nothing, everything) = (Scope::of([""; 0]), Scope::of(["*", "gh"]));
    assert!(!nothing.contains("gh") && everything.contains("gh"));
    assert_eq!(Scope::of(["a", "b"]).and(&Scope::of(["b", "c"])), Scope::of(["b"]));
    assert_eq!(everything.clone().and(&nothing), nothing);
    assert_eq!(nothing.clone().and(&everything), nothing);
}
