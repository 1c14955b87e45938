//! The head of a request: its first line, its size, and names that only look like ours.

use super::{BROKEN, INVALID, call};
use crate::corpus::bench::{Bench, Expect};
use crate::corpus::fixture::server_with;

const TOO_LARGE: Expect = Expect::refused(431, 0).closes();

// V22, V29.
#[tokio::test]
async fn the_first_line_is_one_of_http() {
    let mut bench = Bench::new().await;
    let lines: [&[u8]; 22] = [
        b"POST /mcp",
        b"POST /mcp HTTP",
        b"POST /mcp HTTP/",
        b"POST /mcp HTTP/1",
        b"POST /mcp HTTP/2.0",
        b"POST /mcp HTTP/1.2",
        b"POST /mcp HTTP/0.9",
        b"POST /mcp http/1.1",
        b"POST /mcp XTTP/1.1",
        b"POST  /mcp HTTP/1.1",
        b"POST /mcp  HTTP/1.1",
        b"POST\t/mcp\tHTTP/1.1",
        b" POST /mcp HTTP/1.1",
        b"POST /m cp HTTP/1.1",
        b"POST HTTP/1.1",
        b"/mcp POST HTTP/1.1",
        b"P(ST /mcp HTTP/1.1",
        b"POST /mcp\0 HTTP/1.1",
        b"POST mcp HTTP/1.1 HTTP/1.1",
        b"PRI * HTTP/2.0",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET",
    ];

    for line in lines {
        let bytes = call().bytes();
        let rest = bytes.iter().position(|it| *it == b'\r').unwrap();
        let bytes = [line, &bytes[rest..]].concat();
        bench.bytes(&line.escape_ascii().to_string(), &bytes, BROKEN).await;
    }

    bench.finish(22);
}

// V29.
#[tokio::test]
async fn old_and_lenient_http_is_read() {
    let mut bench = Bench::new().await;
    let mut old = call();
    old.line = "POST /mcp HTTP/1.0".into();
    let bytes = call().bytes();
    let (head, body) = bytes.split_at(bytes.windows(4).position(|it| it == b"\r\n\r\n").unwrap() + 4);
    let bare: Vec<u8> = head.iter().copied().filter(|it| *it != b'\r').collect();

    bench.call("HTTP/1.0", &old, Expect::good(1).closes()).await;
    bench.call("HTTP/1.0, kept alive", &old.header("Connection: keep-alive"), Expect::good(1)).await;
    bench.call("the last one", &call().header("Connection: close"), Expect::good(1).closes()).await;
    bench.bytes("bare line feeds", &[&bare, body].concat(), Expect::good(1)).await;
    bench.bytes("an empty line before it", &[b"\r\n", bytes.as_slice()].concat(), Expect::good(1)).await;

    bench.finish(5);
}

// V22, V29.
#[tokio::test]
async fn a_header_line_is_a_name_and_a_value() {
    let mut bench = Bench::new().await;
    let lines: [&[u8]; 16] = [
        b"X",
        b"X 1",
        b": 1",
        b"X : 1",
        b"X\t: 1",
        b" X: 1",
        b"X: a\r\n b",
        b"X: a\r\n\tb",
        b"X: a\rb",
        b"X: a\0b",
        b"X: \x7f",
        b"X: \x01",
        b"X(: 1",
        b"\xc3\xa9: 1",
        b"X[]: 1",
        b"\"X\": 1",
    ];

    for line in lines {
        let call = call().header(line);
        bench.call(&line.escape_ascii().to_string(), &call, BROKEN).await;
    }

    bench.finish(16);
}

// V30.
#[tokio::test]
async fn no_header_looks_like_ours_to_a_gateway_that_folds() {
    let mut bench = Bench::new().await;
    let names = [
        "Mcp_Name",
        "mcp_name",
        "MCP_NAME",
        "Mcp_Method",
        "Mcp_Session_Id",
        "Mcp_Session-Id",
        "MCP_Protocol_Version",
        "MCP_Protocol-Version",
        "MCP-Protocol_Version",
        "Mcp-Session_Id",
        "Mcp_Param_Region",
        "Mcp_Param-Region",
        "Mcp-Param_Region",
        "mcp_",
        "mcp_x",
    ];
    let strangers = [
        "X_Mcp_Name",
        "X-Mcp-Name",
        "Content_Length",
        "Transfer_Encoding",
        "Host_",
        "Mcp-Param-my_own",
        "Mcp",
        "Mcp-",
        "Mcp-Names",
        "McpName",
        "Mcp.Name",
        "Forwarded",
        "X-Forwarded-Host",
        "X-Original-URL",
        "X-HTTP-Method-Override",
        "Mcp-Session-Id",
        "Last-Event-ID",
        "Upgrade",
        "Authorization",
        "Cookie",
    ];

    for name in names {
        bench.call(name, &call().header(format!("{name}: evil")), INVALID).await;
    }
    for name in strangers {
        let answer = bench.call(name, &call().header(format!("{name}: evil")), Expect::good(1)).await;
        bench.hold(name, answer.header("mcp-session-id").is_none(), "a session came of it");
    }

    bench.finish(35);
}

// V23, V31.
#[tokio::test]
async fn a_head_is_as_large_as_the_limits_say() {
    let mut bench = Bench::of(server_with(|it| {
        it.head_bytes = 16 * 1024;
        it.header_count = 20;
    }))
    .await;
    let with = |count: usize| {
        let call = call();
        // The length is the last one.
        let more = count - call.headers.len() - 1;
        (0..more).fold(call, |call, at| call.header(format!("X-{at}: 1")))
    };
    let long = |bytes: usize| call().header(format!("X: {}", "x".repeat(bytes)));
    let mut target = call();
    target.line = format!("POST /mcp?{} HTTP/1.1", "x".repeat(40 * 1024));
    let mut name = call();
    name.line = format!("{} /mcp HTTP/1.1", "X".repeat(40 * 1024));

    bench.call("20 headers", &with(20), Expect::good(1)).await;
    bench.call("21 headers", &with(21), TOO_LARGE).await;
    bench.call("200 headers", &with(200), TOO_LARGE).await;
    bench.call("15 KiB", &long(15 * 1024), Expect::good(1)).await;
    bench.call("40 KiB", &long(40 * 1024), TOO_LARGE).await;
    bench.call("a target of 40 KiB", &target, TOO_LARGE).await;
    bench.call("a verb of 40 KiB", &name, TOO_LARGE).await;

    bench.finish(7);
}

// V57.
#[tokio::test]
async fn an_answer_says_nothing_about_who_wrote_the_server() {
    let mut bench = Bench::new().await;
    let lost = {
        let mut call = call();
        call.line = "POST /lost HTTP/1.1".into();
        call
    };
    let rows = [
        ("good", call(), Expect::good(1)),
        ("lost", lost, Expect::refused(404, -32600)),
        ("evil", call().replace("Host", "evil.example"), Expect::refused(403, -32600)),
        ("broken", call().body("{"), Expect::refused(400, -32700)),
    ];

    for (name, call, expect) in rows {
        let answer = bench.call(name, &call, expect).await;
        bench.hold(name, answer.header("server").is_none(), "it names the server");
        bench.hold(name, answer.header("x-powered-by").is_none(), "it names what it is made of");
        bench.hold(name, answer.header("cache-control") == Some("no-store"), "a cache may keep it");
        bench.hold(name, answer.header("x-content-type-options") == Some("nosniff"), "a browser may guess");
    }

    bench.finish(4);
}
