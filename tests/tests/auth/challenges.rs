//! Who comes without a token, or with too many, is told how to come.

use serde_json::json;
use tollgate_tests::{Call, Connection};

use super::{
    desk::{Desk, METADATA, NO, call, jwt, plain},
    mint::Token,
};

const SCOPES: &str = "scope=\"notes:read notes:write\"";

// S-223, S-224, S-232.
#[tokio::test]
async fn who_brings_no_token_is_told_where_to_get_one_and_of_no_error() {
    let desk = Desk::open(jwt()).await;
    let token = Token::good().text();
    for (what, call) in [
        ("nothing", plain()),
        ("another scheme", plain().header("Authorization: Basic YW5uOnNlY3JldA==")),
        ("the token without a scheme", plain().header(format!("Authorization: {token}"))),
        ("a scheme that only starts alike", plain().header(format!("Authorization: Bearers {token}"))),
        ("a proof of possession", plain().header(format!("Authorization: DPoP {token}"))),
        ("an empty field", plain().header("Authorization: ")),
        ("another header", plain().header(format!("X-Authorization: Bearer {token}"))),
        ("a cookie", plain().header(format!("Cookie: access_token={token}"))),
    ] {
        let answer = desk.send(call).await;
        assert_eq!(answer.verdict(), (401, -32600), "{what}");
        let expected = format!("Bearer resource_metadata=\"{METADATA}\", {SCOPES}");
        assert_eq!(answer.header("www-authenticate"), Some(expected.as_str()), "{what}");
        desk.accepts(what, &token).await;
    }
    assert_eq!(desk.runs(), 8);
}

// S-230, S-232.
#[tokio::test]
async fn a_token_comes_once_and_in_one_way() {
    let desk = Desk::open(jwt()).await;
    let token = Token::good().text();
    let at = |query: &str| {
        let mut call = call(&token);
        call.line = format!("POST /mcp?{query} HTTP/1.1");
        call
    };
    let only_at = |query: &str| at(query).without("Authorization");
    for (what, call) in [
        ("two fields", call(&token).header(format!("Authorization: Bearer {token}"))),
        ("two fields of two schemes", call(&token).header("Authorization: Basic YW5uOnNlY3JldA==")),
        ("nothing behind the scheme", plain().header("Authorization: Bearer")),
        ("blanks behind the scheme", plain().header("Authorization: Bearer   ")),
        ("two tokens", plain().header(format!("Authorization: Bearer {token} {token}"))),
        ("two tokens and a comma", plain().header(format!("Authorization: Bearer {token}, Bearer {token}"))),
        ("letters of no header", plain().header(b"Authorization: Bearer t\xc3\xb6ken")),
        ("in the query", only_at(&format!("access_token={token}"))),
        ("in the query, among others", only_at(&format!("a=b&access_token={token}"))),
        ("in the query, spelt differently", only_at(&format!("%61ccess%5Ftoken={token}"))),
        ("in the query, in capitals", only_at(&format!("Access_Token={token}"))),
        ("in the query and in the header", at(&format!("access_token={token}"))),
        ("the name of it in the query", at("access_token")),
    ] {
        let answer = desk.send(call).await;
        assert_eq!(answer.verdict(), (400, -32600), "{what}");
        let challenge = answer.header("www-authenticate").unwrap();
        assert!(challenge.starts_with("Bearer error=\"invalid_request\", "), "{what}: {challenge}");
        assert!(
            challenge.ends_with(&format!("resource_metadata=\"{METADATA}\", {SCOPES}")),
            "{what}: {challenge}"
        );
        desk.accepts(what, &token).await;
    }
    assert_eq!(desk.runs(), 13);

    assert_eq!(desk.send(at("a=b&token=c")).await.status, 200);
}

#[tokio::test]
async fn a_token_in_a_form_is_no_token() {
    let desk = Desk::open(jwt()).await;
    let form = plain()
        .replace("Content-Type", "application/x-www-form-urlencoded")
        .body(format!("access_token={}", Token::good().text()));

    assert_eq!(desk.send(form).await.status, 415);
    assert_eq!(desk.runs(), 0);
}

