//! The plain types that an argument can have.

use std::collections::HashMap;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tollgate::prelude::*;

use crate::{client, faults, good, listed, said};

/// Says a text.
///
/// Use when a text is given.
/// Do not use when none is.
#[tool]
async fn say(text: String) -> String {
    text
}

#[tokio::test]
async fn a_string_takes_any_text_and_nothing_else() {
    let client = client(tools![say]);

    assert_eq!(listed(&client, "say").await["inputSchema"]["properties"]["text"], json!({"type": "string"}));
    assert_eq!(said(&client, "say", json!({"text": "Grüße, 世界"})).await, "Grüße, 世界");
    assert_eq!(faults(&client, "say", json!({"text": 7})).await, ["/text: expected a string, found 7"]);
    assert_eq!(faults(&client, "say", json!({})).await, ["/text: expected a string, found nothing"]);
}

/// Names a person.
///
/// Use when a name is given.
/// Do not use when none is.
#[tool]
async fn name(name: Text<5>) -> String {
    name.into()
}

#[tokio::test]
async fn a_text_is_as_long_as_its_type_says_counted_in_characters() {
    let client = client(tools![name]);

    let schema = listed(&client, "name").await["inputSchema"]["properties"]["name"].clone();

    assert_eq!(schema, json!({"type": "string", "maxLength": 5}));
    assert_eq!(said(&client, "name", json!({"name": "äöü世界"})).await, "äöü世界");
    assert_eq!(
        faults(&client, "name", json!({"name": "Annabel"})).await,
        ["/name: expected a string of at most 5 characters, found \"Annabel\""],
    );
}

/// Seats guests.
///
/// Use when guests come.
/// Do not use when they go.
#[tool]
async fn seat(guests: Int<1, 12>) -> String {
    guests.to_string()
}

#[tokio::test]
async fn an_int_is_within_the_bounds_of_its_type() {
    let client = client(tools![seat]);

    let schema = listed(&client, "seat").await["inputSchema"]["properties"]["guests"].clone();

    assert_eq!(schema, json!({"type": "integer", "minimum": 1, "maximum": 12}));
    assert_eq!(said(&client, "seat", json!({"guests": 12})).await, "12");
    assert_eq!(
        faults(&client, "seat", json!({"guests": 13})).await,
        ["/guests: expected an integer from 1 to 12, found 13"],
    );
    assert_eq!(
        faults(&client, "seat", json!({"guests": 1.5})).await,
        ["/guests: expected an integer from 1 to 12, found 1.5"],
    );
}

/// Repeats numbers.
///
/// Use when numbers are given.
/// Do not use when none are.
#[tool]
async fn numbers(a: i32, b: u32, c: i64, d: u64) -> String {
    format!("{a} {b} {c} {d}")
}

#[tokio::test]
async fn whole_numbers_reach_from_the_least_to_the_most_of_their_types() {
    let client = client(tools![numbers]);

    let most = json!({"a": i32::MAX, "b": u32::MAX, "c": i64::MAX, "d": u64::MAX});
    let least = json!({"a": i32::MIN, "b": 0, "c": i64::MIN, "d": 0});

    assert_eq!(
        said(&client, "numbers", most).await,
        "2147483647 4294967295 9223372036854775807 18446744073709551615"
    );
    assert_eq!(said(&client, "numbers", least).await, "-2147483648 0 -9223372036854775808 0");
}

#[tokio::test]
async fn a_whole_number_over_its_type_is_a_fault_of_the_argument() {
    let client = client(tools![numbers]);

    let found = faults(&client, "numbers", json!({"a": 3_000_000_000_i64, "b": -1, "c": 0, "d": -1})).await;

    assert_eq!(found.len(), 3, "{found:?}");
    assert!(found[0].starts_with("/a: expected an integer"), "{found:?}");
    assert!(found[1].starts_with("/b: expected an integer"), "{found:?}");
    assert!(found[2].starts_with("/d: expected an integer"), "{found:?}");
}

