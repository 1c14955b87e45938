//! C2: documents that are JSON and yet too deep, too wide, ambiguous, or arrays where objects belong.

use std::iter;

use serde_json::json;
use tollgate_tests::Call;

use super::{
    bench::{Bench, Expect},
    fixture::take_with,
    json::with_argument,
};

/// A place in the body of a call, and how many arrays and objects are open there.
const PLACES: [(&str, &str, usize); 4] = [
    ("a member that nobody knows", "{\"x\":HERE,", 1),
    ("a parameter that nobody knows", "\"params\":{\"x\":HERE,", 2),
    ("a key of `_meta` that nobody knows", "\"_meta\":{\"x\":HERE,", 3),
    ("an argument", "\"arguments\":{\"x\":HERE,", 3),
];

/// A good call with JSON at one of the places.
fn at(place: &str, json: &str) -> Call {
    let call = take_with(&json!({"v": 1}));
    let body = String::from_utf8(call.body.clone()).unwrap();
    let (before, _) = place.split_once("\"x\"").unwrap();
    call.body(body.replacen(before, &place.replace("HERE", json), 1))
}

fn nested(opens: &[(&str, &str)], depth: usize) -> String {
    let opened: String = opens.iter().cycle().take(depth).map(|it| it.0).collect();
    let mut closes: Vec<&str> = opens.iter().cycle().take(depth).map(|it| it.1).collect();
    closes.reverse();
    format!("{opened}0{}", closes.concat())
}

const SHAPES: [(&str, &[(&str, &str)]); 3] =
    [("arrays", &[("[", "]")]), ("objects", &[("{\"k\":", "}")]), ("both", &[("[", "]"), ("{\"k\":", "}")])];

// V21, V06.
#[tokio::test]
async fn sixty_four_levels_are_deep_enough() {
    let mut bench = Bench::new().await;

    for (place, pattern, open) in PLACES {
        for (shape, opens) in SHAPES {
            for levels in [10, 63, 64, 65, 66, 128, 129, 1_000, 100_000] {
                let call = at(pattern, &nested(opens, levels - open));
                let expect = if levels <= 64 { Expect::good(1) } else { Expect::refused(400, -32700) };
                bench.call(&format!("{levels} {shape} in {place}"), &call, expect).await;
            }
        }
    }
    for (shape, opens) in SHAPES {
        for levels in [1_000, 100_000] {
            let open: String = opens.iter().cycle().take(levels).map(|it| it.0).collect();
            let call = with_argument(open.as_bytes());
            let name = format!("{levels} {shape} that never end");
            bench.call(&name, &call, Expect::refused(400, -32700)).await;
        }
    }

    bench.finish(110);
}

// V21.
#[tokio::test]
async fn an_object_is_as_wide_as_the_limits_say() {
    let mut bench = Bench::new().await;
    let object = |keys: usize| {
        let all: Vec<_> = (0..keys).map(|it| format!("\"k{it}\":0")).collect();
        format!("{{{}}}", all.join(","))
    };
    let array = |values: usize| format!("[{}]", vec!["0"; values].join(","));
    let key = |bytes: usize| format!("{{\"{}\":0}}", "k".repeat(bytes));
    let spelt = |bytes: usize| format!("{{\"{}\":0}}", "\\u006b".repeat(bytes));
    let cases = [
        ("4096 keys", object(4_096), true),
        ("4097 keys", object(4_097), false),
        ("99900 values", array(99_900), true),
        ("100001 values", array(100_001), false),
        ("a key of 1024 bytes", key(1_024), true),
        ("a key of 1025 bytes", key(1_025), false),
        ("a key of 1024 bytes, all escaped", spelt(1_024), true),
        ("a key of 1025 bytes, all escaped", spelt(1_025), false),
        ("100 arrays of 900", format!("[{}]", vec![array(900); 100].join(",")), true),
        ("100 arrays of 1100", format!("[{}]", vec![array(1_100); 100].join(",")), false),
        ("a text of 1 MiB", format!("\"{}\"", "w".repeat(1 << 20)), true),
    ];

    for (name, json, is_good) in cases {
        let expect = if is_good { Expect::good(1) } else { Expect::refused(400, -32700) };
        bench.call(name, &with_argument(json.as_bytes()), expect).await;
    }

    bench.finish(11);
}

