//! References within one document.

use serde_json::json;

use super::{checker, refusal, table};

#[test]
fn a_reference_may_be_a_pointer() {
    let schema = json!({
        "$defs": {"a~b": {"type": "string"}, "c/d": {"type": "integer"}, "e f": {"type": "null"}},
        "prefixItems": [{"$ref": "#/$defs/a~0b"}, {"$ref": "#/$defs/c~1d"}, {"$ref": "#/$defs/e%20f"}],
    });

    table(schema, [json!(["a", 1, null])], [json!([1]), json!(["a", "b"]), json!(["a", 1, 2])]);
}

#[test]
fn a_reference_may_be_an_anchor() {
    let schema = json!({"$defs": {"a": {"$anchor": "text", "type": "string"}}, "$ref": "#text"});

    table(schema, [json!("a")], [json!(1)]);
}

#[test]
fn a_reference_may_be_relative_to_an_id() {
    let schema = json!({
        "$id": "https://example.com/schemas/root.json",
        "$ref": "parts/text.json",
        "$defs": {"a": {"$id": "parts/text.json", "$ref": "./more.json"}, "b": {"$id": "parts/more.json", "type": "string"}},
    });

    table(schema, [json!("a")], [json!(1)]);
}

#[test]
fn a_reference_may_lead_under_an_unknown_keyword() {
    let schema = json!({"components": {"schemas": {"Pet": {"required": ["name"]}}}, "$ref": "#/components/schemas/Pet"});

    table(schema, [json!({"name": 1})], [json!({})]);
}

#[test]
fn a_reference_stands_beside_other_keywords() {
    table(
        json!({"$defs": {"a": {"minimum": 1}}, "$ref": "#/$defs/a", "maximum": 3}),
        [json!(2)],
        [json!(0), json!(4)],
    );
}

#[test]
fn a_recursive_schema_follows_the_instance() {
    let schema = json!({
        "type": "object",
        "properties": {"children": {"type": "array", "items": {"$ref": "#"}}, "name": {"type": "string"}},
        "required": ["name"],
    });

    table(
        schema,
        [json!({"name": "a", "children": [{"name": "b", "children": []}]})],
        [json!({"name": "a", "children": [{}]})],
    );
}

#[test]
fn a_dynamic_reference_takes_the_outermost_anchor() {
    let schema = json!({
        "$id": "https://example.com/root",
        "$ref": "list",
        "$defs": {
            "item": {"$dynamicAnchor": "item", "type": "string"},
            "list": {"$id": "list", "items": {"$dynamicRef": "#item"}, "$defs": {"any": {"$dynamicAnchor": "item"}}},
        },
    });

    table(schema, [json!(["a"])], [json!([1])]);
}

#[test]
fn a_property_may_be_called_as_a_keyword() {
    table(
        json!({"properties": {"$ref": {"type": "string"}, "$id": {"type": "integer"}}}),
        [json!({"$ref": "a"})],
        [json!({"$ref": 1})],
    );
}

#[test]
fn nothing_is_fetched() {
    assert!(refusal(json!({"$ref": "https://example.com/a.json"})).problem.contains("never followed"));
    assert_eq!(refusal(json!({"items": {"$ref": "other.json#/a"}})).pointer, "/items/$ref");
    assert_eq!(refusal(json!({"$ref": "//example.com/a"})).pointer, "/$ref");
}

#[test]
fn a_reference_to_nothing_is_refused() {
    assert_eq!(refusal(json!({"$ref": "#/$defs/missing"})).pointer, "/$ref");
    assert_eq!(refusal(json!({"$ref": "#missing"})).pointer, "/$ref");
    assert_eq!(refusal(json!({"$ref": "#/%zz"})).pointer, "/$ref");
    assert_eq!(refusal(json!({"$ref": 1})).pointer, "/$ref");
    assert_eq!(refusal(json!({"$dynamicRef": "#missing"})).pointer, "/$dynamicRef");
}

#[test]
fn a_reference_that_goes_round_on_one_value_is_refused() {
    assert_eq!(refusal(json!({"$ref": "#"})).pointer, "");
    assert_eq!(
        refusal(json!({"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"anyOf": [{"$ref": "#/$defs/a"}]}}}))
            .pointer,
        "/$defs/a"
    );
    assert!(refusal(json!({"not": {"$ref": "#"}})).problem.contains("refers back"));
    assert!(refusal(json!({"dependentSchemas": {"a": {"$ref": "#"}}})).problem.contains("refers back"));
}

#[test]
fn identifiers_are_unique() {
    assert_eq!(refusal(json!({"$anchor": "a", "items": {"$anchor": "a"}})).pointer, "/items/$anchor");
    assert_eq!(refusal(json!({"$id": "https://a/", "items": {"$id": "https://a/"}})).pointer, "/items/$id");
    assert_eq!(refusal(json!({"$id": "#a"})).pointer, "/$id");
}

#[test]
fn three_dialects_are_known() {
    checker(json!({"$schema": "https://json-schema.org/draft/2020-12/schema"}));
    checker(json!({"$schema": "https://json-schema.org/draft/2019-09/schema"}));
    checker(json!({"$schema": "http://json-schema.org/draft-07/schema#"}));

    assert_eq!(refusal(json!({"$schema": "http://json-schema.org/draft-04/schema#"})).pointer, "/$schema");
    assert_eq!(refusal(json!({"$schema": 7})).pointer, "/$schema");
}

#[test]
fn an_older_dialect_is_refused_where_it_means_something_else() {
    let draft = |mut schema: serde_json::Value| {
        schema["$schema"] = "http://json-schema.org/draft-07/schema#".into();
        refusal(schema).pointer
    };

    assert_eq!(draft(json!({"items": [{}]})), "/items");
    assert_eq!(draft(json!({"additionalItems": false})), "/additionalItems");
    assert_eq!(draft(json!({"prefixItems": [{}]})), "/prefixItems");
    assert_eq!(draft(json!({"definitions": {"a": {}}, "$ref": "#/definitions/a", "minLength": 1})), "/$ref");
    assert_eq!(draft(json!({"dependentRequired": {"a": ["b"]}})), "/dependentRequired");
    assert_eq!(
        draft(json!({"items": {"$schema": "https://json-schema.org/draft/2020-12/schema"}})),
        "/items/$schema"
    );
}

#[test]
fn draft_07_as_generators_write_it_is_enforced() {
    let schema = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "definitions": {"name": {"type": "string", "minLength": 1}},
        "properties": {"name": {"$ref": "#/definitions/name", "description": "Who."}},
        "required": ["name"],
        "additionalProperties": false,
    });

    table(schema, [json!({"name": "a"})], [json!({"name": ""}), json!({}), json!({"name": "a", "b": 1})]);
}
