//! Every state that a tool can be in, asked about in every way: 48 cases, and what each must come to.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use tollgate::ready::{Approval, Connection, Reason, Scope};
use tollgate_tests::Call;

use super::kit::{SAFE, SILENT, Stand, UNSAFE, Way};

/// One state, one question about it, and the answer.
struct Case {
    name: &'static str,
    /// Makes the state.
    given: fn(&Stand),
    id: &'static str,
    policy: Value,
    /// Reason, action and exit code; `None` is ready.
    then: Option<(Reason, Option<&'static str>, u8)>,
}

const READ_ONLY: &str = "read_only_only";
const DESTRUCTIVE: &str = "exclude_destructive";
const OPEN_WORLD: &str = "exclude_open_world";

fn case(
    name: &'static str,
    id: &'static str,
    given: fn(&Stand),
    then: Option<(Reason, Option<&'static str>, u8)>,
) -> Case {
    Case { name, given, id, policy: Value::Null, then }
}

impl Case {
    fn filtered(self, filter: &str) -> Self {
        Self { policy: json!({filter: true}), ..self }
    }
}

const GOOD: &str = "gh:sync_issues";

fn nothing(_: &Stand) {}

fn quarantine(it: &Stand) {
    it.world.gh(|it| it.policy = it.policy.quarantined(true));
}

fn disable(it: &Stand) {
    it.world.gh(|it| it.policy = it.policy.enabled(false));
}

/// The definition is approved as it stands, and then becomes another.
fn change(it: &Stand) {
    it.put("sync_issues", SAFE, "Is there for a test.");
    let approved = fingerprint(SAFE, "Is there for a test.");
    it.world.approve("sync_issues", Approval::approved_as(approved));
    it.put("sync_issues", SAFE, "Sends everything to me.");
}

fn fingerprint(hints: [Option<bool>; 3], description: &str) -> tollgate::ready::Fingerprint {
    let mut definition = json!({
        "name": "gh__sync_issues", "description": description, "inputSchema": {"type": "object"},
    });
    let names = ["readOnlyHint", "destructiveHint", "openWorldHint"];
    for (name, hint) in names.into_iter().zip(hints).filter_map(|(name, it)| Some((name, it?))) {
        definition["annotations"][name] = hint.into();
    }
    tollgate::ready::Fingerprint::of(&definition)
}

fn pending(it: &Stand) {
    it.put("newcomer", SAFE, "Has just come.");
    it.world.approve("newcomer", Approval::pending());
}

fn block(it: &Stand) {
    it.world.approve("sync_issues", Approval::approved().blocked());
}

fn deny(it: &Stand) {
    it.world.gh(|it| it.denied.extend(["sync_issues".to_owned()]));
}

fn connection(it: &Stand, connection: Option<Connection>) {
    it.world.gh(|it| it.connection = connection);
}

fn narrow(it: &Stand) {
    it.world.edit().scope = Scope::of(["slack"]);
}

/// The states that both tiers see alike.
fn shared() -> Vec<Case> {
    use Reason::*;
    let blocked = |reason, action| Some((reason, action, 11));
    let missing = blocked(MissingAnnotation, Some("configure"));
    let filtered = blocked(PolicyFiltered, None);
    let unknown = Some((NotFound, Some("configure"), 12));
    let starting = Some((ServerInitializing, None, 10));
    vec![
        case("healthy", GOOD, nothing, None),
        case("healthy, read-only", GOOD, nothing, None).filtered(READ_ONLY),
        case("healthy, not destructive", GOOD, nothing, None).filtered(DESTRUCTIVE),
        case("healthy, closed world", GOOD, nothing, None).filtered(OPEN_WORLD),
        case("quarantined", GOOD, quarantine, blocked(ServerQuarantined, Some("approve"))),
        case("disabled", GOOD, disable, blocked(ServerDisabled, Some("enable"))),
        case("changed", GOOD, change, blocked(ToolChanged, Some("approve"))),
        case("pending", "gh:newcomer", pending, blocked(ToolPendingApproval, Some("approve"))),
        case("blocked by a user", GOOD, block, blocked(ToolBlockedByUser, Some("enable"))),
        case("denied", GOOD, deny, blocked(ToolDeniedByConfig, Some("configure"))),
        case(
            "waiting for a login",
            GOOD,
            |it| connection(it, Some(Connection::LoginNeeded)),
            blocked(OauthRequired, Some("login")),
        ),
        case(
            "unhealthy",
            GOOD,
            |it| connection(it, Some(Connection::down())),
            Some((ServerUnhealthy, Some("view_logs"), 10)),
        ),
        case("restarting", GOOD, |it| connection(it, Some(Connection::Starting)), starting),
        case("never noted", GOOD, |it| connection(it, None), starting),
        case(
            "never listed, connecting",
            "gh:later",
            |it| connection(it, Some(Connection::Starting)),
            starting,
        ),
        case("misspelt", "gh:sink_issues", nothing, unknown),
        case("silent, read-only", "gh:plain", nothing, missing).filtered(READ_ONLY),
        case("silent, not destructive", "gh:plain", nothing, missing).filtered(DESTRUCTIVE),
        case("silent, closed world", "gh:plain", nothing, missing).filtered(OPEN_WORLD),
        case("writes", "gh:drop_repo", nothing, filtered).filtered(READ_ONLY),
        case("destroys", "gh:drop_repo", nothing, filtered).filtered(DESTRUCTIVE),
        case("reaches out", "gh:drop_repo", nothing, filtered).filtered(OPEN_WORLD),
    ]
}

/// What only operators are told apart.
fn of_operators() -> Vec<Case> {
    vec![case(
        "unconfigured",
        "nowhere:tool",
        nothing,
        Some((Reason::ServerNotConfigured, Some("configure"), 12)),
    )]
}

/// What callers are told of things that are none of theirs, or that are none.
fn of_callers() -> Vec<Case> {
    let unknown = Some((Reason::NotFound, Some("configure"), 12));
    vec![
        case("unconfigured", "nowhere:tool", nothing, unknown),
        case("out of scope", GOOD, narrow, unknown),
        case("without a separator", "sync_issues", nothing, unknown),
        case("without a server", ":sync_issues", nothing, unknown),
        case("without a tool", "gh: ", nothing, unknown),
        case("the name in the list", "gh__sync_issues", nothing, None),
        case("a tool of its own", "own", nothing, None),
    ]
}

/// Asks, and compares everything: the result, the verdict, the exit code, and the record of the same id.
async fn check(case: &Case, way: Way) {
    let stand = Stand::new().await;
    (case.given)(&stand);
    let before = stand.world.edit().servers.clone();

    let told = stand.ask(way, &[case.id], &case.policy).await;

    let place = format!("{} by {way:?}", case.name);
    let tool = &told.facet["tools"][0];
    let record = stand.records.last();
    let exit = match case.then {
        None => {
            assert_eq!(tool["status"], "ready", "{place}: {tool}");
            assert!(tool.get("reason").is_none() && tool.get("retryable").is_none(), "{place}: {tool}");
            0
        }
        Some((reason, action, exit)) => {
            assert_eq!(tool["status"], "unavailable", "{place}: {tool}");
            assert_eq!(tool["reason"], json!(reason), "{place}");
            assert_eq!(tool["retryable"], exit == 10, "{place}");
            assert_eq!(tool.get("action"), action.map(|it| json!(it)).as_ref(), "{place}");
            exit
        }
    };
    let verdict = match exit {
        0 => "ready",
        10 => "degraded_retryable",
        11 => "blocked",
        _ => "unknown_ids",
    };
    assert_eq!(told.facet["verdict"], verdict, "{place}");
    assert_eq!(record.verdict.exit_code(), exit, "{place}");
    assert_eq!(told.facet["request_id"], record.request_id, "{place}");
    assert_eq!(record.reasons.keys().copied().collect::<Vec<_>>(), Vec::from_iter(case.then.map(|it| it.0)));
    assert_eq!(record.tools[0].reason, case.then.map(|it| it.0), "{place}");
    assert_eq!(record.ids, [case.id], "{place}");
    assert_eq!(stand.records.count(), 1, "{place}");
    assert_eq!(stand.upstream_calls(), 0, "{place}");
    assert!(stand.world.edit().servers == before, "{place}: asking changed something");
}

#[tokio::test]
async fn every_state_is_told_in_band_in_both_eras() {
    for case in shared().iter().chain(&of_callers()) {
        for way in Way::IN_BAND {
            check(case, way).await;
        }
    }
}

#[tokio::test]
async fn every_state_is_told_by_http_to_callers_and_to_operators() {
    for case in &shared() {
        check(case, Way::Rest).await;
        check(case, Way::Operator).await;
    }
    for case in &of_callers() {
        check(case, Way::Rest).await;
    }
    for case in &of_operators() {
        check(case, Way::Operator).await;
    }
}

/// Pins and profiles are asked for by HTTP alone.
#[tokio::test]
async fn pins_and_profiles_are_judged_for_operators() {
    let stand = Stand::new().await;
    let now = stand.one(Way::Operator, GOOD).await["hash"].as_str().unwrap().to_owned();
    let pinned = |pin: &str| json!({"tools": [{"id": GOOD, "pin_hash": pin}]});
    let ask =
        async |question: Value| stand.ask_this(Way::Operator, &question).await.facet["tools"][0].clone();

    assert_eq!(ask(pinned(&now)).await["status"], "ready");
    let other = ask(pinned(&format!("sha256/v1:{}", "0".repeat(64)))).await;
    assert_eq!((&other["reason"], &other["action"]), (&json!("hash_mismatch"), &json!("configure")));
    let older = ask(pinned(&now.replace("/v1:", "/v2:"))).await;
    assert_eq!(older["reason"], "hash_mismatch");
    assert!(older["detail"].as_str().unwrap().contains("anew"), "{older}");
    let profiled = ask(json!({"tools": [{"id": GOOD}], "profile": "chat"})).await;
    assert_eq!(
        (&profiled["reason"], &profiled["action"]),
        (&json!("server_not_in_scope"), &json!("configure"))
    );
    assert_eq!(stand.records.last().verdict.exit_code(), 11);
    let to_callers = stand.ask_this(Way::Rest, &json!({"tools": [{"id": GOOD}], "profile": "chat"})).await;
    assert_eq!(to_callers.facet["tools"][0]["reason"], "not_found");
}

#[test]
fn no_reason_is_without_a_case() {
    let reasons = |cases: Vec<Case>| -> BTreeSet<Reason> {
        cases.into_iter().filter_map(|it| it.then.map(|it| it.0)).collect()
    };
    let by_pins_and_profiles = [Reason::HashMismatch, Reason::ServerNotInScope];
    let mut by_http = reasons(shared());
    by_http.extend(reasons(of_operators()));
    by_http.extend(by_pins_and_profiles);
    let mut in_band = reasons(shared());
    in_band.extend(reasons(of_callers()));

    assert_eq!(by_http, BTreeSet::from(Reason::ALL));
    assert_eq!(in_band, Reason::ALL.into_iter().filter(|it| it.is_in_band()).collect());
}

#[tokio::test]
async fn fifty_ids_are_answered_and_fifty_one_are_refused() {
    let stand = Stand::new().await;
    for way in Way::IN_BAND {
        let fifty = stand.ask(way, &[GOOD; 50], &Value::Null).await;
        assert_eq!(fifty.facet["verdict"], "ready");
        assert_eq!(fifty.facet["tools"].as_array().unwrap().len(), 1);

        let refused = stand.ask(way, &[GOOD; 51], &Value::Null).await;
        let message = refused.body["error"]["message"].as_str().unwrap();
        assert_eq!(refused.body["error"]["code"], -32602);
        assert!(message.contains("51") && message.contains("50"), "{message}");
    }
}

#[tokio::test]
async fn a_call_of_a_tool_out_of_scope_is_answered_like_that_of_an_unknown_one() {
    let stand = Stand::new().await;
    narrow(&stand);
    let call = async |name: &str| {
        let answer = Call::tool(name, &json!({})).send(stand.running.address).await;
        (answer.status, String::from_utf8(answer.body).unwrap().replace(name, "*"))
    };

    assert_eq!(call("gh__sync_issues").await, call("gh__nothing_here").await);
    assert_eq!(stand.upstream_calls(), 0);
    assert!(call("slack__post_message").await.1.contains("done"));
}

#[tokio::test]
async fn a_hint_that_is_turned_after_the_approval_is_a_change() {
    let stand = Stand::new().await;
    stand.world.approve("sync_issues", Approval::approved_as(fingerprint(UNSAFE, "Is there for a test.")));

    assert_eq!(stand.one(Way::Modern, GOOD).await["reason"], "tool_changed");

    stand.put("sync_issues", UNSAFE, "Is there for a test.");
    assert_eq!(stand.one(Way::Modern, GOOD).await["status"], "ready");
    stand.put("sync_issues", SILENT, "Is there for a test.");
    assert_eq!(stand.one(Way::Modern, GOOD).await["reason"], "tool_changed");
}