/// Every key of a call that means something: its spelling, and which of those of that spelling it is.
const KEYS: [(&str, usize); 13] = [
    ("jsonrpc", 0),
    ("id", 0),
    ("method", 0),
    ("params", 0),
    ("name", 0),
    ("arguments", 0),
    ("v", 0),
    ("deepest", 0),
    ("_meta", 0),
    ("io.modelcontextprotocol/protocolVersion", 0),
    ("io.modelcontextprotocol/clientInfo", 0),
    ("io.modelcontextprotocol/clientCapabilities", 0),
    ("version", 0),
];

/// A call whose arguments are twenty levels deep.
fn deep() -> Call {
    let deepest = iter::repeat_n((), 20).fold(json!({"deepest": 1}), |inner, ()| json!({"k": inner}));
    take_with(&json!({"v": deepest}))
}

/// The body with one more member before that key: the same key in another spelling, with a value of its own.
fn with_rival(call: &Call, (key, nth): (&str, usize), rival: &str, value: &str) -> Option<Call> {
    let body = String::from_utf8(call.body.clone()).unwrap();
    let found = format!("\"{key}\":");
    let (place, _) = body.match_indices(&found).nth(nth)?;
    let inserted = format!("{}\"{rival}\":{value},{}", &body[..place], &body[place..]);
    Some(call.clone().body(inserted))
}

/// The same key for a parser that folds letters (U+017F is a small s, U+212A a capital k).
fn folded(key: &str) -> Option<String> {
    let folded = key.replacen('s', "\u{17f}", 1).replacen('k', "\u{212a}", 1);
    (folded != key).then_some(folded)
}

/// The same key for any parser of JSON.
fn escaped(key: &str) -> Vec<String> {
    let escape = |it: char| format!("\\u{:04x}", u32::from(it));
    let first = key.chars().next().unwrap();
    let all: String = key.chars().map(escape).collect();
    vec![
        key.to_owned(),
        format!("{}{}", escape(first), &key[1..]),
        all.clone(),
        all.to_uppercase().replace("\\U", "\\u"),
    ]
}

const RIVALS: [&str; 4] = ["\"tools/list\"", "{}", "7", "null"];

// V17, V18.
#[tokio::test]
async fn a_key_stands_once_however_it_is_spelt() {
    let mut bench = Bench::new().await;
    let call = deep();

    for key in KEYS {
        for spelling in escaped(key.0) {
            for value in RIVALS {
                let name = format!("`{spelling}` of {value} before `{}`", key.0);
                let twice = with_rival(&call, key, &spelling, value).unwrap();
                bench.call(&name, &twice, Expect::refused(400, -32700)).await;
            }
        }
    }

    bench.finish(200);
}

// V17.
#[tokio::test]
async fn a_key_in_another_case_is_another_key() {
    let mut bench = Bench::new().await;
    let call = deep();

    for key in KEYS {
        let mut spellings = vec![key.0.to_uppercase()];
        spellings.push(format!("{}{}", &key.0[..1].to_uppercase(), &key.0[1..]));
        spellings.extend(folded(key.0));
        spellings.push(format!("{} ", key.0));
        spellings.push(format!("{}\\u0000", key.0));
        spellings.retain(|it| it != key.0);
        spellings.dedup();
        for spelling in spellings {
            for value in RIVALS {
                let name = format!("`{spelling}` of {value} before `{}`", key.0);
                let both = with_rival(&call, key, &spelling, value).unwrap();
                bench.call(&name, &both, Expect::good(1)).await;
            }
        }
    }

    bench.finish(200);
}

