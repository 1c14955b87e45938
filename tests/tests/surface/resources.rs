//! Resources, templates and the completion of their variables, in both eras.

use serde_json::{Value, json};
use std::time::Duration;
use tollgate::{Annotations, Resource, prelude::*};
use tollgate_tests::{Call, start};

/// The motto.
#[resource(
    uri = "house://motto",
    title = "Motto",
    mime = "text/markdown",
    size = 4,
    cache_seconds = 60,
    shared
)]
async fn motto() -> &'static str {
    "Home"
}

/// The plan, as bytes.
#[resource(uri = "house://plan")]
async fn plan() -> Vec<u8> {
    vec![0, 255]
}

/// A room by its number.
#[resource(uri = "house://rooms/{id}", mime = "text/plain")]
async fn room(#[arg(complete = ids)] id: Int<1, 20>) -> Result<String> {
    if id.get() == 13 {
        fail!("There is no room 13. Take 12 or 14.");
    }
    Ok(format!("room {id}"))
}

async fn ids(_cx: &Cx, typed: &str) -> Vec<String> {
    (1..=20).map(|it| it.to_string()).filter(|it| it.starts_with(typed)).collect()
}

/// A file.
#[resource(uri = "house://files/{+path}")]
async fn file(path: String) -> Vec<ResourceContents> {
    vec![
        ResourceContents::text(format!("house://files/{path}"), "text/plain", &*path),
        ResourceContents::blob("house://more", "application/octet-stream", b"more"),
    ]
}

fn server() -> Server {
    Server::new("surface", "1").resources(resources![motto, plan, room, file]).without_auth()
}

async fn modern(method: &str, params: Value) -> Value {
    server().client("ann").request(method, params).await.response
}

#[tokio::test]
async fn resources_and_templates_are_listed_apart() {
    let resources = modern("resources/list", json!({})).await["result"]["resources"].clone();
    let templates =
        modern("resources/templates/list", json!({})).await["result"]["resourceTemplates"].clone();

    assert_eq!(
        resources,
        json!([
            {
                "uri": "house://motto",
                "name": "motto",
                "title": "Motto",
                "description": "The motto.",
                "mimeType": "text/markdown",
                "size": 4,
            },
            {"uri": "house://plan", "name": "plan", "description": "The plan, as bytes."},
        ]),
    );
    assert_eq!(templates[0]["uriTemplate"], "house://rooms/{id}");
    assert_eq!(templates[0]["mimeType"], "text/plain");
    assert_eq!(templates[1]["uriTemplate"], "house://files/{+path}");
}

#[tokio::test]
async fn a_text_and_bytes_are_read_with_what_caches_need() {
    let text = modern("resources/read", json!({"uri": "house://motto"})).await["result"].clone();
    let bytes = modern("resources/read", json!({"uri": "house://plan"})).await["result"].clone();

    assert_eq!(
        text["contents"],
        json!([{"uri": "house://motto", "mimeType": "text/markdown", "text": "Home"}])
    );
    assert_eq!((&text["ttlMs"], &text["cacheScope"]), (&json!(60_000), &json!("public")));
    assert_eq!(bytes["contents"][0]["blob"], "AP8=");
    assert_eq!((&bytes["ttlMs"], &bytes["cacheScope"]), (&json!(0), &json!("private")));
}

#[tokio::test]
async fn a_template_reads_its_variables_from_the_uri() {
    let room = modern("resources/read", json!({"uri": "house://rooms/7"})).await["result"].clone();
    let file = modern("resources/read", json!({"uri": "house://files/a/b%20c.txt"})).await["result"].clone();

    assert_eq!(
        room["contents"],
        json!([{"uri": "house://rooms/7", "mimeType": "text/plain", "text": "room 7"}])
    );
    assert_eq!(file["contents"][0]["text"], "a/b c.txt");
    assert_eq!(file["contents"][1]["blob"], "bW9yZQ==");
}

