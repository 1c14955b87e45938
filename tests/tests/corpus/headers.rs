//! C4: each header that repeats the body, changed in every way, for each method. An oracle says what is right.

use serde_json::Value;
use tollgate_tests::Call;

use super::{
    base64,
    bench::{Bench, Expect},
    fixture::{METHODS, MIRRORED, good, sentinel},
    oracle::{Mirrored, Verdict, judge},
};

const HEADERS: [&str; 7] = [
    "MCP-Protocol-Version",
    "Mcp-Method",
    "Mcp-Name",
    "Mcp-Param-Region",
    "Mcp-Param-Count",
    "Mcp-Param-Flag",
    "Mcp-Param-Zone",
];

/// What becomes of the header: its lines, made of its name and its right value.
type Mutation = (&'static str, fn(&str, &[u8]) -> Vec<Vec<u8>>);

const MUTATIONS: [Mutation; 40] = [
    ("as it is", |name, value| vec![line(name, value)]),
    ("missing", |_, _| Vec::new()),
    ("twice, equal", |name, value| vec![line(name, value), line(name, value)]),
    ("twice, the second wrong", |name, value| vec![line(name, value), line(name, b"wrong")]),
    ("twice, the first wrong", |name, value| vec![line(name, b"wrong"), line(name, value)]),
    ("twice, in another case", |name, value| vec![line(name, value), line(&name.to_uppercase(), value)]),
    ("joined by a comma", |name, value| vec![line(name, [value, b", ", value].concat())]),
    ("name in lower case", |name, value| vec![line(&name.to_lowercase(), value)]),
    ("name in upper case", |name, value| vec![line(&name.to_uppercase(), value)]),
    ("value in upper case", |name, value| vec![line(name, value.to_ascii_uppercase())]),
    ("value in lower case", |name, value| vec![line(name, value.to_ascii_lowercase())]),
    ("no blank before it", |name, value| vec![[name.as_bytes(), b":", value].concat()]),
    ("blanks around it", |name, value| vec![line(name, [b"  ", value, b"  "].concat())]),
    ("tabs around it", |name, value| vec![line(name, [b"\t", value, b"\t"].concat())]),
    ("a blank inside", |name, value| vec![line(name, split(value, b" "))]),
    ("a tab inside", |name, value| vec![line(name, split(value, b"\t"))]),
    ("empty", |name, _| vec![line(name, b"")]),
    ("blanks alone", |name, _| vec![line(name, b" \t ")]),
    ("cut", |name, value| vec![line(name, &value[..value.len() - 1])]),
    ("with more", |name, value| vec![line(name, [value, b"x"].concat())]),
    ("quoted", |name, value| vec![line(name, [b"\"", value, b"\""].concat())]),
    ("another value", |name, _| vec![line(name, b"something-else")]),
    ("a byte over 0x7F", |name, value| vec![line(name, [value, b"\x80"].concat())]),
    ("text in UTF-8", |name, value| vec![line(name, [value, "é".as_bytes()].concat())]),
    ("the byte 0xFF alone", |name, _| vec![line(name, b"\xff")]),
    ("DEL", |name, value| vec![line(name, [value, b"\x7f"].concat())]),
    ("NUL", |name, value| vec![line(name, [value, b"\0"].concat())]),
    ("ESC", |name, value| vec![line(name, [value, b"\x1b[2J"].concat())]),
    ("a blank before the colon", |name, value| vec![[name.as_bytes(), b" : ", value].concat()]),
    ("a folded line", |name, value| vec![line(name, [value, b"\r\n x"].concat())]),
    ("encoded", |name, value| vec![line(name, sentinel(value))]),
    ("encoded, without padding", |name, value| {
        vec![encoded(name, base64::encode(value).trim_end_matches('='))]
    }),
    ("encoded, with too much padding", |name, value| vec![encoded(name, &(base64::encode(value) + "="))]),
    ("encoded, with other last bits", |name, value| vec![encoded(name, &other_bits(value))]),
    ("encoded, in the alphabet of URLs", |name, value| {
        vec![encoded(name, &base64::encode(value).replace('+', "-").replace('/', "_"))]
    }),
    ("encoded, with a blank inside", |name, value| {
        vec![encoded(name, &String::from_utf8_lossy(&split(base64::encode(value).as_bytes(), b" ")))]
    }),
    ("encoded twice", |name, value| vec![line(name, sentinel(sentinel(value).as_bytes()))]),
    ("encoded, in upper case", |name, value| {
        vec![line(name, sentinel(value).replace("=?base64?", "=?BASE64?"))]
    }),
    ("encoded, another value", |name, _| vec![line(name, sentinel(b"something-else"))]),
    ("encoded, no UTF-8", |name, value| vec![line(name, sentinel(&[value, b"\xff"].concat()))]),
];

fn line(name: &str, value: impl AsRef<[u8]>) -> Vec<u8> {
    [name.as_bytes(), b": ", value.as_ref()].concat()
}

fn encoded(name: &str, text: &str) -> Vec<u8> {
    line(name, format!("=?base64?{text}?="))
}

fn split(value: &[u8], by: &[u8]) -> Vec<u8> {
    let (head, tail) = value.split_at(value.len() / 2);
    [head, by, tail].concat()
}

/// The last letter before the padding, one further in the alphabet: the same bytes, for a decoder that is careless.
fn other_bits(value: &[u8]) -> String {
    let text = base64::encode(value);
    let letters = text.trim_end_matches('=');
    let (head, last) = letters.split_at(letters.len() - 1);
    let next = char::from(last.as_bytes()[0] + 1);
    format!("{head}{next}{}", &text[letters.len()..])
}

// V16, V30; S-052.
#[tokio::test]
async fn the_headers_of_every_method_are_judged_as_the_specification_says() {
    let mut bench = Bench::new().await;
    let mirrored = MIRRORED.map(|(header, path)| Mirrored { header, path });

    for (method, runs) in METHODS {
        for header in HEADERS {
            for (mutation, mutate) in MUTATIONS {
                let call = mutated(good(method), header, mutate);
                let message: Value = serde_json::from_slice(&call.body).unwrap();
                let expect = match judge(&call.headers, &message, &mirrored) {
                    Verdict::Agree => Expect::good(runs),
                    Verdict::Disagree => Expect::refused(400, -32020),
                    Verdict::NotHttp => Expect::refused(400, 0).closes(),
                };
                bench.call(&format!("{method}, {header}, {mutation}"), &call, expect).await;
            }
        }
    }

    bench.finish(2_500);
}

/// A header that the method does not have is put there first, as something to change.
fn mutated(call: Call, header: &str, mutate: fn(&str, &[u8]) -> Vec<Vec<u8>>) -> Call {
    let prefix = format!("{header}: ");
    let value = call.headers.iter().find_map(|it| it.strip_prefix(prefix.as_bytes())).unwrap_or(b"stray");
    let lines = mutate(header, value);
    let mut call = call.clone().without(header);
    call.headers.extend(lines);
    call
}
