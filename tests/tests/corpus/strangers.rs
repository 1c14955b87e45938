//! C12: what is not there, what is no longer there and what could never be there get one and the same answer.

use serde_json::{Map, Value, json};
use tollgate::{Resource, Tool, prelude::Cx};
use tollgate_tests::{Answer, Call};

use super::{
    bench::{Bench, Expect},
    fixture::{Runs, server},
    state::{answering, asking, handed_out},
};

const REFUSED: Expect = Expect::refused(200, -32602);

/// An answer without what differs by nature: the name that was asked for, where it stands by itself.
fn without(answer: &Answer, name: &str) -> (Vec<(String, String)>, String) {
    let shown = serde_json::to_string(name).unwrap();
    let shown = &shown[1..shown.len() - 1];
    let body = String::from_utf8_lossy(&answer.body)
        .replace(&format!(": {shown}\""), ": NAME\"")
        .replace(&format!("\"{shown}\""), "\"NAME\"");
    let headers = answer.headers.iter().filter(|it| it.0 != "date" && it.0 != "content-length");
    (headers.cloned().collect(), body)
}

/// A server that has lost a tool and a resource, and got them back for a moment.
async fn bench() -> Bench {
    let (server, runs) = server();
    let catalog = server.catalog();
    let bench = Bench::of((server, runs)).await;
    let schema = json!({"type": "object"});
    let tool =
        Tool::new("lost", "Was here.", schema, async |_: Cx<Runs>, _: Map<String, Value>| Ok("x".to_owned()));
    let resource =
        Resource::new("test://lost", "lost", async |_: Cx<Runs>, _: Map<String, Value>| Ok("x".to_owned()));
    catalog.add_tool(tool).unwrap();
    catalog.add_resource(resource).unwrap();
    assert!(catalog.remove_tool("lost"));
    assert!(catalog.remove_resource("test://lost"));
    bench
}

// V58; S-061.
#[tokio::test]
async fn every_tool_that_is_not_there_is_equally_absent() {
    let mut bench = bench().await;
    let names = [
        "lost",
        "never",
        "Take",
        "TAKE",
        "take.",
        "tak",
        "takee",
        "take2",
        "_take",
        "brief",
        "server",
        "admin",
        "__proto__",
        "constructor",
        "x",
        "0",
        "-",
        ".",
        "tools",
        "hold_",
        "keep-table",
        "keeptable",
        "KEEP_TABLE",
        "broken2",
    ];
    let mut first = None;

    for name in names {
        let answer = bench.call(name, &Call::tool(name, &json!({"table": "a"})), REFUSED).await;
        let seen = without(&answer, name);
        let same = first.get_or_insert_with(|| seen.clone()) == &seen;
        bench.hold(name, same, &format!("the answer differs: {seen:?}"));
    }

    bench.finish(24);
}

// V58; S-061.
#[tokio::test]
async fn arguments_tell_nothing_about_a_tool_that_is_not_there() {
    let mut bench = bench().await;
    let state = handed_out(&mut bench, &asking("hold", "a")).await;
    let call = || Call::tool("lost", &json!({"region": "x", "count": 1}));
    let calls = [
        ("plain", call()),
        ("with its headers", call().header("Mcp-Param-Region: x").header("Mcp-Param-Count: 1")),
        ("with wrong headers", call().header("Mcp-Param-Region: y").header("Mcp-Param-Count: z")),
        ("with state", answering(call(), &json!(state))),
        ("with forged state", answering(call(), &json!("v1.a.b.c"))),
        (
            "without arguments",
            call().edit(|it| drop(it["params"].as_object_mut().unwrap().remove("arguments"))),
        ),
        ("with a progress token", call().edit(|it| it["params"]["_meta"]["progressToken"] = json!(1))),
    ];
    let mut first = None;

    for (name, call) in calls {
        let answer = bench.call(name, &call, REFUSED).await;
        let seen = without(&answer, "lost");
        let same = first.get_or_insert_with(|| seen.clone()) == &seen;
        bench.hold(name, same, &format!("the answer differs: {seen:?}"));
    }

    bench.finish(8);
}

