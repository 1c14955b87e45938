//! Prompts: what is listed, what they take, and what they say (server/prompts).

use tollgate::{
    Exchange, Server,
    prelude::*,
    serde_json::{Map, Value, json},
};

use super::{
    kit::{code, plain, server},
    stdio::{Stdio, request},
};

fn greeting() -> Prompt {
    Prompt::new("greet", "Greets.", async |_: Cx, it: Map<String, Value>| {
        Ok(format!("Hello, {}!", it["name"].as_str().unwrap_or_default()))
    })
    .argument("name", "Who.", true)
    .argument("tone", "How.", false)
}

fn showing() -> Prompt {
    Prompt::new("show", "Shows everything.", async |_, _| {
        Ok(vec![
            Message::user(Content::image([0, 255, 16], "image/png")),
            Message::user(Content::audio([1, 2, 3], "audio/wav")),
            Message::assistant(Content::resource(ResourceContents::text("test://t", "text/plain", "held"))),
            Message::assistant(Content::resource(ResourceContents::blob(
                "test://b",
                "image/png",
                [0, 255, 16],
            ))),
        ])
    })
}

fn full() -> Server {
    let refusing = Prompt::new("refuse", "Refuses.", async |_: Cx, _| -> Result<String> {
        fail!("There is no such project.")
    });
    let failing = Prompt::new("fail", "Fails.", async |_: Cx, _| -> Result<String> {
        Err(std::io::Error::other("/var/secret is locked"))?
    });
    server(vec![]).prompts(vec![greeting(), showing(), refusing, failing])
}

async fn get(server: &Server, name: &str, arguments: Value) -> Exchange {
    server.client("ann").request("prompts/get", json!({"name": name, "arguments": arguments})).await
}

// S-177.
#[tokio::test]
async fn prompts_are_declared_where_there_are_some() {
    let discover = async |server: Server| {
        let exchange = server.client("ann").request("server/discover", json!({})).await;
        exchange.response["result"]["capabilities"]["prompts"].clone()
    };

    assert_eq!(discover(full()).await, json!({"listChanged": true}));
    assert_eq!(discover(server(vec![plain("a")])).await, Value::Null);
}

// S-178.
#[tokio::test]
async fn prompts_are_listed_with_their_arguments_and_use_does_not_change_them() {
    let server = full();
    let list = async |name: &str| {
        server.client(name).request("prompts/list", json!({})).await.response["result"]["prompts"].clone()
    };
    let before = list("ann").await;

    get(&server, "greet", json!({"name": "Ann"})).await;
    get(&server, "unknown", json!({})).await;

    assert_eq!(list("bob").await, before);
    let arguments = json!([
        {"name": "name", "description": "Who.", "required": true},
        {"name": "tone", "description": "How."},
    ]);
    assert_eq!(before[0], json!({"name": "greet", "description": "Greets.", "arguments": arguments}));
}

// S-179.
#[tokio::test]
async fn a_listener_is_told_of_new_and_of_removed_prompts() {
    let server = full();
    let mut client = Stdio::start(server.clone());
    let listen = json!({"notifications": {"promptsListChanged": true}});
    client.send(&request("ear", "subscriptions/listen", listen)).await;
    client.next().await;

    server.catalog().add_prompt(Prompt::new("new", "Is new.", async |_, _| Ok("told"))).unwrap();
    assert_eq!(client.next().await["method"], "notifications/prompts/list_changed");
    server.catalog().remove_prompt("new");
    assert_eq!(client.next().await["method"], "notifications/prompts/list_changed");
}

// S-180.
#[tokio::test]
async fn pictures_and_sounds_are_base64_with_their_type() {
    let exchange = get(&full(), "show", json!({})).await;

    let messages = &exchange.response["result"]["messages"];
    let image = json!({"type": "image", "data": "AP8Q", "mimeType": "image/png"});
    let audio = json!({"type": "audio", "data": "AQID", "mimeType": "audio/wav"});
    assert_eq!(messages[0], json!({"role": "user", "content": image}));
    assert_eq!(messages[1], json!({"role": "user", "content": audio}));
}

// S-181.
#[tokio::test]
async fn an_embedded_resource_says_where_it_is_what_it_is_and_what_it_holds() {
    let exchange = get(&full(), "show", json!({})).await;

    let content = |at: usize| exchange.response["result"]["messages"][at]["content"].clone();
    let text = json!({"uri": "test://t", "mimeType": "text/plain", "text": "held"});
    let blob = json!({"uri": "test://b", "mimeType": "image/png", "blob": "AP8Q"});
    assert_eq!(content(2), json!({"type": "resource", "resource": text}));
    assert_eq!(content(3), json!({"type": "resource", "resource": blob}));
}

// S-182, S-183.
#[tokio::test]
async fn what_is_wrong_with_a_prompt_is_an_error_of_the_protocol() {
    let server = full();

    let told = get(&server, "greet", json!({"name": "Ann"})).await;
    let unknown = get(&server, "unknown", json!({})).await;
    let missing = get(&server, "greet", json!({})).await;
    let no_text = get(&server, "greet", json!({"name": 7})).await;
    let unknown_argument = get(&server, "greet", json!({"name": "Ann", "mood": "good"})).await;
    let no_object = get(&server, "greet", json!(["Ann"])).await;
    let refused = get(&server, "refuse", json!({})).await;
    let failed = get(&server, "fail", json!({})).await;

    assert_eq!(told.response["result"]["messages"][0]["content"]["text"], "Hello, Ann!");
    for it in [&unknown, &missing, &no_text, &unknown_argument, &no_object, &refused] {
        assert_eq!((it.status, code(it)), (200, -32602), "{it:?}");
    }
    assert_eq!(refused.response["error"]["message"], "There is no such project.");
    assert_eq!(code(&failed), -32603);
    assert!(!failed.response.to_string().contains("/var/secret"), "{failed:?}");
}

// S-183, S-184.
#[tokio::test]
async fn the_arguments_of_a_prompt_fit_their_types() {
    /// Asks for a plan.
    #[prompt]
    async fn plan(
        /// For how many days.
        days: Int<1, 9>,
        /// Where.
        place: Text<5>,
    ) -> String {
        format!("{} days in {place}", days.get())
    }
    let server = Server::new("patterns", "1").prompts(prompts![plan]).without_auth();

    let told = get(&server, "plan", json!({"days": "7", "place": "Rome"})).await;
    let too_many = get(&server, "plan", json!({"days": "10", "place": "Rome"})).await;
    let too_long = get(&server, "plan", json!({"days": "7", "place": "Ravenna"})).await;

    assert_eq!(told.response["result"]["messages"][0]["content"]["text"], "7 days in Rome");
    assert_eq!([code(&too_many), code(&too_long)], [-32602; 2]);
}
