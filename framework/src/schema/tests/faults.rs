//! What is said of an instance that does not fit.

use serde_json::{Value, json};

use super::{check, checker, faults};

#[track_caller]
fn one(schema: Value, instance: Value, expected: &str) {
    assert_eq!(faults(schema, instance), [expected]);
}

#[test]
fn a_fault_says_what_is_expected_and_what_is_there() {
    one(
        json!({"type": "string", "maxLength": 3}),
        json!("long"),
        r#": a string of at most 3 characters, found "long""#,
    );
    one(
        json!({"type": "string", "minLength": 1}),
        json!(""),
        r#": a string of at least 1 character, found """#,
    );
    one(json!({"type": "string", "pattern": "^a"}), json!("b"), r#": a string matching `^a`, found "b""#);
    one(
        json!({"type": "integer", "minimum": 1, "maximum": 12}),
        json!(13),
        ": an integer from 1 to 12, found 13",
    );
    one(json!({"type": "integer"}), json!("7"), r#": an integer, found "7""#);
    one(
        json!({"exclusiveMinimum": 0, "exclusiveMaximum": 1}),
        json!(1),
        ": a number above 0 and below 1, found 1",
    );
    one(json!({"type": "number", "multipleOf": 5}), json!(3), ": a number, a multiple of 5, found 3");
    one(json!({"enum": ["a", "b"]}), json!("c"), r#": one of "a", "b", found "c""#);
    one(json!({"const": 1}), json!(2), ": 1, found 2");
    one(json!({"type": "boolean"}), json!("yes"), r#": true or false, found "yes""#);
    one(json!({"type": ["string", "null"]}), json!(1), ": a string or null, found 1");
    one(json!({"type": "array", "maxItems": 1}), json!([1, 2]), ": an array of at most 1 item, found [1,2]");
    one(json!({"uniqueItems": true}), json!([1, 1]), ": an array without duplicates, found [1,1]");
    one(json!({"minProperties": 2}), json!({}), ": an object of at least 2 members, found {}");
    one(
        json!({"contains": {"const": 1}}),
        json!([]),
        ": an array with at least 1 item like this: 1, found []",
    );
    one(json!({"not": {"const": 1}}), json!(1), ": anything but 1, found 1");
    one(
        json!({"propertyNames": {"maxLength": 1}}),
        json!({"ab": 1}),
        r#"/ab: a name that is a string of at most 1 character, found "ab""#,
    );
    one(
        json!({"dependentRequired": {"a": ["b"]}}),
        json!({"a": 1}),
        "/b: a value, as `a` is given, found nothing",
    );
}

fn booking() -> Value {
    json!({
        "type": "object",
        "properties": {
            "name": {"type": "string", "maxLength": 5},
            "guests": {"type": "integer", "minimum": 1, "maximum": 12},
            "rooms": {"type": "array", "items": {"type": "object", "properties": {"size": {"enum": ["s", "l"]}}, "additionalProperties": false}},
        },
        "required": ["name", "guests"],
        "additionalProperties": false,
    })
}

#[test]
fn all_faults_are_told_at_once() {
    let instance =
        json!({"name": "too long", "guest": 3, "rooms": [{"size": "s"}, {"size": "m", "view": 1}]});

    let faults = faults(booking(), instance);

    assert_eq!(
        faults,
        [
            "/guests: an integer from 1 to 12, found nothing",
            "/name: a string of at most 5 characters, found \"too long\"",
            "/guest: no such argument; did you mean `guests`? Known are `name`, `guests`, `rooms`, found 3",
            "/rooms/1/size: one of \"s\", \"l\", found \"m\"",
            "/rooms/1/view: no such member; known are `size`, found 1",
        ]
    );
}

#[test]
fn the_nearest_name_is_suggested_only_when_it_is_near() {
    let with = |name: &str| {
        faults(
            json!({"properties": {"region": true, "id": true}, "additionalProperties": false}),
            json!({name: 1}),
        )
    };

    assert_eq!(
        with("regoin"),
        ["/regoin: no such argument; did you mean `region`? Known are `region`, `id`, found 1"]
    );
    assert_eq!(with("rgn"), ["/rgn: no such argument; known are `region`, `id`, found 1"]);
    assert_eq!(with("it"), ["/it: no such argument; known are `region`, `id`, found 1"]);
}

#[test]
fn a_tool_without_arguments_says_so() {
    one(
        json!({"type": "object", "additionalProperties": false}),
        json!({"a": 1}),
        "/a: no arguments, found 1",
    );
}

#[test]
fn unknown_names_are_compared_with_all_schemas_on_the_object() {
    let schema = json!({"allOf": [{"properties": {"first": true}}], "properties": {"second": true}, "unevaluatedProperties": false});

    one(schema, json!({"third": 1}), "/third: no such argument; known are `second`, `first`, found 1");
}

#[test]
fn pointers_escape_tildes_and_slashes() {
    let schema = json!({"properties": {"a/b": {"properties": {"c~d": {"items": {"type": "string"}}}}}});

    one(schema, json!({"a/b": {"c~d": ["x", 1]}}), "/a~1b/c~0d/1: a string, found 1");
}

#[test]
fn the_root_has_an_empty_pointer() {
    assert_eq!(check(json!({"type": "object"}), json!([]))[0].pointer, "");
}

#[test]
fn twenty_faults_are_enough() {
    let checker = checker(json!({"items": {"type": "string"}}));

    assert_eq!(checker.check(&mut json!(vec![1; 100]), 20).len(), 20);
    assert_eq!(checker.check(&mut json!(vec![1; 100]), 3).len(), 3);
}

#[test]
fn what_is_found_is_short_and_plain() {
    let found = |value: Value| check(json!({"type": "null"}), value)[0].found.clone();

    assert_eq!(found(json!("x".repeat(1000))).chars().count(), 60);
    assert!(found(json!("💩".repeat(1000))).ends_with('…'));
    assert_eq!(found(json!("a\u{1b}[31m\u{7f}\u{202e}b")), r#""a\u001b[31m\u007f\u202eb""#);
    assert_eq!(found(json!({"a": [1, null]})), r#"{"a":[1,null]}"#);
    assert_eq!(found(json!(vec![7; 100_000])).chars().count(), 60);
}

#[test]
fn what_is_expected_is_short() {
    let many: Vec<String> = (0..1000).map(|it| format!("value {it}")).collect();

    assert!(check(json!({"enum": many}), json!(1))[0].expected.chars().count() <= 200);
    assert!(
        check(json!({"anyOf": many.iter().map(|it| json!({"pattern": it})).collect::<Vec<_>>()}), json!("a"))
            [0]
        .expected
        .chars()
        .count()
            <= 200
    );
}

#[test]
fn a_choice_has_one_fault() {
    one(
        json!({"anyOf": [{"type": "string", "maxLength": 2}, {"type": "integer"}]}),
        json!(1.5),
        ": a string of at most 2 characters or an integer, found 1.5",
    );
    one(
        json!({"oneOf": [{"const": "a", "description": "A."}, {"const": "b"}]}),
        json!("c"),
        r#": one of "a", "b", found "c""#,
    );
    one(
        json!({"oneOf": [{"minimum": 1}, {"maximum": 5}]}),
        json!(3),
        ": a value that fits only one of these: a number of at least 1 or a number of at most 5, found 3",
    );
}

#[test]
fn the_only_branch_of_that_type_tells_its_own_faults() {
    let schema =
        json!({"anyOf": [{"type": "object", "properties": {"a": {"type": "string"}}}, {"type": "null"}]});

    one(schema, json!({"a": 1}), "/a: a string, found 1");
}

fn tagged() -> Value {
    json!({
        "oneOf": [
            {"type": "object", "properties": {"kind": {"const": "card"}, "number": {"type": "string"}}, "required": ["kind", "number"]},
            {"$ref": "#/$defs/cash"},
        ],
        "$defs": {"cash": {"type": "object", "properties": {"kind": {"enum": ["cash"]}, "amount": {"type": "integer"}}, "required": ["kind"]}},
    })
}

#[test]
fn a_tagged_branch_tells_its_own_faults() {
    one(tagged(), json!({"kind": "card"}), "/number: a string, found nothing");
    one(tagged(), json!({"kind": "cash", "amount": "a lot"}), r#"/amount: an integer, found "a lot""#);
}

#[test]
fn a_wrong_tag_is_the_fault() {
    one(tagged(), json!({"kind": "gold"}), r#"/kind: one of "card", "cash", found "gold""#);
    one(tagged(), json!({}), r#"/kind: one of "card", "cash", found nothing"#);
}

#[test]
fn a_branch_named_by_its_member_tells_its_own_faults() {
    let branch = |name: &str, kind: &str| {
        let inner = json!({"type": "object", "properties": {"size": {"type": kind}}});
        json!({"type": "object", "properties": {name: inner}, "required": [name], "additionalProperties": false})
    };
    let schema = json!({"oneOf": [branch("box", "integer"), branch("bag", "string")]});

    one(schema.clone(), json!({"box": {"size": "s"}}), r#"/box/size: an integer, found "s""#);
    one(schema, json!({"sack": {}}), ": an object with `box` or an object with `bag`, found {\"sack\":{}}");
}

#[test]
fn a_condition_tells_the_faults_of_its_branch() {
    let schema = json!({"if": {"required": ["a"]}, "then": {"properties": {"b": {"type": "string"}}}});

    one(schema, json!({"a": 1, "b": 2}), "/b: a string, found 2");
}
