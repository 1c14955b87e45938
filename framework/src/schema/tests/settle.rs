//! Whole numbers and absent arguments are settled.

use serde_json::{Value, json};

use super::checker;

/// The instance as a tool sees it, which must be valid.
#[track_caller]
fn settled(schema: Value, mut instance: Value) -> String {
    let faults = checker(schema).check(&mut instance, 20);
    assert_eq!(faults, []);
    instance.to_string()
}

fn integers() -> Value {
    json!({
        "$defs": {"count": {"type": "integer"}},
        "properties": {
            "a": {"type": "integer"},
            "b": {"$ref": "#/$defs/count"},
            "c": {"type": "number"},
            "d": {"items": {"allOf": [{"type": "integer"}]}},
            "e": {"anyOf": [{"type": "string"}, {"type": "integer"}]},
            "f": {"type": ["integer", "null"]},
        },
        "additionalProperties": {"type": "integer"},
    })
}

#[test]
fn a_number_without_a_fraction_becomes_the_integer_that_is_wanted() {
    assert_eq!(settled(integers(), json!({"a": 2.0, "b": -0.0})), r#"{"a":2,"b":0}"#);
    assert_eq!(settled(integers(), json!({"d": [1.0, 2], "e": 3.0, "f": 4.0})), r#"{"d":[1,2],"e":3,"f":4}"#);
    assert_eq!(settled(integers(), json!({"g": 5.0})), r#"{"g":5}"#);
    assert_eq!(settled(integers(), json!({"a": 1.8e19})), r#"{"a":18000000000000000000}"#);
}

#[test]
fn a_number_stays_as_it_is_where_a_number_is_wanted() {
    assert_eq!(settled(integers(), json!({"c": 2.0})), r#"{"c":2.0}"#);
    assert_eq!(settled(json!({}), json!({"c": 2.0})), r#"{"c":2.0}"#);
    assert_eq!(settled(integers(), json!({"a": 1e300})), r#"{"a":1e+300}"#);
}

#[test]
fn branches_and_unevaluated_parts_settle_too() {
    let schema = json!({
        "properties": {"kind": {}},
        "if": {"properties": {"kind": {"const": "n"}}},
        "then": {"properties": {"n": {"type": "integer"}}},
        "dependentSchemas": {"x": {"properties": {"y": {"type": "integer"}}}},
        "unevaluatedProperties": {"type": "integer"},
    });

    assert_eq!(settled(schema.clone(), json!({"kind": "n", "n": 1.0})), r#"{"kind":"n","n":1}"#);
    assert_eq!(
        settled(schema.clone(), json!({"kind": "o", "x": 1.0, "y": 2.0})),
        r#"{"kind":"o","x":1,"y":2}"#
    );
    assert_eq!(
        settled(json!({"prefixItems": [{}], "unevaluatedItems": {"type": "integer"}}), json!([1.0, 2.0])),
        "[1.0,2]"
    );
}

fn optional() -> Value {
    json!({
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "limit": {"type": "integer"},
            "note": {"type": ["string", "null"]},
            "place": {"type": "object", "properties": {"city": {"type": "string"}, "zip": {"type": "string"}}, "required": ["city"]},
        },
        "required": ["name"],
        "additionalProperties": false,
    })
}

#[test]
fn null_for_an_optional_argument_counts_as_absent() {
    assert_eq!(settled(optional(), json!({"limit": null, "name": "a"})), r#"{"name":"a"}"#);
    assert_eq!(
        settled(optional(), json!({"name": "a", "place": {"zip": null, "city": "b"}})),
        r#"{"name":"a","place":{"city":"b"}}"#
    );
}

#[test]
fn null_that_is_allowed_stays() {
    assert_eq!(settled(optional(), json!({"name": "a", "note": null})), r#"{"name":"a","note":null}"#);
    assert_eq!(settled(json!({}), json!({"a": null})), r#"{"a":null}"#);
}

#[test]
fn null_for_a_required_an_unknown_or_a_forbidden_argument_is_a_fault() {
    let faults = |schema: Value, mut instance: Value| {
        let faults = checker(schema).check(&mut instance, 20);
        faults.into_iter().map(|it| (it.pointer, it.found)).collect::<Vec<_>>()
    };

    assert_eq!(faults(optional(), json!({"name": null})), [("/name".to_owned(), "null".to_owned())]);
    assert_eq!(
        faults(optional(), json!({"name": "a", "other": null})),
        [("/other".to_owned(), "null".to_owned())]
    );
    assert_eq!(
        faults(json!({"properties": {"a": false}}), json!({"a": null})),
        [("/a".to_owned(), "null".to_owned())]
    );
    assert_eq!(faults(json!({"additionalProperties": {"type": "string"}}), json!({"a": null})).len(), 1);
    assert_eq!(faults(json!({"items": {"type": "string"}}), json!([null])).len(), 1);
}

#[test]
fn null_is_judged_by_all_schemas_on_the_object() {
    let schema = json!({
        "$defs": {"base": {"properties": {"a": {"type": "string"}, "b": {"type": "string"}}}},
        "allOf": [{"$ref": "#/$defs/base"}, {"required": ["b"]}],
    });

    assert_eq!(settled(schema.clone(), json!({"a": null, "b": "x"})), r#"{"b":"x"}"#);
    assert_eq!(checker(schema).check(&mut json!({"b": null}), 20).len(), 1);
}

#[test]
fn null_is_dropped_in_the_branch_that_was_meant() {
    let schema = json!({"oneOf": [
        {"properties": {"kind": {"const": "a"}, "size": {"type": "string"}}, "required": ["kind"]},
        {"properties": {"kind": {"const": "b"}, "size": {"type": "integer"}}, "required": ["kind"]},
    ]});

    assert_eq!(settled(schema, json!({"kind": "b", "size": null})), r#"{"kind":"b"}"#);
}

#[test]
fn is_valid_takes_the_instance_as_it_stands() {
    assert!(!checker(optional()).is_valid(&json!({"name": "a", "limit": null})));
    assert!(checker(optional()).is_valid(&json!({"name": "a", "limit": 2.0})));
}
