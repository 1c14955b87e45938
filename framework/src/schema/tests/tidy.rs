//! Generated schemas get smaller and mean the same.

use schemars::{JsonSchema, schema_for};
use serde_json::{Value, json};

use super::checker;
use crate::schema::tidy;

/// What is published for a type, which must take and refuse the same instances as what was generated.
#[track_caller]
fn tidied<T: JsonSchema>(instances: &[Value]) -> Value {
    tidied_schema(schema_for!(T).to_value(), instances)
}

#[track_caller]
fn tidied_schema(generated: Value, instances: &[Value]) -> Value {
    let tidy = tidy(generated.clone());
    let (before, after) = (checker(generated), checker(tidy.clone()));
    let verdicts = |checker: &crate::schema::Checker| {
        instances.iter().map(|it| checker.is_valid(it)).collect::<Vec<_>>()
    };
    assert_eq!(verdicts(&before), verdicts(&after), "{tidy:#}");
    tidy
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is read")]
struct Numbers {
    /// How many.
    count: u32,
    small: u8,
    signed: i64,
    share: f64,
}

#[test]
fn the_widths_of_numbers_go_and_their_bounds_stay() {
    let instances = [
        json!({"count": 1, "small": 255, "signed": -1, "share": 0.5}),
        json!({"count": -1, "small": 1, "signed": 1, "share": 1}),
        json!({"count": 1, "small": 256, "signed": 1, "share": 1}),
    ];

    assert_eq!(
        tidied::<Numbers>(&instances).to_string(),
        json!({
            "type": "object",
            "properties": {
                "count": {"type": "integer", "minimum": 0, "maximum": 4_294_967_295_u32, "description": "How many."},
                "small": {"type": "integer", "minimum": 0, "maximum": 255},
                "signed": {"type": "integer"},
                "share": {"type": "number"},
            },
            "required": ["count", "small", "signed", "share"],
        })
        .to_string()
    );
}

#[derive(JsonSchema)]
#[schemars(title = "Book a table")]
#[expect(dead_code, reason = "only its schema is read")]
struct Titled {
    #[schemars(title = "The day")]
    title: String,
    format: String,
}

#[test]
fn a_title_that_was_written_stays() {
    let tidy = tidied::<Titled>(&[json!({"title": "a", "format": "b"}), json!({})]);

    assert_eq!(tidy["title"], "Book a table");
    assert_eq!(
        tidy["properties"],
        json!({"title": {"title": "The day", "type": "string"}, "format": {"type": "string"}})
    );
}

#[test]
fn formats_that_clients_know_stay() {
    assert_eq!(
        tidy(json!({"type": "string", "format": "date-time"})),
        json!({"type": "string", "format": "date-time"})
    );
}

#[derive(JsonSchema)]
#[schemars(rename_all = "lowercase")]
#[expect(dead_code, reason = "only its schema is read")]
enum Plain {
    North,
    South,
}

#[derive(JsonSchema)]
#[schemars(rename_all = "lowercase")]
#[expect(dead_code, reason = "only its schema is read")]
enum Described {
    /// Cold.
    North,
    /// Warm.
    South,
}

#[test]
fn variants_are_an_enum() {
    assert_eq!(
        tidied::<Plain>(&[json!("north"), json!("east")]),
        json!({"type": "string", "enum": ["north", "south"]})
    );
}

#[test]
fn described_variants_keep_their_descriptions() {
    let tidy = tidied::<Described>(&[json!("north"), json!("east"), json!(1)]);

    assert_eq!(
        tidy,
        json!({"type": "string", "oneOf": [
            {"description": "Cold.", "const": "north"},
            {"description": "Warm.", "const": "south"},
        ]})
    );
}

#[test]
fn single_values_become_an_enum_where_that_says_the_same() {
    let same = |schema: Value| assert_eq!(tidied_schema(schema.clone(), &[json!("a"), json!(1)]), schema);
    let instances = [json!("a"), json!("b"), json!("c"), json!(1)];

    assert_eq!(
        tidied_schema(json!({"oneOf": [{"const": "a"}, {"const": "b"}]}), &instances),
        json!({"enum": ["a", "b"]})
    );
    assert_eq!(
        tidied_schema(json!({"oneOf": [{"const": "a", "type": "string"}, {"const": 1}]}), &instances),
        json!({"enum": ["a", 1]})
    );
    same(json!({"oneOf": [{"const": "a"}, {"const": "a"}]}));
    same(json!({"oneOf": [{"const": "a"}, {"type": "integer"}]}));
    same(json!({"oneOf": [{"const": 1, "type": "string"}]}));
    same(json!({"enum": ["a"], "oneOf": [{"const": "a"}, {"const": "b"}]}));
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is read")]
struct Place {
    city: String,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is read")]
struct Trip {
    /// Where to.
    to: Place,
    side: Plain,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is read")]
struct Journey {
    from: Place,
    to: Place,
    over: Vec<Place>,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is read")]
struct Tree {
    root: Branch,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is read")]
struct Branch {
    name: String,
    below: Vec<Self>,
}

#[test]
fn a_definition_used_once_stands_where_it_is_used() {
    let instances = [
        json!({"to": {"city": "a"}, "side": "north"}),
        json!({"to": {}, "side": "north"}),
        json!({"to": {"city": "a"}, "side": "up"}),
    ];

    assert_eq!(tidied::<Trip>(&instances).to_string(), json!({
        "type": "object",
        "properties": {
            "to": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"], "description": "Where to."},
            "side": {"type": "string", "enum": ["north", "south"]},
        },
        "required": ["to", "side"],
    }).to_string());
}

#[test]
fn a_definition_used_twice_stays() {
    let tidy = tidied::<Journey>(&[
        json!({"from": {"city": "a"}, "to": {"city": "b"}, "over": []}),
        json!({"from": {}, "to": {}, "over": []}),
    ]);

    assert_eq!(tidy["properties"]["from"], json!({"$ref": "#/$defs/Place"}));
    assert_eq!(tidy["$defs"]["Place"]["required"], json!(["city"]));
}

#[test]
fn a_recursive_definition_stays() {
    let leaf = json!({"name": "a", "below": []});
    let tidy = tidied::<Tree>(&[
        json!({"root": leaf}),
        json!({"root": {"name": "b", "below": [leaf]}}),
        json!({"root": {"name": "b", "below": [1]}}),
    ]);

    assert_eq!(tidy["properties"]["root"], json!({"$ref": "#/$defs/Branch"}));
}

#[test]
fn a_recursive_root_stays() {
    let tidy = tidied::<Branch>(&[
        json!({"name": "a", "below": [{"name": "b", "below": []}]}),
        json!({"name": "a", "below": [{}]}),
    ]);

    assert_eq!(tidy["properties"]["below"]["items"], json!({"$ref": "#"}));
}

#[test]
fn unused_and_nested_definitions_go() {
    let schema = json!({
        "$defs": {"a": {"items": {"$ref": "#/$defs/b"}}, "b": {"type": "string"}, "c": {"$ref": "#/$defs/d"}, "d": {"$ref": "#/$defs/c"}},
        "$ref": "#/$defs/a",
    });

    assert_eq!(tidy(schema), json!({"items": {"type": "string"}}));
}

#[test]
fn a_definition_that_is_a_reference_itself_is_followed() {
    let schema = json!({
        "$defs": {"a": {"$ref": "#/$defs/b", "maxLength": 2}, "b": {"type": "string"}},
        "properties": {"c": {"$ref": "#/$defs/a", "description": "C."}},
    });

    let tidy = tidied_schema(schema, &[json!({"c": 1}), json!({"c": "abc"}), json!({"c": "a"})]);

    assert_eq!(tidy["properties"]["c"]["$ref"], "#/$defs/b");
    assert_eq!(tidy["properties"]["c"]["maxLength"], 2);
}

#[test]
fn a_definition_with_conditions_beside_its_reference_stays() {
    let schema = json!({
        "$defs": {"a": {"properties": {"x": true}, "additionalProperties": false}},
        "properties": {"b": {"$ref": "#/$defs/a", "properties": {"y": true}}},
    });

    let tidy = tidied_schema(schema, &[json!({"b": {"x": 1}}), json!({"b": {"y": 1}})]);

    assert_eq!(tidy["properties"]["b"]["$ref"], "#/$defs/a");
}

#[test]
fn a_definition_that_is_referred_into_stays() {
    let schema = json!({
        "$defs": {"a~b/c": {"properties": {"x": {"type": "string"}}}},
        "properties": {"p": {"$ref": "#/$defs/a~0b~1c"}, "q": {"$ref": "#/$defs/a~0b~1c/properties/x"}},
    });

    assert_eq!(
        tidied_schema(schema.clone(), &[json!({"q": "a"}), json!({"q": 1})])["$defs"],
        schema["$defs"]
    );
}

#[derive(JsonSchema)]
#[schemars(tag = "kind", rename_all = "lowercase")]
#[expect(dead_code, reason = "only its schema is read")]
enum Payment {
    Card { number: String },
    Cash { amount: u32 },
    Free,
}

#[test]
fn a_tagged_enum_stays_a_choice() {
    let instances = [
        json!({"kind": "card", "number": "1"}),
        json!({"kind": "cash", "amount": -1}),
        json!({"kind": "free"}),
        json!({"kind": "gold"}),
    ];

    let tidy = tidied::<Payment>(&instances);

    assert_eq!(
        tidy["oneOf"][1],
        json!({"type": "object", "properties": {"kind": {"type": "string", "const": "cash"}, "amount": {"type": "integer", "minimum": 0, "maximum": 4_294_967_295_u32}}, "required": ["kind", "amount"]})
    );
}
