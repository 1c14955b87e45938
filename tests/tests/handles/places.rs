//! A handle is checked wherever it stands: in options, lists and structs, in prompts, resources and completion.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tollgate::{
    Client,
    prelude::*,
    serde_json::{Value, json},
};

use super::shop::{Runs, UNKNOWN, told};

#[derive(Record, Serialize, Deserialize)]
#[record(owner_only)]
struct Cart {
    items: Vec<String>,
}

#[derive(Record, Serialize, Deserialize)]
#[record(owner_only)]
struct List(Vec<String>);

/// Opens a cart.
///
/// Use when there is none.
/// Do not use when there is one.
#[tool]
async fn open_cart(cx: &Cx<Runs>) -> Result<Handle<Cart>> {
    cx.mint(Cart { items: vec!["milk".into()] }).await
}

/// Opens a list.
///
/// Use when there is none.
/// Do not use when there is one.
#[tool]
async fn open_list(cx: &Cx<Runs>) -> Result<Handle<List>> {
    cx.mint(List(Vec::new())).await
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Delivery {
    address: String,
    from: Held<Cart>,
    with: Option<Held<Cart>>,
    #[serde(default)]
    nested: Vec<Delivery>,
}

/// Sends things.
///
/// Use when things are to be sent.
/// Do not use when not.
#[tool]
async fn send(
    cx: &Cx<Runs>,
    cart: Option<Held<Cart>>,
    carts: Vec<Held<Cart>>,
    delivery: Option<Delivery>,
    list: Option<Held<List>>,
) -> Result<String> {
    cx.state().one();
    let mut all = 0;
    for it in cart.iter().chain(&carts) {
        all += it.load().await?.items.len();
    }
    let mut open: Vec<Delivery> = delivery.into_iter().collect();
    while let Some(it) = open.pop() {
        all += it.from.load().await?.items.len();
        open.extend(it.nested);
    }
    Ok(format!("{all} {}", list.is_some()))
}

/// Asks about a cart.
#[prompt]
async fn ask_about(cx: &Cx<Runs>, cart: Held<Cart>) -> Result<String> {
    cx.state().one();
    Ok(format!("What about {}?", cart.load().await?.items.join(", ")))
}

/// What is in a cart.
#[resource(uri = "shop://carts/{cart}")]
async fn contents(cx: &Cx<Runs>, cart: Held<Cart>) -> Result<String> {
    cx.state().one();
    Ok(cart.load().await?.items.join(", "))
}

struct Place {
    ann: Client,
    bob: Client,
    runs: Runs,
    /// Ann's.
    cart: String,
    list: String,
    /// Well written, and nobody's.
    nobodys: String,
}

async fn place() -> Place {
    let runs = Runs::default();
    let server = Server::new("shop", "1")
        .state(runs.clone())
        .tools(tools![open_cart, open_list, send])
        .prompts(prompts![ask_about])
        .resources(resources![contents])
        .without_auth();
    let (ann, bob) = (server.client("ann"), server.client("bob"));
    let cart = ann.call(open_cart {}).await.unwrap().to_string();
    let list = ann.call(open_list {}).await.unwrap().to_string();
    Place { ann, bob, runs, cart, list, nobodys: format!("cart_{}", "0".repeat(26)) }
}

#[tokio::test]
async fn a_handle_is_checked_however_deep_it_stands() {
    let it = place().await;
    let delivery = |from: &str, deep: &str| {
        let inner = json!({"address": "there", "from": deep});
        json!({"address": "here", "from": from, "nested": [inner]})
    };
    let good = [
        json!({"carts": []}),
        json!({"carts": [it.cart, it.cart]}),
        json!({"carts": [], "cart": it.cart}),
        json!({"carts": [], "delivery": delivery(&it.cart, &it.cart)}),
        json!({"carts": [], "list": it.list}),
    ];
    let bad = [
        json!({"carts": [it.cart, it.nobodys]}),
        json!({"carts": [], "cart": it.nobodys}),
        json!({"carts": [], "delivery": delivery(&it.nobodys, &it.cart)}),
        json!({"carts": [], "delivery": delivery(&it.cart, &it.nobodys)}),
        json!({"carts": [it.cart], "list": it.list.replace("list_", "cart_")}),
    ];

    for arguments in &good {
        it.ann.call_raw("send", arguments.clone()).await.unwrap();
    }
    assert_eq!(it.runs.count(), good.len());
    for arguments in &bad {
        assert!(it.ann.call_raw("send", arguments.clone()).await.is_err(), "{arguments}");
    }
    for arguments in &good[1..] {
        assert!(it.bob.call_raw("send", arguments.clone()).await.is_err(), "{arguments}");
    }
    assert_eq!(it.runs.count(), good.len());
}

#[tokio::test]
async fn one_handle_that_is_not_the_callers_stops_the_whole_call() {
    let it = place().await;

    let both = told(it.ann.call_raw("send", json!({"carts": [], "cart": it.nobodys, "list": it.list})).await);

    assert_eq!(both, UNKNOWN);
    assert_eq!(it.runs.count(), 0);
}

#[tokio::test]
async fn a_prompt_is_for_the_holder_alone() {
    let it = place().await;
    let get = |client: &Client, cart: &str| {
        let (client, params) = (client.clone(), json!({"name": "ask_about", "arguments": {"cart": cart}}));
        async move { client.request("prompts/get", params).await.response }
    };

    let own = get(&it.ann, &it.cart).await;
    let foreign = get(&it.bob, &it.cart).await;
    let unknown = get(&it.bob, &it.nobodys).await;

    assert!(own["result"]["messages"][0]["content"]["text"].as_str().unwrap().contains("milk"));
    assert_eq!((&foreign["error"]["code"], &foreign["error"]["message"]), (&json!(-32602), &json!(UNKNOWN)));
    assert_eq!(foreign["error"], unknown["error"]);
    assert_eq!(it.runs.count(), 1);
}

#[tokio::test]
async fn a_resource_is_for_the_holder_alone() {
    let it = place().await;
    let read = |client: &Client, cart: &str| {
        let (client, uri) = (client.clone(), format!("shop://carts/{cart}"));
        async move {
            let response = client.request("resources/read", json!({"uri": uri})).await.response;
            // The URI that was asked for comes back, and is the one difference that there may be.
            json!([response["result"], response["error"]]).to_string().replace(&uri, "<uri>")
        }
    };

    let own = read(&it.ann, &it.cart).await;
    let foreign = read(&it.bob, &it.cart).await;
    let unknown = read(&it.bob, &it.nobodys).await;

    assert!(own.contains("milk"));
    assert_eq!(foreign, unknown);
    assert!(foreign.contains("-32602"), "{foreign}");
    assert_eq!(it.runs.count(), 1);
}

#[tokio::test]
async fn completion_offers_the_callers_own() {
    let it = place().await;
    let complete = |client: &Client, reference: Value, typed: &str| {
        let argument = json!({"name": "cart", "value": typed});
        let (client, params) = (client.clone(), json!({"ref": reference, "argument": argument}));
        async move { client.request("completion/complete", params).await.response["result"]["completion"].clone() }
    };
    let prompt = json!({"type": "ref/prompt", "name": "ask_about"});
    let template = json!({"type": "ref/resource", "uri": "shop://carts/{cart}"});

    for reference in [prompt, template] {
        assert_eq!(complete(&it.ann, reference.clone(), "").await["values"], json!([it.cart]));
        assert_eq!(complete(&it.ann, reference.clone(), "cart_").await["values"], json!([it.cart]));
        assert_eq!(complete(&it.ann, reference.clone(), "list_").await["values"], json!([]));
        assert_eq!(complete(&it.bob, reference, "").await["values"], json!([]));
    }
}

/// A type whose author did not think of everything.
#[derive(JsonSchema, Serialize)]
struct Brittle {
    cart: Held<Cart>,
    text: String,
}

impl<'de> Deserialize<'de> for Brittle {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Read {
            cart: Held<Cart>,
            text: String,
        }
        let Read { cart, text } = Read::deserialize(deserializer)?;
        assert_ne!(text, "panic");
        Ok(Self { cart, text })
    }
}

