//! Who differs in issuer, subject, client or tenant is somebody else, in everything that is kept or counted.

use serde_json::{Value, json};
use tollgate::{Limits, auth::Keys, prelude::*};
use tollgate_tests::{Answer, Call, Connection, Running, start};

use super::{
    desk::{Desk, Runs, Watch, call, jwt, plain, server},
    mint::{NOW, Ring, Token, set},
};

const OTHER: &str = "https://other.example.com";

fn two_issuers() -> tollgate::auth::Jwt {
    jwt().also_issuer(OTHER, Keys::set(set(&[Ring::theirs().ec_jwk("ec")]))).tenant_claim("org")
}

fn ann() -> Token {
    Token::good().claim("org", "acme")
}

/// Everybody who is not ann of acme, at the first issuer, with the editor.
fn others() -> Vec<(&'static str, Token)> {
    vec![
        ("another subject of the same client", ann().claim("sub", "bob")),
        ("the same subject with another client", ann().claim("client_id", "viewer")),
        ("the same subject without a client", ann().without("client_id")),
        ("the same subject at another issuer", ann().claim("iss", OTHER).by_them()),
        ("the same subject of another tenant", ann().claim("org", "globex")),
        ("the client itself", ann().claim("sub", "editor")),
    ]
}

fn with(call: Call, token: &Token) -> Call {
    call.header(format!("Authorization: Bearer {}", token.text()))
}

// S-229.
#[tokio::test]
async fn a_tool_learns_who_calls_and_never_sees_the_token() {
    let desk = Desk::open(two_issuers()).await;

    let told = desk.told(&ann().claim("email", "ann@example.com")).await;

    assert_eq!(
        told,
        json!({
            "issuer": "https://login.example.com", "subject": "ann", "client": "editor", "tenant": "acme",
            "scopes": ["notes:read"], "email": "ann@example.com", "has": null,
        })
    );
    let machine = desk.told(&ann().claim("sub", "editor")).await;
    assert_eq!((&machine["subject"], &machine["client"]), (&json!("editor"), &json!("editor")));
    let other_name = desk.told(&ann().without("client_id").claim("azp", "editor")).await;
    assert_eq!(other_name["client"], "editor");
}

/// Asks for a name.
///
/// Use when a name is wanted.
/// Do not use when it is known.
#[tool]
async fn ask(cx: &Cx<Runs>) -> Result<String> {
    let form: Name = cx.ask("Who is it for?").await?;
    Ok(form.name)
}

#[derive(Elicit, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
struct Name {
    /// What to call you.
    name: String,
}

async fn running(limits: Limits) -> Running {
    let server = server(two_issuers(), &Watch::new(), &Runs::default()).tools(tools![ask]).limits(limits);
    start(server).await
}

#[tokio::test]
async fn state_belongs_to_the_principal_that_it_was_made_for() {
    let running = running(Limits::default()).await;
    let asks = |state: Option<Value>| {
        Call::tool("ask", &json!({})).edit(|it| {
            it["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] =
                json!({"elicitation": {"form": {}}});
            if let Some(state) = state {
                it["params"]["requestState"] = state;
                it["params"]["inputResponses"] =
                    json!({"name": {"action": "accept", "content": {"name": "x"}}});
            }
        })
    };
    let question = with(asks(None), &ann()).send(running.address).await.result();
    let state = question["requestState"].clone();
    assert!(state.is_string(), "{question}");

    for (what, token) in others() {
        let answer = with(asks(Some(state.clone())), &token).send(running.address).await;
        assert_eq!(answer.verdict(), (200, -32602), "{what}");
    }
    let renewed = ann().claim("jti", "2").claim("exp", NOW + 7_200).claim("scope", "notes:write");
    let answer = with(asks(Some(state)), &renewed).send(running.address).await;
    assert_eq!(answer.code(), 0, "a newer token of the same principal");
}

#[tokio::test]
async fn a_session_belongs_to_the_principal_that_opened_it() {
    let running = running(Limits::default()).await;
    let legacy = |method: &str, params: Value| {
        Call::post(&json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string())
    };
    let params = json!({
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "old", "version": "1"},
    });
    let opened = with(legacy("initialize", params), &ann()).send(running.address).await;
    let session = opened.header("mcp-session-id").unwrap().to_owned();
    let list = |token: &Token| {
        with(legacy("tools/list", json!({})), token)
            .header(format!("Mcp-Session-Id: {session}"))
            .header("MCP-Protocol-Version: 2025-11-25")
    };

    for (what, token) in others() {
        assert_eq!(list(&token).send(running.address).await.status, 404, "{what}");
    }
    assert_eq!(list(&ann().claim("jti", "2")).send(running.address).await.status, 200);
}

#[tokio::test]
async fn each_principal_has_its_own_places() {
    let mut limits = Limits::default();
    limits.listeners_per_caller = 1;
    let running = running(limits).await;
    let listen = |token: &Token| {
        with(
            Call::modern("subscriptions/listen", json!({"notifications": {"toolsListChanged": true}})),
            token,
        )
    };
    let open = async |token: &Token| {
        let mut connection = Connection::open(running.address).await;
        connection.send(&listen(token).bytes()).await;
        let status = connection.head().await.status;
        (connection, status)
    };

    let (_first, status) = open(&ann()).await;
    assert_eq!(status, 200);
    let mut open_streams = Vec::new();
    for (what, token) in others() {
        let (stream, status) = open(&token).await;
        assert_eq!(status, 200, "{what}");
        open_streams.push(stream);
    }

    let renewed = ann().claim("jti", "2").claim("scope", "notes:write");
    assert_eq!(listen(&renewed).send(running.address).await.status, 429);
}

#[tokio::test]
async fn on_stdio_and_in_memory_nobody_shows_a_token() {
    let server = server(jwt(), &Watch::new(), &Runs::default());
    let may = async |client: &tollgate::Client, scope: &str| {
        let result = client.call_raw("whoami", json!({"scope": scope})).await.unwrap();
        let said: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
        said["has"].clone()
    };

    assert_eq!(may(&server.client("ann"), "anything").await, true);
    let narrow = server.client("ann").with_scopes(["notes:read"]);
    assert_eq!(may(&narrow, "notes:read").await, true);
    assert_eq!(may(&narrow, "notes:write").await, false);

    let (input, output) =
        (plain().edit(|it| it["params"]["arguments"] = json!({"scope": "x"})).body, Vec::new());
    let said = over_stdio(server, input, output).await;
    assert!(said.contains("\\\"has\\\":true"), "{said}");
}

async fn over_stdio(server: Server<Runs>, mut input: Vec<u8>, mut output: Vec<u8>) -> String {
    use tokio::io::AsyncReadExt;
    input.push(b'\n');
    let (mut ours, theirs) = tokio::io::duplex(64 * 1024);
    server.serve_streams(std::io::Cursor::new(input), theirs).await.unwrap();
    ours.read_to_end(&mut output).await.unwrap();
    String::from_utf8(output).unwrap()
}

#[tokio::test]
async fn a_list_that_was_given_to_a_token_is_not_shared() {
    let desk = Desk::open(jwt()).await;
    let list = |token: &Token| with(Call::modern("tools/list", json!({})), token);

    let answer: Answer = desk.send(list(&Token::good())).await;

    assert_eq!(answer.result()["cacheScope"], "private");
    assert_eq!(desk.send(call(&Token::good().text())).await.header("cache-control"), Some("no-store"));
}
