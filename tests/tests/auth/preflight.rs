//! The question whether tools are ready, by HTTP on a server that asks for tokens.

use serde_json::{Map, Value, json};
use tollgate::{
    Tool,
    ready::{EXTENSION, OperatorKey},
};
use tollgate_tests::{Answer, Call, Running, raw, start};

use super::{
    desk::{INVALID, Runs, Watch, jwt, server},
    mint::Token,
};

const API: &str = "/api/v1/preflight";
const KEY: &str = "0123456789abcdef0123456789abcdef";

async fn desk() -> Running {
    let wide = |name: &str| {
        Tool::new(name, "Is there.", json!({"type": "object"}), async |_, _: Map<String, Value>| Ok("ok"))
            .scope("notes:write")
    };
    let server = server(jwt(), &Watch::new(), &Runs::default())
        .tools(vec![wide("write"), wide("secret").hidden()])
        .preflight_api(API)
        .operator(OperatorKey::new(KEY).unwrap());
    start(server).await
}

async fn ask(running: &Running, headers: &[String]) -> Answer {
    let question = json!({"tools": [{"id": "whoami"}, {"id": "write"}, {"id": "secret"}, {"id": "none"}]});
    let mut call = Call::post(&question.to_string());
    call.line = format!("POST {API} HTTP/1.1");
    headers.iter().fold(call, |call, it| call.header(it)).send(running.address).await
}

fn bearer(token: &str) -> String {
    format!("Authorization: Bearer {token}")
}

fn reasons(tools: &Value) -> Vec<Value> {
    tools.as_array().unwrap().iter().map(|it| it.get("reason").cloned().unwrap_or_default()).collect()
}

#[tokio::test]
async fn who_brings_no_good_token_is_told_where_to_get_one() {
    let running = desk().await;
    let nobody = ask(&running, &[]).await;
    let stranger = ask(&running, &[bearer("a.b.c")]).await;

    assert_eq!(nobody.status, 401);
    assert!(nobody.header("www-authenticate").unwrap().starts_with("Bearer resource_metadata="));
    assert_eq!((stranger.status, stranger.header("www-authenticate")), (401, Some(INVALID)));
    for answer in [nobody, stranger] {
        assert_eq!(answer.json()["success"], false);
    }
    let twice = ask(&running, &[bearer(&Token::good().text()), bearer(KEY)]).await;
    assert_eq!(twice.status, 400);
}

#[tokio::test]
async fn a_caller_is_told_of_what_its_token_lets_it_use() {
    let running = desk().await;
    let mut wide = Token::good();
    wide.claims["scope"] = "notes:read notes:write".into();

    let narrow = ask(&running, &[bearer(&Token::good().text())]).await.json();
    let wide = ask(&running, &[bearer(&wide.text())]).await.json();

    let not_found = json!("not_found");
    assert_eq!(
        reasons(&narrow["data"]["tools"]),
        [Value::Null, not_found.clone(), not_found.clone(), not_found.clone()]
    );
    assert_eq!(reasons(&wide["data"]["tools"]), [Value::Null, Value::Null, Value::Null, not_found]);
    assert!(narrow["data"]["tools"][0].get("hash").is_none());
}

#[tokio::test]
async fn what_a_token_says_of_its_holder_makes_no_operator_and_the_key_does() {
    let running = desk().await;
    let mut admin = Token::good();
    admin.claims["scope"] = "admin operator notes:read".into();
    admin.claims["roles"] = json!(["admin"]);

    let admin = ask(&running, &[bearer(&admin.text())]).await.json();
    let operator = ask(&running, &[bearer(KEY)]).await.json();

    assert!(admin["data"]["tools"][0].get("hash").is_none());
    assert!(operator["data"]["tools"][0]["hash"].as_str().unwrap().starts_with("sha256/v1:"));
    assert_eq!(operator["data"]["tools"][2]["status"], "ready");
}

#[tokio::test]
async fn the_key_of_operators_opens_nothing_else() {
    let running = desk().await;
    let mut meta = raw::meta();
    meta["io.modelcontextprotocol/clientCapabilities"] = json!({"extensions": {EXTENSION: {}}});
    meta[EXTENSION] = json!({"tools": [{"id": "whoami"}]});

    let call = Call::modern("tools/list", json!({"_meta": meta})).header(bearer(KEY));

    assert_eq!(call.send(running.address).await.status, 401);
}
