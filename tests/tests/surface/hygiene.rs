//! What a macro writes does not get in the way of what an author writes.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use serde_json::{Value, json};
use tollgate::prelude::*;

use crate::{client, faults, good, listed, said};

/// Has arguments with the names that generated code may use.
///
/// Use when names could collide.
/// Do not use when not.
#[tool]
async fn names(
    arguments: i64,
    map: i64,
    parameters: i64,
    state: i64,
    name: i64,
    value: i64,
    mut call: i64,
) -> String {
    call += arguments + map + parameters + state + name + value;
    call.to_string()
}

#[tokio::test]
async fn an_argument_may_have_any_name_and_be_mutable() {
    let client = client(tools![names]);
    let all = json!({
        "arguments": 1, "map": 2, "parameters": 3, "state": 4, "name": 5, "value": 6, "call": 7,
    });

    assert_eq!(said(&client, "names", all).await, "28");
    let typed = names { arguments: 1, map: 1, parameters: 1, state: 1, name: 1, value: 1, call: 1 };
    assert_eq!(client.call(typed).await.unwrap(), "7");
}

mod deep {
    pub(crate) mod down {
        use tollgate::prelude::*;

        /// Stands in a module.
        ///
        /// Use when it is deep.
        /// Do not use when it is not.
        #[tool]
        pub(crate) async fn here(context: &Cx<String>, cx: u8) -> String {
            format!("{}{cx}", context.state())
        }
    }
}

#[tokio::test]
async fn a_tool_is_listed_by_its_path_and_an_argument_may_be_named_cx() {
    let client = Server::new("surface", "1")
        .state("a".to_owned())
        .tools(tools![deep::down::here])
        .without_auth()
        .client("ann");

    assert_eq!(said(&client, "here", json!({"cx": 7})).await, "a7");
    assert_eq!(client.call(deep::down::here { cx: 8 }).await.unwrap(), "a8");
}

#[derive(Clone)]
struct App<T>(Arc<T>);

/// Has a state with a parameter of its own.
///
/// Use when the state is generic.
/// Do not use when it is not.
#[tool]
async fn generic_state(cx: &Cx<App<Vec<u8>>>) -> usize {
    cx.state().0.len()
}

#[tokio::test]
async fn a_state_may_be_generic() {
    let client = Server::new("surface", "1")
        .state(App(Arc::new(vec![1, 2, 3])))
        .tools(tools![generic_state])
        .without_auth()
        .client("ann");

    assert_eq!(client.call(generic_state {}).await.unwrap(), 3);
}

/// Takes what the standard library has.
///
/// Use when many types are wanted.
/// Do not use when few are.
#[tool]
async fn standard(
    letter: char,
    byte: u8,
    set: BTreeSet<String>,
    array: [i8; 3],
    holes: Option<Vec<Option<i64>>>,
    table: BTreeMap<String, Vec<bool>>,
    unit: (),
) -> Value {
    json!([letter, byte, set, array, holes, table, unit])
}

#[tokio::test]
async fn types_of_the_standard_library_work() {
    let client = client(tools![standard]);
    let all = json!({
        "letter": "ä",
        "byte": 255,
        "set": ["b", "a"],
        "array": [-128, 0, 127.0],
        "holes": [1, null],
        "table": {"a": [true]},
        "unit": null,
    });

    let result = good(&client, "standard", all).await["structuredContent"].clone();

    assert_eq!(result, json!(["ä", 255, ["a", "b"], [-128, 0, 127], [1, null], {"a": [true]}, null]));
}

#[tokio::test]
async fn each_type_of_the_standard_library_names_its_faults() {
    let client = client(tools![standard]);
    let all = json!({
        "letter": "no",
        "byte": 256,
        "set": ["a", "a"],
        "array": [1, 2],
        "holes": ["x"],
        "table": {"a": [1]},
        "unit": null,
    });

    let found = faults(&client, "standard", all).await;

    let places: Vec<_> = found.iter().map(|it| it.split(": ").next().unwrap()).collect();
    assert_eq!(places, ["/letter", "/byte", "/set", "/array", "/holes/0", "/table/a/0"]);
}

#[tokio::test]
async fn a_unit_needs_not_be_given() {
    let client = client(tools![standard]);

    let required = listed(&client, "standard").await["inputSchema"]["required"].clone();

    assert_eq!(required, json!(["letter", "byte", "set", "array", "table"]));
}
