//! The headers repeat the body (basic/transports/streamable-http#server-validation).

use serde_json::{Value, json};
use tollgate_tests::{Call, start};

use super::{
    house::{legacy, server, session},
    refusals,
};

fn echo() -> Call {
    Call::tool("echo", &json!({"text": "hi"}))
}

fn place(arguments: Value) -> Call {
    Call::tool("place", &arguments)
}

// --- the version ---

// S-081.
#[tokio::test]
async fn the_version_of_the_header_is_that_of_the_body() {
    let running = start(server()).await;

    for version in ["2025-11-25", "2025-03-26", "2199-01-01", "2026-07-29", ""] {
        let answer = echo().replace("MCP-Protocol-Version", version).send(running.address).await;
        assert_eq!(answer.verdict(), (400, -32020), "{version}");
    }
}

// S-083.
#[tokio::test]
async fn a_request_without_a_version_header_is_refused_by_a_modern_only_server() {
    let running = start(server().modern_only()).await;
    let bare = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).to_string();

    let with_metadata = echo().without("MCP-Protocol-Version").send(running.address).await;
    let without = Call::post(&bare).send(running.address).await;

    assert_eq!([with_metadata.verdict(), without.verdict()], [(400, -32020); 2]);
}

// S-083.
#[tokio::test]
async fn a_legacy_request_without_a_version_header_is_one_of_2025_03_26() {
    let running = start(server()).await;
    let params = json!({"name": "weather", "arguments": {}});
    let session = session(running.address, &json!({})).await;

    let undated = legacy(&session, "tools/call", &params).without("MCP-Protocol-Version");
    let undated = undated.without("Mcp-Session-Id").send(running.address).await.result();
    let dated = legacy(&session, "tools/call", &params).send(running.address).await.result();

    // Structured output came with 2025-06-18.
    assert_eq!(undated["content"], dated["content"]);
    assert_eq!(
        (undated.get("structuredContent"), &dated["structuredContent"]),
        (None, &json!({"degrees": 21}))
    );
}

// --- the method and the name ---

// S-084.
#[tokio::test]
async fn every_request_needs_its_method_header_and_three_need_the_name() {
    let running = start(server()).await;

    for call in super::house::every_request() {
        let has_name = call.headers.iter().any(|it| it.starts_with(b"Mcp-Name"));
        let answers = [
            call.clone().without("Mcp-Method").send(running.address).await,
            call.without("Mcp-Name").send(running.address).await,
        ];
        assert_eq!(answers[0].verdict(), (400, -32020));
        assert_eq!(answers[1].verdict(), if has_name { (400, -32020) } else { (200, 0) });
    }
}

// S-085, S-088, S-093.
#[tokio::test]
async fn every_header_that_differs_from_the_body_is_a_bad_request() {
    let running = start(refusals::strict_server()).await;
    let session = session(running.address, &json!({})).await;
    let cases: Vec<_> = refusals::all(&session).into_iter().filter(|it| it.verdict.1 == -32020).collect();

    for case in &cases {
        let answer = case.call.send(running.address).await;
        assert_eq!(answer.verdict(), (400, -32020), "{}", case.what);
        assert!(answer.json()["error"]["message"].as_str().unwrap().starts_with("Header mismatch"));
    }
    assert!(cases.len() > 20);
}

// S-085.
#[tokio::test]
async fn a_header_is_judged_before_what_it_names_is_looked_for() {
    let running = start(server()).await;

    let answer = Call::tool("nothing", &json!({})).replace("Mcp-Name", "echo").send(running.address).await;

    assert_eq!(answer.verdict(), (400, -32020));
}

// S-085, S-055.
#[tokio::test]
async fn a_legacy_client_may_leave_them_out_and_may_not_lie_in_them() {
    let running = start(server()).await;
    let session = session(running.address, &json!({})).await;
    let call = || legacy(&session, "tools/call", &json!({"name": "echo", "arguments": {"text": "hi"}}));

    let without = call().send(running.address).await;
    let method = call().header("Mcp-Method: tools/list").send(running.address).await;
    let name = call().header("Mcp-Name: weather").send(running.address).await;

    assert_eq!([without, method, name].map(|it| it.verdict()), [(200, 0), (400, -32020), (400, -32020)]);
}

// S-086.
#[tokio::test]
async fn an_encoded_name_is_decoded_before_it_is_compared() {
    let running = start(server()).await;
    let named = |name: &str| echo().replace("Mcp-Name", name);
    let uri = "test://notes/\u{4e16}\u{754c}";
    let read = |name: &str| Call::modern("resources/read", json!({"uri": uri})).replace("Mcp-Name", name);

    assert_eq!(named("=?base64?ZWNobw==?=").send(running.address).await.status, 200);
    assert_ne!(read("=?base64?dGVzdDovL25vdGVzL+S4lueVjA==?=").send(running.address).await.code(), -32020);
    assert_eq!(
        read("=?base64?dGVzdDovL25vdGVzL+S4lueVjg==?=").send(running.address).await.verdict(),
        (400, -32020)
    );
    for other in ["=?base64?d2VhdGhlcg==?=", "=?BASE64?ZWNobw==?=", "=?Base64?ZWNobw==?=", "ZWNobw=="] {
        assert_eq!(named(other).send(running.address).await.verdict(), (400, -32020), "{other}");
    }
}

