//! Everybody, with every handle, through every entrance, in both eras.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tollgate_tests::{Answer, Call, Connection};

use super::{
    super::archive::{in_session, old},
    house::{House, in_memory},
    oracle::{Caller, Entrance, Named, Verdict, expected},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Era {
    Modern,
    /// 2025-11-25.
    Legacy,
}

/// The house with what has been seen in it.
struct Matrix {
    house: House,
    sessions: BTreeMap<Caller, String>,
    /// The standing streams of older clients.
    streams: BTreeMap<Caller, Connection>,
    /// How many beacons were lit.
    beacons: usize,
    /// What the valid note says.
    says: String,
    /// How each verdict looks. All that get it have to get the same.
    seen: BTreeMap<(Era, Entrance, Verdict), (String, String)>,
    cells: BTreeMap<Verdict, usize>,
}

#[tokio::test]
async fn who_may_not_use_a_handle_gets_the_answer_of_one_that_nobody_has() {
    let mut matrix = Matrix::open().await;

    for era in [Era::Modern, Era::Legacy] {
        for entrance in Entrance::ALL {
            for named in Named::ALL {
                for caller in Caller::ALL {
                    matrix.cell(era, entrance, named, caller).await;
                }
            }
        }
    }

    let all = 2 * Entrance::ALL.len() * Named::ALL.len() * Caller::ALL.len();
    assert_eq!(matrix.cells.values().sum::<usize>(), all);
    for verdict in [Verdict::Works, Verdict::Unknown, Verdict::Expired, Verdict::Malformed, Verdict::Nothing]
    {
        assert!(matrix.cells[&verdict] > 10, "{:?}", matrix.cells);
    }
    println!("{all} cells: {:?}", matrix.cells);
}

impl Matrix {
    async fn open() -> Self {
        let house = House::open(in_memory).await;
        let mut it = Self {
            house,
            sessions: BTreeMap::new(),
            streams: BTreeMap::new(),
            beacons: 0,
            says: "valid".into(),
            seen: BTreeMap::new(),
            cells: BTreeMap::new(),
        };
        for caller in Caller::ALL {
            it.enter(caller).await;
        }
        it
    }

    /// Opens a session for an older client. Who cannot have one comes with Ann's.
    async fn enter(&mut self, caller: Caller) {
        let params = json!({
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "old", "version": "1"},
        });
        let opened = self.house.send(old("initialize", params), caller).await;
        let Some(session) = opened.header("mcp-session-id") else {
            assert_eq!(opened.status, 401);
            self.sessions.insert(caller, self.sessions[&Caller::Owner].clone());
            return;
        };
        self.sessions.insert(caller, session.to_owned());
        let mut get = in_session(Call::post(""), session).replace("Accept", "text/event-stream");
        get.line = "GET /mcp HTTP/1.1".into();
        get.with_length = false;
        let get = self.house.with(get.without("Content-Type"), caller);
        let mut stream = Connection::open(self.house.running.address).await;
        stream.send(&get.bytes()).await;
        assert_eq!(stream.head().await.status, 200);
        self.streams.insert(caller, stream);
    }

    fn call(&self, era: Era, method: &str, params: Value, caller: Caller) -> Call {
        let call = match era {
            Era::Modern => Call::modern(method, params),
            Era::Legacy => in_session(old(method, params), &self.sessions[&caller]),
        };
        self.house.with(call, caller)
    }

    async fn cell(&mut self, era: Era, entrance: Entrance, named: Named, caller: Caller) {
        let cell = format!("{era:?} {entrance:?} {named:?} {caller:?}");
        let handle = self.house.handles[&named].clone();
        let expected = expected(caller, named, entrance);
        let (ran, wrote) = (self.house.work.count(), self.house.ledger.writes());

        let (answer, heard) = match entrance {
            Entrance::Listen => self.listen(era, &handle, caller).await,
            _ => {
                let (method, params) = request(entrance, &handle);
                let call = self.call(era, method, params, caller);
                (call.send(self.house.running.address).await, false)
            }
        };

        let body = String::from_utf8_lossy(&answer.body).into_owned();
        let worked = match entrance {
            Entrance::Listen => heard,
            _ if entrance.completes() => !values(&answer).is_empty(),
            _ => answer.code() == 0 && answer.result().is_object() && answer.result()["isError"] != true,
        };
        assert_eq!(worked, expected == Verdict::Works, "{cell}: {} {body}", answer.status);
        let runs = usize::from(worked && entrance != Entrance::Listen && !entrance.completes());
        let writes = usize::from(worked && entrance == Entrance::Change);
        assert_eq!(self.house.work.count() - ran, runs, "{cell}: the author's code");
        assert_eq!(self.house.ledger.writes() - wrote, writes, "{cell}: what was written");
        if worked && entrance == Entrance::Change && named == Named::Valid {
            self.says.push('!');
        }
        match worked {
            true => self.has_worked(&cell, entrance, &handle, &answer),
            false => has_failed(&cell, expected, entrance, &answer, &handle),
        }
        if !caller.is_ann() && expected != Verdict::BadToken {
            assert!(!body.contains("expired"), "{cell}: {body}");
        }
        self.looks_like_the_others(&cell, (era, entrance, expected), worked, &answer, &handle);
        *self.cells.entry(expected).or_default() += 1;
        self.still_works(&cell).await;
    }

    /// What every caller and every handle get with this verdict is one and the same.
    fn looks_like_the_others(
        &mut self,
        cell: &str,
        (era, entrance, verdict): (Era, Entrance, Verdict),
        worked: bool,
        answer: &Answer,
        handle: &str,
    ) {
        // Whether something will be heard shows in nothing that is said before.
        let verdict = match (entrance, verdict) {
            (Entrance::Listen, Verdict::Works) => Verdict::Nothing,
            _ if worked => return,
            (_, verdict) => verdict,
        };
        let seen = masked(answer, handle);
        let (first, expected) =
            self.seen.entry((era, entrance, verdict)).or_insert_with(|| (cell.to_owned(), seen.clone()));
        assert_eq!(seen, *expected, "{cell} is not like {first}");
    }

    fn has_worked(&self, cell: &str, entrance: Entrance, handle: &str, answer: &Answer) {
        let result = answer.result();
        let said = match entrance {
            Entrance::Show => result["content"][0]["text"].clone(),
            Entrance::Resource => result["contents"][0]["text"].clone(),
            Entrance::Prompt => result["messages"][0]["content"]["text"].clone(),
            Entrance::CompletePrompt | Entrance::CompleteTemplate => {
                let values = values(answer);
                assert!(values.iter().all(|it| it.starts_with(handle)), "{cell}: {values:?}");
                return;
            }
            Entrance::Change | Entrance::Listen => return,
        };
        let said = said.as_str().unwrap();
        let known = ["valid", "shared", "shared before", "taken back"];
        assert!(known.iter().any(|it| said.contains(it)), "{cell}: {said}");
        if *handle == self.house.handles[&Named::Valid] {
            assert!(said.ends_with(&self.says), "{cell}: {said}");
        }
    }

    /// Ann reads her note, and it says what it has to.
    async fn still_works(&self, cell: &str) {
        let writes = self.house.ledger.writes();
        let note = &self.house.handles[&Named::Valid];
        assert_eq!(self.house.by_ann("show", json!({"note": note})).await, self.says, "after {cell}");
        assert_eq!(self.house.ledger.writes(), writes, "after {cell}");
    }

    /// The answer to who wants to listen, and whether a change of the note is heard.
    async fn listen(&mut self, era: Era, handle: &str, caller: Caller) -> (Answer, bool) {
        let uri = uri(handle);
        self.beacons += 1;
        let beacons = ["first", "second"].map(|it| format!("beacon://{it}/{}", self.beacons));
        match era {
            Era::Modern => {
                let uris = json!({"resourceSubscriptions": [uri, beacons[0], beacons[1]]});
                let call = self.call(era, "subscriptions/listen", json!({"notifications": uris}), caller);
                let mut connection = Connection::open(self.house.running.address).await;
                connection.send(&call.bytes()).await;
                let mut answer = connection.head().await;
                if answer.header("content-type") != Some("text/event-stream") {
                    return (self.house.send(call, Caller::Anonymous).await, false);
                }
                let first = connection.event().await.unwrap().to_string();
                answer.body = first.replace(&format!("/{}\"", self.beacons), "\"").into_bytes();
                let heard = self.hears(&mut connection, &uri, &beacons).await;
                (answer, heard)
            }
            Era::Legacy => {
                let answer = self.subscribe("resources/subscribe", &uri, caller).await;
                if answer.status != 200 {
                    return (answer, false);
                }
                let mut stream = self.streams.remove(&caller).unwrap();
                for it in &beacons {
                    self.subscribe("resources/subscribe", it, caller).await;
                }
                let heard = self.hears(&mut stream, &uri, &beacons).await;
                self.streams.insert(caller, stream);
                for it in beacons.iter().chain([&uri]) {
                    self.subscribe("resources/unsubscribe", it, caller).await;
                }
                (answer, heard)
            }
        }
    }

    async fn subscribe(&self, method: &str, uri: &str, caller: Caller) -> Answer {
        self.call(Era::Legacy, method, json!({"uri": uri}), caller).send(self.house.running.address).await
    }

    /// Whether the stream tells of the note. When it has told of both beacons, it has told everything.
    async fn hears(&self, stream: &mut Connection, uri: &str, beacons: &[String; 2]) -> bool {
        let catalog = self.house.server.catalog();
        // What is called so is no note: anybody may hear of it.
        let about_a_note = Some(uri.to_owned()).filter(|it| it != "notes://");
        for it in about_a_note.into_iter().chain([self::uri(&self.house.handles[&Named::Valid])]) {
            catalog.resource_updated(&it);
        }
        let mut heard = false;
        for beacon in beacons {
            catalog.resource_updated(beacon);
            loop {
                let event = stream.event().await.unwrap();
                let told = event["params"]["uri"].as_str().unwrap();
                if told == beacon {
                    break;
                }
                assert_eq!(told, uri);
                heard = true;
            }
        }
        heard
    }
}

