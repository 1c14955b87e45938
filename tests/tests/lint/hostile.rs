//! Whatever JSON it is given, the lint answers, and soon.

use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};
use tollgate::lint::{Rule, lint};

use super::kit::tool;

/// Every kind of JSON.
fn values() -> Vec<Value> {
    vec![
        json!(null),
        json!(true),
        json!(-1.5e300),
        json!(""),
        json!("a\u{0}`<\u{202E}"),
        json!([]),
        json!([null, ["x"], {}]),
        json!({}),
        json!({"": null, "~/": [], "$ref": "#", "type": ["string", 1], "properties": {"": 1}}),
    ]
}

const PLACES: &[&str] = &[
    "/name",
    "/title",
    "/description",
    "/inputSchema",
    "/inputSchema/type",
    "/inputSchema/properties",
    "/inputSchema/properties/words",
    "/inputSchema/properties/words/type",
    "/inputSchema/properties/words/description",
    "/inputSchema/properties/words/enum",
    "/inputSchema/properties/words/$ref",
    "/inputSchema/properties/words/anyOf",
    "/inputSchema/properties/words/items",
    "/inputSchema/properties/words/x-mcp-header",
    "/inputSchema/$defs",
    "/outputSchema",
    "/outputSchema/properties",
    "/annotations",
    "/annotations/readOnlyHint",
    "/icons",
    "/_meta",
];

#[test]
fn no_value_at_any_place_is_too_much() {
    for place in PLACES {
        for value in values() {
            let (above, name) = place.rsplit_once('/').unwrap();
            let mut tool = tool(json!({"outputSchema": {"type": "object"}}));
            tool.pointer_mut(above).unwrap()[name] = value;
            let found = lint(&[tool.clone(), tool]);
            assert!(found.iter().all(|it| !it.fix.is_empty() && !it.text.is_empty()), "{place}");
        }
    }
    assert_eq!(lint(&values()).iter().filter(|it| it.rule == Rule::IllTyped).count(), values().len());
    assert_eq!(lint(&[]), []);
}

#[test]
fn every_end_of_a_text_is_an_end() {
    let text = "Use `a_b` ![x](https://a/?d={x}) <important> one of ('a', 'b') don't 👩\u{200D}💻\u{E0041} api key: ";
    for (at, _) in text.char_indices() {
        for part in [&text[at..], &text[..at]] {
            let parameter = json!({"type": "string", "description": part});
            let schema = json!({"type": "object", "properties": {part: parameter}});
            let _ = lint(&[json!({"name": part, "description": part, "inputSchema": schema})]);
        }
    }
}

/// Lists of about a megabyte, each of which is slow for whoever compares all with all or looks back to the start.
fn large() -> Vec<(&'static str, Vec<Value>)> {
    let tools = |of: fn(usize) -> Value| (0..10_000).map(of).collect::<Vec<_>>();
    let described = |text: &str, size: usize| {
        let text = text.repeat(size / text.len());
        let parameter = json!({"type": "string", "description": text});
        vec![
            json!({"name": "a", "description": text, "inputSchema": {"type": "object", "properties": {"x": parameter}}}),
        ]
    };
    let properties = |of: fn(usize) -> Value| {
        let properties: Map<String, Value> = (0..20_000).map(|it| (format!("p{it}"), of(it))).collect();
        let definition = json!({"anyOf": vec![json!({"$ref": "#/$defs/x"}); 64]});
        vec![
            json!({"name": "a", "inputSchema": {"type": "object", "$defs": {"x": definition}, "properties": properties}}),
        ]
    };
    vec![
        (
            "equal",
            tools(
                |it| json!({"name": format!("tool_{it}"), "description": "Finds what the user has written."}),
            ),
        ),
        (
            "almost equal",
            tools(|it| {
                let bits: Vec<String> = (0..10).map(|bit| format!("w{bit}{}", it >> bit & 1)).collect();
                json!({"name": format!("t{it}"), "description": bits.join(" ")})
            }),
        ),
        ("long names", tools(|it| json!({"name": format!("{}{it:05}", "a".repeat(60))}))),
        (
            "unknown names",
            tools(
                |it| json!({"name": format!("get_{it}"), "description": format!("`list_{it}_x` get_no{it}")}),
            ),
        ),
        ("words", described("use this ", 500_000)),
        ("backticks", described("`a_b`", 500_000)),
        ("links", described("](http://a", 500_000)),
        ("tags", described("<", 500_000)),
        ("quotes", described("('a' ", 500_000)),
        ("choices", described("one of: ", 500_000)),
        ("encoded", described("aB3/", 500_000)),
        ("properties", properties(|_| json!({}))),
        ("references", properties(|_| json!({"$ref": "#/$defs/x"}))),
    ]
}

#[test]
fn a_large_list_is_read_in_a_time_that_grows_with_its_size() {
    for (name, tools) in large() {
        let start = Instant::now();
        let found = lint(&tools);
        let took = start.elapsed();

        // Without optimization on a busy machine; with it each takes well under a second. What is quadratic takes minutes.
        assert!(took < Duration::from_secs(30), "{name}: {took:?}");
        assert!(!found.is_empty(), "{name}");
    }
}

#[test]
fn a_definition_that_leads_back_to_itself_is_read_once() {
    let schema = json!({
        "type": "object",
        "properties": {"a": {"$ref": "#"}, "b": {"$ref": "#/properties/b"}, "c": {"$ref": "#/$defs/c"}},
        "$defs": {"c": {"allOf": [{"$ref": "#/$defs/c"}, {"$ref": "#/$defs/d"}]}, "d": {"$ref": "#/$defs/c"}},
    });

    let found = lint(&[tool(json!({"inputSchema": schema}))]);

    assert_eq!(found.iter().filter(|it| it.rule == Rule::UndescribedParameter).count(), 3, "{found:#?}");
}
