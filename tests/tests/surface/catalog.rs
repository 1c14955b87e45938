//! Tools, prompts and resources that come and go while the server serves.

use serde_json::{Map, Value, json};
use tollgate::{CatalogHandle, Prompt, Resource, prelude::*};
use tollgate_tests::{Call, Connection, Running, start};

fn tool(name: &str, says: &'static str) -> Tool {
    let schema = json!({"type": "object"});
    Tool::new(name, "Says something.", schema, move |_cx, _: Map<String, Value>| async move { Ok(says) })
}

fn prompt(name: &str) -> Prompt {
    Prompt::new(name, "Says something.", async |_cx, _| Ok("prompted"))
}

fn resource(uri: &str) -> Resource {
    Resource::new(uri, "made", async |_cx, _| Ok("read"))
}

async fn running() -> (Running, CatalogHandle) {
    let server = Server::new("surface", "1")
        .tools(vec![tool("first", "one")])
        .prompts(vec![prompt("first")])
        .resources(vec![resource("made://first")])
        .without_auth();
    let catalog = server.catalog();
    (start(server).await, catalog)
}

/// A stream that listens to all lists, after its acknowledgement.
async fn listener(running: &Running) -> Connection {
    let wanted = json!({
        "toolsListChanged": true,
        "promptsListChanged": true,
        "resourcesListChanged": true,
        "resourceSubscriptions": ["made://first"],
    });
    let mut connection = Connection::open(running.address).await;
    connection.send(&Call::modern("subscriptions/listen", json!({"notifications": wanted})).bytes()).await;
    assert_eq!(connection.head().await.status, 200);
    let acknowledged = connection.event().await.unwrap();
    assert_eq!(acknowledged["method"], "notifications/subscriptions/acknowledged");
    assert_eq!(acknowledged["params"]["notifications"], wanted);
    connection
}

async fn names(running: &Running, method: &str, member: &str, name: &str) -> Vec<Value> {
    let list = Call::modern(method, json!({})).send(running.address).await.result();
    list[member].as_array().unwrap().iter().map(|it| it[name].clone()).collect()
}

