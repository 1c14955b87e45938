//! Who lacks a scope is told which ones it takes, or nothing at all where that is hidden.

use serde_json::{Value, json};
use tollgate::{Resource, prelude::*};
use tollgate_tests::{Answer, Call, start};

use super::{
    archive::{Archive, in_session, old, plain_jwt, uses, with},
    desk::{METADATA, Watch, jwt},
};

const WELL_KNOWN: &str = "/.well-known/oauth-protected-resource";

fn challenge(scopes: &str) -> String {
    format!(
        "Bearer error=\"insufficient_scope\", error_description=\"the operation needs more scopes\", \
         resource_metadata=\"{METADATA}\", scope=\"{scopes}\""
    )
}

// S-233, S-234.
#[tokio::test]
async fn a_missing_scope_is_answered_with_all_that_the_operation_takes_and_nothing_runs() {
    let archive = Archive::open(jwt()).await;
    for held in ["", "notes:read", "admin", "other"] {
        for (at, (method, params)) in uses(1).into_iter().enumerate() {
            let scopes = if at == 0 { "notes:write notes:read" } else { "notes:write" };
            let answer = archive.ask(method, params.clone(), held).await;

            assert_eq!(answer.status, 403, "{held} {method} {params}");
            assert_eq!(
                answer.header("www-authenticate"),
                Some(challenge(scopes).as_str()),
                "{method} {params}"
            );
            assert_eq!(answer.header("cache-control"), Some("no-store"));
            let error = json!({"code": -32600, "message": format!("this needs the scopes {scopes}")});
            assert_eq!(
                answer.json(),
                json!({"jsonrpc": "2.0", "id": 1, "error": error}),
                "{method} {params}"
            );
        }
    }
    assert_eq!(archive.work.count(), 0);

    for (method, params) in uses(1) {
        let answer = archive.ask(method, params.clone(), "notes:read notes:write").await;
        assert_eq!((answer.status, answer.code()), (200, 0), "{method} {params}");
    }
    assert_eq!(archive.work.count(), 6);
}

#[tokio::test]
async fn older_clients_are_told_the_same() {
    let archive = Archive::open(jwt()).await;
    let session = archive.session("").await;
    for (method, params) in uses(1) {
        let modern = archive.ask(method, params.clone(), "notes:read").await;
        let answer = archive.send(in_session(old(method, params.clone()), &session), "notes:read").await;
        assert_eq!(said(&answer), said(&modern), "{method} {params}");
    }
    assert_eq!(archive.work.count(), 0);
}

#[tokio::test]
async fn how_something_wants_to_be_used_is_nothing_for_those_who_may_not() {
    let archive = Archive::open(jwt()).await;
    for call in [
        Call::tool("note", &json!({"region": "eu"})),
        Call::tool("note", &json!({})).header("Mcp-Param-Region: eu"),
        Call::tool("note", &json!({"region": 5, "more": []})),
        Call::tool("note", &json!("none")),
        Call::tool("note", &json!({})).edit(|it| it["params"]["requestState"] = "forged".into()),
    ] {
        assert_eq!(archive.send(call, "notes:read").await.verdict(), (403, -32600));
    }
    let call = Call::tool("note", &json!({"region": "eu"}));
    assert_eq!(archive.send(call, "notes:read notes:write").await.verdict(), (400, -32020));
    assert_eq!(archive.work.count(), 0);
}

#[tokio::test]
async fn a_request_that_disagrees_with_itself_hears_of_that_before_it_hears_of_scopes() {
    let archive = Archive::open(jwt()).await;
    let call = Call::tool("note", &json!({})).replace("Mcp-Name", "look");

    assert_eq!(archive.send(call, "notes:read").await.verdict(), (400, -32020));
}

/// All that a client can tell apart but the time of day.
fn said(answer: &Answer) -> (u16, Vec<(String, String)>, String) {
    let headers = answer.headers.iter().filter(|it| it.0 != "date").cloned().collect();
    (answer.status, headers, String::from_utf8_lossy(&answer.body).into_owned())
}

/// Requests that name something in every way there is.
fn naming(tool: &str, prompt: &str, uri: &str, scheme: &str) -> Vec<Call> {
    let of = format!("{scheme}://ann");
    let template = format!("{scheme}://{{name}}");
    let complete = |reference: Value| {
        Call::modern(
            "completion/complete",
            json!({"ref": reference, "argument": {"name": "name", "value": "x"}}),
        )
    };
    vec![
        Call::tool(tool, &json!({})),
        Call::tool(tool, &json!({"region": "eu"})),
        Call::tool(tool, &json!({"region": "eu"})).header("Mcp-Param-Region: eu"),
        Call::tool(tool, &json!({"region": "eu"})).header("Mcp-Param-Region: us"),
        Call::tool(tool, &json!({})).header("Mcp-Param-Region: eu"),
        Call::tool(tool, &json!({})).header("Mcp-Param-Region: =?base64?!!!?="),
        Call::tool(tool, &json!({"more": 1})),
        Call::tool(tool, &json!("none")),
        Call::tool(tool, &json!({})).edit(|it| it["params"]["requestState"] = "forged".into()),
        Call::tool(tool, &json!({})).edit(|it| it["params"]["inputResponses"] = 1.into()),
        Call::modern("prompts/get", json!({"name": prompt})),
        Call::modern("prompts/get", json!({"name": prompt, "arguments": {"what": 1}})),
        Call::modern("prompts/get", json!({"name": prompt, "arguments": 1})),
        Call::modern("resources/read", json!({"uri": uri})),
        Call::modern("resources/read", json!({"uri": of})),
        complete(json!({"type": "ref/prompt", "name": prompt})),
        complete(json!({"type": "ref/resource", "uri": uri})),
        complete(json!({"type": "ref/resource", "uri": template})),
        // Under another kind.
        Call::tool(prompt, &json!({})),
        Call::modern("prompts/get", json!({"name": tool})),
    ]
}

