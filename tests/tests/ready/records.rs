//! Each question that is answered leaves one record, before its answer goes out.

use serde_json::{Value, json};
use tollgate::{
    Server, Tool,
    ready::{ActivityFile, ActivityRecord, EXTENSION},
};
use tollgate_tests::{Call, Log, start};

use super::kit::{API, Stand, Way, listing};

#[tokio::test]
async fn a_record_says_who_asked_what_and_what_came_out() {
    let stand = Stand::new().await;
    let policy = json!({"read_only_only": true, "exclude_open_world": true, "exclude_destructive": false});
    let told = stand.ask(Way::Modern, &["gh:sync_issues", "gh:plain", "gh:plain", "x:y"], &policy).await;

    let record = json!(stand.records.last());
    assert_eq!(
        record,
        json!({
            "type": "preflight",
            "request_id": told.facet["request_id"],
            "time": told.facet["checked_at"],
            "surface": "rider",
            "count": 3,
            "ids": ["gh:sync_issues", "gh:plain", "gh:plain", "x:y"],
            "filters": ["read_only_only", "exclude_open_world"],
            "status": "blocked",
            "verdict": "unknown_ids",
            "reasons": {"missing_annotation": 1, "not_found": 1},
            "tools": [
                {"id": "gh:sync_issues", "status": "ready"},
                {"id": "gh:plain", "status": "unavailable", "reason": "missing_annotation"},
                {"id": "x:y", "status": "unavailable", "reason": "not_found"},
            ],
        })
    );
    stand.ask(Way::Operator, &["own"], &Value::Null).await;
    let record = json!(stand.records.last());
    assert_eq!((&record["surface"], &record["caller"]), (&json!("rest"), &json!("operator")));
    assert_eq!(record["status"], "success");
}

#[tokio::test]
async fn a_record_on_one_line_names_no_tools() {
    let stand = Stand::new().await;
    stand.ask(Way::Modern, &["gh:a", "gh:b", "own", "gh:plain"], &json!({"read_only_only": true})).await;

    let line = stand.records.last().to_string();

    assert_eq!(line, "unknown_ids: 4 asked, 2 x missing_annotation, 2 x not_found");
}

#[tokio::test]
async fn what_cannot_be_recorded_is_not_answered() {
    let stand = Stand::new().await;
    *stand.records.1.lock().unwrap() = true;
    for way in Way::ALL {
        let told = stand.ask(way, &["own"], &Value::Null).await;
        assert!(told.facet.is_null(), "{}", told.body);
        match way.is_in_band() {
            true => assert_eq!(told.body["error"]["code"], -32603),
            false => assert_eq!(told.answer.status, 503),
        }
        assert!(!told.body.to_string().contains("SECRET"), "{}", told.body);
    }
}

#[tokio::test]
async fn every_answer_has_an_id_of_its_own() {
    let stand = Stand::new().await;
    let mut seen = std::collections::HashSet::new();
    for way in Way::ALL {
        let told = stand.ask(way, &["own"], &Value::Null).await;
        let id = told.facet["request_id"].as_str().unwrap().to_owned();
        if !way.is_in_band() {
            assert_eq!(told.answer.header("x-request-id"), Some(&*id));
        }
        assert!(seen.insert(id));
    }
}

/// A server without a place for records.
#[tokio::test]
async fn the_log_is_told_counts_and_no_names() {
    let log = Log::start();
    let tool = Tool::new("MARKER_tool", "Is there.", json!({"type": "object"}), async |_, _| Ok("ok"));
    let server = Server::new("plain", "1").tools(vec![tool]).without_auth();
    let facet = server.client("ann").preflight(["MARKER_tool", "MARKER_none"]).await.unwrap();

    let lines = log.with("a preflight was answered");
    assert_eq!(lines.len(), 1);
    assert!(lines[0].contains("unknown_ids") && lines[0].contains(&facet.request_id.unwrap()), "{lines:?}");
    assert!(!log.text().contains("MARKER"), "{}", log.text());
}

fn folder(name: &str) -> std::path::PathBuf {
    let folder = std::env::temp_dir().join(format!("tollgate-records-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[tokio::test]
async fn a_file_keeps_a_line_for_each_record_before_the_answer() {
    let folder = folder("file");
    let path = folder.join("activity.jsonl");
    // A process that was killed left half a line.
    std::fs::write(&path, r#"{"type":"prefl"#).unwrap();
    let tool = Tool::new("own", "Is there.", json!({"type": "object"}), async |_, _| Ok("ok"));
    let server = Server::new("plain", "1")
        .tools(vec![tool])
        .activity(ActivityFile::open(&path).unwrap())
        .without_auth();
    let running = start(server).await;
    let rider = json!({ EXTENSION: {"tools": [{"id": "own"}]} });
    let ask = listing(&rider, json!({}), &json!({"extensions": {EXTENSION: {}}}));
    for count in 1..=3 {
        let facet = ask.send(running.address).await.result()["_meta"][EXTENSION].clone();
        let text = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.lines().skip(1).collect();
        let record: ActivityRecord = serde_json::from_str(lines.last().unwrap()).unwrap();
        assert_eq!(lines.len(), count);
        assert_eq!(json!(record.request_id), facet["request_id"]);
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let other = folder.join("new.jsonl");
        drop(ActivityFile::open(&other).unwrap());
        assert_eq!(std::fs::metadata(&other).unwrap().permissions().mode() & 0o777, 0o600);
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

/// A device on which nothing can be written, as on a full disk.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_full_disk_is_no_verdict() {
    let tool = Tool::new("own", "Is there.", json!({"type": "object"}), async |_, _| Ok("ok"));
    let Ok(file) = ActivityFile::open("/dev/full") else { return };
    let server = Server::new("plain", "1").tools(vec![tool]).activity(file).preflight_api(API).without_auth();
    let running = start(server).await;
    let mut call = Call::post(&json!({"tools": [{"id": "own"}]}).to_string());
    call.line = format!("POST {API} HTTP/1.1");

    assert_eq!(call.send(running.address).await.status, 503);
}
