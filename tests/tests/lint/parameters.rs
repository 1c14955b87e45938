//! What a model is told of each parameter.

use serde_json::json;
use tollgate::lint::{Rule, lint};

use super::kit::{Case, tool, with, with_all, with_schema};

pub(super) fn cases() -> Vec<Case> {
    let x = "/inputSchema/properties/x";
    let text =
        |description: &str| with(json!({"type": "string", "maxLength": 9, "description": description}));
    vec![
        Case::of(Rule::UndescribedParameter)
            .fires(x, with(json!({"type": "string"})))
            .fires(x, with(json!(true)))
            .fires(x, with(json!({"description": "  "})))
            .fires(x, with(json!({"$ref": "#/$defs/nowhere"})))
            .fires(
                "/inputSchema/properties/x/properties/y~1z",
                with(json!({"description": "A thing.", "properties": {"y/z": {}}})),
            )
            .fires(
                "/inputSchema/properties/x/items/properties/y",
                with(json!({"description": "Things.", "items": {"type": "object", "properties": {"y": {}}}})),
            )
            .fires(
                "/inputSchema/$defs/y/properties/z",
                with_schema(json!({
                    "properties": {"x": {"$ref": "#/$defs/y"}},
                    "$defs": {"y": {"description": "A thing.", "properties": {"z": {"type": "integer"}}}},
                })),
            )
            .quiet(with_schema(json!({
                "properties": {"x": {"$ref": "#/$defs/y"}, "z": {"anyOf": [{"$ref": "#/$defs/y"}, {"type": "null"}]}},
                "$defs": {"y": {"description": "A thing.", "items": {"$ref": "#/$defs/y"}}},
            })))
            .quiet(with(json!({"const": "x"})))
            .quiet(with_schema(json!({"if": {"properties": {"x": {"minimum": 1}}}})))
            .quiet(tool(json!({"outputSchema": {"type": "object", "properties": {"x": {}}}}))),
        Case::of(Rule::ParameterSaysName)
            .fires("/inputSchema/properties/noteId/description", with_all(json!({"noteId": {"description": "Note ID"}})))
            .fires("/inputSchema/properties/x/description", text("The x."))
            .quiet(text("The x of the note."))
            .quiet(text("")),
        Case::of(Rule::EnumAsText)
            .fires(x, text("One of: open, closed, all"))
            .fires(x, text("The order ('asc' or 'desc')."))
            .fires(x, text("Either `json` or `csv`"))
            .fires(x, text("Allowed values are red, green and blue."))
            .fires(x, with(json!({"type": ["string", "null"], "description": "State; one of a|b|c"})))
            .quiet(text("One of the notes that the user has."))
            .quiet(text("A country, e.g. 'de' or 'fr'"))
            .quiet(text("Needed for 'add' or 'reply' only."))
            .quiet(with(json!({"type": "string", "enum": ["a", "b"], "description": "One of: a, b"})))
            .quiet(with(json!({"type": "string", "pattern": "^[ab]$", "description": "One of: a, b"})))
            .quiet(with(json!({"type": "integer", "description": "One of: 1, 2"}))),
        Case::of(Rule::Unbounded)
            .fires("/inputSchema", with(json!({"type": "string"})))
            .fires("/inputSchema", with(json!({"type": "array", "items": {"type": "integer"}})))
            .fires("/inputSchema", with_all(json!({"x": {"type": "string"}, "y": {"anyOf": [{"type": "string"}]}})))
            .quiet(text("A word."))
            .quiet(with(json!({"type": "array", "maxItems": 3})))
            .quiet(with(json!({"type": "string", "format": "date"})))
            .quiet(with(json!({"type": "string", "oneOf": [{"const": "a"}, {"const": "b"}]})))
            .quiet(with(json!({"type": "boolean"}))),
    ]
}

#[test]
fn each_rule_of_parameters_fires_where_it_should_and_nowhere_else() {
    cases().iter().for_each(Case::hold);
}

#[test]
fn the_enum_that_is_meant_is_written_out() {
    let parameter = json!({"type": "string", "maxLength": 9, "description": "State; one of: open, closed"});

    let found = lint(&[with(parameter)]);

    assert_eq!(found.len(), 1);
    assert_eq!(found[0].fix, r#"add `"enum": ["open", "closed"]`"#);
}

#[test]
fn a_definition_that_many_parameters_share_is_told_of_once() {
    let found = lint(&[with_schema(json!({
        "properties": {"a": {"$ref": "#/$defs/y"}, "b": {"$ref": "#/$defs/y"}},
        "$defs": {"y": {"description": "A thing.", "type": "object", "properties": {"z": {}, "y": {"$ref": "#/$defs/y"}}}},
    }))]);

    let places: Vec<&str> = found.iter().map(|it| it.place.as_str()).collect();
    assert_eq!(places, ["/inputSchema/$defs/y/properties/z"]);
}
