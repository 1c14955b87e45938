//! The example `notes`, twice, with one store: every request goes to the other copy than the one before.

use std::{
    net::SocketAddr,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, SystemTime},
};

use serde_json::{Value, json};
use tokio::{
    net::TcpListener,
    sync::mpsc,
    time::{Instant, sleep},
};
use tollgate_tests::{Answer, Call, Connection};

use super::{
    super::{
        archive::{in_session, old},
        mint::{AUDIENCE, ISSUER, Token, jwks},
    },
    house::SECRET,
};

/// A folder with everything that copies share.
struct Shared(PathBuf);

impl Shared {
    fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("secret"), SECRET).unwrap();
        std::fs::write(folder.join("jwks.json"), jwks()).unwrap();
        Self(folder)
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A process of the example, until it is dropped.
struct Notes {
    process: Child,
    address: SocketAddr,
}

impl Notes {
    async fn start(shared: &Shared) -> Self {
        let end = Instant::now() + Duration::from_secs(60);
        loop {
            let free = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let address = free.local_addr().unwrap();
            drop(free);
            let process = Command::new(env!("CARGO_BIN_EXE_notes-of-the-tests"))
                .env("PORT", address.port().to_string())
                .env("SECRET", shared.0.join("secret"))
                .env("STORE", shared.0.join("store.db"))
                .env("JWKS", shared.0.join("jwks.json"))
                .env("ISSUER", ISSUER)
                .env("AUDIENCE", AUDIENCE)
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            let mut it = Self { process, address };
            // It ends at once when somebody else was faster to take the port.
            while it.process.try_wait().unwrap().is_none() {
                if tokio::net::TcpStream::connect(address).await.is_ok() {
                    return it;
                }
                assert!(Instant::now() < end, "it does not listen");
                sleep(Duration::from_millis(5)).await;
            }
            assert!(Instant::now() < end, "it does not start");
        }
    }

    fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

impl Drop for Notes {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Two copies that take turns.
struct Pair {
    shared: Shared,
    copies: [Notes; 2],
    turn: usize,
}

impl Pair {
    async fn start(name: &str) -> Self {
        let shared = Shared::new(name);
        let copies = [Notes::start(&shared).await, Notes::start(&shared).await];
        Self { shared, copies, turn: 0 }
    }

    async fn send(&mut self, call: &Call) -> Answer {
        self.turn += 1;
        call.send(self.copies[self.turn % 2].address).await
    }

    /// Both give the same answer, whichever is first.
    async fn both(&mut self, call: &Call) -> Answer {
        let answers = [self.send(call).await, self.send(call).await];
        let [one, other] = answers.each_ref().map(|it| (it.status, String::from_utf8_lossy(&it.body)));
        assert_eq!(one, other);
        answers.into_iter().next().unwrap()
    }

