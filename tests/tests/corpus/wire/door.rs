//! Host, Origin, path, verb and media types: who comes in, and who does not.

use super::{AMBIGUOUS, INVALID, call};
use crate::corpus::{
    bench::{Bench, Expect},
    fixture::server,
};

const DENIED: Expect = Expect::refused(403, -32600);

// V01, V04; S-041.
#[tokio::test]
async fn a_host_is_this_machine() {
    let mut bench = Bench::new().await;
    let good =
        ["localhost", "LocalHost", "localhost:8000", "127.0.0.1", "127.0.0.1:1", "[::1]", "[::1]:8000"];
    let bad = [
        "evil.example",
        "evil.example:80",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "evil-localhost",
        "localhost.",
        "user@localhost",
        "localhost@evil.example",
        "localhost:80:80",
        "localhost:x",
        "localhost:-1",
        "localhost, evil.example",
        "localhost evil.example",
        "127.1",
        "127.0.0.2",
        "2130706433",
        "0x7f000001",
        "0.0.0.0",
        "0",
        "[::]",
        "[::ffff:127.0.0.1]",
        "[::1%25lo]",
        "::1",
        "[::1",
        "::1]",
        "169.254.169.254",
        "10.0.0.1",
        "xn--localhost-",
        "",
        "/",
        "http://localhost",
        "localhost/",
        "localhost#",
        "localhost?",
    ];

    for host in good {
        bench.call(host, &call().replace("Host", host), Expect::good(1)).await;
    }
    for host in bad {
        bench.call(host, &call().replace("Host", host), DENIED).await;
    }

    bench.finish(41);
}

// V04, V29; S-041.
#[tokio::test]
async fn a_request_has_one_host() {
    let mut bench = Bench::new().await;
    let target = |target: &str, host: &str| {
        let mut call = call().replace("Host", host);
        call.line = format!("POST {target} HTTP/1.1");
        call
    };

    bench.call("none", &call().without("Host"), AMBIGUOUS).await;
    bench.call("two", &call().header("Host: evil.example"), AMBIGUOUS).await;
    bench.call("two, equal", &call().header("Host: localhost"), AMBIGUOUS).await;
    bench.call("two, in another case", &call().header("HOST: localhost"), AMBIGUOUS).await;
    bench.call("no text", &call().replace("Host", b"localhost\x80"), AMBIGUOUS).await;
    bench.call("the same in the target", &target("http://localhost/mcp", "localhost"), Expect::good(1)).await;
    bench.call("in another case", &target("http://LOCALHOST/mcp", "localhost"), Expect::good(1)).await;
    bench.call("another in the target", &target("http://evil.example/mcp", "localhost"), DENIED).await;
    bench.call("another port in the target", &target("http://localhost:1/mcp", "localhost:2"), INVALID).await;
    bench.call("evil in both", &target("http://evil.example/mcp", "evil.example"), DENIED).await;
    bench.call("evil in Host", &target("http://localhost/mcp", "evil.example"), INVALID).await;
    bench
        .call("a user in the target", &target("http://localhost@evil.example/mcp", "localhost"), DENIED)
        .await;

    bench.finish(12);
}

// V01, V03, V05; S-041.
#[tokio::test]
async fn an_origin_is_this_machine() {
    let mut bench = Bench::new().await;
    let good = [
        "http://localhost",
        "https://localhost",
        "http://localhost:3000",
        "http://127.0.0.1",
        "https://127.0.0.1:8443",
        "http://[::1]",
        "http://[::1]:80",
        "http://LOCALHOST",
    ];
    let bad = [
        "http://evil.example",
        "https://evil.example",
        "null",
        "",
        "localhost",
        "//localhost",
        "http:localhost",
        "http://localhost.evil.example",
        "http://localhost@evil.example",
        "http://evil.example/localhost",
        "http://evil.example#localhost",
        "http://localhost/",
        "http://localhost/x",
        "http://localhost.",
        "file://",
        "file://localhost",
        "chrome-extension://localhost",
        "ftp://localhost",
        "data:text/html,x",
        "http://",
        "http://127.0.0.1.evil.example",
        "http://127.1",
        "http://2130706433",
        "http://[::ffff:127.0.0.1]",
        "http://0.0.0.0",
        "http://localhost:x",
        "http://localhost, http://evil.example",
        "javascript:alert(1)",
        "http://localhost http://evil.example",
        "http:// localhost",
    ];

    for origin in good {
        bench.call(origin, &call().replace("Origin", origin), Expect::good(1)).await;
    }
    for origin in bad {
        bench.call(origin, &call().replace("Origin", origin), DENIED).await;
    }
    let two = call().header("Origin: http://localhost").header("Origin: http://evil.example");
    bench.call("two", &two, DENIED).await;
    let same = call().header("Origin: http://localhost").header("Origin: http://localhost");
    bench.call("two, equal", &same, DENIED).await;
    bench.call("no text", &call().replace("Origin", b"http://localhost\xff"), DENIED).await;
    bench.call("hidden", &call().header("Sec-Fetch-Site: cross-site"), DENIED).await;
    bench.call("its own", &call().header("Sec-Fetch-Site: same-origin"), Expect::good(1)).await;

    bench.finish(43);
}

// V02; S-041.
#[tokio::test]
async fn every_path_and_verb_is_behind_the_same_door() {
    let mut bench = Bench::new().await;
    let paths =
        ["/mcp", "/", "/health", "/metrics", "/.well-known/oauth-protected-resource", "/sse", "/mcp/x"];
    let verbs = ["POST", "GET", "DELETE", "PUT", "PATCH", "OPTIONS", "TRACE"];

    for path in paths {
        for verb in verbs {
            let mut evil = call().replace("Host", "evil.example");
            evil.line = format!("{verb} {path} HTTP/1.1");
            bench.call(&format!("{verb} {path}, Host"), &evil, DENIED).await;
            let mut evil = call().header("Origin: http://evil.example");
            evil.line = format!("{verb} {path} HTTP/1.1");
            bench.call(&format!("{verb} {path}, Origin"), &evil, DENIED).await;
        }
    }

    bench.finish(98);
}

