//! Optional means not required, rather than null.

use schemars::{JsonSchema, schema_for};
use serde_json::{Value, json};

use super::checker;
use crate::schema::{tidy, without_null};

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is read")]
struct Outer {
    /// The name.
    name: Option<String>,
    /// The inner one.
    inner: Option<Inner>,
    direction: Option<Direction>,
    #[serde(default)]
    limit: Option<u32>,
    list: Vec<Option<u8>>,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is read")]
struct Inner {
    note: Option<String>,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is read")]
enum Direction {
    Up,
    Down,
}

#[test]
fn an_option_is_not_required_rather_than_null() {
    let schema = without_null(tidy(schema_for!(Outer).to_value()));

    assert_eq!(schema.to_string(), json!({
        "type": "object",
        "properties": {
            "name": {"type": "string", "description": "The name."},
            "inner": {"type": "object", "properties": {"note": {"type": "string"}}, "description": "The inner one."},
            "direction": {"type": "string", "enum": ["Up", "Down"]},
            "limit": {"type": "integer", "minimum": 0, "maximum": 4_294_967_295_u32},
            "list": {"type": "array", "items": {"type": ["integer", "null"], "minimum": 0, "maximum": 255}},
        },
        "required": ["list"],
    }).to_string());
}

#[test]
fn explicit_nulls_are_still_taken() {
    let checker = checker(without_null(tidy(schema_for!(Outer).to_value())));
    let mut instance =
        json!({"name": null, "inner": {"note": null}, "direction": null, "limit": null, "list": [null]});

    assert_eq!(checker.check(&mut instance, 20), []);
    assert_eq!(instance, json!({"inner": {}, "list": [null]}));
}

#[test]
fn the_schema_of_a_parameter_loses_its_null() {
    let without =
        |schema: Value, expected: Value| assert_eq!(without_null(schema).to_string(), expected.to_string());

    without(
        json!({"type": ["string", "null"], "description": "A."}),
        json!({"type": "string", "description": "A."}),
    );
    without(json!({"type": ["string", "integer", "null"]}), json!({"type": ["string", "integer"]}));
    without(
        json!({"anyOf": [{"$ref": "#/$defs/a"}, {"type": "null"}], "description": "A."}),
        json!({"$ref": "#/$defs/a", "description": "A."}),
    );
    without(
        json!({"anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}]}),
        json!({"anyOf": [{"type": "string"}, {"type": "integer"}]}),
    );
    without(
        json!({"type": ["string", "null"], "enum": ["a", null]}),
        json!({"type": "string", "enum": ["a"]}),
    );
    without(json!({"type": ["string", "null"], "default": null}), json!({"type": "string"}));
    without(json!({"type": ["string", "null"], "default": "a"}), json!({"type": "string", "default": "a"}));
}

#[test]
fn what_is_only_null_stays() {
    let same = |schema: Value| assert_eq!(without_null(schema.clone()), schema);

    same(json!({"type": "null"}));
    same(json!({"type": ["null"]}));
    same(json!({"anyOf": [{"type": "null"}]}));
    same(json!(true));
    same(json!({"type": "string", "default": null}));
}

#[test]
fn a_required_property_keeps_its_null() {
    let schema = json!({"properties": {"a": {"type": ["string", "null"]}}, "required": ["a"]});

    assert_eq!(without_null(schema.clone()), schema);
}
