//! A gateway before servers that do not exist, and every way to ask it.

use std::{
    collections::{BTreeMap, BTreeSet},
    future::ready,
    pin::Pin,
    sync::{
        Arc, LazyLock, Mutex, MutexGuard,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
};

use jsonschema::Validator;
use serde_json::{Map, Value, json};
use tollgate::{
    Caller, Server, Tool,
    ready::{
        Activity, ActivityError, ActivityRecord, Approval, Connection, EXTENSION, Gateway, OperatorKey,
        Scope, ServerPolicy, Unreadable,
    },
};
use tollgate_tests::{Answer, Call, Running, raw, start};

/// What is known of the servers behind, to be changed by tests at any time.
#[derive(Clone, Default)]
pub(crate) struct World(Arc<Mutex<Known>>);

pub(crate) struct Known {
    pub(crate) servers: BTreeMap<String, Behind>,
    pub(crate) scope: Scope,
    pub(crate) profiles: BTreeMap<String, Scope>,
    /// Which kind of reading fails.
    pub(crate) broken: Option<&'static str>,
    /// How often anything was read.
    pub(crate) reads: usize,
}

/// One server behind.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Behind {
    pub(crate) policy: ServerPolicy,
    pub(crate) connection: Option<Connection>,
    pub(crate) denied: BTreeSet<String>,
    pub(crate) approvals: BTreeMap<String, Approval>,
}

impl Default for Known {
    fn default() -> Self {
        let behind = Behind {
            policy: ServerPolicy::default(),
            connection: Some(Connection::Ready),
            denied: BTreeSet::new(),
            approvals: BTreeMap::new(),
        };
        let servers = ["gh", "slack"].map(|it| (it.to_owned(), behind.clone()));
        Self {
            servers: servers.into(),
            scope: Scope::Everything,
            profiles: [("chat".to_owned(), Scope::of(["slack"]))].into(),
            broken: None,
            reads: 0,
        }
    }
}

impl World {
    pub(crate) fn edit(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap()
    }

    /// Changes what is known of `gh`.
    pub(crate) fn gh(&self, edit: impl FnOnce(&mut Behind)) {
        edit(self.edit().servers.get_mut("gh").unwrap());
    }

    pub(crate) fn approve(&self, tool: &str, approval: Approval) {
        self.gh(|it| {
            it.approvals.insert(tool.to_owned(), approval);
        });
    }

    fn read<T>(&self, what: &'static str, take: impl FnOnce(&Known) -> T) -> Result<T, Unreadable> {
        let mut known = self.edit();
        known.reads += 1;
        match known.broken {
            Some(broken) if broken == what => Err(Unreadable::new(format!("{what} SECRET-OF-DISK"))),
            _ => Ok(take(&known)),
        }
    }
}

impl Gateway for World {
    fn server(&self, server: &str) -> Result<Option<ServerPolicy>, Unreadable> {
        self.read("server", |it| it.servers.get(server).map(|it| it.policy))
    }

    fn connection(&self, server: &str) -> Result<Option<Connection>, Unreadable> {
        self.read("connection", |it| it.servers.get(server).and_then(|it| it.connection.clone()))
    }

    fn approval(&self, server: &str, tool: &str) -> Result<Option<Approval>, Unreadable> {
        self.read("approval", |it| it.servers.get(server).and_then(|it| it.approvals.get(tool).copied()))
    }

    fn denies(&self, server: &str, tool: &str) -> Result<bool, Unreadable> {
        self.read("denies", |it| it.servers.get(server).is_some_and(|it| it.denied.contains(tool)))
    }

    fn scope(&self, _: &Caller) -> Result<Scope, Unreadable> {
        self.read("scope", |it| it.scope.clone())
    }

    fn profile(&self, profile: &str) -> Result<Option<Scope>, Unreadable> {
        self.read("profile", |it| it.profiles.get(profile).cloned())
    }
}

/// All records that were kept, unless the disk is full.
#[derive(Clone, Default)]
pub(crate) struct Records(pub(crate) Arc<Mutex<Vec<ActivityRecord>>>, pub(crate) Arc<Mutex<bool>>);