#[tokio::test]
async fn a_whole_number_over_64_bits_is_told_and_named() {
    let client = client(tools![numbers]);
    let params = json!({"name": "numbers", "arguments": {"a": 0, "b": 0, "c": 1e20, "d": 0}});

    let result = client.request("tools/call", params).await.response["result"].clone();

    assert_eq!(result["isError"], true);
    assert!(result["content"][0]["text"].as_str().unwrap().contains("/c: "), "{result}");
}

#[tokio::test]
async fn a_whole_number_may_be_written_with_a_fraction_of_zero() {
    let client = client(tools![numbers]);

    let told = said(&client, "numbers", json!({"a": 2.0, "b": 2.0, "c": -2.0, "d": 2e3})).await;

    assert_eq!(told, "2 2 -2 2000");
}

#[tokio::test]
async fn published_numbers_carry_no_format() {
    let client = client(tools![numbers, weigh]);

    let both = listed(&client, "numbers").await.to_string() + &listed(&client, "weigh").await.to_string();

    assert!(!both.contains("\"format\""), "{both}");
    assert!(!both.contains("$schema"), "{both}");
}

/// Weighs something.
///
/// Use when a weight is given.
/// Do not use when none is.
#[tool]
async fn weigh(kilos: f64) -> f64 {
    kilos
}

#[tokio::test]
async fn a_number_may_be_whole_or_not() {
    let client = client(tools![weigh]);

    assert_eq!(good(&client, "weigh", json!({"kilos": 1.5})).await["structuredContent"], 1.5);
    assert_eq!(good(&client, "weigh", json!({"kilos": 2})).await["structuredContent"], 2.0);
    assert_eq!(
        faults(&client, "weigh", json!({"kilos": "2"})).await,
        ["/kilos: expected a number, found \"2\""]
    );
}

/// Turns a light on or off.
///
/// Use when the light is wrong.
/// Do not use when it is right.
#[tool]
async fn light(on: bool) -> bool {
    on
}

#[tokio::test]
async fn a_boolean_is_no_number_and_no_text() {
    let client = client(tools![light]);

    assert_eq!(good(&client, "light", json!({"on": false})).await["structuredContent"], false);
    assert_eq!(faults(&client, "light", json!({"on": 1})).await, ["/on: expected true or false, found 1"]);
    assert_eq!(
        faults(&client, "light", json!({"on": "true"})).await,
        ["/on: expected true or false, found \"true\""]
    );
}

/// Greets.
///
/// Use when somebody comes.
/// Do not use when they go.
#[tool]
async fn greet(name: String, title: Option<Text<10>>) -> String {
    match title {
        Some(title) => format!("{title} {name}"),
        None => name,
    }
}

#[tokio::test]
async fn an_option_may_be_left_out_or_null_and_is_no_null_in_the_schema() {
    let client = client(tools![greet]);

    let schema = listed(&client, "greet").await["inputSchema"].clone();

    assert_eq!(schema["required"], json!(["name"]));
    assert_eq!(schema["properties"]["title"], json!({"type": "string", "maxLength": 10}));
    assert_eq!(said(&client, "greet", json!({"name": "Ann"})).await, "Ann");
    assert_eq!(said(&client, "greet", json!({"name": "Ann", "title": null})).await, "Ann");
    assert_eq!(said(&client, "greet", json!({"name": "Ann", "title": "Dr"})).await, "Dr Ann");
    assert_eq!(
        faults(&client, "greet", json!({"name": "Ann", "title": 3})).await,
        ["/title: expected a string of at most 10 characters, found 3"],
    );
}

/// Adds prices.
///
/// Use when prices are given.
/// Do not use when none are.
#[tool]
async fn total(prices: Vec<i64>) -> i64 {
    prices.into_iter().sum()
}

