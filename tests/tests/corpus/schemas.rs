//! C19: schemas that fetch, go round in circles, or cost more than they say.

use std::time::Duration;

use serde_json::{Map, Value, json};
use tokio::{net::TcpListener, time::timeout};
use tollgate::{CatalogHandle, Tool, prelude::Cx};
use tollgate_tests::Call;

use super::{
    bench::{Bench, Expect},
    fixture::{Runs, server},
    work::{LONGEST, Work},
};

/// Adds a tool of that schema; says whether it was taken.
fn add(catalog: &CatalogHandle<Runs>, schema: Value) -> bool {
    let tool = Tool::new("odd", "Has an odd schema.", schema, async |cx: Cx<Runs>, _: Map<String, Value>| {
        cx.state().one();
        Ok("done".to_owned())
    });
    catalog.add_tool(tool).is_ok()
}

fn object(mut schema: Value) -> Value {
    schema["type"] = json!("object");
    schema
}

fn property(schema: Value) -> Value {
    json!({"type": "object", "properties": {"a": schema}})
}

// V27; S-121.
#[tokio::test]
async fn no_schema_is_fetched() {
    let (server, runs) = server();
    let catalog = server.catalog();
    let mut bench = Bench::of((server, runs)).await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let here = format!("http://{}", listener.local_addr().unwrap());
    let reference = |to: &str| property(json!({"$ref": to}));
    let remote = [
        reference(&format!("{here}/x")),
        reference(&format!("{here}/x#/$defs/a")),
        reference(&here.replace("http:", "")),
        reference(&here.replace("http", "https")),
        reference("x.json"),
        reference("/x.json#"),
        reference("../x"),
        reference("file:///etc/passwd"),
        reference("urn:x:y"),
        reference("data:application/json,{}"),
        reference("jar:http://x!/y"),
        property(json!({"$dynamicRef": format!("{here}/x#a")})),
        property(json!({"$id": format!("{here}/base"), "$ref": "other"})),
        object(json!({"$id": format!("{here}/base"), "properties": {"a": {"$ref": "other#/x"}}})),
        object(json!({"$defs": {"unused": {"$ref": format!("{here}/x")}}})),
        object(json!({"items": {"$ref": format!("{here}/x")}})),
        object(json!({"allOf": [{"not": {"if": {"$ref": format!("{here}/x")}}}]})),
        object(json!({"$schema": format!("{here}/schema")})),
        object(json!({"$ref": format!("{here}/x")})),
        reference("#/$defs/none"),
        reference("#none"),
        reference("#/properties/b"),
        property(json!({"$ref": 1})),
        property(json!({"$ref": null})),
        property(json!({"$ref": ["#"]})),
    ];

    for schema in remote {
        let name = schema.to_string();
        bench.hold(&name, !add(&catalog, schema), "it was taken");
        bench.call(&name, &Call::tool("odd", &json!({"a": 1})), Expect::refused(200, -32602)).await;
    }

    let visited = timeout(Duration::from_millis(50), listener.accept()).await.is_ok();
    bench.hold("the listener", !visited, "somebody came");
    bench.finish(25);
}

// V27; S-122.
#[tokio::test]
async fn a_schema_that_goes_round_on_one_value_is_refused() {
    let (server, runs) = server();
    let catalog = server.catalog();
    let mut bench = Bench::of((server, runs)).await;
    let round = [
        object(json!({"$ref": "#"})),
        object(json!({"allOf": [{"$ref": "#"}]})),
        object(json!({"anyOf": [{"$ref": "#"}, true]})),
        object(json!({"oneOf": [{"$ref": "#"}]})),
        object(json!({"not": {"$ref": "#"}})),
        object(json!({"if": {"$ref": "#"}})),
        object(json!({"dependentSchemas": {"a": {"$ref": "#"}}})),
        object(
            json!({"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/a"}),
        ),
        object(json!({"$defs": {"a": {"$ref": "#/$defs/a"}}, "properties": {"a": {"$ref": "#/$defs/a"}}})),
        object(json!({"$anchor": "me", "allOf": [{"$ref": "#me"}]})),
        object(json!({"$dynamicAnchor": "me", "allOf": [{"$dynamicRef": "#me"}]})),
    ];
    let tree = object(json!({"properties": {"a": {"$ref": "#"}}, "additionalProperties": false}));

    for schema in round {
        let name = schema.to_string();
        bench.hold(&name, !add(&catalog, schema), "it was taken");
        bench.call(&name, &Call::tool("odd", &json!({"a": 1})), Expect::refused(200, -32602)).await;
    }
    bench.hold("a tree", add(&catalog, tree), "it was refused");
    let deep = (0..50).fold(json!({}), |inner, _| json!({"a": inner}));
    bench.call("a tree, deep", &Call::tool("odd", &deep), Expect::good(1)).await;
    let wrong = (0..50).fold(json!({"b": 1}), |inner, _| json!({"a": inner}));
    let answer = bench.call("a tree, wrong at its end", &Call::tool("odd", &wrong), Expect::good(0)).await;
    bench.hold("a tree", answer.result()["isError"] == true, "what does not fit was taken");

    bench.finish(13);
}

