//! C17: texts that parsers, terminals and people read differently.

use serde_json::{Value, json};
use tollgate_tests::Call;

use super::{
    bench::{Bench, Expect},
    fixture::{sentinel, take_with, written},
};

/// Texts that are allowed, and must come back as they went in.
const TEXTS: [&str; 52] = [
    "",
    " ",
    "\u{0}",
    "a\u{0}b",
    "\u{1}",
    "\u{7}",
    "\u{8}",
    "\t",
    "\n",
    "\r",
    "\r\n",
    "\u{b}",
    "\u{c}",
    "\u{1b}[2J",
    "\u{1b}]0;x\u{7}",
    "\u{7f}",
    "\u{80}",
    "\u{85}",
    "\u{9b}31m",
    "\u{a0}",
    "\u{ad}",
    "é",
    "e\u{301}",
    "\u{212b}",
    "\u{c5}",
    "A\u{30a}",
    "ﬁ",
    "ſ",
    "K",
    "İ",
    "ß",
    "\u{200b}",
    "\u{200d}",
    "\u{200e}",
    "\u{202a}\u{202e}evil\u{202c}",
    "\u{2066}x\u{2069}",
    "\u{2028}",
    "\u{2029}",
    "\u{2060}",
    "\u{feff}",
    "\u{fffd}",
    "\u{fffe}",
    "\u{ffff}",
    "\u{fdd0}",
    "\u{10ffff}",
    "\u{1f30d}",
    "👩‍👩‍👧‍👦",
    "\u{e0041}\u{e0042}",
    "\u{e0001}",
    "z\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}",
    "\u{ff41}\u{ff42}",
    "data: {}\n\nevent: x\n\n",
];

// V22; S-051.
#[tokio::test]
async fn a_text_comes_back_as_it_went_in() {
    let mut bench = Bench::new().await;

    for text in TEXTS {
        let answer = bench.call(&format!("{text:?}"), &take_with(&json!({"v": text})), Expect::good(1)).await;
        let said: Value =
            serde_json::from_str(answer.result()["content"][0]["text"].as_str().unwrap_or_default())
                .unwrap_or_default();
        bench.hold(&format!("{text:?}"), said["v"] == text, &format!("came back as {said}"));
        let is_clean = answer.body.iter().all(|it| *it >= b' ');
        bench.hold(&format!("{text:?}"), is_clean, "a control character travels bare");
    }

    bench.finish(52);
}

// V16; S-053.
#[tokio::test]
async fn a_text_in_a_header_is_the_same_text() {
    let mut bench = Bench::new().await;

    for text in TEXTS {
        let call = take_with(&json!({"region": text}));
        bench.call(&format!("{text:?}"), &call, Expect::good(1)).await;
        for other in
            [format!("{text} "), format!("{text}\u{0}"), format!("\u{feff}{text}"), text.repeat(2) + "x"]
        {
            let call = call.clone().replace("Mcp-Param-Region", sentinel(other.as_bytes()));
            bench.call(&format!("{other:?} for {text:?}"), &call, Expect::refused(400, -32020)).await;
        }
    }

    bench.finish(260);
}

/// Pairs that look the same, or are for somebody.
const PAIRS: [(&str, &str); 16] = [
    ("é", "e\u{301}"),
    ("\u{c5}", "A\u{30a}"),
    ("\u{212b}", "\u{c5}"),
    ("ﬁ", "fi"),
    ("ß", "ss"),
    ("İ", "i"),
    ("K", "\u{212a}"),
    ("s", "ſ"),
    ("a", "\u{430}"),
    ("a", "\u{ff41}"),
    ("a", "a\u{200b}"),
    ("a", "\u{feff}a"),
    ("a", "A"),
    ("1", "\u{661}"),
    ("-", "\u{2010}"),
    ("a", "a\u{e0061}"),
];

