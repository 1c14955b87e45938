//! What is listed beside the schema: annotations, titles, icons, `_meta`, and the order.

use serde_json::{Map, Value, json};
use tollgate::{Icon, prelude::*};

use crate::{client, listed};

/// Reads.
///
/// Use when something is to be read.
/// Do not use when it is to be written.
#[tool(read_only, idempotent, open_world = false, title = "Read it", icon = "https://example.com/a.png")]
async fn read() {}

/// Deletes.
///
/// Use when it is to go.
/// Do not use when it is to stay.
#[tool(destructive, read_only = false)]
async fn delete() {}

/// Does something.
///
/// Use when it is wanted.
/// Do not use when it is not.
#[tool]
async fn plain() {}

#[tokio::test]
async fn annotations_say_what_the_author_said_and_no_more() {
    let client = client(tools![read, delete, plain]);

    assert_eq!(
        listed(&client, "read").await["annotations"],
        json!({"readOnlyHint": true, "idempotentHint": true, "openWorldHint": false}),
    );
    assert_eq!(
        listed(&client, "delete").await["annotations"],
        json!({"readOnlyHint": false, "destructiveHint": true})
    );
    assert!(listed(&client, "plain").await.get("annotations").is_none());
}

#[tokio::test]
async fn titles_icons_and_descriptions_are_listed() {
    let client = client(tools![read]);

    let tool = listed(&client, "read").await;

    assert_eq!(tool["title"], "Read it");
    assert_eq!(tool["icons"], json!([{"src": "https://example.com/a.png"}]));
    assert_eq!(
        tool["description"],
        "Reads.\n\nUse when something is to be read.\nDo not use when it is to be written."
    );
}

#[tokio::test]
async fn an_icon_made_by_hand_has_its_type_and_sizes() {
    let mut icon = Icon::new("data:image/png;base64,AA==");
    icon.mime_type = Some("image/png".into());
    icon.sizes = vec!["48x48".into(), "any".into()];
    let tool: Tool =
        Tool::new("t", "Does it.", json!({"type": "object"}), async |_cx, _: Map<String, Value>| Ok(""))
            .icon(icon)
            .meta("com.example/rank", json!(3));
    let client = client(vec![tool].into());

    let tool = listed(&client, "t").await;

    assert_eq!(
        tool["icons"],
        json!([{"src": "data:image/png;base64,AA==", "mimeType": "image/png", "sizes": ["48x48", "any"]}])
    );
    assert_eq!(tool["_meta"], json!({"com.example/rank": 3}));
}

#[tokio::test]
async fn the_order_of_a_list_is_the_order_written_and_its_bytes_are_equal() {
    let names = |client: tollgate::Client| async move {
        let list = client.request("tools/list", json!({})).await.response["result"]["tools"].clone();
        (list.as_array().unwrap().iter().map(|it| it["name"].clone()).collect::<Vec<_>>(), list.to_string())
    };

    let (order, first) = names(client(tools![plain, delete, read])).await;
    let (_, second) = names(client(tools![plain, delete, read])).await;

    assert_eq!(order, ["plain", "delete", "read"]);
    assert_eq!(first, second);
}

#[tokio::test]
async fn the_server_says_who_it_is() {
    let server = Server::new("clinic", "1.2.3")
        .title("The Clinic")
        .description("Heals.")
        .website("https://example.com")
        .icon("https://example.com/a.png")
        .instructions("Ask for the name first.")
        .tools(tools![plain])
        .without_auth();

    let result = server.client("ann").request("server/discover", json!({})).await.response["result"].clone();

    assert_eq!(
        result["_meta"]["io.modelcontextprotocol/serverInfo"],
        json!({
            "name": "clinic",
            "title": "The Clinic",
            "version": "1.2.3",
            "description": "Heals.",
            "websiteUrl": "https://example.com",
            "icons": [{"src": "https://example.com/a.png"}],
        }),
    );
    assert_eq!(result["instructions"], "Ask for the name first.");
    assert_eq!(result["capabilities"]["tools"], json!({"listChanged": true}));
}