// V53, V58; S-071.
#[tokio::test]
async fn every_resource_that_is_not_there_is_equally_absent() {
    let mut bench = bench().await;
    let uris = [
        "test://lost",
        "test://never",
        "test://plain/",
        "test://plain/..",
        "test://PLAIN",
        "TEST://plain",
        "test:plain",
        "test:///plain",
        "test://plain?x",
        "test://plain#x",
        "test://item",
        "test://item/",
        "test://item/a/b",
        "test://item/a?b",
        "test://item/a#b",
        "test://item/../plain",
        "test://item/..",
        "test://item/.",
        "test://item/%2e%2e",
        "test://item/%2F..%2Fplain",
        "test://item/..%5C..%5Cplain",
        "test://item/a%00",
        "test://day/1",
        "test://day/1/",
        "test://day//2",
        "test://day/1/2/3",
        "test://item/%",
        "test://item/%4",
        "test://item/%zz",
        "test://item/%ff",
        "file:///etc/passwd",
        "file:///etc/../etc/shadow",
        "../../etc/passwd",
        "/etc/passwd",
        "C:\\boot.ini",
        "http://169.254.169.254/latest",
        "javascript:alert(1)",
        "data:,x",
        "x",
        "{",
        "test://it{id}em/a",
        "urn:x:y",
        "test://user@plain",
        "test://plain:80",
    ];
    let mut first = None;

    for uri in uris {
        let answer = bench.call(uri, &Call::modern("resources/read", json!({"uri": uri})), REFUSED).await;
        let seen = without(&answer, uri);
        let same = first.get_or_insert_with(|| seen.clone()) == &seen;
        bench.hold(uri, same, &format!("the answer differs: {seen:?}"));
    }

    bench.finish(44);
}

// V58; S-081.
#[tokio::test]
async fn every_prompt_that_is_not_there_is_equally_absent() {
    let mut bench = bench().await;
    let mut first = None;

    for name in ["never", "Brief", "brief.", "brie", "take", "confirm2", "__proto__", "x"] {
        let call = Call::modern("prompts/get", json!({"name": name, "arguments": {"topic": "x"}}));
        let answer = bench.call(name, &call, REFUSED).await;
        let complete = Call::modern(
            "completion/complete",
            json!({
                "ref": {"type": "ref/prompt", "name": name}, "argument": {"name": "topic", "value": "w"},
            }),
        );
        let completed = bench.call(name, &complete, REFUSED).await;
        for answer in [answer, completed] {
            let seen = without(&answer, name);
            let same = first.get_or_insert_with(|| seen.clone()) == &seen;
            bench.hold(name, same, &format!("the answer differs: {seen:?}"));
        }
    }

    bench.finish(16);
}

// V09, V58.
#[tokio::test]
async fn a_session_that_ended_and_one_that_never_was_are_equally_gone() {
    let mut bench = bench().await;
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"},
    }});
    let opened = bench.call("initialize", &Call::post(&hello.to_string()), Expect::good(0)).await;
    let session = opened.header("mcp-session-id").unwrap().to_owned();
    let ping = |session: &str| {
        Call::post(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#)
            .header("MCP-Protocol-Version: 2025-11-25")
            .header(format!("Mcp-Session-Id: {session}"))
    };
    let mut end = ping(&session).body("");
    end.line = "DELETE /mcp HTTP/1.1".into();
    bench.call("the end", &end, Expect::refused(204, 0)).await;
    let never = session.replace('.', "_");
    let mut first = None;

    for (name, session) in [("ended", session.as_str()), ("never", never.as_str()), ("nonsense", "x")] {
        let answer = bench.call(name, &ping(session), Expect::refused(404, -32600)).await;
        let seen = without(&answer, session);
        let same = first.get_or_insert_with(|| seen.clone()) == &seen;
        bench.hold(name, same, &format!("the answer differs: {seen:?}"));
    }
    bench.call("once more", &end, Expect::refused(404, -32600)).await;

    bench.finish(6);
}
