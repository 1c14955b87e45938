//! Arguments that are mirrored into headers.

use serde_json::{Value, json};

use crate::schema::{ParamKind, header_params};

/// The headers and where their values are, as `header=path:kind`.
#[track_caller]
fn taken(schema: Value, expected: &[&str]) {
    let params = header_params(&schema).unwrap_or_else(|error| panic!("{error}"));
    let params: Vec<String> =
        params.iter().map(|it| format!("{}={}:{:?}", it.header, it.path.join("."), it.kind)).collect();
    assert_eq!(params, expected);
}

#[track_caller]
fn refused(schema: Value, pointer: &str) {
    assert_eq!(header_params(&schema).expect_err(&schema.to_string()).pointer, pointer);
}

fn marked(name: Value) -> Value {
    json!({"properties": {"a": {"type": "string", "x-mcp-header": name}}})
}

/// An annotation that is fine on a property.
fn good() -> Value {
    json!({"type": "string", "x-mcp-header": "A"})
}

#[test]
fn an_annotated_property_has_a_header() {
    taken(marked(json!("Region")), &["Mcp-Param-Region=a:Text"]);
    taken(json!({"properties": {"a": {"type": "integer", "x-mcp-header": "A"}}}), &["Mcp-Param-A=a:Integer"]);
    taken(json!({"properties": {"a": {"type": "boolean", "x-mcp-header": "A"}}}), &["Mcp-Param-A=a:Boolean"]);
    taken(json!({"properties": {"a": {"type": "string"}}}), &[]);
    taken(json!({}), &[]);
    taken(json!(true), &[]);
}

#[test]
fn look_ups_are_in_lower_case() {
    let params = header_params(&marked(json!("ReGion"))).unwrap();

    assert_eq!((params[0].lookup.as_str(), params[0].kind), ("mcp-param-region", ParamKind::Text));
}

#[test]
fn headers_keep_the_order_written_and_follow_nested_properties() {
    let schema = json!({"properties": {
        "z": {"type": "string", "x-mcp-header": "Z"},
        "o": {"type": "object", "properties": {"i": {"properties": {"n": {"type": "integer", "x-mcp-header": "N"}}}}},
        "a": {"type": "boolean", "x-mcp-header": "A"},
    }});

    taken(schema, &["Mcp-Param-Z=z:Text", "Mcp-Param-N=o.i.n:Integer", "Mcp-Param-A=a:Boolean"]);
}

#[test]
fn every_token_character_is_allowed() {
    taken(marked(json!("!#$%&'*+-.^_`|~09azAZ")), &["Mcp-Param-!#$%&'*+-.^_`|~09azAZ=a:Text"]);
}

#[test]
fn a_property_may_be_called_as_the_annotation() {
    taken(json!({"properties": {"x-mcp-header": {"type": "string"}}}), &[]);
    taken(
        json!({"properties": {"x-mcp-header": {"type": "string", "x-mcp-header": "A"}}}),
        &["Mcp-Param-A=x-mcp-header:Text"],
    );
    taken(
        json!({"properties": {"properties": {"type": "string", "x-mcp-header": "A"}}}),
        &["Mcp-Param-A=properties:Text"],
    );
}

#[test]
fn data_is_not_an_annotation() {
    taken(
        json!({"properties": {"a": {"const": {"x-mcp-header": "A"}, "default": {"x-mcp-header": "B"}}}}),
        &[],
    );
    taken(
        json!({"properties": {"a": {"enum": [{"x-mcp-header": "A"}], "examples": [{"x-mcp-header": "B"}]}}}),
        &[],
    );
    taken(json!({"dependentRequired": {"x-mcp-header": ["a"]}, "required": ["x-mcp-header"]}), &[]);
}

// S-148, S-149.
#[test]
fn the_name_of_a_header_is_a_token() {
    let place = "/properties/a/x-mcp-header";
    refused(marked(json!("")), place);
    refused(marked(json!(" ")), place);
    refused(marked(json!("A B")), place);
    refused(marked(json!("A:B")), place);
    refused(marked(json!("A\r\nB")), place);
    refused(marked(json!("A\u{0}")), place);
    refused(marked(json!("Région")), place);
    refused(marked(json!("A/B")), place);
    refused(marked(json!("(A)")), place);
    refused(marked(json!(1)), place);
    refused(marked(json!(null)), place);
    refused(marked(json!(["A"])), place);
}

