//! Filters by annotations: every state of three hints under every choice of filters.

use std::sync::{Arc, atomic::AtomicUsize};

use serde_json::{Value, json};

use super::kit::{Stand, Way, tool};

const STATES: [Option<bool>; 3] = [None, Some(true), Some(false)];

/// What the extension's text says, written once more and in another way: for each filter a list of those hints that it
/// keeps, those that it cannot judge, and the rest.
fn oracle(hints: [Option<bool>; 3], flags: [bool; 3]) -> Option<(&'static str, &'static str)> {
    let [read_only, destructive, open_world] = hints;
    let judged = [
        match read_only {
            Some(true) => "keep",
            Some(false) => "policy_filtered",
            None => "missing_annotation",
        },
        match (read_only, destructive) {
            (Some(true), _) | (_, Some(false)) => "keep",
            (_, Some(true)) => "policy_filtered",
            (_, None) => "missing_annotation",
        },
        match open_world {
            Some(false) => "keep",
            Some(true) => "policy_filtered",
            None => "missing_annotation",
        },
    ];
    let names = ["read_only_only", "exclude_destructive", "exclude_open_world"];
    (0..3).filter(|it| flags[*it]).map(|it| (judged[it], names[it])).find(|it| it.0 != "keep")
}

/// The tools of all 27 states, and one that says nothing at all.
async fn stand() -> (Stand, Vec<(String, [Option<bool>; 3])>) {
    let upstream = Arc::new(AtomicUsize::new(0));
    let mut named = Vec::new();
    for read_only in STATES {
        for destructive in STATES {
            for open_world in STATES {
                named.push((format!("t{}", named.len()), [read_only, destructive, open_world]));
            }
        }
    }
    // `annotations` is not there at all where no hint is; this one has an idempotent hint alone.
    let mut tools: Vec<_> =
        named.iter().map(|(name, hints)| tool("gh", name, *hints, "Is there.", &upstream)).collect();
    tools.push(tool("gh", "other", [None; 3], "Is there.", &upstream).idempotent(true));
    named.push(("other".to_owned(), [None; 3]));
    (Stand::of(|it| it.tools(tools), upstream).await, named)
}

#[tokio::test]
async fn each_of_224_cases_is_judged_as_the_text_says() {
    let (stand, named) = stand().await;
    let ids: Vec<String> = named.iter().map(|it| format!("gh:{}", it.0)).collect();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let mut cases = 0;
    for flags in (0..8).map(|it| [it & 1 != 0, it & 2 != 0, it & 4 != 0]) {
        let policy = json!({
            "read_only_only": flags[0], "exclude_destructive": flags[1], "exclude_open_world": flags[2],
        });
        for way in Way::ALL {
            let told = stand.ask(way, &ids, &policy).await;
            for (tool, (name, hints)) in told.facet["tools"].as_array().unwrap().iter().zip(&named) {
                cases += usize::from(way == Way::Modern);
                match oracle(*hints, flags) {
                    None => assert_eq!(tool["status"], "ready", "{name} {hints:?} {flags:?}"),
                    Some((reason, filter)) => {
                        assert_eq!(tool["reason"], reason, "{name} {hints:?} {flags:?}");
                        assert!(tool["detail"].as_str().unwrap().contains(filter), "{tool}");
                    }
                }
            }
        }
    }
    assert_eq!(cases, 28 * 8);
}

#[tokio::test]
async fn a_filter_that_is_off_is_as_good_as_none() {
    let (stand, _) = stand().await;
    let off = json!({"read_only_only": false});
    for policy in [Value::Null, json!({}), off] {
        assert_eq!(stand.ask(Way::Modern, &["gh:other"], &policy).await.facet["verdict"], "ready");
    }
}
