//! One tool with what is told about it: `tools/resolve`, behind a feature.

use serde_json::{Value, json};
use tollgate::ready::{Connection, EXTENSION, Scope};
use tollgate_tests::Call;

use super::kit::{Stand, validator};

async fn resolve(stand: &Stand, name: &str) -> Value {
    let params = json!({"name": name, "arguments": {}});
    Call::modern("tools/resolve", params).send(stand.running.address).await.json()
}

#[tokio::test]
async fn a_tool_that_is_resolved_says_whether_it_is_ready() {
    let stand = Stand::new().await;
    let schema = validator("resolveFacet");
    for (connection, told) in [
        (Connection::Ready, json!({"status": "ready"})),
        (Connection::Starting, json!("server_initializing")),
        (Connection::LoginNeeded, json!("oauth_required")),
        (Connection::down(), json!("server_unhealthy")),
    ] {
        stand.world.gh(|it| it.connection = Some(connection));
        let tool = resolve(&stand, "gh__sync_issues").await["result"]["tool"].clone();
        let facet = &tool["_meta"][EXTENSION];
        assert!(schema.is_valid(facet), "{facet}");
        assert!(*facet == told || facet["reason"] == told, "{facet}");
        assert_eq!(tool["name"], "gh__sync_issues");
        assert_eq!(tool["annotations"]["readOnlyHint"], true);
    }
    assert_eq!((stand.records.count(), stand.upstream_calls()), (4, 0));
}

#[tokio::test]
async fn a_tool_that_is_not_there_for_a_caller_is_an_error_and_no_verdict() {
    let stand = Stand::new().await;
    stand.world.edit().scope = Scope::of(["slack"]);
    let error = async |name: &str| resolve(&stand, name).await.to_string().replace(name, "*");

    let unknown = error("nothing").await;
    assert!(unknown.contains("-32602"), "{unknown}");
    assert_eq!(error("gh__sync_issues").await, unknown);
}