// V17; S-053.
#[tokio::test]
async fn texts_that_only_look_the_same_differ() {
    let mut bench = Bench::new().await;

    for (one, other) in PAIRS {
        for (header, body) in [(one, other), (other, one)] {
            let call = take_with(&json!({"region": body})).replace("Mcp-Param-Region", written(header));
            bench.call(&format!("{header:?} for {body:?}"), &call, Expect::refused(400, -32020)).await;
        }
        // Both as keys of one object: they are two keys.
        let both = json!({"v": {one: 1, other: 2}});
        let answer = bench.call(&format!("{one:?} and {other:?}"), &take_with(&both), Expect::good(1)).await;
        let said = answer.result()["content"][0]["text"].clone();
        bench.hold(one, said.as_str() == Some(&both.to_string()), &format!("came back as {said}"));
    }

    bench.finish(48);
}

/// JSON texts whose escapes stand for no text, and bytes that are none.
const BROKEN: [&[u8]; 24] = [
    b"\"\\ud800\"",
    b"\"\\udfff\"",
    b"\"\\udc00\\ud800\"",
    b"\"\\ud800\\u0041\"",
    b"\"\\ud800\\ud800\"",
    b"\"a\\ud83d\"",
    b"\"\\u00\"",
    b"\"\\u\"",
    b"\"\\uD83D\\uD\"",
    b"\"\xc0\x80\"",
    b"\"\xc1\xbf\"",
    b"\"\xe0\x9f\xbf\"",
    b"\"\xf0\x8f\xbf\xbf\"",
    b"\"\xed\xa0\x80\"",
    b"\"\xed\xbf\xbf\"",
    b"\"\xf4\x90\x80\x80\"",
    b"\"\xf5\x80\x80\x80\"",
    b"\"\xfe\"",
    b"\"\xff\xfe\"",
    b"\"\x80\"",
    b"\"\xbf\"",
    b"\"\xc3\"",
    b"\"\xe2\x82\"",
    b"\"\xf0\x9f\x98\"",
];

/// Where a text can stand in a call.
const PLACES: [&str; 6] = [
    "\"v\":",
    "\"name\":",
    "\"method\":",
    "\"id\":",
    "\"io.modelcontextprotocol/protocolVersion\":",
    "\"io.modelcontextprotocol/clientInfo\":",
];

// V22; S-051.
#[tokio::test]
async fn what_is_no_text_is_refused_wherever_it_stands() {
    let mut bench = Bench::new().await;
    let body = |call: &Call| String::from_utf8(call.body.clone()).unwrap();

    for broken in BROKEN {
        for place in PLACES {
            let call = take_with(&json!({"v": 1}));
            let text = body(&call);
            // The value moves under a key that nobody knows, and the broken text takes its place.
            let at = text.find(place).unwrap() + place.len();
            let bytes = [&text.as_bytes()[..at], broken, b",\"moved\":", &text.as_bytes()[at..]].concat();
            let name = format!("{} at {place}", broken.escape_ascii());
            bench.call(&name, &call.body(bytes), Expect::refused(400, -32700)).await;
        }
    }

    bench.finish(144);
}

// V17; S-071.
#[tokio::test]
async fn a_uri_is_decoded_once_for_the_resource_and_never_for_the_look_up() {
    let mut bench = Bench::new().await;
    let rows = [
        ("a", Some("a")),
        ("%61", Some("a")),
        ("%2561", Some("%61")),
        ("%C3%A9", Some("é")),
        ("%F0%9F%8C%8D", Some("\u{1f30d}")),
        ("a+b", Some("a+b")),
        ("a%20b", Some("a b")),
        ("a%00b", None),
        ("%2Fa", None),
        ("a%2f..%2fb", None),
        ("a%5Cb", None),
        ("..", None),
        ("%2e%2e", None),
        ("%2E", None),
        ("...", Some("...")),
        ("%0d%0aX:1", Some("\r\nX:1")),
        ("%E9", None),
        ("%C0%AF", None),
        ("%ED%A0%80", None),
        ("%", None),
        ("%2", None),
        ("%GG", None),
        ("%u0061", None),
    ];

    for (written, read) in rows {
        let uri = format!("test://item/{written}");
        let expect = if read.is_some() { Expect::good(1) } else { Expect::refused(200, -32602) };
        let answer = bench.call(&uri, &Call::modern("resources/read", json!({"uri": uri})), expect).await;
        let said = &answer.result()["contents"][0]["text"];
        let wanted = read.map_or(Value::Null, |it| json!(json!({"id": it}).to_string()));
        bench.hold(&uri, said == &wanted, &format!("it was read as {said}"));
    }

    bench.finish(23);
}
