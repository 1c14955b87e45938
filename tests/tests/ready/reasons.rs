//! The table of reasons: fifteen, and what follows from each.

use serde_json::{Value, json};
use tollgate::ready::{Reason, Unready, Verdict};

use super::kit::validator;

/// Reason, retryable, action, verdict, exit code, and whether it travels in band.
type Row = (&'static str, bool, Option<&'static str>, &'static str, u8, bool);

const TABLE: [Row; 15] = [
    ("server_initializing", true, None, "degraded_retryable", 10, true),
    ("server_unhealthy", true, Some("view_logs"), "degraded_retryable", 10, true),
    ("server_disabled", false, Some("enable"), "blocked", 11, true),
    ("server_quarantined", false, Some("approve"), "blocked", 11, true),
    ("tool_pending_approval", false, Some("approve"), "blocked", 11, true),
    ("tool_changed", false, Some("approve"), "blocked", 11, true),
    ("tool_blocked_by_user", false, Some("enable"), "blocked", 11, true),
    ("oauth_required", false, Some("login"), "blocked", 11, true),
    ("hash_mismatch", false, Some("configure"), "blocked", 11, false),
    ("server_not_in_scope", false, Some("configure"), "blocked", 11, false),
    ("tool_denied_by_config", false, Some("configure"), "blocked", 11, true),
    ("missing_annotation", false, Some("configure"), "blocked", 11, true),
    ("policy_filtered", false, None, "blocked", 11, true),
    ("not_found", false, Some("configure"), "unknown_ids", 12, true),
    ("server_not_configured", false, Some("configure"), "unknown_ids", 12, false),
];

#[test]
fn the_reasons_are_those_of_the_table_and_no_others() {
    assert_eq!(Reason::ALL.len(), TABLE.len());
    for (reason, row) in Reason::ALL.into_iter().zip(TABLE) {
        let action = reason.action().map(|it| json!(it));
        assert_eq!(reason.as_str(), row.0);
        assert_eq!(json!(reason), json!(row.0));
        assert_eq!(reason.is_retryable(), row.1, "{reason}");
        assert_eq!(action, row.2.map(|it| json!(it)), "{reason}");
        assert_eq!(reason.verdict().as_str(), row.3, "{reason}");
        assert_eq!(reason.verdict().exit_code(), row.4, "{reason}");
        assert_eq!(reason.is_in_band(), row.5, "{reason}");
    }
}

#[test]
fn the_reasons_are_those_of_the_extension_s_schema() {
    let (all, wire) = (validator("reasonRegistry"), validator("wireReason"));
    for reason in Reason::ALL {
        assert!(all.is_valid(&json!(reason)), "{reason}");
        assert_eq!(wire.is_valid(&json!(reason)), reason.is_in_band(), "{reason}");
    }
    assert!(!all.is_valid(&json!("server_saturated")));
}

#[test]
fn a_reserved_reason_is_never_read() {
    assert!(serde_json::from_value::<Reason>(json!("server_saturated")).is_err());
}

#[test]
fn the_verdict_of_several_reasons_is_the_worst() {
    let worse = |one: Reason, other: Reason| one.verdict().exit_code().max(other.verdict().exit_code());
    assert_eq!(Verdict::of([]), Verdict::Ready);
    for one in Reason::ALL {
        assert_eq!(Verdict::of([one]), one.verdict());
        for other in Reason::ALL {
            assert_eq!(Verdict::of([one, other]).exit_code(), worse(one, other), "{one} {other}");
        }
    }
}

#[test]
fn what_a_tool_can_say_of_itself_is_told_in_band() {
    let all = [
        Unready::Initializing,
        Unready::Unhealthy,
        Unready::LoginNeeded,
        Unready::Disabled,
        Unready::Quarantined,
        Unready::PendingApproval,
        Unready::Changed,
        Unready::Blocked,
        Unready::Denied,
    ];
    let mut told: Vec<Value> = all.map(|it| json!(it.reason())).into();
    told.dedup();

    assert_eq!(told.len(), all.len());
    assert!(all.into_iter().all(|it| it.reason().is_in_band()));
}
