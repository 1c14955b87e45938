//! Where two things stand in the way, the first is told.

use serde_json::{Value, json};
use tollgate::ready::{Approval, Connection, Scope};

use super::kit::{SAFE, Stand, UNSAFE, Way};

type Make = fn(&Stand);

const GOOD: &str = "gh:sync_issues";

/// What stands in the way, in the order in which it is told.
fn not_configured(it: &Stand) {
    it.world.edit().servers.remove("gh");
}
fn not_in_scope(it: &Stand) {
    // Operators are narrowed by profiles; see `ask`.
    it.world.edit().scope = Scope::of(["slack"]);
}
fn quarantined(it: &Stand) {
    it.world.gh(|it| it.policy = it.policy.quarantined(true));
}
fn disabled(it: &Stand) {
    it.world.gh(|it| it.policy = it.policy.enabled(false));
}
fn not_found(it: &Stand) {
    it.server.catalog().remove_tool("gh__sync_issues");
}
fn denied(it: &Stand) {
    it.world.gh(|it| it.denied.extend(["sync_issues".to_owned()]));
}
fn blocked(it: &Stand) {
    it.world.gh(|it| {
        let before = it.approvals.get("sync_issues").copied().unwrap_or(Approval::approved());
        it.approvals.insert("sync_issues".into(), before.blocked());
    });
}
fn changed(it: &Stand) {
    it.world.approve("sync_issues", Approval::changed());
}
fn pending(it: &Stand) {
    it.world.approve("sync_issues", Approval::pending());
}
fn login(it: &Stand) {
    it.world.gh(|it| it.connection = Some(Connection::LoginNeeded));
}
fn down(it: &Stand) {
    it.world.gh(|it| it.connection = Some(Connection::down()));
}
fn starting(it: &Stand) {
    it.world.gh(|it| it.connection = Some(Connection::Starting));
}
fn unsafe_hints(it: &Stand) {
    it.put("sync_issues", UNSAFE, "Is there for a test.");
}
fn nothing(it: &Stand) {
    it.put("sync_issues", SAFE, "Is there for a test.");
}

/// Asks as an operator: with a pin that does not fit where `pin` says so, with a filter always, and within a profile where
/// the scope was narrowed.
async fn ask(stand: &Stand, pin: bool) -> Value {
    let mut question = json!({"tools": [{"id": GOOD}], "policy": {"read_only_only": true}});
    if pin {
        question["tools"][0]["pin_hash"] = format!("sha256/v1:{}", "0".repeat(64)).into();
    }
    if stand.world.edit().scope != Scope::Everything {
        question["profile"] = "chat".into();
    }
    let told = stand.ask_this(Way::Operator, &question).await;
    told.facet["tools"][0]["reason"].clone()
}

#[tokio::test]
async fn the_first_of_two_is_told() {
    // What holds, whether a pin is wrong as well, and what is told.
    let pairs: [(&[Make], bool, &str); 20] = [
        (&[not_configured, not_in_scope], false, "server_not_configured"),
        (&[not_in_scope, quarantined], false, "server_not_in_scope"),
        (&[quarantined, disabled], false, "server_quarantined"),
        (&[quarantined, not_found], false, "server_quarantined"),
        (&[disabled, not_found], false, "server_disabled"),
        (&[not_found, denied], false, "not_found"),
        (&[not_found, blocked], false, "tool_blocked_by_user"),
        (&[not_found, changed], false, "tool_changed"),
        (&[not_found, pending], false, "tool_pending_approval"),
        (&[not_found, starting], false, "server_initializing"),
        (&[not_found, down], false, "server_unhealthy"),
        (&[denied, blocked], false, "tool_denied_by_config"),
        (&[changed, blocked], false, "tool_blocked_by_user"),
        (&[changed], true, "tool_changed"),
        (&[pending], true, "tool_pending_approval"),
        (&[login], true, "hash_mismatch"),
        (&[login, unsafe_hints], false, "oauth_required"),
        (&[down, unsafe_hints], false, "server_unhealthy"),
        (&[starting, unsafe_hints], false, "server_initializing"),
        (&[unsafe_hints], false, "policy_filtered"),
    ];
    for (makes, pin, told) in pairs {
        let stand = Stand::new().await;
        makes.iter().for_each(|make| make(&stand));
        assert_eq!(ask(&stand, pin).await, told, "{told}, with a pin: {pin}");
    }

    let stand = Stand::new().await;
    nothing(&stand);
    assert_eq!(ask(&stand, false).await, Value::Null);
}

#[tokio::test]
async fn one_connection_is_in_one_state_and_each_is_told_as_itself() {
    let stand = Stand::new().await;
    for (make, told) in
        [(login as Make, "oauth_required"), (down, "server_unhealthy"), (starting, "server_initializing")]
    {
        make(&stand);
        assert_eq!(ask(&stand, false).await, told);
    }
}

#[tokio::test]
async fn a_stored_word_that_nobody_knows_was_approved_by_nobody() {
    let stand = Stand::new().await;
    for (word, told) in [
        ("approved", Value::Null),
        ("changed", "tool_changed".into()),
        ("pending", "tool_pending_approval".into()),
        ("", "tool_pending_approval".into()),
        ("APPROVED", "tool_pending_approval".into()),
    ] {
        stand.world.approve("sync_issues", Approval::named(word));
        assert_eq!(ask(&stand, false).await, told, "{word:?}");
    }
}
