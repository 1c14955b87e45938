//! C6: header values that are encoded, or nearly.

use serde_json::json;
use tollgate_tests::Call;

use super::{
    base64,
    bench::{Bench, Expect},
    fixture::{sentinel, take_with, written},
};

/// The value of the header, the text in the body, and whether they are the same.
type Row<'a> = (&'a str, &'a str, bool);

const ROWS: [Row<'_>; 43] = [
    ("=?base64?SGVsbG8sIOS4lueVjA==?=", "Hello, 世界", true),
    ("=?base64?IHBhZGRlZCA=?=", " padded ", true),
    ("=?base64?bGluZTEKbGluZTI=?=", "line1\nline2", true),
    ("=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=", "=?base64?literal?=", true),
    ("=?base64?dXMtd2VzdDE=?=", "us-west1", true),
    ("=?base64??=", "", true),
    ("=?base64?AA==?=", "\0", true),
    ("=?base64?DQo=?=", "\r\n", true),
    ("=?base64?8J+MjQ==?=", "🌍", true),
    ("=?base64?77u/YQ==?=", "\u{feff}a", true),
    ("", "", true),
    ("us-west1", "us-west1", true),
    ("SGVsbG8=", "SGVsbG8=", true),
    ("=?base64?SGVsbG8=", "=?base64?SGVsbG8=", true),
    ("base64?SGVsbG8=?=", "base64?SGVsbG8=?=", true),
    ("=?BASE64?SGVsbG8=?=", "=?BASE64?SGVsbG8=?=", true),
    ("=?Base64?SGVsbG8=?=", "=?Base64?SGVsbG8=?=", true),
    ("=?utf-8?B?SGVsbG8=?=", "=?utf-8?B?SGVsbG8=?=", true),
    ("x=?base64?SGVsbG8=?=", "x=?base64?SGVsbG8=?=", true),
    ("=?base64?SGVsbG8=?=x", "=?base64?SGVsbG8=?=x", true),
    ("=?BASE64?SGVsbG8=?=", "Hello", false),
    ("=?utf-8?B?SGVsbG8=?=", "Hello", false),
    ("SGVsbG8=", "Hello", false),
    ("=?base64?SGVsbG8?=", "Hello", false),
    ("=?base64?SGVsbG8==?=", "Hello", false),
    ("=?base64?SGVsbG9=?=", "Hello", false),
    ("=?base64?=SGVsbG8=?=", "Hello", false),
    ("=?base64?SGVs bG8=?=", "Hello", false),
    ("=?base64? SGVsbG8=?=", "Hello", false),
    ("=?base64?SGVsbG8= ?=", "Hello", false),
    ("=?base64?SGVs\tbG8=?=", "Hello", false),
    ("=?base64?SGVs!bG8=?=", "Hello", false),
    ("=?base64?SGVs%62G8=?=", "Hello", false),
    ("=?base64?8J-MjQ==?=", "🌍", false),
    ("=?base64?PT9iYXNlNjQ/U0dWc2JHOD0/PQ==?=", "Hello", false),
    ("=?base64?U0dWc2JHOD0=?=", "Hello", false),
    ("=?base64?gA==?=", "\u{80}", false),
    ("=?base64?7aCA?=", "\u{fffd}", false),
    ("=?base64?wK8=?=", "/", false),
    ("=?base64?ZcyB?=", "é", false),
    ("=?base64?w6k=?=", "e\u{301}", false),
    ("=?base64?SGVsbG8A?=", "Hello", false),
    ("=?base64?literal?=", "=?base64?literal?=", false),
];

fn region(header: &str, text: &str) -> Call {
    take_with(&json!({"region": text})).replace("Mcp-Param-Region", header)
}

// V16; S-053, S-054.
#[tokio::test]
async fn an_encoded_value_is_decoded_once_and_strictly() {
    let mut bench = Bench::new().await;

    for (header, text, is_same) in ROWS {
        let expect = if is_same { Expect::good(1) } else { Expect::refused(400, -32020) };
        bench.call(&format!("{header} for {text:?}"), &region(header, text), expect).await;
    }

    bench.finish(43);
}

