//! Structs as arguments: nested, flattened, recursive, renamed and shut.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tollgate::prelude::*;

use crate::{client, faults, listed, said};

#[derive(Serialize, Deserialize, JsonSchema)]
struct Order {
    to: Address,
    /// What to send.
    lines: Vec<Line>,
    note: Option<String>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Address {
    street_name: Text<20>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Line {
    #[serde(rename = "sku")]
    code: String,
    #[serde(default = "one")]
    count: u32,
}

fn one() -> u32 {
    1
}

/// Sends an order.
///
/// Use when an order is given.
/// Do not use when none is.
#[tool]
async fn send(order: Order) -> String {
    let lines: Vec<_> = order.lines.iter().map(|it| format!("{}x{}", it.count, it.code)).collect();
    format!("{} {} {}", order.to.street_name, lines.join(","), order.note.unwrap_or_default())
}

#[tokio::test]
async fn a_nested_struct_works_with_its_own_names_and_defaults() {
    let client = client(tools![send]);
    let order = json!({"to": {"streetName": "Elm"}, "lines": [{"sku": "a"}, {"sku": "b", "count": 2.0}]});

    assert_eq!(said(&client, "send", json!({"order": order})).await, "Elm 1xa,2xb ");
}

#[tokio::test]
async fn each_fault_of_a_nested_struct_is_told_at_its_place() {
    let client = client(tools![send]);
    let order =
        json!({"to": {"streetName": "Elm".repeat(9)}, "lines": [{"sku": 1}, {"count": 2}], "note": []});

    let found = faults(&client, "send", json!({"order": order})).await;

    let places: Vec<_> = found.iter().map(|it| it.split(": ").next().unwrap()).collect();
    assert_eq!(places, ["/order/to/streetName", "/order/lines/0/sku", "/order/lines/1/sku", "/order/note"]);
}

#[tokio::test]
async fn an_optional_field_may_be_null_and_is_no_null_in_the_schema() {
    let client = client(tools![send, grow]);
    let order = json!({"to": {"streetName": "Elm"}, "lines": [], "note": null});

    let schemas = listed(&client, "send").await.to_string() + &listed(&client, "grow").await.to_string();

    assert_eq!(said(&client, "send", json!({"order": order})).await, "Elm  ");
    assert!(!schemas.contains("null"), "{schemas}");
}

#[tokio::test]
async fn a_number_over_the_width_of_its_field_is_told_at_its_place() {
    let client = client(tools![send]);
    let lines = json!([{"sku": "a", "count": 5_000_000_000_i64}, {"sku": "b", "count": -1}]);
    let order = json!({"to": {"streetName": "Elm"}, "lines": lines});

    let found = faults(&client, "send", json!({"order": order})).await;

    let places: Vec<_> = found.iter().map(|it| it.split(": ").next().unwrap()).collect();
    assert_eq!(places, ["/order/lines/0/count", "/order/lines/1/count"]);
}

#[tokio::test]
async fn the_docs_of_a_field_are_published() {
    let client = client(tools![send]);

    assert!(listed(&client, "send").await.to_string().contains("What to send."));
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Tree {
    name: String,
    #[serde(default)]
    children: Vec<Tree>,
    parent: Option<Box<Tree>>,
}

impl Tree {
    fn size(&self) -> usize {
        1 + self.children.iter().map(Self::size).sum::<usize>()
    }
}

/// Measures a tree.
///
/// Use when a tree is given.
/// Do not use when none is.
#[tool]
async fn grow(tree: Tree) -> String {
    tree.size().to_string()
}

#[tokio::test]
async fn a_struct_that_holds_itself_works_and_is_checked_at_every_depth() {
    let client = client(tools![grow]);
    let leaf = |name| json!({"name": name, "children": []});
    let tree = json!({"name": "a", "children": [leaf("b"), {"name": "c", "children": [leaf("d")]}]});

    let schema = listed(&client, "grow").await["inputSchema"].clone();

    assert!(schema.to_string().contains("\"$ref\":\"#/$defs/Tree\""), "{schema}");
    assert_eq!(said(&client, "grow", json!({"tree": tree})).await, "4");
    let broken = json!({"name": "a", "children": [leaf("b"), {"name": "c", "children": [{"name": 3}]}]});
    assert_eq!(
        faults(&client, "grow", json!({"tree": broken})).await,
        ["/tree/children/1/children/0/name: expected a string, found 3"],
    );
    let parent = json!({"name": "a", "parent": {"name": "b", "parent": {"nome": "c"}}});
    let found = faults(&client, "grow", json!({"tree": parent})).await;
    assert_eq!(found, ["/tree/parent/parent/name: expected a string, found nothing"]);
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Page {
    #[serde(flatten)]
    sort: Sort,
    size: u32,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Sort {
    by: String,
}

/// Lists a page.
///
/// Use when a page is wanted.
/// Do not use when all are.
#[tool]
async fn page(page: Page) -> String {
    format!("{} {}", page.sort.by, page.size)
}

#[tokio::test]
async fn a_flattened_struct_works() {
    let client = client(tools![page]);

    assert_eq!(said(&client, "page", json!({"page": {"by": "name", "size": 2.0}})).await, "name 2");
    assert_eq!(
        faults(&client, "page", json!({"page": {"size": 2}})).await,
        ["/page/by: expected a string, found nothing"],
    );
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Shut {
    a: u32,
}

/// Shuts.
///
/// Use when it is open.
/// Do not use when it is shut.
#[tool]
async fn shut(it: Shut) -> String {
    it.a.to_string()
}

#[tokio::test]
async fn a_struct_that_denies_unknown_fields_says_which_there_are() {
    let client = client(tools![shut]);

    let found = faults(&client, "shut", json!({"it": {"a": 1, "b": 2}})).await;

    assert!(found.len() == 1 && found[0].starts_with("/it/b: "), "{found:?}");
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Names(Vec<String>);

/// Calls names.
///
/// Use when names are given.
/// Do not use when none are.
#[tool]
async fn call_names(names: Names, more: Option<Names>) -> String {
    names.0.into_iter().chain(more.into_iter().flat_map(|it| it.0)).collect::<Vec<_>>().join("+")
}

#[tokio::test]
async fn a_type_whose_schema_is_a_list_at_its_root_works() {
    let client = client(tools![call_names]);

    assert_eq!(said(&client, "call_names", json!({"names": ["a"], "more": ["b"]})).await, "a+b");
    assert_eq!(
        faults(&client, "call_names", json!({"names": [1]})).await,
        ["/names/0: expected a string, found 1"]
    );
}
