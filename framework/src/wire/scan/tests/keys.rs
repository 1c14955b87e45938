//! Which keys may stand in an object.

use super::*;

#[test]
fn a_key_stands_once_in_every_object() {
    assert_eq!(fault(r#"{"a":1,"a":1}"#), duplicate("a", 7));
    assert_eq!(fault(r#"{"":1,"":1}"#), duplicate("", 6));
    assert_eq!(fault(r#"{"params":{"name":1,"name":2}}"#), duplicate("name", 20));
    assert_eq!(fault(r#"{"params":{"_meta":{"x":1,"y":2,"x":3}}}"#), duplicate("x", 32));
    assert_eq!(fault(r#"{"params":{"arguments":{"x":1,"y":{"z":0},"x":3}}}"#), duplicate("x", 42));
    assert_eq!(fault(r#"{"ignored":[0,{"x":{},"x":{}}]}"#), duplicate("x", 22));
    assert_eq!(fault(nested(63, "[", r#"{"x":1,"x":1}"#, "]")), duplicate("x", 74));
    outline(r#"{"a":{"a":{"a":1},"b":1},"b":[{"a":1},{"a":1}]}"#);
}

#[test]
fn a_key_stands_once_however_it_is_spelt() {
    assert_eq!(fault(r#"{"method":1,"\u006dethod":2}"#), duplicate("method", 12));
    assert_eq!(fault(r#"{"\u006dethod":1,"method":2}"#), duplicate("method", 17));
    assert_eq!(fault(r#"{"\u006dethod":1,"\u006Dethod":2}"#), duplicate("method", 17));
    assert_eq!(fault(r#"{"params":{"arguments":{"a\/b":1,"a/b":2}}}"#), duplicate("a/b", 33));
    assert_eq!(fault("{\"\\ud83d\\ude00\":1,\"\u{1f600}\":2}"), duplicate("\u{1f600}", 18));
    outline(r#"{"\\u006dethod":1,"method":2,"\"method":3}"#);
}

#[test]
fn a_key_stands_once_among_many() {
    let with_last = |count: usize, last: &str| {
        let keys = numbered_keys(count);
        format!("{},{last}:2}}", keys.strip_suffix('}').unwrap())
    };
    let at = |count: usize| numbered_keys(count).len();

    assert_eq!(fault(with_last(15, r#""key0""#)), duplicate("key0", at(15)));
    assert_eq!(fault(with_last(16, r#""key0""#)), duplicate("key0", at(16)));
    assert_eq!(fault(with_last(17, r#""key16""#)), duplicate("key16", at(17)));
    assert_eq!(fault(with_last(17, r#""key0""#)), duplicate("key0", at(17)));
    assert_eq!(fault(with_last(4_095, r#""\u006bey4094""#)), duplicate("key4094", at(4_095)));
    outline(with_last(4_095, r#""Key4094""#));
}

#[test]
fn wide_objects_leave_the_keys_of_the_outer_ones_alone() {
    let wide = numbered_keys(40);

    outline(format!(r#"{{"key1":{wide},"\u006bey2":{wide},"key3":{wide}}}"#));
    assert!(matches!(
        fault(format!(r#"{{"key1":{wide},"key2":{wide},"key1":{wide}}}"#)),
        Fault::DuplicateKey { .. }
    ));
}

#[test]
fn private_keys_of_serde_json_are_refused_in_any_spelling() {
    let private = |body: &str, at: usize| {
        assert!(matches!(fault(body), Fault::PrivateKey { at: met, .. } if met == at), "{body}");
    };

    private(r#"{"$serde_json::private::RawValue":"1"}"#, 1);
    private(r#"{"params":{"arguments":{"v":{"$serde_json::private::Number":"1"}}}}"#, 29);
    private(r#"{"a":[{"\u0024serde_json::private::Number":"1"}]}"#, 7);
    private(r#"{"$serde_json\u003a:private::RawValue":"1"}"#, 1);
    private(r#"{"$serde_json::private::":1}"#, 1);
    private(r#"{"$serde_json::private::Other":1}"#, 1);
    outline(
        r#"{"$serde_json::private:":1,"$serde_json::Private::Number":1," $serde_json::private::Number":1}"#,
    );
    outline(r#"{"a":"$serde_json::private::RawValue"}"#);
}

#[test]
fn wide_objects_are_judged_in_good_time() {
    let object = numbered_keys(4_096);
    let body = format!("{{\"a\":[{}]}}", vec![object; 24].join(","));
    let start = std::time::Instant::now();

    outline(&body);

    assert!(start.elapsed() < std::time::Duration::from_secs(2), "{:?}", start.elapsed());
}
