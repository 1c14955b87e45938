//! A server on which not everybody may do everything: something for anybody, something that takes scopes, and something
//! that is hidden as well.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use serde_json::{Value, json};
use tollgate::{auth::Auth, prelude::*};
use tollgate_tests::{Answer, Call, Running, start};

use super::{
    desk::{Watch, jwt},
    mint::Token,
};

/// How often anything of the author's ran.
#[derive(Clone, Default)]
pub(crate) struct Work(Arc<AtomicUsize>);

impl Work {
    fn note(&self) -> String {
        self.0.fetch_add(1, Ordering::SeqCst);
        "done".into()
    }

    pub(crate) fn count(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }
}

/// Reads.
///
/// Use when asked.
/// Do not use when not asked.
#[tool(read_only)]
async fn look(cx: &Cx<Work>) -> String {
    cx.state().note()
}

/// Writes.
///
/// Use when asked.
/// Do not use when not asked.
#[tool(scope = "notes:write notes:read")]
async fn note(cx: &Cx<Work>, #[arg(header = "Region")] region: Option<Text<20>>) -> String {
    drop(region);
    cx.state().note()
}

/// Destroys.
///
/// Use when asked.
/// Do not use when not asked.
#[tool(scope = "admin", hidden)]
async fn wipe(cx: &Cx<Work>, #[arg(header = "Region")] region: Option<Text<20>>) -> String {
    drop(region);
    cx.state().note()
}

/// Asks for a summary.
#[prompt]
async fn sum(cx: &Cx<Work>) -> String {
    cx.state().note()
}

/// Asks for a plan.
#[prompt(scope = "notes:write")]
async fn plan(cx: &Cx<Work>, #[arg(complete = complete)] what: Option<Text<20>>) -> String {
    drop(what);
    cx.state().note()
}

/// Asks for an end.
#[prompt(scope = "admin", hidden)]
async fn kill(cx: &Cx<Work>, #[arg(complete = complete)] what: Option<Text<20>>) -> String {
    drop(what);
    cx.state().note()
}

/// What is there today.
#[resource(uri = "note://today")]
async fn today(cx: &Cx<Work>) -> String {
    cx.state().note()
}

/// What is not ready.
#[resource(uri = "note://draft", scope = "notes:write")]
async fn draft(cx: &Cx<Work>) -> String {
    cx.state().note()
}

/// What opens doors.
#[resource(uri = "note://codes", scope = "admin", hidden)]
async fn codes(cx: &Cx<Work>) -> String {
    cx.state().note()
}

/// What somebody has not finished.
#[resource(uri = "draft://{name}", scope = "notes:write")]
async fn drafts(cx: &Cx<Work>, #[arg(complete = complete)] name: Text<20>) -> String {
    drop(name);
    cx.state().note()
}

/// What opens a door.
#[resource(uri = "codes://{name}", scope = "admin", hidden)]
async fn code(cx: &Cx<Work>, #[arg(complete = complete)] name: Text<20>) -> String {
    drop(name);
    cx.state().note()
}

/// Everything under a name.
#[resource(uri = "note://by/{name}")]
async fn by(cx: &Cx<Work>, #[arg(complete = complete)] name: Text<20>) -> String {
    drop(name);
    cx.state().note()
}

async fn complete(cx: &Cx<Work>, typed: &str) -> Vec<String> {
    vec![format!("{typed}{}", cx.state().note())]
}

/// The lists, their members, and what has a name in them; first for anybody, then with scopes, then hidden.
pub(crate) const LISTS: [(&str, &str, [&str; 3]); 4] = [
    ("tools/list", "tools", ["look", "note", "wipe"]),
    ("prompts/list", "prompts", ["sum", "plan", "kill"]),
    ("resources/list", "resources", ["today", "draft", "codes"]),
    ("resources/templates/list", "resourceTemplates", ["by", "drafts", "code"]),
];

