//! C3: numbers at the edges of what a number can be, as an id and as arguments.

use serde_json::json;
use tollgate_tests::Call;

use super::{
    bench::{Bench, Expect},
    fixture::take_with,
    json::with_argument,
};

/// A good call with that JSON as its id.
fn with_id(id: &str) -> Call {
    let call = take_with(&json!({"v": 1}));
    let body = String::from_utf8(call.body.clone()).unwrap();
    call.body(body.replacen("\"id\":1", &format!("\"id\":{id}"), 1))
}

// V15; S-011, S-012.
#[tokio::test]
async fn an_id_is_a_whole_number_within_2_53_or_a_short_text() {
    let mut bench = Bench::new().await;
    let text = |bytes: usize| format!("\"{}\"", "i".repeat(bytes));
    let good = [
        ("0", "0"),
        ("-0", "0"),
        ("-1", "-1"),
        ("1.0", "1"),
        ("1e0", "1"),
        ("10e-1", "1"),
        ("1.5e1", "15"),
        ("9007199254740991", "9007199254740991"),
        ("-9007199254740991", "-9007199254740991"),
        ("9007199254740991.0", "9007199254740991"),
        ("\"1\"", "\"1\""),
        ("\" \"", "\" \""),
        ("\"\u{1f30d}\"", "\"\u{1f30d}\""),
        ("\"null\"", "\"null\""),
        ("\"a\\u0000b\"", "\"a\\u0000b\""),
        ("\"\\\"},{\\\"\"", "\"\\\"},{\\\"\""),
        (&text(256), &text(256)),
    ];
    let bad = [
        "null",
        "true",
        "false",
        "1.5",
        "0.1",
        "-1.5",
        "1e-1",
        "9007199254740992",
        "-9007199254740992",
        "9007199254740993",
        "18446744073709551616",
        "1e16",
        "1e300",
        "{}",
        "[]",
        "[1]",
        "{\"id\":1}",
        "\"\"",
        &text(257),
        &text(10_000),
    ];
    let broken =
        ["00", "01", "+1", "1.", ".1", "0x1", "1e", "NaN", "1e400", "-", "--1", "1 1", "\"a", "\"\\ud800\""];

    for (id, back) in good {
        let answer = bench.call(&format!("id {id}"), &with_id(id), Expect::good(1)).await;
        let wanted: serde_json::Value = serde_json::from_str(back).unwrap();
        bench.hold(id, answer.json()["id"] == wanted, "came back as another id");
    }
    for id in bad {
        let answer = bench.call(&format!("id {id}"), &with_id(id), Expect::refused(400, -32600)).await;
        bench.hold(id, answer.json().get("id").is_none(), "an id that could not be read came back");
    }
    for id in broken {
        bench.call(&format!("id {id}"), &with_id(id), Expect::refused(400, -32700)).await;
    }

    bench.finish(51);
}

// V18; S-052.
#[tokio::test]
async fn a_number_beyond_what_a_double_holds_is_refused() {
    let mut bench = Bench::new().await;
    let good = [
        "9007199254740992",
        "9007199254740993",
        "18446744073709551615",
        "18446744073709551616",
        "1e308",
        "1.7976931348623157e308",
        "5e-324",
        "1e-400",
        "-0.0",
        "1E+2",
        "0.1e-7",
        "-1e-999999",
    ];
    let bad = ["1e309", "-1e309", "1.8e308", "1e400", "-1e400", "1e999999999", "1e99999999999999999999"];
    let long = ["1".repeat(64), "0.".to_owned() + &"1".repeat(62), "1e".to_owned() + &"0".repeat(61) + "1"];

    for number in good.iter().copied().chain(long.iter().map(String::as_str)) {
        bench.call(number, &with_argument(number.as_bytes()), Expect::good(1)).await;
    }
    let longer = long.iter().map(|it| it.clone() + "1");
    for number in bad.iter().map(|it| (*it).to_owned()).chain(longer) {
        bench.call(&number, &with_argument(number.as_bytes()), Expect::refused(400, -32700)).await;
    }

    bench.finish(25);
}

/// The header, the body, and whether they are one whole number.
const PAIRS: [(&str, &str, bool); 24] = [
    ("42", "42", true),
    ("42.0", "42", true),
    ("42", "42.0", true),
    ("4.2e1", "42", true),
    ("-7", "-7", true),
    ("-0", "0", true),
    ("9007199254740991", "9007199254740991", true),
    ("-9007199254740991", "-9007199254740991", true),
    ("42", "43", false),
    ("-42", "42", false),
    ("42.5", "42", false),
    ("4 2", "42", false),
    ("42,", "42", false),
    ("0x2a", "42", false),
    ("4_2", "42", false),
    ("forty-two", "42", false),
    ("NaN", "42", false),
    ("inf", "42", false),
    ("1e400", "42", false),
    ("-", "0", false),
    ("9007199254740993", "9007199254740992", false),
    ("9007199254740992", "9007199254740993", false),
    ("18446744073709551615", "18446744073709551614", false),
    ("9007199254740992.5", "9007199254740992", false),
];

// V16; S-055.
#[tokio::test]
async fn a_mirrored_integer_is_compared_as_a_number_and_to_its_last_digit() {
    let mut bench = Bench::new().await;

    for (header, number, is_same) in PAIRS {
        let call = take_with(&json!({"v": "here", "count": 7777}));
        let body = String::from_utf8(call.body.clone()).unwrap().replacen("7777", number, 1);
        let call = call.body(body).replace("Mcp-Param-Count", header);
        let expect = if is_same { Expect::good(1) } else { Expect::refused(400, -32020) };
        bench.call(&format!("{header} for {number}"), &call, expect).await;
    }

    bench.finish(24);
}