#[tokio::test]
async fn a_fault_in_a_list_names_the_item() {
    let client = client(tools![total]);

    assert_eq!(good(&client, "total", json!({"prices": [1, 2.0, 3]})).await["structuredContent"], 6);
    assert_eq!(good(&client, "total", json!({"prices": []})).await["structuredContent"], 0);
    assert_eq!(
        faults(&client, "total", json!({"prices": [1, "two", 3, null]})).await,
        ["/prices/1: expected an integer, found \"two\"", "/prices/3: expected an integer, found null",],
    );
}

/// Counts words.
///
/// Use when words are given.
/// Do not use when none are.
#[tool]
async fn count(words: HashMap<String, i64>) -> i64 {
    words.into_values().sum()
}

#[tokio::test]
async fn a_map_takes_any_name_and_checks_each_value() {
    let client = client(tools![count]);

    assert_eq!(good(&client, "count", json!({"words": {"a": 1, "b": 2}})).await["structuredContent"], 3);
    assert_eq!(
        faults(&client, "count", json!({"words": {"a/b": "x"}})).await,
        ["/words/a~1b: expected an integer, found \"x\""],
    );
}

/// Marks a place.
///
/// Use when a place is given.
/// Do not use when none is.
#[tool]
async fn mark(place: (String, i64)) -> String {
    format!("{}{}", place.0, place.1)
}

#[tokio::test]
async fn a_tuple_is_a_list_of_just_as_many() {
    let client = client(tools![mark]);

    assert_eq!(said(&client, "mark", json!({"place": ["A", 4]})).await, "A4");
    assert_eq!(
        faults(&client, "mark", json!({"place": ["A", "4"]})).await,
        ["/place/1: expected an integer, found \"4\""]
    );
    let short = faults(&client, "mark", json!({"place": ["A"]})).await;
    assert!(
        short.len() == 1 && short[0].starts_with("/place: expected an array of exactly 2 items"),
        "{short:?}"
    );
}

/// Keeps anything.
///
/// Use when something is given.
/// Do not use when nothing is.
#[tool]
async fn anything(thing: Value) -> String {
    thing.to_string()
}

#[tokio::test]
async fn a_json_value_takes_anything_at_all() {
    let client = client(tools![anything]);

    assert_eq!(said(&client, "anything", json!({"thing": {"a": [1, null]}})).await, r#"{"a":[1,null]}"#);
    assert_eq!(said(&client, "anything", json!({"thing": 2.0})).await, "2.0");
    assert_eq!(said(&client, "anything", json!({"thing": null})).await, "null");
}

/// A day, as chrono would have it: a newtype with a schema of its own.
#[derive(Serialize, Deserialize)]
#[serde(transparent)]
struct Day(String);

impl JsonSchema for Day {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Day".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "format": "date", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"})
    }
}

/// Opens a day.
///
/// Use when a day is given.
/// Do not use when none is.
#[tool]
async fn open_day(day: Day, until: Option<Day>) -> String {
    day.0 + &until.map(|it| it.0).unwrap_or_default()
}

#[tokio::test]
async fn a_newtype_with_a_schema_of_its_own_keeps_it_and_is_held_to_it() {
    let client = client(tools![open_day]);

    let schema = listed(&client, "open_day").await["inputSchema"].clone();

    assert_eq!(schema["required"], json!(["day"]), "{schema}");
    assert!(schema.to_string().contains(r#""format":"date""#), "{schema}");
    assert_eq!(said(&client, "open_day", json!({"day": "2026-07-28"})).await, "2026-07-28");
    let found = faults(&client, "open_day", json!({"day": "today", "until": "later"})).await;
    assert!(
        found.len() == 2 && found[0].starts_with("/day: ") && found[1].starts_with("/until: "),
        "{found:?}"
    );
}

/// Finds things.
///
/// Use when things are lost.
/// Do not use when they are found.
#[tool]
async fn find(r#type: String, r#in: Option<String>) -> String {
    format!("{}{}", r#type, r#in.unwrap_or_default())
}

#[tokio::test]
async fn a_word_that_rust_keeps_for_itself_can_name_an_argument() {
    let client = client(tools![find]);

    assert_eq!(said(&client, "find", json!({"type": "key", "in": "bag"})).await, "keybag");
}