pub(super) fn request(entrance: Entrance, handle: &str) -> (&'static str, Value) {
    let complete = |reference: Value| {
        ("completion/complete", json!({"ref": reference, "argument": {"name": "note", "value": handle}}))
    };
    match entrance {
        Entrance::Change => ("tools/call", json!({"name": "change", "arguments": {"note": handle}})),
        Entrance::Show => ("tools/call", json!({"name": "show", "arguments": {"note": handle}})),
        Entrance::Resource | Entrance::Listen => ("resources/read", json!({"uri": uri(handle)})),
        Entrance::Prompt => ("prompts/get", json!({"name": "sum_up", "arguments": {"note": handle}})),
        Entrance::CompletePrompt => complete(json!({"type": "ref/prompt", "name": "sum_up"})),
        Entrance::CompleteTemplate => complete(json!({"type": "ref/resource", "uri": "notes://{note}"})),
    }
}

pub(super) fn uri(handle: &str) -> String {
    format!("notes://{}", handle.replace(' ', "%20").replace('=', "%3D"))
}

fn values(answer: &Answer) -> Vec<String> {
    serde_json::from_value(answer.result()["completion"]["values"].clone()).unwrap_or_default()
}

/// How each refusal shows.
fn has_failed(cell: &str, expected: Verdict, entrance: Entrance, answer: &Answer, handle: &str) {
    let body = String::from_utf8_lossy(&answer.body).into_owned();
    let challenge = answer.header("www-authenticate").unwrap_or_default();
    let (is_tool, code) = (matches!(entrance, Entrance::Change | Entrance::Show), answer.code());
    let is_told = match is_tool {
        true => answer.status == 200 && answer.result()["isError"] == true,
        false => answer.status == 200 && code == -32602,
    };
    let is_right = match expected {
        Verdict::Works => false,
        Verdict::NoToken => {
            answer.status == 401 && challenge.starts_with("Bearer ") && !challenge.contains("error=")
        }
        Verdict::BadToken => answer.status == 401 && challenge.contains("invalid_token"),
        Verdict::NoScope => answer.status == 403 && challenge.contains("insufficient_scope"),
        Verdict::Unknown => is_told && body.contains("there is no such note"),
        Verdict::Expired => is_told && body.contains("this note has expired. Make a new one."),
        Verdict::Malformed => is_told && !body.contains("no such note"),
        Verdict::NoResource => answer.status == 200 && body.contains("Resource not found"),
        Verdict::Nothing => answer.status == 200 && code == 0,
    };
    assert!(is_right, "{cell}: {expected:?} {} {challenge} {body}", answer.status);
    // What was brought comes back in the URI that was asked for, and where it was not written as a handle.
    let may_repeat = matches!(entrance, Entrance::Resource | Entrance::Listen);
    let letters = handle.trim().trim_matches('=');
    if !may_repeat && !letters.is_empty() {
        assert!(!without_found(&body).contains(letters), "{cell}: {body}");
    }
}

/// Without the value that the check of the arguments has found. A long one is cut off, and stands without quotes.
fn without_found(body: &str) -> String {
    let Some((before, found)) = body.split_once(", found ") else { return body.to_owned() };
    let end = ["\\\"", "…"].iter().filter_map(|it| Some(found.get(2..)?.find(it)? + 2 + it.len())).min();
    format!("{before}, found {}", &found[end.unwrap_or_default()..])
}

/// The whole answer, but for the time and the URI that was asked for.
fn masked(answer: &Answer, handle: &str) -> String {
    let mut body = String::from_utf8_lossy(&answer.body).into_owned();
    let length = body.len();
    body = without_found(&body.replace(&format!("\"{}\"", uri(handle)), "\"<uri>\""));
    let headers: Vec<_> = answer
        .headers
        .iter()
        .filter(|it| it.0 != "date")
        .map(|(name, value)| match name.as_str() {
            "content-length" if *value == length.to_string() => format!("{name}: right"),
            _ => format!("{name}: {value}"),
        })
        .collect();
    format!("{} {headers:?} {body}", answer.status)
}
