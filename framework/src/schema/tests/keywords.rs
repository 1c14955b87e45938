//! Each keyword, valid and not.

use serde_json::json;

use super::{refusal, table};

#[test]
fn boolean_schemas_take_all_or_nothing() {
    table(json!(true), [json!(null), json!({"a": 1})], []);
    table(json!(false), [], [json!(null), json!({"a": 1})]);
    table(json!({}), [json!(1)], []);
}

#[test]
fn a_type_is_one_of_seven() {
    table(json!({"type": "null"}), [json!(null)], [json!(0), json!(""), json!(false)]);
    table(json!({"type": "boolean"}), [json!(true), json!(false)], [json!(0), json!("true"), json!(null)]);
    table(
        json!({"type": "integer"}),
        [json!(1), json!(2.0), json!(-3), json!(1e300)],
        [json!(1.5), json!("1")],
    );
    table(json!({"type": "number"}), [json!(1), json!(1.5)], [json!("1"), json!(true)]);
    table(json!({"type": "string"}), [json!("")], [json!(1), json!(["a"])]);
    table(json!({"type": "array"}), [json!([])], [json!({}), json!("[]")]);
    table(json!({"type": "object"}), [json!({})], [json!([]), json!(null)]);
    table(json!({"type": ["string", "null"]}), [json!("a"), json!(null)], [json!(1)]);
}

#[test]
fn enum_and_const_compare_by_value() {
    table(json!({"enum": ["a", 1, null]}), [json!("a"), json!(1.0), json!(null)], [json!("b"), json!(true)]);
    table(json!({"const": 1}), [json!(1), json!(1.0)], [json!(2), json!("1"), json!(true)]);
    table(
        json!({"const": {"a": 1, "b": [2]}}),
        [json!({"b": [2.0], "a": 1})],
        [json!({"a": 1}), json!({"a": 1, "b": [3]})],
    );
    table(json!({"const": false}), [json!(false)], [json!(0), json!(null)]);
    table(json!({"enum": []}), [], [json!(null)]);
    table(
        json!({"const": 9007199254740993_i64}),
        [json!(9007199254740993_i64)],
        [json!(9007199254740992_i64)],
    );
}

#[test]
fn multiple_of_is_decided_in_decimal() {
    table(
        json!({"multipleOf": 2}),
        [json!(0), json!(4), json!(-6), json!(4.0), json!("x")],
        [json!(7), json!(0.5)],
    );
    table(json!({"multipleOf": 0.1}), [json!(0.3), json!(1), json!(1.1)], [json!(0.35)]);
    table(json!({"multipleOf": 0.01}), [json!(4.02), json!(19.99), json!(-0.07)], [json!(4.025)]);
    table(json!({"multipleOf": 0.0001}), [json!(0.0075)], [json!(0.00751)]);
    table(json!({"multipleOf": 1e-8}), [json!(12391239123_i64)], [json!(1e-9)]);
    table(json!({"multipleOf": 0.123456789}), [json!(0)], [json!(1e308)]);
    table(json!({"multipleOf": 1e300}), [json!(1e300), json!(3e300)], [json!(1)]);
}

#[test]
fn bounds_are_exact() {
    table(json!({"minimum": 1}), [json!(1), json!(1.0), json!("x")], [json!(0), json!(0.99)]);
    table(json!({"maximum": 1.5}), [json!(1), json!(1.5)], [json!(2), json!(1.51)]);
    table(json!({"exclusiveMinimum": 1}), [json!(2), json!(1.01)], [json!(1), json!(1.0)]);
    table(json!({"exclusiveMaximum": 1}), [json!(0.99), json!(-1e300)], [json!(1), json!(1e300)]);
    table(json!({"maximum": u64::MAX}), [json!(u64::MAX)], [json!(1.9e19)]);
    table(json!({"minimum": i64::MIN}), [json!(i64::MIN), json!(0)], [json!(-1e19)]);
    table(
        json!({"minimum": 9007199254740993_i64}),
        [json!(9007199254740993_i64)],
        [json!(9007199254740992.0)],
    );
    table(json!({"minimum": -1.5}), [json!(-1), json!(-1.5)], [json!(-2)]);
}

