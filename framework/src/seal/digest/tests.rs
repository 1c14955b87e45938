//! Which arguments are the same and which are not.

use super::*;

#[test]
fn absent_arguments_are_empty_arguments() {
    assert_eq!(arguments_digest(None), digest("{}"));
    assert_eq!(digest("{}"), Sha256::digest("{}").as_slice());
    assert_ne!(digest("{}"), digest("null"));
    assert_ne!(digest("{}"), digest("[]"));
    assert_ne!(digest("{}"), digest(r#"{"a":null}"#));
}

#[test]
fn the_digest_is_of_canonical_json() {
    let value = r#"{"b": [1.0, -0.5, true, "é\n"], "a": {"d": {}, "c": []}, "A": null}"#;

    let canonical = "{\"A\":null,\"a\":{\"c\":[],\"d\":{}},\"b\":[1,-5e-1,true,\"é\\n\"]}";

    assert_eq!(digest(value), Sha256::digest(canonical).as_slice());
}

#[test]
fn the_order_of_keys_does_not_count_at_any_level() {
    assert_eq!(digest(r#"{"a":1,"b":2}"#), digest(r#"{"b":2,"a":1}"#));
    assert_eq!(digest(r#"{"x":[{"a":1,"b":2}]}"#), digest(r#"{"x":[{"b":2,"a":1}]}"#));
    assert_eq!(digest(r#"{"é":1,"z":2,"Z":3}"#), digest(r#"{"Z":3,"é":1,"z":2}"#));
}

#[test]
fn spaces_and_escapes_do_not_count() {
    assert_eq!(digest(r#"{"a":"b/c"}"#), digest(r#" { "\u0061" : "\u0062\/c" } "#));
}

#[test]
fn a_number_has_one_digest() {
    same(&["1", "1.0", "1e0", "10e-1", "0.1e1"]);
    same(&["0", "0.0", "-0", "-0.0", "0e9"]);
    same(&["-7", "-7.0", "-70e-1"]);
    same(&["100", "1e2", "1E+2"]);
    same(&["0.1", "1e-1", "0.10", "0.1000000000000000055"]);
    same(&["9007199254740992", "9007199254740992.0"]);
    same(&["9223372036854775808", "9223372036854775808.0"]);
    same(&["1e19", "10000000000000000000"]);
    same(&["1e300", "1.0e300", "10e299"]);
}

#[test]
fn integers_keep_all_their_digits() {
    differ(&["9007199254740992", "9007199254740993", "9007199254740994"]);
    differ(&["18446744073709551615", "18446744073709551614", "18446744073709551616"]);
    differ(&["-9223372036854775808", "-9223372036854775807"]);
}

#[test]
fn different_arguments_have_different_digests() {
    differ(&["1", "-1", "1.5", "\"1\"", "[1]", "true", "null"]);
    differ(&["\"\"", "[]", "{}", "[[]]", "[{}]", "null", "false", "0"]);
    differ(&[r#"["a","b"]"#, r#"["b","a"]"#, r#"["a,b"]"#, r#"["a\",\"b"]"#, r#"["ab"]"#]);
    differ(&[r#"{"a":1}"#, r#"{"A":1}"#, r#"{"a":2}"#, r#"{"a":{"a":1}}"#, r#"{"a":1,"b":null}"#]);
    differ(&[r#"{"a":{},"b":1}"#, r#"{"a":{"b":1}}"#, r#"[{"a":{}},{"b":1}]"#]);
    differ(&["[1,[2,3]]", "[[1,2],3]", "[1,2,3]", "[12,3]", "[1,23]"]);
    differ(&["\"\u{e9}\"", "\"e\u{301}\""]);
    differ(&["0.1", "0.10000000000000002", "1e-324", "5e-324", "1e300", "1e301"]);
}

#[test]
fn depth_costs_no_stack() {
    let deep = (0..50_000).fold(Value::Null, |inner, _| Value::Array(vec![inner]));

    let digest = std::thread::scope(|scope| {
        let small = std::thread::Builder::new().stack_size(64 * 1024);
        small.spawn_scoped(scope, || arguments_digest(Some(&deep))).unwrap().join().unwrap()
    });
    // Dropping a deep value does recurse.
    std::mem::forget(deep);

    assert_ne!(digest, arguments_digest(None));
}

fn same(spellings: &[&str]) {
    let distinct: std::collections::BTreeSet<_> = spellings.iter().map(|it| digest(it)).collect();
    assert_eq!(distinct.len(), 1, "{spellings:?}");
}

fn differ(values: &[&str]) {
    let distinct: std::collections::BTreeSet<_> = values.iter().map(|it| digest(it)).collect();
    assert_eq!(distinct.len(), values.len(), "{values:?}");
}

fn digest(json: &str) -> [u8; 32] {
    let value: Value = serde_json::from_str(json).unwrap();
    arguments_digest(Some(&value))
}
