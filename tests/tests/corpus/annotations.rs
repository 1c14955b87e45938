//! C7: schemas that mirror arguments into headers, as they may and as they may not.

use serde_json::{Map, Value, json};
use tollgate::{CatalogError, CatalogHandle, Tool, prelude::Cx};
use tollgate_tests::{Call, Connection};

use super::{
    bench::{Bench, Expect},
    fixture::{Runs, server},
};

fn add(catalog: &CatalogHandle<Runs>, name: &str, schema: Value) -> Result<(), CatalogError> {
    let tool = Tool::new(name, "Mirrors.", schema, async |cx: Cx<Runs>, arguments: Map<String, Value>| {
        cx.state().one();
        Ok(Value::Object(arguments).to_string())
    });
    catalog.add_tool(tool)
}

fn property(schema: &Value) -> Value {
    json!({"type": "object", "properties": {"a": schema}})
}

fn mirrored(name: &Value) -> Value {
    json!({"type": "string", "x-mcp-header": name})
}

/// Every place of a schema from which the annotation cannot be reached by `properties` alone.
fn misplaced() -> Vec<(&'static str, Value)> {
    let good = mirrored(&json!("A"));
    let inner = property(&good);
    let root = |mut schema: Value| {
        schema["type"] = json!("object");
        schema
    };
    vec![
        ("the root", root(json!({"x-mcp-header": "A"}))),
        ("items", property(&json!({"type": "array", "items": good}))),
        ("items of objects", property(&json!({"type": "array", "items": inner}))),
        ("prefixItems", property(&json!({"type": "array", "prefixItems": [good]}))),
        ("contains", property(&json!({"type": "array", "contains": good}))),
        ("unevaluatedItems", property(&json!({"type": "array", "unevaluatedItems": good}))),
        ("additionalProperties", root(json!({"additionalProperties": good}))),
        ("patternProperties", root(json!({"patternProperties": {"^a": good}}))),
        ("propertyNames", root(json!({"propertyNames": good}))),
        ("unevaluatedProperties", root(json!({"unevaluatedProperties": good}))),
        ("dependentSchemas", root(json!({"dependentSchemas": {"a": inner}}))),
        ("allOf", root(json!({"allOf": [inner]}))),
        ("anyOf", root(json!({"anyOf": [inner]}))),
        ("oneOf", root(json!({"oneOf": [inner]}))),
        ("not", root(json!({"not": inner}))),
        ("if", root(json!({"if": inner}))),
        ("then", root(json!({"if": true, "then": inner}))),
        ("else", root(json!({"if": true, "else": inner}))),
        ("$defs", root(json!({"$defs": {"a": good}}))),
        (
            "$defs behind a reference",
            root(json!({"$defs": {"a": good}, "properties": {"a": {"$ref": "#/$defs/a"}}})),
        ),
        ("definitions", root(json!({"definitions": {"a": good}}))),
        ("allOf of a property", property(&json!({"allOf": [good]}))),
        ("oneOf of a property", property(&json!({"oneOf": [good, {"type": "null"}]}))),
        ("anyOf deep below", property(&property(&json!({"anyOf": [inner]})))),
        ("items below properties", property(&property(&json!({"type": "array", "items": inner})))),
        ("an unknown keyword", root(json!({"x-more": {"a": good}}))),
    ]
}

/// Annotations that stand where they may, and are wrong all the same.
fn malformed() -> Vec<(String, Value)> {
    let names = [
        json!(""),
        json!(" "),
        json!("A B"),
        json!("A:"),
        json!("A\r\n"),
        json!("A\nX-Evil: 1"),
        json!("A\0"),
        json!("A\t"),
        json!("\u{e9}"),
        json!("A/B"),
        json!("A(B)"),
        json!("A,B"),
        json!("A;B"),
        json!("\"A\""),
        json!("A=B"),
        json!("A@B"),
        json!("[A]"),
        json!("{A}"),
        json!("A\u{7f}"),
        json!("A\\B"),
        json!("A?"),
        json!("<A>"),
        json!(null),
        json!(1),
        json!(true),
        json!(["A"]),
        json!({"name": "A"}),
    ];
    let types = [
        json!({"type": "number", "x-mcp-header": "A"}),
        json!({"type": "object", "x-mcp-header": "A"}),
        json!({"type": "array", "x-mcp-header": "A"}),
        json!({"type": "null", "x-mcp-header": "A"}),
        json!({"type": ["string", "null"], "x-mcp-header": "A"}),
        json!({"type": ["string"], "x-mcp-header": "A"}),
        json!({"x-mcp-header": "A"}),
        json!({"enum": ["a"], "x-mcp-header": "A"}),
        json!({"const": "a", "x-mcp-header": "A"}),
        json!({"$ref": "#/$defs/a", "x-mcp-header": "A"}),
    ];
    let mut all: Vec<(String, Value)> =
        names.iter().map(|it| (format!("named {it}"), property(&mirrored(it)))).collect();
    all.extend(types.iter().map(|it| {
        let mut schema = property(it);
        schema["$defs"] = json!({"a": {"type": "string"}});
        (format!("typed {it}"), schema)
    }));
    let two = |one: &str, other: &str| json!({"type": "object", "properties": {"a": mirrored(&json!(one)), "b": mirrored(&json!(other))}});
    for (one, other) in [("A", "A"), ("A", "a"), ("Region", "REGION"), ("a-b", "A-B")] {
        all.push((format!("{one} and {other}"), two(one, other)));
    }
    let nested = json!({"type": "object", "properties": {
        "a": mirrored(&json!("A")), "b": property(&mirrored(&json!("a"))),
    }});
    all.push(("twice, at two depths".into(), nested));
    all
}