/// Takes what breaks.
///
/// Use when it is tested.
/// Do not use when it is not.
#[tool]
async fn break_it(brittle: Brittle) -> Result<String> {
    brittle.cart.load().await?;
    Ok(brittle.text)
}

/// Reads a handle by itself, which no gate has seen.
///
/// Use when it is tested.
/// Do not use when it is not.
#[tool]
async fn read_by_hand(value: Value) -> Result<String> {
    Ok(match tollgate::serde_json::from_value::<Held<Cart>>(value) {
        Ok(_) => "held".into(),
        Err(error) => error.to_string(),
    })
}

#[tokio::test]
async fn a_handle_that_no_gate_has_seen_is_none_whatever_happened_before() {
    let server = Server::new("shop", "1")
        .state(Runs::default())
        .tools(tools![open_cart, break_it, read_by_hand])
        .without_auth();
    let (ann, bob) = (server.client("ann"), server.client("bob"));
    let cart = ann.call(open_cart {}).await.unwrap().to_string();
    let by_hand = || bob.call_raw("read_by_hand", json!({"value": cart}));

    assert!(by_hand().await.unwrap().to_string().contains("there is no such cart"));
    let brittle = |text: &str| json!({"brittle": {"cart": cart, "text": text}});
    assert!(ann.call_raw("break_it", brittle("good")).await.is_ok());
    assert!(ann.call_raw("break_it", brittle("panic")).await.is_err());

    assert!(by_hand().await.unwrap().to_string().contains("there is no such cart"));
}
