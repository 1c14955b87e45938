//! A server whose notes are Ann's, and who comes to it with what.

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    time::Duration,
};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tollgate::{
    Clock, Limits, Rights,
    auth::Keys,
    prelude::*,
    store::{MemoryStore, SqliteStore, Store},
};
use tollgate_tests::{Answer, Call, Running, start};

use super::{
    super::{
        desk::{Watch, jwt},
        mint::{NOW, Ring, Token, set},
    },
    ledger::Ledger,
    oracle::{Caller, Named},
};

const OTHER_ISSUER: &str = "https://other.example.com";
const DAY: u64 = 86_400;

#[derive(Record, Serialize, Deserialize, JsonSchema)]
#[record(shareable, idle_seconds = 3_600, max_seconds = 86_400)]
struct Note {
    text: String,
}

#[derive(Record, Serialize, Deserialize, JsonSchema)]
#[record(owner_only)]
struct List {
    items: Vec<String>,
}

/// How often anything of the author's ran.
#[derive(Clone, Default)]
pub(super) struct Work(Arc<AtomicUsize>);

impl Work {
    fn one(&self) {
        self.0.fetch_add(1, SeqCst);
    }

    pub(super) fn count(&self) -> usize {
        self.0.load(SeqCst)
    }
}

/// Writes a note.
///
/// Use when asked.
/// Do not use when not asked.
#[tool(scope = "notes:write")]
async fn write(cx: &Cx<Work>, text: String) -> Result<Handle<Note>> {
    cx.state().one();
    cx.mint(Note { text }).await
}

/// Starts a list.
///
/// Use when asked.
/// Do not use when not asked.
#[tool(scope = "notes:write")]
async fn start_list(cx: &Cx<Work>) -> Result<Handle<List>> {
    cx.state().one();
    cx.mint(List { items: Vec::new() }).await
}

/// Shows a list.
///
/// Use when asked.
/// Do not use when not asked.
#[tool(scope = "notes:read", read_only)]
async fn show_list(cx: &Cx<Work>, list: Held<List>) -> Result<List> {
    cx.state().one();
    list.load().await
}

/// Changes a note.
///
/// Use when asked.
/// Do not use when not asked.
#[tool(scope = "notes:write")]
async fn change(cx: &Cx<Work>, note: Held<Note>) -> Result {
    cx.state().one();
    note.update(|it| it.text.push('!')).await
}

/// Shows a note.
///
/// Use when asked.
/// Do not use when not asked.
#[tool(scope = "notes:read", read_only)]
async fn show(cx: &Cx<Work>, note: Held<Note>) -> Result<String> {
    cx.state().one();
    Ok(note.load().await?.text)
}

/// Lets Bob read a note.
///
/// Use when asked.
/// Do not use when not asked.
#[tool(scope = "notes:write")]
async fn share(cx: &Cx<Work>, note: Held<Note>, seconds: u32) -> Result {
    cx.state().one();
    note.share("bob", Rights::READ, Duration::from_secs(seconds.into())).await
}

/// Takes a note back from Bob.
///
/// Use when asked.
/// Do not use when not asked.
#[tool(scope = "notes:write")]
async fn take_back(cx: &Cx<Work>, note: Held<Note>) -> Result<bool> {
    cx.state().one();
    note.unshare("bob").await
}

/// Deletes a note.
///
/// Use when asked.
/// Do not use when not asked.
#[tool(scope = "notes:write", destructive)]
async fn erase(cx: &Cx<Work>, note: Held<Note>) -> Result {
    cx.state().one();
    note.delete().await
}

/// Sums a note up.
#[prompt(scope = "notes:read")]
async fn sum_up(cx: &Cx<Work>, note: Held<Note>) -> Result<String> {
    cx.state().one();
    Ok(format!("Sum up: {}", note.load().await?.text))
}

/// What a note says.
#[resource(uri = "notes://{note}", scope = "notes:read")]
async fn text(cx: &Cx<Work>, note: Held<Note>) -> Result<String> {
    cx.state().one();
    Ok(note.load().await?.text)
}

/// A running server with one handle of each sort.
pub(super) struct House {
    pub(super) server: Server<Work>,
    pub(super) running: Running,
    pub(super) work: Work,
    pub(super) ledger: Ledger,
    pub(super) tokens: BTreeMap<Caller, String>,
    pub(super) handles: BTreeMap<Named, String>,
    pub(super) watch: Watch,
}

/// A store with its time in the test's hand.
pub(super) fn in_memory(watch: &Watch) -> Arc<dyn Store> {
    let watch = watch.clone();
    Arc::new(MemoryStore::new().with_clock(move || watch.now()))
}

/// The same in that file.
pub(super) fn in_a_file(path: &std::path::Path, watch: &Watch) -> Arc<dyn Store> {
    let watch = watch.clone();
    Arc::new(SqliteStore::open(path).unwrap().with_clock(move || watch.now()))
}

pub(super) const SECRET: &str = "Pq8v2-Nx5r_Jm1t7WzK4.uB9d6Gs3hYe0";

/// The server, before it runs.
pub(super) fn server(store: impl Store, watch: &Watch) -> (Server<Work>, Work) {
    let work = Work::default();
    let mut limits = Limits::default();
    limits.listeners = 100_000;
    limits.listeners_per_caller = 100_000;
    let other = Keys::set(set(&[Ring::theirs().ec_jwk("ec")]));
    let server = Server::new("house", "1")
        .state(work.clone())
        .limits(limits)
        .secret(Secret::new(SECRET.as_bytes()).unwrap())
        .clock(watch.clone())
        .store(store)
        .tools(tools![write, start_list, show_list, change, show, share, take_back, erase])
        .prompts(prompts![sum_up])
        .resources(resources![text])
        .auth(jwt().also_issuer(OTHER_ISSUER, other).tenant_claim("org"));
    (server, work)
}