#[tokio::test]
async fn a_tool_comes_and_goes_and_listeners_are_told() {
    let (running, catalog) = running().await;
    let mut listener = listener(&running).await;

    catalog.add_tool(tool("second", "two")).unwrap();

    let told = listener.event().await.unwrap();
    assert_eq!(told["method"], "notifications/tools/list_changed");
    assert_eq!(told["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], 1);
    assert_eq!(names(&running, "tools/list", "tools", "name").await, ["first", "second"]);
    let called = Call::tool("second", &json!({})).send(running.address).await.result();
    assert_eq!(called["content"][0]["text"], "two");

    assert!(catalog.remove_tool("second"));

    assert_eq!(listener.event().await.unwrap()["method"], "notifications/tools/list_changed");
    assert_eq!(Call::tool("second", &json!({})).send(running.address).await.code(), -32602);
    assert!(!catalog.remove_tool("second"));
}

#[tokio::test]
async fn a_tool_of_the_same_name_takes_the_place_of_the_old_one() {
    let (running, catalog) = running().await;
    catalog.add_tool(tool("second", "two")).unwrap();

    catalog.add_tool(tool("first", "another")).unwrap();

    assert_eq!(names(&running, "tools/list", "tools", "name").await, ["first", "second"]);
    let called = Call::tool("first", &json!({})).send(running.address).await.result();
    assert_eq!(called["content"][0]["text"], "another");
}

#[tokio::test]
async fn a_prompt_comes_and_goes_and_listeners_are_told() {
    let (running, catalog) = running().await;
    let mut listener = listener(&running).await;

    catalog.add_prompt(prompt("second")).unwrap();

    assert_eq!(listener.event().await.unwrap()["method"], "notifications/prompts/list_changed");
    assert_eq!(names(&running, "prompts/list", "prompts", "name").await, ["first", "second"]);

    assert!(catalog.remove_prompt("first"));

    assert_eq!(listener.event().await.unwrap()["method"], "notifications/prompts/list_changed");
    let got = Call::modern("prompts/get", json!({"name": "first"})).send(running.address).await;
    assert_eq!(got.code(), -32602);
}

#[tokio::test]
async fn a_resource_comes_changes_and_goes_and_listeners_are_told() {
    let (running, catalog) = running().await;
    let mut listener = listener(&running).await;

    catalog.resource_updated("made://other");
    catalog.resource_updated("made://first");

    let told = listener.event().await.unwrap();
    assert_eq!(told["method"], "notifications/resources/updated");
    assert_eq!(told["params"]["uri"], "made://first");

    catalog.add_resource(resource("made://second/{id}")).unwrap();

    assert_eq!(listener.event().await.unwrap()["method"], "notifications/resources/list_changed");
    let read = Call::modern("resources/read", json!({"uri": "made://second/1"})).send(running.address).await;
    assert_eq!(read.result()["contents"][0]["text"], "read");

    assert!(catalog.remove_resource("made://second/{id}"));

    assert_eq!(listener.event().await.unwrap()["method"], "notifications/resources/list_changed");
}

#[tokio::test]
async fn a_listener_hears_only_what_it_asked_for() {
    let (running, catalog) = running().await;
    let mut connection = Connection::open(running.address).await;
    let wanted = json!({"notifications": {"promptsListChanged": true}});
    connection.send(&Call::modern("subscriptions/listen", wanted).bytes()).await;
    assert_eq!(connection.head().await.status, 200);
    let acknowledged = connection.event().await.unwrap();
    assert_eq!(acknowledged["params"]["notifications"], json!({"promptsListChanged": true}));

    catalog.add_tool(tool("second", "two")).unwrap();
    catalog.resource_updated("made://first");
    catalog.add_prompt(prompt("second")).unwrap();

    assert_eq!(connection.event().await.unwrap()["method"], "notifications/prompts/list_changed");
}

#[tokio::test]
async fn a_change_with_a_fault_changes_nothing() {
    let (running, catalog) = running().await;

    let bad_name = catalog.add_tool(tool("no name", "x")).unwrap_err();
    let schema = json!({"type": "object", "properties": {"a": {"$ref": "https://example.com/a"}}});
    let bad_schema: Tool = Tool::new("t", "Does it.", schema, async |_cx, _: Map<String, Value>| Ok(""));
    let bad_schema = catalog.add_tool(bad_schema).unwrap_err();
    let bad_uri = catalog.add_resource(resource("no uri")).unwrap_err();

    assert_eq!(
        bad_name.to_string(),
        "the tool `no name`: a name has 1 to 128 characters of `A-Z a-z 0-9 _ . -`"
    );
    assert!(bad_schema.to_string().contains("https://example.com/a"), "{bad_schema}");
    assert!(bad_uri.to_string().contains("its URI has no scheme"), "{bad_uri}");
    assert_eq!(names(&running, "tools/list", "tools", "name").await, ["first"]);
}

/// Learns a trick.
///
/// Use when there is one to learn.
/// Do not use when there is none.
#[tool]
async fn learn(cx: &Cx, name: String) -> Result<String> {
    cx.catalog().add_tool(tool(&name, "a trick")).or_fail("That is no name. Choose another.")?;
    Ok("learnt".into())
}

#[tokio::test]
async fn a_tool_can_add_tools_itself() {
    let client = Server::new("surface", "1").tools(tools![learn]).without_auth().client("ann");

    client.call(learn { name: "roll".into() }).await.unwrap();

    let called = client.call_raw("roll", json!({})).await.unwrap();
    assert_eq!(called["content"][0]["text"], "a trick");
    let refused = client.call(learn { name: "a b".into() }).await.unwrap_err();
    assert_eq!(refused.text(), "That is no name. Choose another.");
}

#[tokio::test]
async fn a_server_that_gains_its_first_tool_gains_the_capability() {
    let server = Server::new("surface", "1").without_auth();
    let client = server.client("ann");
    let before = client.request("server/discover", json!({})).await.response["result"].clone();

    server.catalog().add_tool(tool("first", "one")).unwrap();

    let after = client.request("server/discover", json!({})).await.response["result"].clone();
    assert_eq!(before["capabilities"], json!({}));
    assert_eq!(after["capabilities"]["tools"], json!({"listChanged": true}));
}