    /// What a tool says to whom it does not refuse.
    async fn works(&mut self, token: &Token, tool: &str, arguments: Value) -> Value {
        let answer = self.send(&by(token, Call::tool(tool, &arguments))).await;
        said(&answer)
    }
}

fn said(answer: &Answer) -> Value {
    let result = answer.result();
    assert!(answer.status == 200 && result["isError"] != true, "{}", String::from_utf8_lossy(&answer.body));
    match result.get("structuredContent") {
        Some(it) => it.get("result").unwrap_or(it).clone(),
        None => result["content"][0]["text"].clone(),
    }
}

fn by(token: &Token, call: Call) -> Call {
    call.header(format!("Authorization: Bearer {}", token.text()))
}

fn now() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs()
}

fn token(subject: &str) -> Token {
    Token::good()
        .claim("sub", subject)
        .claim("scope", "notes:read notes:write")
        .claim("iat", now() - 10)
        .claim("exp", now() + 3_600)
}

fn nobodys() -> String {
    format!("note_{}", "7".repeat(26))
}

/// Everything that reads a note.
fn readings(note: &str) -> Vec<(&'static str, Call)> {
    let complete = |reference: Value| {
        let argument = json!({"name": "note", "value": note});
        Call::modern("completion/complete", json!({"ref": reference, "argument": argument}))
    };
    vec![
        ("tool", Call::tool("read_note", &json!({"note": note}))),
        ("resource", Call::modern("resources/read", json!({"uri": format!("notes://{note}")}))),
        ("prompt", Call::modern("prompts/get", json!({"name": "sum_up", "arguments": {"note": note}}))),
        ("completion", complete(json!({"type": "ref/prompt", "name": "sum_up"}))),
        ("completion", complete(json!({"type": "ref/resource", "uri": "notes://{note}"}))),
    ]
}

/// What has come back, without the note that was asked for.
fn masked(answer: &Answer, note: &str) -> (u16, String) {
    (answer.status, String::from_utf8_lossy(&answer.body).replace(note, "<note>"))
}

#[tokio::test]
async fn two_copies_are_as_one() {
    let mut pair = Pair::start("two-copies").await;
    let (ann, bob) = (token("ann"), token("bob"));

    let note = pair.works(&ann, "start_note", json!({"title": "Shopping"})).await;
    let note = note.as_str().unwrap().to_owned();
    for number in 0..6 {
        pair.works(&ann, "append_to_note", json!({"note": note, "text": format!("line {number}")})).await;
    }

    let body: String = (0..6).map(|it| format!("line {it}\n\n")).collect();
    for (what, call) in readings(&note) {
        let answer = pair.both(&by(&ann, call)).await.result();
        let (expected, found) = match what {
            "tool" => (body.clone(), &answer["structuredContent"]["body"]),
            "resource" => (body.clone(), &answer["contents"][0]["text"]),
            "prompt" => {
                let asked = format!("Sum up this note, `Shopping`, in a sentence:\n\n{body}");
                (asked, &answer["messages"][0]["content"]["text"])
            }
            _ => (note.clone(), &answer["completion"]["values"][0]),
        };
        assert_eq!(*found, expected, "{what}");
    }
    let list = by(&ann, Call::tool("list_notes", &json!({})));
    assert_eq!(said(&pair.both(&list).await), json!([note]));

    for (what, call) in readings(&note) {
        let foreign = pair.both(&by(&bob, call)).await;
        let at = readings(&nobodys()).into_iter().find(|it| it.0 == what).unwrap().1;
        let unknown = pair.both(&by(&bob, at)).await;
        assert_eq!(masked(&foreign, &note), masked(&unknown, &nobodys()), "{what}");
        assert!(!masked(&foreign, &note).1.contains("line"), "{what}");
    }
    for (what, call) in readings(&note) {
        let late = pair.both(&by(&ann.clone().claim("exp", now() - 600), call.clone())).await;
        assert_eq!(late.status, 401, "{what}");
        let narrow = pair.both(&by(&ann.clone().claim("scope", "notes:write"), call.clone())).await;
        assert_eq!(narrow.status, 403, "{what}");
        assert_eq!(pair.both(&call).await.status, 401, "{what}");
    }

    pair.works(&ann, "share_note", json!({"note": note, "with": "bob"})).await;
    for (what, call) in readings(&note) {
        let shared = pair.both(&by(&bob, call)).await;
        let word = if what == "completion" { note.as_str() } else { "line 5" };
        assert!(String::from_utf8_lossy(&shared.body).contains(word), "{what}");
    }
    let change = |note: &str| Call::tool("append_to_note", &json!({"note": note, "text": "x"}));
    let foreign = pair.both(&by(&bob, change(&note))).await;
    let unknown = pair.both(&by(&bob, change(&nobodys()))).await;
    assert_eq!(masked(&foreign, &note), masked(&unknown, &nobodys()));
    assert_eq!(foreign.result()["isError"], true);
    assert_eq!(pair.works(&ann, "read_note", json!({"note": note})).await["body"], body);
}

#[tokio::test]
async fn a_session_that_one_copy_opened_is_known_to_the_other() {
    let mut pair = Pair::start("two-sessions").await;
    let ann = token("ann");
    let params = json!({
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "old", "version": "1"},
    });
    let opened = pair.send(&by(&ann, old("initialize", params))).await;
    let session = opened.header("mcp-session-id").unwrap().to_owned();
    let call = |tool: &str, arguments: Value| {
        by(&ann, in_session(old("tools/call", json!({"name": tool, "arguments": arguments})), &session))
    };

    let note = said(&pair.send(&call("start_note", json!({"title": "Old"}))).await);
    pair.send(&call("append_to_note", json!({"note": note, "text": "line"}))).await;

    assert_eq!(said(&pair.both(&call("read_note", json!({"note": note}))).await)["body"], "line\n\n");
}

#[tokio::test]
async fn what_was_acknowledged_is_there_after_a_copy_was_killed() {
    let mut pair = Pair::start("two-killed").await;
    let ann = token("ann");
    let note = pair.works(&ann, "start_note", json!({"title": "Log"})).await;
    let append = {
        let (ann, note) = (ann.clone(), note.clone());
        move |line: usize| {
            by(&ann, Call::tool("append_to_note", &json!({"note": note, "text": format!("line {line}.")})))
        }
    };
    let (said_done, mut done) = mpsc::unbounded_channel();
    let mut connection = Connection::open(pair.copies[0].address).await;
    let writing = tokio::spawn(async move {
        // It ends when nobody answers any more.
        for line in 0.. {
            connection.send(&append(line).bytes()).await;
            let answer = connection.answer().await;
            if answer.status == 0 {
                return;
            }
            said(&answer);
            let _ = said_done.send(line);
        }
    });

    let mut last = 0;
    while last < 10 {
        last = done.recv().await.unwrap();
    }
    pair.copies[0].kill();
    writing.await.unwrap();
    while let Some(line) = done.recv().await {
        last = line;
    }

    let read = by(&ann, Call::tool("read_note", &json!({"note": note})));
    let has_all = |answer: &Answer| {
        let body = said(answer)["body"].as_str().unwrap().to_owned();
        (0..=last).all(|it| body.contains(&format!("line {it}.")))
    };
    assert!(has_all(&read.send(pair.copies[1].address).await));
    pair.copies[0] = Notes::start(&pair.shared).await;
    assert!(has_all(&pair.both(&read).await));
    pair.works(&ann, "append_to_note", json!({"note": note, "text": "afterwards"})).await;
    let body = said(&pair.both(&read).await)["body"].as_str().unwrap().to_owned();
    assert!(body.ends_with("afterwards\n\n"), "{body}");
}