impl Activity for Records {
    fn keep<'a>(
        &'a self,
        record: &'a ActivityRecord,
    ) -> Pin<Box<dyn Future<Output = Result<(), ActivityError>> + Send + 'a>> {
        if *self.1.lock().unwrap() {
            return Box::pin(ready(Err(ActivityError::new("no space left SECRET-OF-DISK"))));
        }
        self.0.lock().unwrap().push(record.clone());
        Box::pin(ready(Ok(())))
    }
}

impl Records {
    pub(crate) fn count(&self) -> usize {
        self.0.lock().unwrap().len()
    }

    pub(crate) fn last(&self) -> ActivityRecord {
        self.0.lock().unwrap().last().unwrap().clone()
    }
}

pub(crate) const KEY: &str = "0123456789abcdef0123456789abcdef";
pub(crate) const API: &str = "/api/v1/preflight";

/// A gateway that serves, with everything that a test looks at.
pub(crate) struct Stand {
    pub(crate) server: Server,
    pub(crate) running: Running,
    pub(crate) world: World,
    pub(crate) records: Records,
    /// Calls that would have gone to a server behind.
    pub(crate) upstream: Arc<AtomicUsize>,
    session: String,
}

/// A tool of a server behind, with annotations: read-only, destructive, open-world.
pub(crate) fn tool(
    server: &str,
    name: &str,
    hints: [Option<bool>; 3],
    description: &str,
    upstream: &Arc<AtomicUsize>,
) -> Tool {
    let calls = upstream.clone();
    let run = move |_, _: Map<String, Value>| {
        calls.fetch_add(1, SeqCst);
        ready(Ok("done"))
    };
    let mut tool = Tool::new(format!("{server}__{name}"), description, json!({"type": "object"}), run)
        .upstream(server, name);
    if let Some(it) = hints[0] {
        tool = tool.read_only(it);
    }
    if let Some(it) = hints[1] {
        tool = tool.destructive(it);
    }
    if let Some(it) = hints[2] {
        tool = tool.open_world(it);
    }
    tool
}

pub(crate) const SAFE: [Option<bool>; 3] = [Some(true), Some(false), Some(false)];
pub(crate) const UNSAFE: [Option<bool>; 3] = [Some(false), Some(true), Some(true)];
pub(crate) const SILENT: [Option<bool>; 3] = [None; 3];

impl Stand {
    pub(crate) async fn new() -> Self {
        let upstream = Arc::new(AtomicUsize::new(0));
        let make = |server, name, hints| tool(server, name, hints, "Is there for a test.", &upstream);
        let tools = vec![
            make("gh", "sync_issues", SAFE),
            make("gh", "drop_repo", UNSAFE),
            make("gh", "plain", SILENT),
            make("slack", "post_message", SAFE),
            Tool::new("own", "Is this server's own.", json!({"type": "object"}), async |_, _| Ok("own")),
        ];
        Self::of(|it| it.tools(tools), upstream).await
    }

    pub(crate) async fn of(edit: impl FnOnce(Server) -> Server, upstream: Arc<AtomicUsize>) -> Self {
        let (world, records) = (World::default(), Records::default());
        let server = Server::new("gateway", "1")
            .gateway(world.clone())
            .activity(records.clone())
            .preflight_api(API)
            .operator(OperatorKey::new(KEY).unwrap())
            .without_auth();
        let server = edit(server);
        let running = start(server.clone()).await;
        let session = open_session(&running).await;
        Self { server, running, world, records, upstream, session }
    }

    /// Puts a tool of `gh` into the list, or another in its place.
    pub(crate) fn put(&self, name: &str, hints: [Option<bool>; 3], description: &str) {
        let made = tool("gh", name, hints, description, &self.upstream);
        self.server.catalog().add_tool(made).unwrap();
    }

    /// Asks in this way, about these ids.
    pub(crate) async fn ask(&self, way: Way, ids: &[&str], policy: &Value) -> Told {
        let tools: Vec<Value> = ids.iter().map(|it| json!({"id": it})).collect();
        let mut question = json!({"tools": tools});
        if !policy.is_null() {
            question["policy"] = policy.clone();
        }
        self.ask_this(way, &question).await
    }

    /// The same about one id.
    pub(crate) async fn one(&self, way: Way, id: &str) -> Value {
        self.ask(way, &[id], &Value::Null).await.facet["tools"][0].clone()
    }