impl House {
    pub(super) async fn open(store: impl FnOnce(&Watch) -> Arc<dyn Store>) -> Self {
        let watch = Watch::new();
        let ledger = Ledger::over(store(&watch));
        let (server, work) = server(ledger.clone(), &watch);
        let running = start(server.clone()).await;
        let mut it =
            Self { server, running, work, ledger, tokens: tokens(NOW), handles: BTreeMap::new(), watch };
        it.furnish().await;
        it
    }

    /// Makes everything that can be brought. What has to pass for it has passed.
    async fn furnish(&mut self) {
        let expired = self.write("expired").await;
        self.watch.pass(2 * DAY);
        self.tokens = tokens(NOW + 2 * DAY);
        let shared_before = self.write("shared before").await;
        self.by_ann("share", json!({"note": shared_before, "seconds": 60})).await;
        // Less than after what a use is noted: so nothing that only reads writes.
        self.watch.pass(61);

        let valid = self.write("valid").await;
        let list = self.by_ann("start_list", json!({})).await;
        let list = list.as_str().unwrap().to_owned();
        let [shared, taken_back, shared_and_deleted] =
            [self.shared("shared").await, self.shared("taken back").await, self.shared("erased").await];
        let deleted = self.write("deleted").await;
        self.by_ann("take_back", json!({"note": taken_back})).await;
        self.by_ann("erase", json!({"note": shared_and_deleted})).await;
        self.by_ann("erase", json!({"note": deleted})).await;
        let (_, letters) = valid.split_once('_').unwrap();
        let (_, letters_of_list) = list.split_once('_').unwrap();
        self.handles = [
            (Named::Unknown, format!("note_{}", "7".repeat(26))),
            (Named::SharedBefore, shared_before),
            (Named::Expired, expired),
            (Named::Shared, shared),
            (Named::TakenBack, taken_back),
            (Named::SharedAndDeleted, shared_and_deleted),
            (Named::Deleted, deleted),
            (Named::OneCharacterChanged, changed(&valid)),
            (Named::ListAsNote, format!("note_{letters_of_list}")),
            (Named::PrefixSwapped, format!("list_{letters}")),
            (Named::UpperCase, valid.to_uppercase()),
            (Named::TooShort, valid[..valid.len() - 1].to_owned()),
            (Named::TooLong, format!("{valid}0")),
            (Named::MuchTooLong, format!("{valid}{}", "0".repeat(1_900))),
            (Named::PaddedBefore, format!(" {valid}")),
            (Named::PaddedAfter, format!("{valid} ")),
            (Named::PaddedLikeBase64, format!("{valid}=")),
            (Named::Empty, String::new()),
            (Named::OtherKind, list),
            (Named::Valid, valid),
        ]
        .into();
    }

    async fn write(&self, text: &str) -> String {
        self.by_ann("write", json!({"text": text})).await.as_str().unwrap().to_owned()
    }

    async fn shared(&self, text: &str) -> String {
        let note = self.write(text).await;
        self.by_ann("share", json!({"note": note, "seconds": 3_600})).await;
        note
    }

    /// What a tool answers to Ann.
    pub(super) async fn by_ann(&self, tool: &str, arguments: Value) -> Value {
        let answer = self.send(Call::tool(tool, &arguments), Caller::Owner).await;
        let result = answer.result();
        assert_ne!(result["isError"], true, "{tool} {arguments}: {result}");
        let text = result["content"][0]["text"].as_str().unwrap_or_default();
        match result.pointer("/structuredContent") {
            Some(it) => it.get("result").unwrap_or(it).clone(),
            None => text.into(),
        }
    }

    pub(super) async fn send(&self, call: Call, caller: Caller) -> Answer {
        self.with(call, caller).send(self.running.address).await
    }

    /// With the caller's token.
    pub(super) fn with(&self, call: Call, caller: Caller) -> Call {
        match self.tokens.get(&caller) {
            Some(token) => call.header(format!("Authorization: Bearer {token}")),
            None => call,
        }
    }
}

/// The same handle with another letter in its middle.
fn changed(handle: &str) -> String {
    let mut letters: Vec<char> = handle.chars().collect();
    letters[15] = if letters[15] == 'a' { 'b' } else { 'a' };
    letters.into_iter().collect()
}

/// What each of them shows at that time.
fn tokens(now: u64) -> BTreeMap<Caller, String> {
    let ann = |caller: Caller| {
        Token::good()
            .claim("org", "acme")
            .claim("scope", caller.scopes())
            .claim("iat", now - 10)
            .claim("exp", now + 3_600)
    };
    Caller::ALL
        .into_iter()
        .filter(|it| *it != Caller::Anonymous)
        .map(|caller| {
            let ann = ann(caller);
            let token = match caller {
                Caller::OtherUser => ann.claim("sub", "bob"),
                Caller::OtherClient => ann.claim("client_id", "viewer"),
                Caller::OtherTenant => ann.claim("org", "globex"),
                Caller::OtherIssuer => ann.claim("iss", OTHER_ISSUER).by_them(),
                Caller::Late => ann.claim("iat", now - 7_200).claim("exp", now - 3_600),
                Caller::Owner | Caller::Reader | Caller::Scopeless | Caller::Anonymous => ann,
            };
            (caller, token.text())
        })
        .collect()
}