#[tokio::test]
async fn what_is_hidden_is_unknown_byte_for_byte() {
    let archive = Archive::open(jwt()).await;
    let session = archive.session("").await;
    let hidden = naming("wipe", "kill", "note://codes", "codes");
    let unknown = naming("w1pe", "k1ll", "note://c0des", "c0des");
    for scopes in ["", "notes:read notes:write", "other"] {
        for (hidden, unknown) in hidden.iter().zip(&unknown) {
            let as_hidden =
                |it: String| it.replace("w1pe", "wipe").replace("k1ll", "kill").replace("c0des", "codes");
            let request = String::from_utf8_lossy(&hidden.body).into_owned();
            let (status, headers, body) = said(&archive.send(unknown.clone(), scopes).await);
            let expected = (status, headers, as_hidden(body));
            assert_eq!(said(&archive.send(hidden.clone(), scopes).await), expected, "{scopes} {request}");

            let old = |call: &Call| in_session(Call::post(&String::from_utf8_lossy(&call.body)), &session);
            let (status, headers, body) = said(&archive.send(old(unknown), scopes).await);
            let expected = (status, headers, as_hidden(body));
            assert_eq!(said(&archive.send(old(hidden), scopes).await), expected, "older: {scopes} {request}");
        }
    }
    assert_eq!(archive.work.count(), 0);

    for (method, params) in uses(2) {
        assert_eq!(archive.ask(method, params, "admin").await.code(), 0, "{method}");
    }
}

#[tokio::test]
async fn the_first_template_that_fits_decides_whoever_asks() {
    let resource = |uri: &str| Resource::new(uri, "r", async |_cx, _| Ok("held"));
    let server = Server::new("s", "1")
        .resources(vec![
            resource("a://secret/{name}").scope("admin").hidden(),
            resource("a://shut/{name}").scope("notes:write"),
            resource("a://{+path}"),
        ])
        .clock(Watch::new())
        .auth(jwt());
    let running = start(server).await;
    let read = async |uri: &str, scopes| {
        with(Call::modern("resources/read", json!({"uri": uri})), scopes)
            .send(running.address)
            .await
            .verdict()
    };

    assert_eq!(read("a://open/x", "").await, (200, 0));
    assert_eq!(read("a://secret/x", "").await, (200, -32602));
    assert_eq!(read("a://secret/x", "admin").await, (200, 0));
    assert_eq!(read("a://shut/x", "admin").await, (403, -32600));
    assert_eq!(read("a://shut/x", "notes:write").await, (200, 0));
}

/// What anybody can learn of scopes: from the metadata and from the challenge.
async fn published(archive: &Archive) -> (Value, String) {
    let mut get = Call::post("");
    get.line = format!("GET {WELL_KNOWN} HTTP/1.1");
    get.headers.truncate(1);
    get.with_length = false;
    let metadata = get.send(archive.running.address).await.json();
    let refused = Call::tool("look", &json!({})).send(archive.running.address).await;
    assert_eq!(refused.status, 401);
    (metadata["scopes_supported"].clone(), refused.header("www-authenticate").unwrap().to_owned())
}

#[tokio::test]
async fn the_scopes_that_clients_may_ask_for_are_those_of_what_is_offered_and_not_hidden() {
    let archive = Archive::open(plain_jwt()).await;

    let (metadata, challenge) = published(&archive).await;

    assert_eq!(metadata, json!(["notes:write", "notes:read"]));
    assert_eq!(
        challenge,
        format!("Bearer resource_metadata=\"{METADATA}\", scope=\"notes:write notes:read\"")
    );
}

#[tokio::test]
async fn the_app_may_say_which_scopes_clients_may_ask_for() {
    let archive = Archive::open(plain_jwt().scopes_supported(["notes:read"])).await;
    let (metadata, challenge) = published(&archive).await;
    assert_eq!(metadata, json!(["notes:read"]));
    assert!(challenge.ends_with("scope=\"notes:read\""), "{challenge}");

    let archive = Archive::open(plain_jwt().scopes_supported([""; 0])).await;
    let (metadata, challenge) = published(&archive).await;
    assert_eq!((metadata, challenge.contains("scope=")), (Value::Null, false));
}

#[tokio::test]
async fn no_answer_to_those_who_lack_it_names_a_hidden_scope() {
    let archive = Archive::open(plain_jwt()).await;
    let calls = naming("wipe", "kill", "note://codes", "codes")
        .into_iter()
        .chain(uses(1).into_iter().map(|(method, params)| Call::modern(method, params)))
        .chain(
            ["tools/list", "prompts/list", "resources/list", "server/discover"]
                .map(|it| Call::modern(it, json!({}))),
        );
    for call in calls {
        let answer = archive.send(call, "notes:read").await;
        let (_, headers, body) = said(&answer);
        assert!(!format!("{headers:?}{body}").contains("admin"), "{headers:?} {body}");
    }
}