// V19.
#[tokio::test]
async fn no_key_reaches_into_the_parser() {
    let mut bench = Bench::new().await;
    let names = ["RawValue", "Number", "Value", ""];
    let prefixes =
        ["$serde_json::private::", "\\u0024serde_json::private::", "$serde_json\\u003a\\u003aprivate::"];

    for (place, pattern, _) in PLACES {
        for name in names {
            for prefix in prefixes {
                let json = format!("{{\"{prefix}{name}\":\"{{\\\"cmd\\\":1,\\\"cmd\\\":2}}\"}}");
                let case = format!("{prefix}{name} in {place}");
                bench.call(&case, &at(pattern, &json), Expect::refused(400, -32700)).await;
            }
        }
    }
    for text in ["$serde_json::private::RawValue", "$serde_json::private"] {
        let json = format!("{{\"k\":\"{text}\",\"$serde_json::privat\":1}}");
        bench.call(text, &with_argument(json.as_bytes()), Expect::good(1)).await;
    }

    bench.finish(48);
}

// V20.
#[tokio::test]
async fn an_array_is_no_object() {
    let mut bench = Bench::new().await;
    let body = String::from_utf8(take_with(&json!({"v": 1})).body).unwrap();
    let whole = [
        "[]".to_owned(),
        "[{}]".to_owned(),
        format!("[{body}]"),
        format!("[{body},{body}]"),
        format!(" \t\r\n[{body}]"),
        format!("[[{body}]]"),
        format!("[null,{body}]"),
        format!("[{body}"),
        "[\"2.0\",1,\"tools/call\",{}]".to_owned(),
        "[\"2.0\",1,\"tools/call\",{\"name\":\"take\",\"arguments\":{}}]".to_owned(),
        "[1]".to_owned(),
        "[null]".to_owned(),
    ];

    for json in &whole {
        let call = take_with(&json!({})).body(json);
        bench.call(json, &call, Expect::refused(400, -32600)).await;
    }
    let params = [
        ("params", "[\"take\",{}]", Expect::refused(400, -32600)),
        ("params", "[]", Expect::refused(400, -32600)),
        ("_meta", "[\"2026-07-28\",{},{}]", Expect::refused(400, -32602)),
        ("_meta", "[]", Expect::refused(400, -32602)),
        ("arguments", "[1]", Expect::refused(200, -32602)),
        ("arguments", "[]", Expect::refused(200, -32602)),
        ("io.modelcontextprotocol/clientInfo", "[\"raw\",\"1\"]", Expect::refused(400, -32602)),
        ("io.modelcontextprotocol/clientCapabilities", "[]", Expect::refused(400, -32602)),
        ("io.modelcontextprotocol/protocolVersion", "[\"2026-07-28\"]", Expect::refused(400, -32602)),
        ("method", "[\"tools/call\"]", Expect::refused(400, -32600)),
        ("jsonrpc", "[\"2.0\"]", Expect::refused(400, -32600)),
        ("id", "[1]", Expect::refused(400, -32600)),
        ("name", "[\"take\"]", Expect::refused(200, -32602)),
    ];
    for (key, array, expect) in params {
        let array = serde_json::from_str(array).unwrap();
        let call = take_with(&json!({"v": 1})).edit(|it| assert!(replace(it, key, &array)));
        bench.call(&format!("`{key}` is {array}"), &call, expect).await;
    }

    bench.finish(25);
}

/// Replaces the first member of that key, from the outside in.
fn replace(within: &mut serde_json::Value, key: &str, value: &serde_json::Value) -> bool {
    let Some(members) = within.as_object_mut() else { return false };
    if let Some(member) = members.get_mut(key) {
        *member = value.clone();
        return true;
    }
    members.values_mut().any(|it| replace(it, key, value))
}
