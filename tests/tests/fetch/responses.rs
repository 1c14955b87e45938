//! A response is taken only if it is exactly what was asked for.

use tollgate::oauth::{ClientDocumentError, ClientDocuments};

use super::{
    kit::{APP, document, documents, id, town},
    page::Page,
    town::Town,
};

fn good() -> Page {
    Page::json(&document(APP))
}

fn raw(text: &str) -> Page {
    Page::raw(text.replace('\n', "\r\n"))
}

/// Everything that is no answer to the question, by name.
fn bad() -> Vec<(&'static str, Page)> {
    let elsewhere = "https://other.example.com/client.json";
    let mut all: Vec<(&'static str, Page)> = [
        "201 Created",
        "202 Accepted",
        "203 Non-Authoritative Information",
        "205 Reset Content",
        "206 Partial Content",
        "400 Bad Request",
        "401 Unauthorized",
        "403 Forbidden",
        "404 Not Found",
        "410 Gone",
        "429 Too Many Requests",
        "500 Internal Server Error",
        "503 Service Unavailable",
        "299 Fine",
        "600 Odd",
    ]
    .map(|status| (status, good().status(status)))
    .to_vec();
    all.extend(
        [
            "300 Multiple Choices",
            "301 Moved Permanently",
            "302 Found",
            "303 See Other",
            "307 Temporary Redirect",
        ]
        .map(|status| (status, good().status(status).field("location", elsewhere))),
    );
    all.extend([
        ("308 to itself", good().status("308 Permanent Redirect").field("location", &id(APP))),
        ("204", good().status("204 No Content").body("")),
        ("304", good().status("304 Not Modified").body("")),
        ("101", raw("HTTP/1.1 101 Switching Protocols\nupgrade: h2c\nconnection: upgrade\n\n")),
    ]);
    let types = [
        "text/html",
        "text/json",
        "text/plain",
        "application/javascript",
        "application/octet-stream",
        "application/jsonp",
        "application/json5",
        "application/jsonl",
        "application/+json",
        "application/a b+json",
        "image/svg+json",
        "json",
        "",
        "application/json, text/html",
        "*/*",
    ];
    all.extend(types.map(|it| (it, good().without("content-type").field("content-type", it))));
    all.extend([
        ("no type", good().without("content-type")),
        ("two types", good().field("content-type", "application/json")),
    ]);
    all.extend(
        ["gzip", "br", "deflate", "zstd", "identity", "x-unknown"]
            .map(|it| (it, good().field("content-encoding", it))),
    );
    all.extend(bodies());
    all.extend([
        ("not HTTP", raw("SSH-2.0-OpenSSH_9.6\n")),
        ("HTTP/2", raw("HTTP/2 200 OK\ncontent-type: application/json\n\n{}")),
        ("nothing", raw("")),
        ("half a head", raw("HTTP/1.1 200 OK\ncontent-type: appl")),
        (
            "less than announced",
            raw("HTTP/1.1 200 OK\ncontent-type: application/json\ncontent-length: 9\n\n{}"),
        ),
        ("two lengths", good().field("content-length", "1")),
        (
            "a bad chunk",
            raw("HTTP/1.1 200 OK\ncontent-type: application/json\ntransfer-encoding: chunked\n\nxyz\n"),
        ),
        ("a long head", good().field("x-long", &"a".repeat(20_000))),
        ("many fields", (0..200).fold(good(), |it, n| it.field(&format!("x-{n}"), "a"))),
    ]);
    all
}

/// Bodies that are not one JSON object with one meaning.
fn bodies() -> Vec<(&'static str, Page)> {
    let text = document(APP).to_string();
    let padded = |length: usize| format!("{text}{}", " ".repeat(length - text.len()));
    let deep = format!("{{\"a\":{}{}}}", "[".repeat(64), "]".repeat(64));
    let mut latin = text.clone().into_bytes();
    let place = text.find("Example").unwrap();
    latin[place] = 0xE9;
    vec![
        ("an empty body", good().body("")),
        ("white space", good().body("  \n")),
        ("a byte order mark", good().body(format!("\u{feff}{text}"))),
        ("an array", good().body(format!("[{text}]"))),
        ("a string", good().body("\"https://app.example.com/client.json\"")),
        ("null", good().body("null")),
        ("two objects", good().body(format!("{text}{text}"))),
        ("a comment", good().body(format!("/* */{text}"))),
        ("a comma too many", good().body(text.replace(']', ",]"))),
        ("single quotes", good().body(text.replace('"', "'"))),
        ("not UTF-8", good().body(latin)),
        ("UTF-16", good().body(text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>())),
        ("equal keys", good().body(text.replacen('{', "{\"client_name\":\"Other\",", 1))),
        ("equal keys, escaped", good().body(text.replacen('{', "{\"client\\u005fid\":\"a\",", 1))),
        ("equal keys deep inside", good().body(text.replacen('{', "{\"a\":[{\"b\":1,\"b\":2}],", 1))),
        ("too deep", good().body(deep)),
        ("half a character", good().body(text.replace("Example", "\\ud800"))),
        ("NaN", good().body(text.replacen('{', "{\"a\":NaN,", 1))),
        ("a huge number", good().body(text.replacen('{', "{\"a\":1e999,", 1))),
        ("5,121 bytes", good().body(padded(5_121))),
        ("5,121 bytes in chunks", Page::raw(chunked(&padded(5_121)))),
        ("HTML", good().body("<!doctype html><title>Sign in</title>")),
    ]
}