// V16; S-053.
#[tokio::test]
async fn names_and_uris_may_be_encoded_as_well() {
    let mut bench = Bench::new().await;
    let tool = |header: &str| take_with(&json!({"v": 1})).replace("Mcp-Name", header);
    let item = |header: &str, uri: &str| {
        Call::modern("resources/read", json!({"uri": uri})).replace("Mcp-Name", header)
    };
    let uri = "test://item/a";

    bench.call("a tool", &tool(&sentinel(b"take")), Expect::good(1)).await;
    bench.call("another tool", &tool(&sentinel(b"hold")), Expect::refused(400, -32020)).await;
    bench
        .call("twice encoded", &tool(&sentinel(sentinel(b"take").as_bytes())), Expect::refused(400, -32020))
        .await;
    bench.call("no UTF-8", &tool(&sentinel(b"take\xff")), Expect::refused(400, -32020)).await;
    bench.call("a NUL behind it", &tool(&sentinel(b"take\0")), Expect::refused(400, -32020)).await;
    bench.call("a resource", &item(&sentinel(uri.as_bytes()), uri), Expect::good(1)).await;
    bench
        .call("another resource", &item(&sentinel(b"test://item/b"), uri), Expect::refused(400, -32020))
        .await;
    bench.call("in upper case", &item("TEST://item/a", uri), Expect::refused(400, -32020)).await;
    bench.call("percent-encoded", &item("test://item/%61", uri), Expect::refused(400, -32020)).await;

    bench.finish(9);
}

// V16, V21.
#[tokio::test]
async fn a_header_is_as_long_as_the_limits_say() {
    let mut bench = Bench::new().await;
    let long = |bytes: usize| "w".repeat(bytes);
    let encoded = |bytes: usize| {
        let text = long((bytes - 11) / 4 * 3);
        (format!("=?base64?{}?=", base64::encode(text.as_bytes())), text)
    };
    let uri = |bytes: usize| format!("test://item/{}", long(bytes - 12));

    for (bytes, expect) in [(4_096, Expect::good(1)), (4_097, Expect::refused(400, -32020))] {
        bench.call(&format!("{bytes} bytes"), &region(&long(bytes), &long(bytes)), expect).await;
    }
    let (header, text) = encoded(4_095);
    bench.call("4095 bytes, encoded", &region(&header, &text), Expect::good(1)).await;
    let (header, text) = encoded(4_099);
    bench.call("4099 bytes, encoded", &region(&header, &text), Expect::refused(400, -32020)).await;
    for (bytes, expect) in [(8_192, Expect::good(1)), (8_193, Expect::refused(400, -32020))] {
        let call = Call::modern("resources/read", json!({"uri": uri(bytes)}));
        bench.call(&format!("a URI of {bytes} bytes"), &call, expect).await;
    }
    for (headers, expect) in [(32, Expect::good(1)), (33, Expect::refused(400, -32020))] {
        let call = take_with(&json!({"v": 1}));
        let call = (0..headers).fold(call, |call, at| call.header(format!("Mcp-Param-X{at}: 1")));
        bench.call(&format!("{headers} headers"), &call, expect).await;
    }

    bench.finish(8);
}

// V16; S-053.
#[tokio::test]
async fn what_a_client_writes_is_read_back() {
    let mut bench = Bench::new().await;
    let texts = [
        "a",
        "a b",
        "a  b",
        " a",
        "a ",
        "\ta",
        "a\tb",
        "a\n",
        "\r\nX-Evil: 1",
        "é",
        "日本",
        "🌍",
        "\u{0}",
        "\u{7f}",
        "\u{80}",
        "\u{2028}",
        "\u{202e}",
        "=?base64?",
        "?=",
        "=?base64??=",
        "=?base64?=",
        "=??=",
        "\"",
        "a,b",
        "a;b=c",
        "%20",
        "\\",
        "null",
        "true",
        "1",
    ];

    for text in texts {
        let call = region(&written(text), text);
        bench.call(&format!("{text:?}"), &call, Expect::good(1)).await;
    }

    bench.finish(30);
}