/// Everything that can be asked of the items that need scopes, by the place of the item in [`LISTS`].
pub(crate) fn uses(at: usize) -> Vec<(&'static str, Value)> {
    let tool = ["look", "note", "wipe"][at];
    let prompt = ["sum", "plan", "kill"][at];
    let (uri, of, template) = [
        ("note://today", "note://by/ann", "note://by/{name}"),
        ("note://draft", "draft://ann", "draft://{name}"),
        ("note://codes", "codes://ann", "codes://{name}"),
    ][at];
    let completed = json!({"name": "what", "value": "x"});
    vec![
        ("tools/call", json!({"name": tool, "arguments": {}})),
        ("prompts/get", json!({"name": prompt, "arguments": {}})),
        ("resources/read", json!({"uri": uri})),
        ("resources/read", json!({"uri": of})),
        (
            "completion/complete",
            json!({"ref": {"type": "ref/prompt", "name": prompt}, "argument": completed}),
        ),
        (
            "completion/complete",
            json!({"ref": {"type": "ref/resource", "uri": template}, "argument": {"name": "name", "value": "x"}}),
        ),
    ]
}

pub(crate) fn server() -> (Server<Work, tollgate::AuthUndecided>, Work) {
    let work = Work::default();
    let server = Server::new("archive", "1")
        .state(work.clone())
        .tools(tools![look, note, wipe])
        .prompts(prompts![sum, plan, kill])
        .resources(resources![today, draft, codes, by, drafts, code])
        .clock(Watch::new());
    (server, work)
}

/// A running archive.
pub(crate) struct Archive {
    pub(crate) running: Running,
    pub(crate) work: Work,
    pub(crate) server: Server<Work>,
}

impl Archive {
    pub(crate) async fn open(auth: impl Into<Auth>) -> Self {
        Self::of(auth, |it| it).await
    }

    pub(crate) async fn of(auth: impl Into<Auth>, edit: impl FnOnce(Server<Work>) -> Server<Work>) -> Self {
        let (server, work) = server();
        let server = edit(server.auth(auth));
        Self { running: start(server.clone()).await, work, server }
    }

    pub(crate) async fn send(&self, call: Call, scopes: &str) -> Answer {
        with(call, scopes).send(self.running.address).await
    }

    pub(crate) async fn ask(&self, method: &str, params: Value, scopes: &str) -> Answer {
        self.send(Call::modern(method, params), scopes).await
    }

    /// The names in a list.
    pub(crate) async fn names(&self, method: &str, member: &str, scopes: &str) -> Vec<String> {
        names(&self.ask(method, json!({}), scopes).await.result(), member)
    }

    /// The session of a client that opens with `initialize`.
    pub(crate) async fn session(&self, scopes: &str) -> String {
        let params = json!({
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "old", "version": "1"},
        });
        let opened = self.send(old("initialize", params), scopes).await;
        opened.header("mcp-session-id").unwrap().to_owned()
    }
}

/// The metadata and challenges of the archive name no scopes but those that it needs.
pub(crate) fn plain_jwt() -> tollgate::auth::Jwt {
    use tollgate::auth::{Jwt, Keys};
    Jwt::issuer(super::mint::ISSUER).audience(super::mint::AUDIENCE).keys(Keys::set(super::mint::jwks()))
}

/// One of the older revision.
pub(crate) fn old(method: &str, params: Value) -> Call {
    Call::post(&json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string())
}

pub(crate) fn in_session(call: Call, session: &str) -> Call {
    call.header(format!("Mcp-Session-Id: {session}")).header("MCP-Protocol-Version: 2025-11-25")
}

/// With a token that has these scopes.
pub(crate) fn with(call: Call, scopes: &str) -> Call {
    call.header(format!("Authorization: Bearer {}", Token::good().claim("scope", scopes).text()))
}

pub(crate) fn names(result: &Value, member: &str) -> Vec<String> {
    result[member].as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap().to_owned()).collect()
}

/// Broader scopes include narrower ones.
pub(crate) fn hierarchy() -> tollgate::auth::Jwt {
    jwt().scopes(|granted| match granted {
        "admin" => vec!["notes:write"],
        "notes:write" => vec!["notes:read"],
        _ => vec![],
    })
}