#[test]
fn lengths_are_counted_in_characters() {
    table(json!({"minLength": 2}), [json!("éé"), json!("💩💩"), json!(1)], [json!("💩"), json!("")]);
    table(json!({"maxLength": 2.0}), [json!("💩💩")], [json!("abc")]);
}

#[test]
fn arrays_are_counted() {
    table(
        json!({"minItems": 1, "maxItems": 2}),
        [json!([1]), json!([1, 2]), json!("x")],
        [json!([]), json!([1, 2, 3])],
    );
}

#[test]
fn unique_items_differ_by_value() {
    let many =
        |last| json!((0..100).map(|it| json!({"n": it})).chain([json!({"n": last})]).collect::<Vec<_>>());

    table(
        json!({"uniqueItems": true}),
        [json!([1, 2]), json!([1, true]), json!([[1], [2]])],
        [json!([1, 1.0])],
    );
    table(json!({"uniqueItems": true}), [many(100)], [many(7), json!([{"a": 1, "b": 2}, {"b": 2, "a": 1}])]);
    table(json!({"uniqueItems": false}), [json!([1, 1])], []);
}

#[test]
fn items_follow_the_prefix() {
    let schema =
        json!({"prefixItems": [{"type": "string"}, {"type": "integer"}], "items": {"type": "boolean"}});

    table(schema, [json!(["a"]), json!(["a", 1, true]), json!([])], [json!([1]), json!(["a", 1, 2])]);
    table(json!({"items": false}), [json!([])], [json!([1])]);
}

#[test]
fn contains_counts_what_fits() {
    table(json!({"contains": {"type": "integer"}}), [json!(["a", 1]), json!({})], [json!([]), json!(["a"])]);
    table(
        json!({"contains": {"const": 1}, "minContains": 2, "maxContains": 3}),
        [json!([1, 1])],
        [json!([1]), json!([1, 1, 1, 1])],
    );
    table(json!({"contains": {"const": 1}, "minContains": 0}), [json!([])], []);
}

#[test]
fn members_are_named_matched_or_other() {
    let schema = json!({
        "properties": {"name": {"type": "string"}},
        "patternProperties": {"^x-": {"type": "integer"}},
        "additionalProperties": {"type": "boolean"},
    });

    table(
        schema,
        [json!({"name": "a", "x-b": 1, "c": true})],
        [json!({"name": 1}), json!({"x-b": "a"}), json!({"c": 1})],
    );
    table(json!({"additionalProperties": false}), [json!({}), json!([1])], [json!({"a": 1})]);
    table(
        json!({"properties": {"x-a": {"minimum": 3}}, "patternProperties": {"^x": {"maximum": 5}}}),
        [json!({"x-a": 4})],
        [json!({"x-a": 2}), json!({"x-a": 6})],
    );
}

#[test]
fn members_are_counted_and_required() {
    table(
        json!({"required": ["a", "b"]}),
        [json!({"a": 1, "b": null}), json!("x")],
        [json!({"a": 1}), json!({})],
    );
    table(
        json!({"minProperties": 1, "maxProperties": 2}),
        [json!({"a": 1})],
        [json!({}), json!({"a": 1, "b": 2, "c": 3})],
    );
    table(json!({"propertyNames": {"maxLength": 2}}), [json!({"ab": 1})], [json!({"abc": 1})]);
}

#[test]
fn members_depend_on_each_other() {
    table(
        json!({"dependentRequired": {"a": ["b"]}}),
        [json!({"a": 1, "b": 2}), json!({"b": 1})],
        [json!({"a": 1})],
    );
    table(
        json!({"dependentSchemas": {"a": {"required": ["b"]}}}),
        [json!({"a": 1, "b": 2}), json!({})],
        [json!({"a": 1})],
    );
    table(
        json!({"dependencies": {"a": ["b"], "c": {"required": ["d"]}}}),
        [json!({"c": 1, "d": 2})],
        [json!({"a": 1}), json!({"c": 1})],
    );
}

