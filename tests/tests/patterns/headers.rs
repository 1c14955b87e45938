//! Arguments that are mirrored into headers: what their schemas may say (server/tools#x-mcp-header).

use tollgate::{
    prelude::*,
    serde_json::{Value, json},
};
use tollgate_tests::{Call, start};

use super::kit::server;

fn with_properties(properties: Value) -> Tool {
    of_schema(json!({"type": "object", "properties": properties}))
}

fn of_schema(schema: Value) -> Tool {
    Tool::new("t", "Is there.", schema, async |_, _| Ok("told"))
}

fn starts(tool: Tool) -> bool {
    server(vec![tool]).check().run().is_ok()
}

fn named(header: &str) -> Tool {
    with_properties(json!({"a": {"type": "string", "x-mcp-header": header}}))
}

// S-148.
#[test]
fn a_header_has_a_name() {
    assert!(!starts(named("")));
    assert!(!starts(with_properties(json!({"a": {"type": "string", "x-mcp-header": null}}))));
    assert!(starts(named("Region")));
}

// S-149.
#[test]
fn the_name_of_a_header_is_a_token() {
    for name in ["a b", "a:b", "a\r\nb", "a\n", "\0", "\u{7f}", "ä", "a/b", "(a)", "a,b", "\"a\""] {
        assert!(!starts(named(name)), "{name:?}");
    }
    for name in ["a", "A-1_b.c", "!#$%&'*+-.^_`|~"] {
        assert!(starts(named(name)), "{name:?}");
    }
}

// S-150.
#[test]
fn no_two_arguments_share_a_header() {
    let twins = |a: &str, b: &str| {
        with_properties(json!({
            "a": {"type": "string", "x-mcp-header": a},
            "b": {"type": "object", "properties": {"c": {"type": "string", "x-mcp-header": b}}},
        }))
    };

    assert!(!starts(twins("Region", "Region")));
    assert!(!starts(twins("Region", "rEGION")));
    assert!(starts(twins("Region", "Zone")));
}

// S-151.
#[test]
fn only_texts_whole_numbers_and_booleans_are_mirrored() {
    let typed = |kind: Value| with_properties(json!({"a": {"type": kind, "x-mcp-header": "A"}}));

    for kind in
        [json!("number"), json!("object"), json!("array"), json!("null"), json!(["string", "integer"])]
    {
        assert!(!starts(typed(kind.clone())), "{kind}");
    }
    assert!(!starts(with_properties(json!({"a": {"x-mcp-header": "A"}}))));
    for kind in ["string", "integer", "boolean"] {
        assert!(starts(typed(json!(kind))), "{kind}");
    }
}

// S-153.
#[test]
fn only_arguments_that_a_chain_of_properties_leads_to_are_mirrored() {
    let annotated = json!({"type": "string", "x-mcp-header": "A"});
    let inner = json!({"type": "object", "properties": {"a": annotated}});

    for schema in [
        json!({"type": "object", "properties": {"a": {"type": "array", "items": annotated}}}),
        json!({"type": "object", "properties": {"a": {"anyOf": [annotated, {"type": "null"}]}}}),
        json!({"type": "object", "oneOf": [inner]}),
        json!({"type": "object", "allOf": [inner]}),
        json!({"type": "object", "not": inner}),
        json!({"type": "object", "if": inner}),
        json!({"type": "object", "if": true, "then": inner}),
        json!({"type": "object", "if": true, "else": inner}),
        json!({"type": "object", "$defs": {"a": annotated}, "properties": {"a": {"$ref": "#/$defs/a"}}}),
        json!({"type": "object", "additionalProperties": annotated}),
        json!({"type": "object", "patternProperties": {"^a": annotated}}),
        json!({"type": "object", "x-mcp-header": "A"}),
    ] {
        assert!(!starts(of_schema(schema.clone())), "{schema}");
    }
    assert!(starts(of_schema(json!({"type": "object", "properties": {"deep": inner}}))));
}

// S-152.
#[tokio::test]
async fn a_mirrored_whole_number_is_within_what_every_reader_keeps() {
    let tool = with_properties(json!({"a": {"type": "integer", "x-mcp-header": "A"}}));
    let server = start(server(vec![tool])).await;
    let verdict = async |header: &str, body: i64| {
        let call = Call::tool("t", &json!({"a": body})).header(format!("Mcp-Param-A: {header}"));
        call.send(server.address).await.verdict()
    };

    assert_eq!(verdict("9007199254740991", 9_007_199_254_740_991).await, (200, 0));
    assert_eq!(verdict("-9007199254740991", -9_007_199_254_740_991).await, (200, 0));
    // As floating point numbers these two are one.
    assert_eq!(verdict("9007199254740992", 9_007_199_254_740_993).await, (400, -32020));
}
