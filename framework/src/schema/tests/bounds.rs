//! Validation costs a bounded number of steps.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{check, checker, refusal};

/// A schema that doubles the work with every definition.
fn bomb(keyword: &str) -> Value {
    let mut definitions = json!({"d0": {"type": "string"}});
    (1..30).for_each(|it| {
        let next = json!({"$ref": format!("#/$defs/d{}", it - 1)});
        definitions[format!("d{it}")] = json!({keyword: [next, next]});
    });
    json!({"$defs": definitions, "$ref": "#/$defs/d29"})
}

#[track_caller]
fn is_too_complex(schema: Value, mut instance: Value) {
    let checker = checker(schema);

    let started = Instant::now();
    let faults = checker.check(&mut instance, 20);

    assert!(faults[0].expected.contains("too complex to check"), "{faults:?}");
    assert!(started.elapsed() < Duration::from_secs(2));
}

#[test]
fn a_bomb_of_all_of_is_too_complex() {
    is_too_complex(bomb("allOf"), json!("a"));
}

#[test]
fn a_bomb_of_any_of_is_too_complex() {
    is_too_complex(bomb("anyOf"), json!(1));
}

#[test]
fn a_bomb_of_one_of_is_too_complex() {
    is_too_complex(bomb("oneOf"), json!(1.0));
}

#[test]
fn a_bomb_in_the_instance_is_too_complex() {
    let branch = json!({"type": "object", "properties": {"a": {"$ref": "#"}}, "required": ["a"]});
    let instance = (0..40).fold(json!(null), |inner, _| json!({"a": inner}));

    is_too_complex(json!({"anyOf": [branch, branch]}), instance);
}

#[test]
fn a_long_text_against_a_large_pattern_is_too_complex() {
    is_too_complex(json!({"pattern": "(x[^x]{0,300}y)+$"}), json!("x".repeat(8_000_000)));
}

#[test]
fn a_deep_instance_is_too_complex() {
    let instance = (0..1000).fold(json!([]), |inner, _| json!([inner]));

    is_too_complex(json!({"items": {"$ref": "#"}}), instance);
}

#[test]
fn what_a_parser_lets_through_is_not_too_deep() {
    let instance = (0..120).fold(json!([]), |inner, _| json!([inner]));

    assert_eq!(check(json!({"items": {"allOf": [{"$ref": "#"}]}}), instance), []);
}

#[test]
fn a_fault_is_found_however_deep() {
    let instance = (0..120).fold(json!(1.5), |inner, _| json!([inner]));
    let schema =
        json!({"anyOf": [{"type": "array"}, {"type": "integer"}], "items": {"allOf": [{"$ref": "#"}]}});

    assert_eq!(check(schema, instance)[0].pointer, "/0".repeat(120));
}

#[test]
fn an_integer_is_settled_however_deep() {
    let mut instance = (0..120).fold(json!(1.0), |inner, _| json!([inner]));
    let schema = json!({"type": ["array", "integer"], "items": {"allOf": [{"$ref": "#"}]}});

    assert_eq!(checker(schema).check(&mut instance, 20), []);

    assert!(instance.to_string().contains("[1]"));
}

#[test]
fn a_large_but_plain_instance_is_fine() {
    let items: Vec<Value> = (0..50_000).map(|it| json!({"id": it, "name": format!("n{it}")})).collect();
    let schema = json!({
        "uniqueItems": true,
        "items": {"properties": {"id": {"type": "integer"}, "name": {"type": "string", "pattern": "^n\\d+$"}}, "required": ["id"]},
    });

    assert_eq!(check(schema, json!(items)), []);
}

#[test]
fn a_schema_has_ten_thousand_subschemas_at_most() {
    let with = |count: usize| json!({"prefixItems": vec![true; count]});

    checker(with(9_999));
    assert!(refusal(with(10_000)).problem.contains("10000"));
}

#[test]
fn a_schema_is_nested_sixty_four_deep_at_most() {
    let nested = |depth: usize| (0..depth).fold(json!({}), |inner, _| json!({"items": inner}));

    checker(nested(64));
    assert!(refusal(nested(65)).problem.contains("64"));
}

#[test]
fn a_chain_of_references_is_sixty_four_long_at_most() {
    let chain = |length: usize| {
        let mut definitions = json!({"d0": true});
        (1..=length)
            .for_each(|it| definitions[format!("d{it}")] = json!({"$ref": format!("#/$defs/d{}", it - 1)}));
        json!({"$defs": definitions})
    };

    checker(chain(64));
    assert!(refusal(chain(65)).problem.contains("in a row"));
}
