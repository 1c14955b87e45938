//! Prompts and the completion of their arguments, in both eras.

use serde_json::{Value, json};
use tollgate::{Message, prelude::*};
use tollgate_tests::{Call, start};

#[derive(Clone)]
struct House(&'static [&'static str]);

/// Asks about a room.
#[prompt(title = "Room", icon = "https://example.com/room.png")]
async fn room(
    cx: &Cx<House>,
    /// Which one.
    #[arg(complete = rooms)]
    name: Text<8>,
    /// How many windows.
    #[arg(default = 2)]
    windows: Int<1, 9>,
    light: Option<bool>,
) -> Result<Vec<Message>> {
    if !cx.state().0.contains(&&*name) {
        fail!("There is no such room. Choose another.");
    }
    let lit = light.map_or("unknown", |it| if it { "lit" } else { "dark" });
    Ok(vec![
        Message::user(format!("What about {name}, with {windows} windows, {lit}?")),
        Message::assistant(Content::image([0], "image/png")),
    ])
}

async fn rooms(cx: &Cx<House>, typed: &str) -> Vec<String> {
    cx.state().0.iter().filter(|it| it.starts_with(typed)).map(ToString::to_string).collect()
}

/// Says hello.
#[prompt]
async fn hello() -> &'static str {
    "Hello."
}

fn server() -> Server<House> {
    let house = House(&["kitchen", "kiln", "attic"]);
    Server::new("surface", "1").state(house).prompts(prompts![room, hello]).without_auth()
}

async fn modern(method: &str, params: Value) -> Value {
    server().client("ann").request(method, params).await.response
}

#[tokio::test]
async fn prompts_are_listed_with_their_arguments() {
    let list = modern("prompts/list", json!({})).await["result"]["prompts"].clone();

    assert_eq!(
        list,
        json!([
            {
                "name": "room",
                "title": "Room",
                "description": "Asks about a room.",
                "arguments": [
                    {"name": "name", "description": "Which one.", "required": true},
                    {"name": "windows", "description": "How many windows."},
                    {"name": "light"},
                ],
                "icons": [{"src": "https://example.com/room.png"}],
            },
            {"name": "hello", "description": "Says hello."},
        ]),
    );
}

#[tokio::test]
async fn a_prompt_gives_its_messages_and_reads_numbers_from_texts() {
    let arguments = json!({"name": "attic", "windows": "3", "light": "true"});

    let result =
        modern("prompts/get", json!({"name": "room", "arguments": arguments})).await["result"].clone();

    assert_eq!(result["description"], "Asks about a room.");
    assert_eq!(
        result["messages"],
        json!([
            {"role": "user", "content": {"type": "text", "text": "What about attic, with 3 windows, lit?"}},
            {"role": "assistant", "content": {"type": "image", "data": "AA==", "mimeType": "image/png"}},
        ]),
    );
}

#[tokio::test]
async fn a_typed_prompt_works_in_memory() {
    let request = room { name: "attic".try_into().unwrap(), windows: 4.try_into().unwrap(), light: None };

    let result = server().client("ann").prompt(request).await;

    // Arguments of prompts are texts on the wire, also those of the typed client.
    let text = result.unwrap()["messages"][0]["content"]["text"].clone();
    assert_eq!(text, "What about attic, with 4 windows, unknown?");
}

#[tokio::test]
async fn a_bad_argument_of_a_prompt_is_named() {
    let get = |arguments: Value| modern("prompts/get", json!({"name": "room", "arguments": arguments}));

    let missing = get(json!({})).await;
    let wrong = get(json!({"name": "attic", "windows": "12"})).await;
    let no_text = get(json!({"name": 3})).await;
    let told = get(json!({"name": "cellar"})).await;

    assert_eq!(missing["error"]["code"], -32602);
    assert!(missing["error"]["message"].as_str().unwrap().starts_with("/name: "), "{missing}");
    assert!(wrong["error"]["message"].as_str().unwrap().starts_with("/windows: "), "{wrong}");
    assert_eq!(no_text["error"]["code"], -32602);
    assert_eq!(told["error"]["message"], "There is no such room. Choose another.");
}

#[tokio::test]
async fn an_argument_is_completed() {
    let reference = json!({"type": "ref/prompt", "name": "room"});
    let complete = |name: &str, typed: &str| {
        modern(
            "completion/complete",
            json!({"ref": reference.clone(), "argument": {"name": name, "value": typed}}),
        )
    };

    let some = complete("name", "ki").await["result"]["completion"].clone();
    let none = complete("windows", "1").await["result"]["completion"].clone();

    assert_eq!(some, json!({"values": ["kitchen", "kiln"], "total": 2, "hasMore": false}));
    assert_eq!(none["values"], json!([]));
}

#[tokio::test]
async fn at_most_a_hundred_completions_travel() {
    let prompt: Prompt = Prompt::new("many", "Has many.", async |_cx, _| Ok("x"))
        .argument("n", "One of them.", true)
        .complete("n", async |_cx, _typed| Ok((0..150).map(|it| it.to_string()).collect()));
    let client = Server::new("surface", "1").prompts(vec![prompt]).without_auth().client("ann");
    let params =
        json!({"ref": {"type": "ref/prompt", "name": "many"}, "argument": {"name": "n", "value": ""}});

    let completion =
        client.request("completion/complete", params).await.response["result"]["completion"].clone();

    assert_eq!(completion["values"].as_array().unwrap().len(), 100);
    assert_eq!((&completion["total"], &completion["hasMore"]), (&json!(150), &json!(true)));
}

#[tokio::test]
async fn a_legacy_client_gets_and_completes_prompts() {
    let running = start(server()).await;
    let ask = async |method: &str, params: Value| {
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        Call::post(&body.to_string()).header("MCP-Protocol-Version: 2025-11-25").send(running.address).await
    };

    let list = ask("prompts/list", json!({})).await.result();
    let got = ask("prompts/get", json!({"name": "hello"})).await.result();
    let reference = json!({"type": "ref/prompt", "name": "room"});
    let params = json!({"ref": reference, "argument": {"name": "name", "value": "a"}});
    let completed = ask("completion/complete", params).await.result();

    assert_eq!(list["prompts"][1]["name"], "hello");
    assert_eq!(got["messages"][0]["content"]["text"], "Hello.");
    assert_eq!(completed["completion"]["values"], json!(["attic"]));
    assert!(list.get("resultType").is_none() && got.get("resultType").is_none());
}