/// Schemas that unfold into far more than they say, and arguments that make them.
fn bombs() -> Vec<(&'static str, Value, Value)> {
    let doubling = |keyword: &str| {
        let mut defs = Map::new();
        for level in 0..30 {
            let next = json!({"$ref": format!("#/$defs/d{}", level + 1)});
            defs.insert(format!("d{level}"), json!({keyword: [next, next]}));
        }
        defs.insert("d30".into(), json!({"type": "string"}));
        object(json!({"$defs": defs, "properties": {"a": {"$ref": "#/$defs/d0"}}}))
    };
    let branching = |keyword: &str| {
        let me = json!({"$ref": "#/$defs/t"});
        let tree = json!({"type": "object", "properties": {"n": {keyword: [me, me]}, "leaf": false}});
        object(json!({"$defs": {"t": tree}, "properties": {"a": {"$ref": "#/$defs/t"}}}))
    };
    let chain = (0..50).fold(json!({"leaf": 1}), |inner, _| json!({"n": inner}));
    let nested =
        |levels: usize| (0..levels).fold(json!({"type": "string"}), |inner, _| json!({"not": inner}));
    let many = |count: usize| (0..count).map(|it| json!({"const": it})).collect::<Vec<_>>();
    let numbers = |count: usize| (0..count).map(|it| json!(it + 1_000_000)).collect::<Vec<_>>();
    let texts = |count: usize| (0..count).map(|it| json!(format!("{it:08}"))).collect::<Vec<_>>();
    let properties: Map<String, Value> =
        (0..4_000).map(|it| (format!("p{it}"), json!({"type": "string"}))).collect();
    let patterns: Map<String, Value> = (0..50).map(|it| (format!("k{it}.*x$"), json!(true))).collect();
    let keys: Map<String, Value> = (0..2_000).map(|it| (format!("k{it}"), json!(it))).collect();
    vec![
        ("allOf that doubles", doubling("allOf"), json!({"a": 1})),
        ("allOf that doubles, on what fits", doubling("allOf"), json!({"a": "x"})),
        ("anyOf that doubles", doubling("anyOf"), json!({"a": 1})),
        ("oneOf that doubles", doubling("oneOf"), json!({"a": 1})),
        ("anyOf that branches at each level", branching("anyOf"), json!({"a": chain})),
        ("oneOf that branches at each level", branching("oneOf"), json!({"a": chain})),
        ("allOf that branches at each level", branching("allOf"), json!({"a": chain})),
        ("a nesting of 60", property(nested(60)), json!({"a": 1})),
        ("a nesting of 120", property(nested(120)), json!({"a": 1})),
        ("an enum of 100000", property(json!({"enum": texts(100_000)})), json!({"a": "none"})),
        (
            "an enum of large objects",
            property(json!({"enum": vec![json!({"k": numbers(1_000)}); 200]})),
            json!({"a": {"k": numbers(1_000)}}),
        ),
        ("20000 subschemas", property(json!({"anyOf": many(20_000)})), json!({"a": -1})),
        ("9000 subschemas on one value", property(json!({"anyOf": many(9_000)})), json!({"a": -1})),
        (
            "2000 subschemas on 5000 values",
            property(json!({"items": {"anyOf": many(2_000)}})),
            json!({"a": numbers(5_000)}),
        ),
        (
            "5000 values that have to differ",
            property(json!({"uniqueItems": true})),
            json!({"a": numbers(5_000)}),
        ),
        (
            "20000 texts that have to differ",
            property(json!({"uniqueItems": true})),
            json!({"a": texts(20_000)}),
        ),
        (
            "objects that have to differ",
            property(json!({"uniqueItems": true})),
            json!({"a": vec![json!({"k": texts(20)}); 2_000]}),
        ),
        ("4000 properties", object(json!({"properties": properties})), json!({"p0": 1})),
        (
            "50 patterns on 2000 keys",
            object(json!({"patternProperties": patterns})),
            Value::Object(keys.clone()),
        ),
        (
            "names by a pattern",
            object(json!({"propertyNames": {"pattern": "^(k|kk)*[0-9]+$"}})),
            Value::Object(keys),
        ),
        (
            "contains in contains",
            property(json!({"contains": {"contains": {"contains": {"const": 1}}}})),
            json!({"a": vec![vec![vec![0; 20]; 50]; 50]}),
        ),
        (
            "a length beyond any",
            property(json!({"minLength": u64::MAX, "maxLength": 1e300})),
            json!({"a": "x"}),
        ),
        ("a multiple that is tiny", property(json!({"multipleOf": 1e-300})), json!({"a": 1e300})),
        (
            "a multiple of a huge number",
            property(json!({"multipleOf": 1e308})),
            json!({"a": 9_007_199_254_740_993_u64}),
        ),
        (
            "unevaluated behind many",
            property(
                json!({"anyOf": vec![json!({"properties": {"x": true}}); 500], "unevaluatedProperties": false}),
            ),
            json!({"a": {"y": 1}}),
        ),
    ]
}