// V59; S-056.
#[tokio::test]
async fn a_schema_that_mirrors_wrongly_is_refused_and_the_server_goes_on() {
    let (server, runs) = server();
    let catalog = server.catalog();
    let mut bench = Bench::of((server, runs)).await;
    let misplaced = misplaced().into_iter().map(|it| (it.0.to_owned(), it.1));

    for (name, schema) in misplaced.chain(malformed()) {
        let added = add(&catalog, "mirror", schema);
        bench.hold(&name, added.is_err(), "it was taken");
        let told = added.err().map(|it| it.to_string()).unwrap_or_default();
        bench.hold(&name, told.contains("mirror"), "it is not told which tool it was");
        bench.hold(&name, told.chars().all(|it| !it.is_control()), &format!("the text acts: {told:?}"));
        let call = Call::tool("mirror", &json!({"a": "x"}));
        bench.call(&name, &call, Expect::refused(200, -32602)).await;
    }

    bench.finish(68);
}

// V16, V59; S-055, S-056.
#[tokio::test]
async fn a_schema_that_mirrors_rightly_is_enforced() {
    let (server, runs) = server();
    let catalog = server.catalog();
    let mut bench = Bench::of((server, runs)).await;
    let names = ["A", "a", "A-b", "x_y", "1", "!#$%&'*+-.^_`|~", "Host", "Name", "Content-Length"];
    let kinds = [
        ("string", json!("x"), "x", "y"),
        ("integer", json!(7), "7", "8"),
        ("boolean", json!(true), "true", "false"),
    ];

    for name in names {
        for (kind, value, right, wrong) in &kinds {
            for depth in 0..3 {
                let mut schema = property(&json!({"type": kind, "x-mcp-header": name}));
                let mut arguments = json!({"a": value});
                for _ in 0..depth {
                    schema = property(&schema);
                    arguments = json!({"a": arguments});
                }
                add(&catalog, "mirror", schema).unwrap();
                let call = Call::tool("mirror", &arguments);
                let with = |value: &str| call.clone().header(format!("Mcp-Param-{name}: {value}"));
                let case = format!("{name} of {kind}, {depth} deep");
                let mismatch = Expect::refused(400, -32020);
                bench.call(&format!("{case}, right"), &with(right), Expect::good(1)).await;
                bench.call(&format!("{case}, wrong"), &with(wrong), mismatch).await;
                bench.call(&format!("{case}, missing"), &call, mismatch).await;
                let without = Call::tool("mirror", &json!({})).header(format!("Mcp-Param-{name}: {right}"));
                bench.call(&format!("{case}, stray"), &without, mismatch).await;
            }
        }
    }

    bench.finish(324);
}

// V59; S-056.
#[tokio::test]
async fn what_only_looks_like_an_annotation_is_none() {
    let (server, runs) = server();
    let catalog = server.catalog();
    let mut bench = Bench::of((server, runs)).await;
    let schemas = [
        json!({"type": "string", "default": {"x-mcp-header": "A"}}),
        json!({"type": "string", "examples": [{"x-mcp-header": "A"}]}),
        json!({"enum": ["x", {"x-mcp-header": "A"}]}),
        json!({"type": "string", "X-MCP-Header": "A"}),
        json!({"type": "string", "x-mcp-headers": "A"}),
        json!({"type": "string", "description": "x-mcp-header"}),
    ];

    for schema in schemas {
        let name = schema.to_string();
        let added = add(&catalog, "mirror", property(&schema));
        bench.hold(&name, added.is_ok(), &format!("it was refused: {added:?}"));
        bench.call(&name, &Call::tool("mirror", &json!({"a": "x"})), Expect::good(1)).await;
    }
    // An argument of that name is an argument.
    add(&catalog, "mirror", json!({"type": "object", "properties": {"x-mcp-header": {"type": "string"}}}))
        .unwrap();
    bench.call("an argument", &Call::tool("mirror", &json!({"x-mcp-header": "x"})), Expect::good(1)).await;

    bench.finish(7);
}

// V59.
#[tokio::test]
async fn a_refused_tool_stands_in_no_list() {
    let (server, runs) = server();
    let catalog = server.catalog();
    let bench = Bench::of((server, runs)).await;
    let list = async || {
        let mut connection = Connection::open(bench.address()).await;
        connection.send(&Call::modern("tools/list", json!({})).bytes()).await;
        connection.answer().await.body
    };
    let before = list().await;

    assert!(add(&catalog, "mirror", property(&mirrored(&json!("A B")))).is_err());
    assert!(add(&catalog, "take", property(&mirrored(&json!("A B")))).is_err());

    assert_eq!(before, list().await);
    bench.finish(0);
}
