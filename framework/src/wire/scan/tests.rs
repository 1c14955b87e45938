//! Every rule at its last good and first bad body.

mod keys;
mod same;
mod suite;

use super::*;

fn outline(body: impl AsRef<[u8]>) -> Outline {
    scan(body.as_ref(), &Bounds::default()).expect("the body is good")
}

fn fault(body: impl AsRef<[u8]>) -> Fault {
    scan(body.as_ref(), &Bounds::default()).expect_err("the body is bad")
}

fn duplicate(key: &str, at: usize) -> Fault {
    Fault::DuplicateKey { key: key.to_owned(), at }
}

/// Puts `inner` at the depth given, the outermost object counted and `inner` not.
fn nested(depth: usize, open: &str, inner: &str, close: &str) -> String {
    format!(r#"{{"a":{}{inner}{}}}"#, open.repeat(depth - 1), close.repeat(depth - 1))
}

fn numbered_keys(count: usize) -> String {
    let members: Vec<_> = (0..count).map(|n| format!(r#""key{n}":1"#)).collect();
    format!("{{{}}}", members.join(","))
}

fn noted<'a>(outline: &Outline, body: &'a [u8]) -> Vec<(Slot, &'a [u8])> {
    Outline::slots().iter().filter_map(|it| Some((*it, outline.get(*it)?.of(body)))).collect()
}

#[test]
fn the_outline_has_the_members_of_top_params_and_meta() {
    let body = br#" {"id" : 7, "params": {"name":"x", "_meta" : {"progressToken":[1,{"id":2}]}}, "x":1} "#;

    let outline = outline(body);

    assert_eq!(
        noted(&outline, body),
        [
            (Slot::Id, &b"7"[..]),
            (Slot::Params, br#"{"name":"x", "_meta" : {"progressToken":[1,{"id":2}]}}"#),
            (Slot::Name, br#""x""#),
            (Slot::Meta, br#"{"progressToken":[1,{"id":2}]}"#),
            (Slot::ProgressToken, br#"[1,{"id":2}]"#),
        ]
    );
}

#[test]
fn members_stand_only_in_the_objects_of_the_outline() {
    let body = br#"{"_meta":{"id":1},"x":{"params":{"name":1}},"params":{"c":[{"_meta":{"progressToken":1}}],"params":{"_meta":{}}}}"#;

    let outline = outline(body);

    assert_eq!(noted(&outline, body).iter().map(|it| it.0).collect::<Vec<_>>(), [Slot::Params]);
}

#[test]
fn params_and_meta_that_are_no_objects_have_no_members() {
    for body in [r#"{"params":[{"name":1}]}"#, r#"{"params":"name"}"#] {
        assert_eq!(noted(&outline(body), body.as_bytes()).len(), 1, "{body}");
    }
    for body in [r#"{"params":{"_meta":[{"progressToken":1}]}}"#, r#"{"params":{"_meta":null}}"#] {
        assert_eq!(noted(&outline(body), body.as_bytes()).len(), 2, "{body}");
    }
    assert!(noted(&outline("{}"), b"{}").is_empty());
}

#[test]
fn a_member_is_found_by_its_decoded_key() {
    let body = br#"{"\u006dethod":1,"p\u0061rams":{"\u005fmeta":{"progress\u0054oken":2},"n\\ame":3}}"#;

    let outline = outline(body);

    let get = |slot| outline.get(slot).map(|it| it.of(body));
    assert_eq!(get(Slot::Method), Some(&b"1"[..]));
    assert_eq!(get(Slot::ProgressToken), Some(&b"2"[..]));
    assert_eq!(get(Slot::Name), None);
}

#[test]
fn keys_are_told_apart_by_case_and_by_normal_form() {
    let body = "{\"METHOD\":1,\"Method\":2,\"method\":3,\"param\u{17f}\":4,\"\u{212a}\":5,\"K\":6,\
                \"\u{e9}\":7,\"e\u{301}\":8}";

    let outline = outline(body);

    assert_eq!(noted(&outline, body.as_bytes()), [(Slot::Method, &b"3"[..])]);
}

#[test]
fn a_string_says_what_it_says_however_it_is_written() {
    for (body, text) in [(r#"{"id":"a"}"#, "a"), (r#"{"id":"\u0061"}"#, "a"), (r#"{"id":"a\\b"}"#, "a\\b")] {
        let span = outline(body).get(Slot::Id).unwrap();

        assert!(says(body.as_bytes(), span, text), "{body}");
        assert!(!says(body.as_bytes(), span, "b") && !says(body.as_bytes(), span, r"\u0061"), "{body}");
    }
}

#[test]
fn a_body_of_nothing_is_empty() {
    assert_eq!(fault(""), Fault::Empty);
    assert_eq!(fault(" \t\r\n"), Fault::Empty);
    assert_eq!(fault("\0"), Fault::Syntax(0));
}

#[test]
fn a_byte_order_mark_is_refused_and_a_later_one_is_text() {
    assert_eq!(fault("\u{feff}{}"), Fault::ByteOrderMark);
    assert_eq!(fault(" \u{feff}{}"), Fault::Syntax(1));
    outline("{\"\u{feff}\":\"\u{feff}\"}");
}

#[test]
fn bytes_that_are_no_utf8_are_refused_where_they_stand() {
    assert_eq!(fault(b"{\"a\":\"\xff\"}"), Fault::NotUtf8(6));
    assert_eq!(fault(b"{\"a\":\"\xc0\x80\"}"), Fault::NotUtf8(6));
    assert_eq!(fault(b"{\"a\":\"\xed\xa0\x80\"}"), Fault::NotUtf8(6));
    assert_eq!(fault(b"{\"a\":\"\xf4\x90\x80\x80\"}"), Fault::NotUtf8(6));
    assert_eq!(fault(b"{\"\xe2\x82\":1}"), Fault::NotUtf8(2));
    assert_eq!(fault(b"{} \x80"), Fault::NotUtf8(3));
    assert_eq!(fault(b"{\0}\0"), Fault::Syntax(1));
    outline("{\"\u{20ac}\":\"\u{10ffff}\"}");
}

#[test]
fn only_an_object_is_a_body() {
    assert_eq!(fault("[]"), Fault::NotAnObject(0));
    assert_eq!(fault("\n [{\"jsonrpc\":\"2.0\"}]"), Fault::NotAnObject(2));
    assert_eq!(fault("\"a\""), Fault::NotAnObject(0));
    assert_eq!(fault(" 12 "), Fault::NotAnObject(1));
    assert_eq!(fault("true"), Fault::NotAnObject(0));
    assert_eq!(fault("null"), Fault::NotAnObject(0));
    assert_eq!(fault("null x"), Fault::Syntax(5));
    assert_eq!(fault("\"a"), Fault::Syntax(2));
}

#[test]
fn nothing_but_white_space_follows_the_object() {
    outline("{}\r\n\t ");
    assert_eq!(fault("{} {}"), Fault::Syntax(3));
    assert_eq!(fault("{}]"), Fault::Syntax(2));
    assert_eq!(fault("{},"), Fault::Syntax(2));
    assert_eq!(fault("{}\0"), Fault::Syntax(2));
    assert_eq!(fault("{}\u{a0}"), Fault::Syntax(2));
}

#[test]
fn what_opens_is_closed_by_its_own_kind() {
    assert_eq!(fault(r#"{"a":1]"#), Fault::Syntax(6));
    assert_eq!(fault(r#"{"a":[1}]"#), Fault::Syntax(7));
    assert_eq!(fault(r#"{"a":{"b":1]}"#), Fault::Syntax(11));
    assert_eq!(fault(r#"{"a":[}}"#), Fault::Syntax(6));
    assert_eq!(fault(r#"{"a":{]}"#), Fault::Syntax(6));
}

#[test]
fn depth_64_passes_and_65_is_refused() {
    outline(nested(64, "[", "1", "]"));
    outline(nested(64, r#"{"a":"#, "1", "}"));
    assert_eq!(fault(nested(65, "[", "1", "]")), Fault::TooDeep(68));
    assert_eq!(fault(nested(64, r#"{"a":"#, "{}", "}")), Fault::TooDeep(320));
    assert_eq!(fault(nested(64, "[", "[]", "]")), Fault::TooDeep(68));
}

#[test]
fn depth_counts_what_is_open_only() {
    let siblings = vec!["[[[]]]"; 1_000].join(",");

    outline(format!("{{\"a\":[{siblings}]}}"));
}

#[test]
fn deep_bodies_cost_no_thread_stack() {
    let deep = Bounds { depth: 200_000, values: 1_000_000, ..Bounds::default() };
    let on_small_stack = move |body: String| {
        let scan_it = move || scan(body.as_bytes(), &deep).map(drop);
        std::thread::Builder::new().stack_size(64 * 1024).spawn(scan_it).unwrap().join().unwrap()
    };

    assert_eq!(on_small_stack(nested(100_000, "[", "", "]")), Ok(()));
    assert_eq!(on_small_stack(nested(100_000, r#"{"a":"#, "1", "}")), Ok(()));
    assert_eq!(on_small_stack(r#"{"a":"#.repeat(100_000)), Err(Fault::Syntax(500_000)));
    assert_eq!(fault(nested(100_000, "[", "", "]")), Fault::TooDeep(68));
    assert_eq!(fault(format!("{{\"a\":{}", "[".repeat(100_000))), Fault::TooDeep(68));
}

#[test]
fn values_are_counted_the_body_and_all_containers_included() {
    let items = |count: usize| format!("{{\"a\":[{}]}}", vec!["1"; count].join(","));

    outline(items(99_998));
    assert_eq!(fault(items(99_999)), Fault::TooManyValues(200_002));
    let three = Bounds { values: 3, ..Bounds::default() };
    assert!(scan(br#"{"a":[[]]}"#, &three).is_ok());
    assert_eq!(scan(br#"{"a":[[]],"b":{}}"#, &three).unwrap_err(), Fault::TooManyValues(14));
}

#[test]
fn keys_are_counted_per_object() {
    outline(numbered_keys(4_096));
    assert!(matches!(fault(numbered_keys(4_097)), Fault::TooManyKeys(_)));
    let two = Bounds { keys: 2, ..Bounds::default() };
    assert!(scan(br#"{"a":{"a":1,"b":2},"b":{"a":1,"b":2}}"#, &two).is_ok());
    assert_eq!(scan(br#"{"a":{"a":1,"b":2,"c":3}}"#, &two).unwrap_err(), Fault::TooManyKeys(18));
}

#[test]
fn keys_are_measured_after_their_escapes_are_resolved() {
    let body = |key: String| format!("{{\"{key}\":1}}");

    outline(body("k".repeat(1_024)));
    outline(body("\\u006b".repeat(1_024)));
    outline(body("\u{20ac}".repeat(341)));
    assert_eq!(fault(body("k".repeat(1_025))), Fault::KeyTooLong(1));
    assert_eq!(fault(body("\\u006b".repeat(1_025))), Fault::KeyTooLong(1));
    assert_eq!(fault(body("\u{20ac}".repeat(342))), Fault::KeyTooLong(1));
    outline(format!("{{\"k\":\"{}\"}}", "v".repeat(100_000)));
}

#[test]
fn numbers_are_measured_in_bytes_of_their_literal() {
    let body = |number: String| format!("{{\"n\":{number}}}");

    outline(body("1".repeat(64)));
    outline(body(format!("-0.{}", "1".repeat(61))));
    assert_eq!(fault(body("1".repeat(65))), Fault::NumberTooLong(5));
    assert_eq!(fault(body(format!("-0.{}", "1".repeat(62)))), Fault::NumberTooLong(5));
    assert_eq!(fault("1".repeat(65)), Fault::NumberTooLong(0));
}

#[test]
fn numbers_that_no_f64_can_hold_are_refused() {
    outline(r#"{"n":[1e308,-1.7976931348623157e308,1e-400,0e999,9007199254740993,18446744073709551616,-0]}"#);
    assert_eq!(fault(r#"{"n":1e400}"#), Fault::NumberTooLarge(5));
    assert_eq!(fault(r#"{"n":-1e309}"#), Fault::NumberTooLarge(5));
    assert_eq!(fault(r#"{"n":1.8e308}"#), Fault::NumberTooLarge(5));
    assert_eq!(fault(r#"{"n":1.79769313486231588e308}"#), Fault::NumberTooLarge(5));
    assert_eq!(fault(r#"{"n":1e99999999999999999999}"#), Fault::NumberTooLarge(5));
    let long = Bounds { number_bytes: 1_000, ..Bounds::default() };
    let digits = |count: usize| format!("{{\"n\":{}}}", "9".repeat(count));
    assert!(scan(digits(308).as_bytes(), &long).is_ok());
    assert_eq!(scan(digits(309).as_bytes(), &long).unwrap_err(), Fault::NumberTooLarge(5));
}

#[test]
fn half_a_surrogate_pair_is_no_text() {
    outline(r#"{"a":"\ud83d\ude00\uDBFF\uDFFF\ud7ff\ue000"}"#);
    assert_eq!(fault(r#"{"a":"\ud83d"}"#), Fault::Syntax(6));
    assert_eq!(fault(r#"{"a":"\ude00"}"#), Fault::Syntax(6));
    assert_eq!(fault(r#"{"a":"\ud83dx\ude00"}"#), Fault::Syntax(6));
    assert_eq!(fault(r#"{"a":"\ud83d\ud83d\ude00"}"#), Fault::Syntax(6));
    assert_eq!(fault(r#"{"a":"\ud83d\u0041"}"#), Fault::Syntax(6));
    assert_eq!(fault(r#"{"a":"\ud83d\n"}"#), Fault::Syntax(6));
    assert_eq!(fault(r#"{"\ud83d":1}"#), Fault::Syntax(2));
}

#[test]
fn strings_of_every_length_end_at_their_quote() {
    for length in 0..200 {
        let body = format!("{{\"{0}\":1,\"id\":\"{0}\\\"\",\"method\":\"{0}é\"}}", "x".repeat(length));

        let outline = outline(&body);

        let said = |slot| text(body.as_bytes(), outline.get(slot).unwrap()).unwrap();
        assert_eq!(said(Slot::Id), format!("{}\"", "x".repeat(length)));
        assert_eq!(said(Slot::Method), format!("{}é", "x".repeat(length)));
    }
}

#[test]
fn every_control_character_in_a_string_is_refused_at_every_place() {
    for place in 0..100 {
        for control in 0..0x20_u8 {
            let mut body = format!("{{\"a\":\"{}\"}}", "x".repeat(100)).into_bytes();
            body[6 + place] = control;
            assert_eq!(fault(&body), Fault::Syntax(6 + place));
        }
    }
    outline("{\"a\":\"\u{7f}\u{80}\u{9f}\u{2028}\"}");
}

#[test]
fn text_is_borrowed_unless_it_has_escapes() {
    use std::borrow::Cow;
    let body = r#"{"id":"plain €","method":"\"\\\/\b\f\n\r\t\u0041\u20AC\ud83d\ude00é","jsonrpc":"","result":1,"error":"\u0000"}"#
        .as_bytes();
    let outline = outline(body);

    let said = |slot| text(body, outline.get(slot).unwrap());
    assert!(matches!(said(Slot::Id), Some(Cow::Borrowed("plain €"))));
    assert_eq!(said(Slot::Method).unwrap(), "\"\\/\u{8}\u{c}\n\r\tA€\u{1f600}é");
    assert!(matches!(said(Slot::Jsonrpc), Some(Cow::Borrowed(""))));
    assert_eq!(said(Slot::Result), None);
    assert_eq!(said(Slot::Error).unwrap(), "\0");
}

#[test]
fn the_kind_of_a_value_is_told_by_its_first_byte() {
    use Kind::{Array, Bool, Null, Number, Object, String};
    let rows =
        [("{}", Object), ("[]", Array), (r#""""#, String), ("-1", Number), ("0", Number), ("true", Bool)];
    for (value, expected) in rows.into_iter().chain([("false", Bool), ("null", Null)]) {
        let body = format!(r#"{{"id":{value}}}"#);

        assert_eq!(kind(body.as_bytes(), outline(&body).get(Slot::Id).unwrap()), expected, "{value}");
    }
}

#[test]
fn a_fault_names_itself_and_its_byte_in_one_sentence() {
    assert_eq!(
        fault(r#"{"jsonrpc":"2.0","method":"ping","a":1,"method":2}"#).to_string(),
        "the key `method` stands twice in one object (byte 39)"
    );
    assert_eq!(fault("[]").to_string(), "the body is not a JSON object (byte 0)");
    assert_eq!(
        fault(r#"{"$serde_json::private::Number":1}"#).to_string(),
        "the key `$serde_json::private::Number` is reserved (byte 1)"
    );
}

#[test]
fn a_key_in_a_sentence_is_short_and_harmless() {
    let sentence = |key: &str| fault(format!("{{\"{key}\":1,\"{key}\":2}}")).to_string();

    let harmless = sentence("\\u001b[31m\\r\\n\u{202e}\u{85}\u{2028}\\u0000\u{feff}");
    assert!(harmless.chars().all(|it| (' '..='~').contains(&it)), "{harmless}");
    let printed = |sentence: String| sentence.split('`').nth(1).unwrap().to_owned();
    assert_eq!(printed(sentence(&"k".repeat(1_024))), format!("{}...", "k".repeat(61)));
    assert_eq!(printed(sentence(&"\\u0007".repeat(100))), format!("{}...", "\\u{7}".repeat(12)));
}