// S-040.
#[tokio::test]
async fn one_path_is_served() {
    let mut bench = Bench::new().await;
    let lost = [
        "/",
        "/mcp/",
        "/mcp/x",
        "//mcp",
        "/MCP",
        "/mc%70",
        "/mcp%00",
        "/mcp%2f",
        "/./mcp",
        "/x/../mcp",
        "/mcp;x",
        "/mcp.json",
        "*",
        "/sse",
    ];

    for path in lost {
        let mut call = call();
        call.line = format!("POST {path} HTTP/1.1");
        bench.call(path, &call, Expect::refused(404, -32600)).await;
    }
    for path in ["/mcp?", "/mcp?x=1", "/mcp?Mcp-Name=hold", "/mcp?/../x"] {
        let mut call = call();
        call.line = format!("POST {path} HTTP/1.1");
        bench.call(path, &call, Expect::good(1)).await;
    }

    bench.finish(18);
}

// V06; S-042.
#[tokio::test]
async fn a_request_is_a_post() {
    let (server, runs) = server();
    let mut modern = Bench::of((server.modern_only(), runs)).await;
    let mut both = Bench::new().await;

    for verb in
        ["PUT", "PATCH", "OPTIONS", "TRACE", "post", "Post", "QUERY", "PROPFIND", "X", "GET", "DELETE"]
    {
        let mut call = call();
        call.line = format!("{verb} /mcp HTTP/1.1");
        let answer = modern.call(verb, &call, Expect::refused(405, -32600)).await;
        modern.hold(verb, answer.header("allow") == Some("POST"), "the answer does not say what is allowed");
        both.call(verb, &call, Expect::refused(405, -32600)).await;
        // A legacy client may also open a stream and end its session, once it has one.
        let status = if matches!(verb, "GET" | "DELETE") { 400 } else { 405 };
        let legacy = call.replace("MCP-Protocol-Version", "2025-11-25").without("Mcp-Name");
        both.call(verb, &legacy, Expect::refused(status, -32600)).await;
    }

    modern.finish(11);
    both.finish(22);
}

// V03; S-043.
#[tokio::test]
async fn a_body_is_json_by_its_type() {
    let mut bench = Bench::new().await;
    let good = [
        "application/json",
        "APPLICATION/JSON",
        "application/json; charset=utf-8",
        "application/json;charset=UTF-8",
        "application/json; charset=\"utf-8\"",
        "application/json ; charset=utf-8",
        "application/json;",
        "application/json; boundary=x",
    ];
    let bad = [
        "text/plain",
        "text/plain; charset=utf-8",
        "text/plain; application/json",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/jsonp",
        "application/json-patch+json",
        "application/json5",
        "application/jsonl",
        "application/jsonrequest",
        "application/ld+json",
        "text/json",
        "json",
        "application/",
        "/json",
        "",
        "*/*",
        "application/*",
        "application/json, text/plain",
        "application/json charset=utf-8",
        "application/json; charset=latin1",
        "application/json; charset=utf-16",
        "application /json",
        "\"application/json\"",
    ];

    for media in good {
        bench.call(media, &call().replace("Content-Type", media), Expect::good(1)).await;
    }
    let refused = Expect::refused(415, -32600);
    for media in bad {
        bench.call(media, &call().replace("Content-Type", media), refused).await;
    }
    bench.call("missing", &call().without("Content-Type"), refused).await;
    bench.call("two", &call().header("Content-Type: text/plain"), refused).await;
    bench.call("two, equal", &call().header("Content-Type: application/json"), refused).await;
    bench.call("no text", &call().replace("Content-Type", b"application/json\xff"), refused).await;
    for encoding in ["gzip", "br", "deflate", "zstd", "gzip, identity", "x", ""] {
        let call = call().header(format!("Content-Encoding: {encoding}"));
        bench.call(&format!("encoded as {encoding}"), &call, refused).await;
    }
    bench.call("encoded as itself", &call().header("Content-Encoding: Identity"), Expect::good(1)).await;
    let twice = call().header("Content-Encoding: identity").header("Content-Encoding: gzip");
    bench.call("encoded twice", &twice, refused).await;

    bench.finish(44);
}

// S-044.
#[tokio::test]
async fn a_client_takes_json_and_events() {
    let mut bench = Bench::new().await;
    let good = [
        "application/json, text/event-stream",
        "text/event-stream,application/json",
        "*/*",
        "application/*, text/*",
        "application/json;q=0.5, text/event-stream;q=0.1",
        "TEXT/EVENT-STREAM, APPLICATION/JSON",
        "text/html, application/json, */*;q=0.1",
    ];
    let bad = [
        "application/json",
        "text/event-stream",
        "text/html",
        "",
        "application/*",
        "text/*",
        "application/json, text/html",
        "application/json, text/event-stream;q=0",
        "*/*;q=0",
        "application/jsonx, text/event-stream",
        "application/json; text/event-stream",
    ];

    for accept in good {
        bench.call(accept, &call().replace("Accept", accept), Expect::good(1)).await;
    }
    for accept in bad {
        bench.call(accept, &call().replace("Accept", accept), Expect::refused(406, -32600)).await;
    }
    let two = call().replace("Accept", "application/json").header("Accept: text/event-stream");
    bench.call("on two lines", &two, Expect::good(1)).await;
    bench.call("missing", &call().without("Accept"), Expect::good(1)).await;

    bench.finish(20);
}
