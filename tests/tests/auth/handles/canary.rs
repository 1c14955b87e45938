//! Handles, keys and tokens are seen nowhere but where they belong.

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::json;
use tollgate::{KeyRing, prelude::*};
use tollgate_tests::{Call, Log};

use super::{
    house::{House, SECRET, in_a_file, in_memory},
    oracle::{Caller, Entrance, Named},
};

/// What is looked for: the letters of each handle that works or has worked, the key, and all but the header of each
/// token.
fn secrets(house: &House) -> Vec<String> {
    let handles = [Named::Valid, Named::Shared, Named::TakenBack, Named::Expired, Named::Deleted];
    let letters = handles.iter().map(|it| house.handles[it].split_once('_').unwrap().1.to_owned());
    let tokens = house.tokens.values().flat_map(|it| it.split('.').skip(1).map(ToOwned::to_owned));
    letters.chain(tokens).chain([SECRET.to_owned()]).collect()
}

fn shows_none(what: &str, text: &str, secrets: &[String]) {
    for secret in secrets {
        let around = text.find(secret).map(|it| text[..it].chars().rev().take(300).collect::<Vec<_>>());
        let around: Option<String> = around.map(|it| it.into_iter().rev().collect());
        assert_eq!(around, None, "{secret} is in {what}");
    }
}

#[tokio::test]
async fn no_log_shows_a_handle_a_key_or_a_token() {
    let log = Log::start();
    let house = House::open(in_memory).await;
    let secrets = secrets(&house);
    let mut bodies = String::new();

    for caller in Caller::ALL {
        for named in Named::ALL {
            for entrance in Entrance::ALL.into_iter().filter(|it| *it != Entrance::Listen) {
                let handle = &house.handles[&named];
                let (method, params) = super::matrix::request(entrance, handle);
                let answer = house.send(Call::modern(method, params), caller).await;
                if answer.code() != 0 || answer.status != 200 {
                    let body = String::from_utf8_lossy(&answer.body);
                    bodies.push_str(&body.replace(&super::matrix::uri(handle), "<uri>"));
                    bodies.push_str(&format!("{:?}\n", answer.headers));
                }
            }
        }
    }

    // The header and the body name different notes.
    let other = format!("notes://note_{}", "0".repeat(26));
    let uri = super::matrix::uri(&house.handles[&Named::Valid]);
    let differs = Call::modern("resources/read", json!({"uri": uri})).replace("Mcp-Name", other);
    assert_eq!(house.send(differs, Caller::Owner).await.code(), -32020);

    let log = log.text();
    assert!(log.contains("a handle was refused") && log.contains("a token was refused"), "{log}");
    shows_none("the log", &log, &secrets);
    shows_none("an answer", &bodies, &secrets[secrets.len() - 1..]);
    for token in house.tokens.values() {
        assert!(!bodies.contains(token.as_str()));
    }
}

#[tokio::test]
async fn debug_shows_no_handle_and_no_key() {
    let house = House::open(in_memory).await;
    let secrets = secrets(&house);
    let valid: Handle<Plain> = house.handles[&Named::Valid].parse().unwrap();
    let fault = house.handles[&Named::TooLong].parse::<Handle<Plain>>().unwrap_err();
    let key = Secret::new(SECRET.as_bytes()).unwrap();

    let mut shown = format!("{valid:?} {fault:?} {fault} {key:?} {:?}", house.server);
    let ring = KeyRing::new(Secret::new(SECRET.as_bytes()).unwrap());
    shown.push_str(&format!("{ring:?} {}", house.ledger.shown()));

    shows_none("a debug text", &shown, &secrets);
    assert!(shown.contains("Handle(note_…)"), "{shown}");
    assert!(house.ledger.shown().contains("HandleKey"), "the store was given something");
}

/// The same kind of record, for a handle of it.
#[derive(Record, Serialize, Deserialize)]
#[record(owner_only, kind = "note")]
struct Plain {
    text: String,
}

#[tokio::test]
async fn the_file_of_the_store_has_no_handle_no_key_and_no_token() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("canary-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let house = House::open(|watch| in_a_file(&folder.join("store.db"), watch)).await;
    let secrets = secrets(&house);

    let mut written = String::new();
    for file in std::fs::read_dir(&folder).unwrap() {
        written.push_str(&String::from_utf8_lossy(&std::fs::read(file.unwrap().path()).unwrap()));
    }

    assert!(written.contains("shared before"), "the records are in there");
    shows_none("the file", &written, &secrets);
    let _ = std::fs::remove_dir_all(&folder);
}

#[derive(Record, Serialize, Deserialize)]
#[record(owner_only, sealed, max_seconds = 600)]
struct Report {
    text: String,
}

/// Names a report.
///
/// Use when asked.
/// Do not use when not asked.
#[tool]
async fn name_report(cx: &Cx) -> Result<Handle<Report>> {
    cx.mint(Report { text: "canary".into() }).await
}

/// Shows a report, as a log would.
///
/// Use when asked.
/// Do not use when not asked.
#[tool(read_only)]
async fn debug_report(cx: &Cx, report: Held<Report>) -> Result<String> {
    Ok(format!("{report:?} {:?} {cx:?} {:?}", report.handle(), report.load().await?.text.len()))
}

#[tokio::test]
async fn a_sealed_handle_is_in_no_log_and_in_no_debug() {
    let log = Log::start();
    let server = Server::new("reports", "1")
        .secret(Secret::new(SECRET.as_bytes()).unwrap())
        .tools(tools![name_report, debug_report])
        .without_auth();
    let (ann, bob) = (server.client("ann"), server.client("bob"));
    let report = ann.call(name_report {}).await.unwrap().to_string();
    let letters = report.split_once('_').unwrap().1.to_owned();

    let shown = ann.call_raw("debug_report", json!({"report": report})).await.unwrap().to_string();
    let refused = bob.call_raw("debug_report", json!({"report": report})).await.unwrap_err();

    let log = log.text();
    assert!(log.contains("a sealed handle was refused"), "{log}");
    let secrets = [letters, SECRET.to_owned(), "canary".to_owned()];
    shows_none("the log", &log, &secrets);
    shows_none("a debug text", &shown, &secrets);
    shows_none("a refusal", &format!("{refused:?} {}", refused.text()), &secrets);
}