// S-092.
#[tokio::test]
async fn the_names_of_headers_have_no_case_and_their_values_do() {
    let running = start(server()).await;
    let shout =
        |name: &str, value: &str| echo().without(name).header(format!("{}: {value}", name.to_uppercase()));

    let names = [
        shout("MCP-Protocol-Version", "2026-07-28"),
        shout("Mcp-Method", "tools/call"),
        shout("Mcp-Name", "echo"),
        place(json!({"region": "eu"})).header("mCP-pARAM-rEGION: eu"),
    ];
    let values = [
        shout("Mcp-Method", "Tools/Call"),
        shout("Mcp-Name", "Echo"),
        place(json!({"region": "eu"})).header("Mcp-Param-Region: Eu"),
        place(json!({"dry": true})).header("Mcp-Param-Dry: True"),
    ];

    for call in names {
        assert_eq!(call.send(running.address).await.status, 200);
    }
    for call in values {
        assert_eq!(call.send(running.address).await.verdict(), (400, -32020));
    }
}

// --- arguments ---

// S-086, S-088.
#[tokio::test]
async fn an_argument_is_compared_with_its_header_as_it_was_meant() {
    let running = start(server()).await;
    let table = [
        (json!({"region": "eu-west 1"}), "Mcp-Param-Region: eu-west 1"),
        (json!({"region": "Hello, \u{4e16}\u{754c}"}), "Mcp-Param-Region: =?base64?SGVsbG8sIOS4lueVjA==?="),
        (json!({"region": " padded "}), "Mcp-Param-Region: =?base64?IHBhZGRlZCA=?="),
        (json!({"region": "line1\nline2"}), "Mcp-Param-Region: =?base64?bGluZTEKbGluZTI=?="),
        (json!({"region": "=?base64?literal?="}), "Mcp-Param-Region: =?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="),
        (json!({"region": ""}), "Mcp-Param-Region: "),
        (json!({"count": -7}), "Mcp-Param-Count: -7"),
        (json!({"dry": false}), "Mcp-Param-Dry: false"),
    ];

    for (arguments, header) in table {
        let answer = place(arguments).header(header).send(running.address).await;
        assert_eq!(answer.verdict(), (200, 0), "{header}");
        assert_ne!(answer.result()["isError"], true, "{header}");
    }
}

// S-087.
#[tokio::test]
async fn a_header_with_characters_that_it_may_not_hold_is_refused() {
    let running = start(server()).await;
    let values: [&[u8]; 6] = [
        b"caf\xc3\xa9",
        b"\xff",
        b"=?base64?SGVs!!!bG8=?=",
        b"=?base64?SGVsbG8?=",
        b"=?base64?/w==?=",
        b"=?base64?SGVs bG8=?=",
    ];

    for value in values {
        let header = [b"Mcp-Param-Region: ", value].concat();
        let answer = place(json!({"region": "Hello"})).header(&header).send(running.address).await;
        assert_eq!(answer.verdict(), (400, -32020), "{}", String::from_utf8_lossy(&header));
    }
}

// S-089.
#[tokio::test]
async fn an_argument_needs_its_header() {
    let running = start(server()).await;

    for arguments in
        [json!({"region": "eu"}), json!({"region": ""}), json!({"count": 0}), json!({"dry": false})]
    {
        let answer = place(arguments.clone()).send(running.address).await;
        assert_eq!(answer.verdict(), (400, -32020), "{arguments}");
    }
}

// S-090.
#[tokio::test]
async fn an_argument_that_is_null_or_absent_needs_no_header() {
    let running = start(server()).await;

    for arguments in [json!({}), json!({"region": null}), json!({"region": null, "count": null, "dry": null})]
    {
        let answer = place(arguments).send(running.address).await;
        assert_eq!(answer.result()["content"][0]["text"], "None None None");
    }
}

// S-091.
#[tokio::test]
async fn integers_are_compared_as_numbers() {
    let running = start(server()).await;
    let same = [("42", "42"), ("42", "42.0"), ("42.0", "42"), ("-7", "-7.00"), ("0", "-0")];
    let different = [("42", "42.5"), ("42", "0x2a"), ("42", "4 2"), ("1", "true"), ("1", "inf"), ("1", "")];
    let send = |body: &str, header: &str| {
        let arguments = serde_json::from_str(&format!(r#"{{"count": {body}}}"#)).unwrap();
        let call: Call = place(arguments).header(format!("Mcp-Param-Count: {header}"));
        async move { call.send(running.address).await.verdict() }
    };

    for (body, header) in same {
        assert_eq!(send(body, header).await, (200, 0), "{body} {header}");
    }
    for (body, header) in different {
        assert_eq!(send(body, header).await, (400, -32020), "{body} {header}");
    }
}

// S-088, S-091.
#[tokio::test]
async fn large_integers_that_differ_are_not_taken_for_one() {
    let running = start(server()).await;
    let call = |header: &str| {
        place(json!({"count": 9_007_199_254_740_993_i64})).header(format!("Mcp-Param-Count: {header}"))
    };

    let same = call("9007199254740993").send(running.address).await;
    let other = call("9007199254740992").send(running.address).await;

    assert_eq!([same.verdict(), other.verdict()], [(200, 0), (400, -32020)]);
}

// S-094.
#[tokio::test]
async fn a_header_that_no_argument_wants_is_passed_over() {
    let running = start(server()).await;

    let unknown = place(json!({})).header("Mcp-Param-Unknown: =?base64?!?=").send(running.address).await;
    let elsewhere = echo().header("Mcp-Param-Region: eu").send(running.address).await;

    assert_eq!([unknown.status, elsewhere.status], [200, 200]);
}