    pub(crate) async fn ask_this(&self, way: Way, question: &Value) -> Told {
        let answer = self.send(way, question).await;
        let body = answer.json();
        let facet = match way {
            Way::Modern | Way::Legacy => body["result"]["_meta"][EXTENSION].clone(),
            Way::Rest | Way::Operator if body["success"] == true => body["data"].clone(),
            Way::Rest | Way::Operator => Value::Null,
        };
        if way.is_in_band() && !facet.is_null() {
            let faults: Vec<_> = SCHEMA.iter_errors(&facet).map(|it| it.to_string()).collect();
            assert!(faults.is_empty(), "{faults:?}\n{facet:#}");
        }
        Told { answer, body, facet }
    }

    pub(crate) async fn send(&self, way: Way, question: &Value) -> Answer {
        match way {
            Way::Modern => self.modern(&json!({ EXTENSION: question }), json!({})).await,
            Way::Legacy => self.legacy(json!({"_meta": { EXTENSION: question }})).await,
            Way::Rest => self.rest(question, None).await,
            Way::Operator => self.rest(question, Some(KEY)).await,
        }
    }

    /// A list of tools by a client of the current revision that declares the extension.
    pub(crate) async fn modern(&self, more: &Value, params: Value) -> Answer {
        listing(more, params, &json!({"extensions": {EXTENSION: {"version": 1}}}))
            .send(self.running.address)
            .await
    }

    /// The same by one of 2025-11-25 that declared it when it opened its session.
    pub(crate) async fn legacy(&self, params: Value) -> Answer {
        legacy_listing(&self.session, params).send(self.running.address).await
    }

    pub(crate) async fn rest(&self, question: &Value, key: Option<&str>) -> Answer {
        let mut call = Call::post(&question.to_string());
        call.line = format!("POST {API} HTTP/1.1");
        if let Some(key) = key {
            call = call.header(format!("Authorization: Bearer {key}"));
        }
        call.send(self.running.address).await
    }

    pub(crate) fn upstream_calls(&self) -> usize {
        self.upstream.load(SeqCst)
    }
}

/// `tools/list` of the current revision, with more in its `_meta`.
pub(crate) fn listing(more: &Value, mut params: Value, capabilities: &Value) -> Call {
    let mut meta = raw::meta();
    meta["io.modelcontextprotocol/clientCapabilities"] = capabilities.clone();
    for (key, value) in more.as_object().into_iter().flatten() {
        meta[key] = value.clone();
    }
    params["_meta"] = meta;
    Call::modern("tools/list", params)
}

pub(crate) fn legacy_listing(session: &str, params: Value) -> Call {
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": params});
    Call::post(&body.to_string())
        .header("MCP-Protocol-Version: 2025-11-25")
        .header(format!("Mcp-Session-Id: {session}"))
}

/// Opens a session of a client that declares the extension.
async fn open_session(running: &Running) -> String {
    open_session_with(running, &json!({"experimental": {EXTENSION: {"version": 1}}})).await
}

pub(crate) async fn open_session_with(running: &Running, capabilities: &Value) -> String {
    let opening = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": capabilities,
        "clientInfo": {"name": "raw", "version": "1"},
    }});
    let answer = Call::post(&opening.to_string()).send(running.address).await;
    answer.header("mcp-session-id").unwrap().to_owned()
}

/// How a question comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    Modern,
    Legacy,
    /// By HTTP, from anybody.
    Rest,
    /// By HTTP, with the operator's key.
    Operator,
}

impl Way {
    pub(crate) const ALL: [Self; 4] = [Self::Modern, Self::Legacy, Self::Rest, Self::Operator];
    pub(crate) const IN_BAND: [Self; 2] = [Self::Modern, Self::Legacy];

    pub(crate) fn is_in_band(self) -> bool {
        Self::IN_BAND.contains(&self)
    }
}

/// What came back.
pub(crate) struct Told {
    pub(crate) answer: Answer,
    pub(crate) body: Value,
    pub(crate) facet: Value,
}

/// What the extension's own schema says of an answer.
static SCHEMA: LazyLock<Validator> = LazyLock::new(|| validator("responseFacet"));

/// One of the definitions of the extension's schema.
pub(crate) fn validator(definition: &str) -> Validator {
    let text = include_str!("../../fixtures/required-tools-extension.schema.json");
    let mut schema: Value = serde_json::from_str(text).unwrap();
    schema["$ref"] = format!("#/$defs/{definition}").into();
    jsonschema::options().should_validate_formats(true).build(&schema).unwrap()
}