#[tokio::test]
async fn the_scheme_may_be_written_in_any_case() {
    let desk = Desk::open(jwt()).await;
    let token = Token::good().text();

    for field in [format!("bearer {token}"), format!("BEARER {token}"), format!("Bearer   {token}")] {
        assert_eq!(desk.send(plain().header(format!("Authorization: {field}"))).await.status, 200, "{field}");
    }
}

// S-225.
#[tokio::test]
async fn nothing_of_a_body_is_read_before_the_caller_is_known() {
    let desk = Desk::open(jwt()).await;
    for (what, call) in [("no token", plain()), ("a bad one", call(&Token::good().by_them().text()))] {
        let mut head = call.bytes();
        head.truncate(head.len() - call.body.len());
        let mut connection = Connection::open(desk.running.address).await;

        connection.send(&head).await;

        assert_eq!(connection.answer().await.status, 401, "{what}");
    }
    for body in ["", "no JSON", "[]", "{\"jsonrpc\":\"2.0\",\"jsonrpc\":\"2.0\"}"] {
        assert_eq!(desk.send(plain().body(body)).await.status, 401, "{body}");
    }
    assert_eq!(desk.send(plain().replace("Mcp-Name", "other")).await.status, 401);
    assert_eq!(desk.send(plain().replace("MCP-Protocol-Version", "1999-01-01")).await.status, 401);
}

#[tokio::test]
async fn a_stranger_at_the_door_is_refused_before_anybody_asks_for_a_token() {
    let desk = Desk::open(jwt()).await;

    for (call, expected) in [
        (plain().replace("Host", "evil.example"), 403),
        (plain().header("Origin: https://evil.example"), 403),
        (plain().replace("Content-Type", "text/plain"), 415),
        (plain().replace("Accept", "text/html"), 406),
    ] {
        let answer = desk.send(call).await;
        assert_eq!((answer.status, answer.header("www-authenticate")), (expected, None));
    }
}

// S-225.
#[tokio::test]
async fn every_verb_and_every_method_needs_a_token() {
    let desk = Desk::open(jwt()).await;
    for verb in ["GET", "DELETE"] {
        let mut call = plain();
        call.line = format!("{verb} /mcp HTTP/1.1");
        assert_eq!(desk.send(call).await.status, 401, "{verb}");
    }
    for method in ["server/discover", "tools/list", "prompts/list", "subscriptions/listen", "nonsense"] {
        let answer = desk.send(Call::modern(method, json!({}))).await;
        assert_eq!(answer.status, 401, "{method}");
    }
    for method in ["initialize", "ping"] {
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": {}});
        assert_eq!(desk.send(Call::post(&body.to_string())).await.status, 401, "{method}");
    }
    let notification = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    assert_eq!(desk.send(Call::post(&notification.to_string())).await.status, 401);
}

#[tokio::test]
async fn one_connection_carries_tokens_of_any_kind_one_after_the_other() {
    let desk = Desk::open(jwt()).await;
    let mut connection = Connection::open(desk.running.address).await;
    let (good, bad) = (Token::good().text(), Token::good().by_them().text());
    let mut statuses = Vec::new();
    for call in [plain(), call(&good), call(&bad), plain(), call(&good)] {
        connection.send(&call.bytes()).await;
        statuses.push(connection.answer().await.status);
    }

    assert_eq!(statuses, [401, 200, 401, 401, 200]);
}

// S-227, S-232.
#[tokio::test]
async fn all_bad_tokens_are_one_answer() {
    let desk = Desk::open(jwt()).await;
    let mut seen = std::collections::HashSet::new();
    for token in [
        Token::good().by_them().text(),
        Token::good().claim("exp", 1).text(),
        Token::good().claim("aud", "x").text(),
        Token::good().header("kid", "x").text(),
        "x".into(),
    ] {
        let answer = desk.show(&token).await;
        let headers: Vec<_> = answer.headers.into_iter().filter(|it| it.0 != "date").collect();
        seen.insert((answer.status, headers, answer.body));
    }

    assert_eq!(seen.len(), 1);
    assert_eq!(String::from_utf8_lossy(&seen.into_iter().next().unwrap().2), NO);
}