#[test]
fn schemas_combine() {
    table(json!({"allOf": [{"minimum": 1}, {"maximum": 3}]}), [json!(2)], [json!(0), json!(4)]);
    table(json!({"anyOf": [{"minimum": 3}, {"maximum": 1}]}), [json!(0), json!(4)], [json!(2)]);
    table(json!({"oneOf": [{"minimum": 1}, {"maximum": 3}]}), [json!(0), json!(4)], [json!(2)]);
    table(json!({"not": {"type": "string"}}), [json!(1)], [json!("a")]);
}

#[test]
fn conditions_choose_a_branch() {
    let schema = json!({"if": {"minimum": 10}, "then": {"multipleOf": 10}, "else": {"multipleOf": 2}});

    table(schema, [json!(20), json!(4)], [json!(15), json!(3)]);
    table(json!({"then": false, "else": false}), [json!(1)], []);
}

#[test]
fn unevaluated_members_are_those_no_keyword_has_seen() {
    let schema = json!({
        "properties": {"a": true},
        "allOf": [{"properties": {"b": true}}],
        "anyOf": [{"properties": {"c": {"const": 1}}, "required": ["c"]}, {"properties": {"d": {"const": 1}}, "required": ["d"]}],
        "unevaluatedProperties": false,
    });

    table(
        schema,
        [json!({"a": 1, "b": 1, "c": 1}), json!({"d": 1})],
        [json!({"c": 1, "e": 1}), json!({"c": 1, "d": 2})],
    );
    table(json!({"unevaluatedProperties": {"type": "string"}}), [json!({"a": "b"})], [json!({"a": 1})]);
    table(
        json!({"not": {"not": {"properties": {"a": true}}}, "unevaluatedProperties": false}),
        [json!({})],
        [json!({"a": 1})],
    );
}

#[test]
fn unevaluated_items_are_those_no_keyword_has_seen() {
    table(json!({"prefixItems": [true], "unevaluatedItems": false}), [json!([1])], [json!([1, 2])]);
    table(
        json!({"contains": {"type": "string"}, "unevaluatedItems": {"type": "integer"}}),
        [json!(["a", 1])],
        [json!(["a", true])],
    );
    table(json!({"allOf": [{"items": true}], "unevaluatedItems": false}), [json!([1, 2])], []);
}

#[test]
fn format_and_unknown_keywords_are_annotations() {
    table(
        json!({"format": "date", "x-color": "red", "contentEncoding": "base64"}),
        [json!("not a date")],
        [],
    );
}

#[test]
fn malformed_keywords_are_refused_where_they_stand() {
    assert_eq!(refusal(json!({"type": "int"})).pointer, "/type");
    assert_eq!(refusal(json!({"type": []})).pointer, "/type");
    assert_eq!(
        refusal(json!({"properties": {"a/b": {"minLength": -1}}})).pointer,
        "/properties/a~1b/minLength"
    );
    assert_eq!(refusal(json!({"items": {"multipleOf": 0}})).pointer, "/items/multipleOf");
    assert_eq!(refusal(json!({"required": "a"})).pointer, "/required");
    assert_eq!(refusal(json!({"required": [1]})).pointer, "/required");
    assert_eq!(refusal(json!({"enum": "a"})).pointer, "/enum");
    assert_eq!(refusal(json!({"properties": []})).pointer, "/properties");
    assert_eq!(refusal(json!({"properties": {"a": 1}})).pointer, "/properties/a");
    assert_eq!(refusal(json!({"items": [{}]})).pointer, "/items");
    assert_eq!(refusal(json!({"anyOf": []})).pointer, "/anyOf");
    assert_eq!(refusal(json!({"maximum": "9"})).pointer, "/maximum");
    assert_eq!(refusal(json!({"uniqueItems": 1})).pointer, "/uniqueItems");
    assert_eq!(refusal(json!({"pattern": 1})).pointer, "/pattern");
    assert_eq!(refusal(json!({"dependentRequired": {"a": "b"}})).pointer, "/dependentRequired");
    assert_eq!(refusal(json!({"dependencies": {"a": "b"}})).pointer, "/dependencies/a");
    assert_eq!(refusal(json!("a")).pointer, "");
}