#[tokio::test]
async fn what_does_not_fit_a_template_is_not_found() {
    let read = |uri: &str| modern("resources/read", json!({"uri": uri}));

    let unknown = read("house://attic").await;
    let over = read("house://rooms/21").await;
    let no_number = read("house://rooms/x").await;
    let told = read("house://rooms/13").await;

    assert_eq!(
        unknown["error"],
        json!({"code": -32602, "message": "Resource not found", "data": {"uri": "house://attic"}})
    );
    assert_eq!(over["error"]["message"], "Resource not found");
    assert_eq!(no_number["error"]["message"], "Resource not found");
    assert_eq!(told["error"]["message"], "There is no room 13. Take 12 or 14.");
    assert_eq!(told["error"]["data"]["uri"], "house://rooms/13");
}

#[tokio::test]
async fn a_variable_is_completed() {
    let reference = json!({"type": "ref/resource", "uri": "house://rooms/{id}"});
    let params = json!({"ref": reference, "argument": {"name": "id", "value": "2"}});

    let completion = modern("completion/complete", params).await["result"]["completion"].clone();

    assert_eq!(completion["values"], json!(["2", "20"]));
}

#[tokio::test]
async fn a_resource_made_by_hand_has_all_that_a_macro_gives() {
    let mut hints = Annotations::default();
    hints.priority = Some(1.0);
    let resource: Resource = Resource::new("made://{name}", "made", async |_cx, variables| {
        Ok(format!("made {}", variables["name"].as_str().unwrap_or_default()))
    })
    .title("Made")
    .description("By hand.")
    .mime_type("text/x-made")
    .icon("https://example.com/a.png")
    .annotated(hints)
    .cache(Duration::from_secs(1))
    .shared()
    .complete("name", async |_cx, typed| Ok(vec![typed + "!"]));
    let client = Server::new("surface", "1").resources(vec![resource]).without_auth().client("ann");

    let list = client.request("resources/templates/list", json!({})).await.response["result"].clone();
    let read = client.read("made://it").await.unwrap();
    let reference = json!({"type": "ref/resource", "uri": "made://{name}"});
    let params = json!({"ref": reference, "argument": {"name": "name", "value": "a"}});
    let completed = client.request("completion/complete", params).await.response["result"].clone();

    assert_eq!(
        list["resourceTemplates"],
        json!([{
            "uriTemplate": "made://{name}",
            "name": "made",
            "title": "Made",
            "description": "By hand.",
            "mimeType": "text/x-made",
            "annotations": {"priority": 1.0},
            "icons": [{"src": "https://example.com/a.png"}],
        }]),
    );
    assert_eq!(read["contents"], json!([{"uri": "made://it", "mimeType": "text/x-made", "text": "made it"}]));
    assert_eq!((&read["ttlMs"], &read["cacheScope"]), (&json!(1_000), &json!("public")));
    assert_eq!(completed["completion"]["values"], json!(["a!"]));
}

#[tokio::test]
async fn a_legacy_client_reads_and_completes_resources() {
    let running = start(server()).await;
    let ask = async |method: &str, params: Value| {
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        Call::post(&body.to_string()).header("MCP-Protocol-Version: 2025-06-18").send(running.address).await
    };

    let read = ask("resources/read", json!({"uri": "house://rooms/7"})).await.result();
    let missing = ask("resources/read", json!({"uri": "house://attic"})).await;
    let no_number = ask("resources/read", json!({"uri": "house://rooms/x"})).await;
    let reference = json!({"type": "ref/resource", "uri": "house://rooms/{id}"});
    let params = json!({"ref": reference, "argument": {"name": "id", "value": "2"}});
    let completed = ask("completion/complete", params).await.result();

    assert_eq!(read["contents"][0]["text"], "room 7");
    assert!(read.get("ttlMs").is_none() && read.get("resultType").is_none());
    assert_eq!(missing.verdict(), (200, -32002));
    assert_eq!(no_number.verdict(), (200, -32002));
    assert_eq!(completed["completion"]["values"], json!(["2", "20"]));
}