// V27; S-123.
#[tokio::test]
async fn no_schema_costs_more_than_it_says() {
    let (server, runs) = server();
    let catalog = server.catalog();
    let mut bench = Bench::of((server, runs)).await;

    let mut all = Duration::ZERO;
    for (name, schema, arguments) in bombs() {
        let started = Work::begin();
        let taken = add(&catalog, schema);
        let added = started.done();
        bench.hold(name, added < LONGEST, &format!("it took {added:?} to look at"));
        if taken {
            let answer = bench.any(name, &Call::tool("odd", &arguments)).await;
            let called = started.done() - added;
            all += called;
            bench.hold(name, called < LONGEST, &format!("a call took {called:?}"));
            bench.hold(name, answer.status == 200, "it was not answered");
        } else {
            bench.call(name, &Call::tool("odd", &arguments), Expect::refused(200, -32602)).await;
        }
        catalog.remove_tool("odd");
    }

    assert!(all > Duration::ZERO, "nothing was measured");
    bench.finish(25);
}

/// A pattern, and whether it is taken.
const PATTERNS: [(&str, bool); 26] = [
    ("^(a+)+$", true),
    ("^(a|a)*$", true),
    ("^(a|aa)+$", true),
    ("^(.*a){20}$", true),
    ("^(([a-z])+.)+[A-Z]([a-z])+$", true),
    ("(x+x+)+y", true),
    ("^(a?){50}a{50}$", true),
    ("^[\\w.-]+@[\\w.-]+$", true),
    (".*.*.*.*=.*", true),
    ("((a{1,100}){1,100}){1,100}", false),
    ("(a{0,1000}){0,1000}", false),
    ("a{1000000}", false),
    ("a{99999999999999999999}", false),
    ("(?=a)b", false),
    ("(?!a)b", false),
    ("(?<=a)b", false),
    ("(?<!a)b", false),
    ("(a)\\1", false),
    ("(?<n>a)\\k<n>", false),
    ("(", false),
    (")", false),
    ("[", false),
    ("*", false),
    ("a**", false),
    ("[z-a]", false),
    ("\\", false),
];

// V26; S-124.
#[tokio::test]
async fn a_pattern_never_goes_back() {
    let (server, runs) = server();
    let catalog = server.catalog();
    let mut bench = Bench::of((server, runs)).await;
    let texts = ["a".repeat(10_000) + "!", "x".repeat(10_000), "=".repeat(10_000), "a.".repeat(5_000)];

    for (pattern, is_good) in PATTERNS {
        let started = Work::begin();
        let taken = add(&catalog, property(json!({"type": "string", "pattern": pattern})));
        bench.hold(pattern, started.done() < LONGEST, "it took too long to look at");
        bench.hold(pattern, taken == is_good, if taken { "it was taken" } else { "it was refused" });
        for text in texts.iter().filter(|_| taken) {
            let started = Work::begin();
            bench.any(pattern, &Call::tool("odd", &json!({"a": text}))).await;
            let called = started.done();
            bench.hold(pattern, called < LONGEST, &format!("{called:?} on {text:.4}…"));
        }
        catalog.remove_tool("odd");
    }

    bench.finish(36);
}

// V27; S-120.
#[tokio::test]
async fn a_schema_is_a_schema() {
    let (server, runs) = server();
    let catalog = server.catalog();
    let mut bench = Bench::of((server, runs)).await;
    let wrong = [
        json!(null),
        json!(true),
        json!(false),
        json!("object"),
        json!([]),
        json!(1),
        json!({}),
        json!({"type": "string"}),
        json!({"type": "array"}),
        json!({"type": ["object", "null"]}),
        json!({"type": "Object"}),
        json!({"type": null}),
        json!({"properties": {}}),
        json!({"$ref": "#/$defs/a", "$defs": {"a": {"type": "object"}}}),
        object(json!({"properties": []})),
        object(json!({"properties": {"a": 1}})),
        object(json!({"properties": {"a": []}})),
        object(json!({"required": "a"})),
        object(json!({"required": [1]})),
        object(json!({"enum": {}})),
        object(json!({"allOf": {}})),
        object(json!({"items": 1})),
        object(json!({"minLength": -1})),
        object(json!({"minLength": "1"})),
        object(json!({"multipleOf": 0})),
        object(json!({"pattern": 1})),
        object(json!({"not": null})),
        object(json!({"$schema": "http://example.com/other"})),
        object(json!({"$schema": 1})),
    ];

    for schema in wrong {
        let name = schema.to_string();
        bench.hold(&name, !add(&catalog, schema), "it was taken");
        bench.call(&name, &Call::tool("odd", &json!({})), Expect::refused(200, -32602)).await;
    }

    bench.finish(29);
}