// S-150.
#[test]
fn two_arguments_never_share_a_header() {
    let two = |first: &str, second: &str| {
        json!({"properties": {
            "a": {"type": "string", "x-mcp-header": first},
            "b": {"properties": {"c": {"type": "string", "x-mcp-header": second}}},
        }})
    };

    refused(two("A", "A"), "/properties/b/properties/c/x-mcp-header");
    refused(two("Region", "rEGION"), "/properties/b/properties/c/x-mcp-header");
    taken(two("A", "B"), &["Mcp-Param-A=a:Text", "Mcp-Param-B=b.c:Text"]);
}

// S-151.
#[test]
fn only_strings_integers_and_booleans_have_a_header() {
    let typed = |kind: Value| json!({"properties": {"a": {"type": kind, "x-mcp-header": "A"}}});
    let place = "/properties/a/x-mcp-header";

    refused(typed(json!("number")), place);
    refused(typed(json!("array")), place);
    refused(typed(json!("object")), place);
    refused(typed(json!("null")), place);
    refused(typed(json!(["string", "integer"])), place);
    refused(typed(json!(["string", "null"])), place);
    refused(json!({"properties": {"a": {"x-mcp-header": "A"}}}), place);
    refused(json!({"properties": {"a": {"enum": ["x"], "x-mcp-header": "A"}}}), place);
    refused(
        json!({"properties": {"a": {"$ref": "#/$defs/s", "x-mcp-header": "A"}}, "$defs": {"s": {"type": "string"}}}),
        place,
    );
}

// S-153.
#[test]
fn a_header_is_reached_through_properties_only() {
    let under = |pointer: &str, schema: Value| refused(schema, &format!("{pointer}/x-mcp-header"));
    let object = || json!({"properties": {"b": good()}});

    under("", json!({"type": "string", "x-mcp-header": "A"}));
    under("/properties/a/items", json!({"properties": {"a": {"items": good()}}}));
    under("/properties/a/items/properties/b", json!({"properties": {"a": {"items": object()}}}));
    under("/properties/a/prefixItems/0", json!({"properties": {"a": {"prefixItems": [good()]}}}));
    under("/properties/a/contains", json!({"properties": {"a": {"contains": good()}}}));
    under("/properties/a/unevaluatedItems", json!({"properties": {"a": {"unevaluatedItems": good()}}}));
    under("/oneOf/1/properties/b", json!({"oneOf": [{}, object()]}));
    under("/anyOf/0/properties/b", json!({"anyOf": [object()]}));
    under("/allOf/0/properties/b", json!({"allOf": [object()]}));
    under("/not/properties/b", json!({"not": object()}));
    under("/if/properties/b", json!({"if": object()}));
    under("/then/properties/b", json!({"then": object()}));
    under("/else/properties/b", json!({"else": object()}));
    under("/dependentSchemas/c/properties/b", json!({"dependentSchemas": {"c": object()}}));
    under("/dependencies/c/properties/b", json!({"dependencies": {"c": object()}}));
    under("/$defs/s", json!({"$defs": {"s": good()}, "properties": {"a": {"$ref": "#/$defs/s"}}}));
    under("/definitions/s", json!({"definitions": {"s": good()}}));
    under("/additionalProperties", json!({"additionalProperties": good()}));
    under("/patternProperties/^a", json!({"patternProperties": {"^a": good()}}));
    under("/unevaluatedProperties", json!({"unevaluatedProperties": good()}));
    under("/propertyNames", json!({"propertyNames": good()}));
    under("/additionalItems", json!({"additionalItems": good()}));
    under("/items/0", json!({"items": [good()]}));
    under("/components/s~1t", json!({"components": {"s/t": good()}}));
    under("/properties/a/anyOf/0", json!({"properties": {"a": {"type": "string", "anyOf": [good()]}}}));
}