fn chunked(body: &str) -> Vec<u8> {
    let mut text = String::from(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n",
    );
    for chunk in body.as_bytes().chunks(100) {
        text += &format!("{:x}\r\n{}\r\n", chunk.len(), String::from_utf8_lossy(chunk));
    }
    (text + "0\r\n\r\n").into_bytes()
}

async fn get(page: Page) -> (Town, ClientDocuments, Result<(), ClientDocumentError>) {
    let town = town();
    town.page(APP, page);
    let documents = documents(&town);
    let fetched = documents.get(&id(APP)).await.map(|_| ());
    (town, documents, fetched)
}

#[tokio::test(start_paused = true)]
async fn what_is_no_plain_answer_is_refused_with_one_text_and_not_kept() {
    let all = bad();
    assert!(all.len() >= 70, "{}", all.len());
    for (name, page) in all {
        let (town, documents, refused) = get(page).await;
        let refused = refused.expect_err(name);

        assert_eq!(refused, ClientDocumentError::NotFetched, "{name}");
        assert_eq!(refused.to_string(), "the client document could not be fetched");
        assert_eq!(refused.code(), "invalid_client");
        assert_eq!(town.looked_up(), ["app.example.com"], "{name}: one host is looked up, once");
        assert_eq!(town.requests().len(), 1, "{name}: nothing is followed, nothing is repeated");
        town.page(APP, good());
        tokio::time::advance(std::time::Duration::from_secs(5)).await;
        documents.get(&id(APP)).await.expect(name);
    }
}

#[tokio::test(start_paused = true)]
async fn an_endless_body_is_left_at_the_byte_that_is_too_many() {
    let started = tokio::time::Instant::now();
    let (_, _, endless) = get(good().body(" ".repeat(1_000)).endless()).await;

    assert_eq!(endless, Err(ClientDocumentError::NotFetched));
    assert_eq!(started.elapsed(), std::time::Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn a_plain_answer_is_taken() {
    let text = document(APP).to_string();
    let full = format!("{text}{}", " ".repeat(5_120 - text.len()));
    let typed = |it: &str| good().without("content-type").field("content-type", it);
    let pages = [
        good(),
        typed("application/json; charset=utf-8"),
        typed("Application/JSON"),
        typed("application/client-metadata+json"),
        typed("application/vnd.example.client+json;v=1"),
        good().body(full.clone()),
        Page::raw(chunked(&full)),
        raw(&format!("HTTP/1.1 200 OK\ncontent-type: application/json\n\n{text}")),
        raw(&format!("HTTP/1.0 200 OK\ncontent-type: application/json\n\n{text}")),
        raw(&format!(
            "HTTP/1.1 103 Early Hints\nlink: </a>\n\nHTTP/1.1 200 OK\ncontent-type: application/json\n\n{text}"
        )),
    ];
    for (place, page) in pages.into_iter().enumerate() {
        assert_eq!(get(page).await.2, Ok(()), "page {place}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_request_says_what_is_wanted_and_nothing_about_who_asks() {
    let (town, ..) = get(good().field("set-cookie", "a=b")).await;

    let request = &town.requests()[0];

    let mut lines: Vec<_> = request.trim_end().split("\r\n").collect();
    lines[1..].sort_unstable();
    let expected = [
        "GET /client.json HTTP/1.1",
        "accept-encoding: identity",
        "accept: application/json",
        "connection: close",
        "host: app.example.com",
        "user-agent: tollgate",
    ];
    assert_eq!(lines, expected);
}

#[tokio::test(start_paused = true)]
async fn no_cookie_comes_back() {
    let (town, documents, fetched) =
        get(good().field("set-cookie", "a=b").field("cache-control", "no-store")).await;
    fetched.unwrap();

    documents.get(&id(APP)).await.unwrap();

    assert_eq!(town.requests().len(), 2);
    assert!(!town.requests()[1].contains("cookie"));
}
