//! Resources: what is listed, what is read, and what is not there (server/resources).

use tollgate::{
    Exchange, Server,
    prelude::*,
    serde_json::{Map, Value, json},
};

use super::{
    kit::{code, plain, server},
    stdio::{Stdio, request},
};

fn held(uri: &str) -> Resource {
    Resource::new(uri, "held", async |_, _| Ok("held"))
}

fn full() -> Server {
    let family = Resource::new("test://of/{owner}", "family", async |_: Cx, it: Map<String, Value>| {
        Ok(it["owner"].as_str().unwrap_or_default().to_owned())
    });
    let absent = Resource::new("test://absent", "absent", async |_: Cx, _| -> Result<String> {
        fail!("Nobody has written it yet.")
    });
    let broken = Resource::new("test://broken", "broken", async |_: Cx, _| -> Result<String> {
        Err(std::io::Error::other("/var/secret is locked"))?
    });
    let panics = Resource::new("test://panics", "panics", async |_: Cx, _| -> Result<String> {
        panic!("in /var/secret")
    });
    server(vec![]).resources(vec![held("test://held"), family, absent, broken, panics])
}

async fn read(server: &Server, uri: &str) -> Exchange {
    server.client("ann").request("resources/read", json!({"uri": uri})).await
}

// S-165.
#[tokio::test]
async fn resources_are_declared_where_there_are_some() {
    let discover = async |server: Server| {
        let exchange = server.client("ann").request("server/discover", json!({})).await;
        exchange.response["result"]["capabilities"]["resources"].clone()
    };

    let declared = json!({"subscribe": true, "listChanged": true});
    assert_eq!(discover(server(vec![]).resources(vec![held("test://r")])).await, declared);
    assert_eq!(discover(server(vec![]).resources(vec![held("test://{id}")])).await, declared);
    assert_eq!(discover(server(vec![plain("a")])).await, Value::Null);
}

// S-166.
#[tokio::test]
async fn resources_and_templates_have_a_list_each() {
    let server = full();
    let ann = server.client("ann");

    let resources = ann.request("resources/list", json!({})).await;
    let templates = ann.request("resources/templates/list", json!({})).await;

    let uris: Vec<_> = resources.response["result"]["resources"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["uri"].as_str().unwrap())
        .collect();
    assert_eq!(uris, ["test://held", "test://absent", "test://broken", "test://panics"]);
    let templates = &templates.response["result"]["resourceTemplates"];
    assert_eq!(*templates, json!([{"uriTemplate": "test://of/{owner}", "name": "family"}]));
}

// S-166.
#[tokio::test]
async fn reading_does_not_change_what_is_listed() {
    let server = full();
    let list = async |name: &str| server.client(name).request("resources/list", json!({})).await.response;
    let before = list("ann").await["result"].clone();

    for uri in ["test://held", "test://of/ann", "test://absent", "test://unknown"] {
        read(&server, uri).await;
    }

    assert_eq!(list("bob").await["result"], before);
}

// S-167.
#[tokio::test]
async fn a_listener_is_told_of_new_and_of_removed_resources() {
    let server = full();
    let mut client = Stdio::start(server.clone());
    let listen = json!({"notifications": {"resourcesListChanged": true}});
    client.send(&request("ear", "subscriptions/listen", listen)).await;
    client.next().await;

    server.catalog().add_resource(held("test://new")).unwrap();
    assert_eq!(client.next().await["method"], "notifications/resources/list_changed");
    server.catalog().remove_resource("test://new");
    assert_eq!(client.next().await["method"], "notifications/resources/list_changed");
}

// S-169.
#[test]
fn a_uri_has_a_scheme_and_no_blanks() {
    for uri in ["", "held", "/held", "1x://held", "te_st://held", "test:", "test://a b", "test://ä", ":held"]
    {
        assert!(server(vec![]).resources(vec![held(uri)]).check().run().is_err(), "{uri}");
    }
    for uri in ["test://held", "urn:isbn:1", "a+b-c.9://held", "https://example.com/a?b#c"] {
        assert!(server(vec![]).resources(vec![held(uri)]).check().run().is_ok(), "{uri}");
    }
}

// S-170, S-172.
#[tokio::test]
async fn a_resource_that_does_not_exist_is_an_error_and_never_empty() {
    let server = full();

    for uri in ["test://unknown", "test://held/", "TEST://held", "test://of/", "test://of/a/b", "", "held"] {
        let exchange = read(&server, uri).await;
        assert_eq!((exchange.status, code(&exchange)), (200, -32602), "{uri}");
        assert_eq!(exchange.response["error"]["data"], json!({"uri": uri}));
        assert!(exchange.response.get("result").is_none());
    }
}

// S-170, S-172.
#[tokio::test]
async fn what_the_author_does_not_find_is_not_found_either() {
    let exchange = read(&full(), "test://absent").await;

    assert_eq!(code(&exchange), -32602);
    assert_eq!(exchange.response["error"]["message"], "Nobody has written it yet.");
}

// S-171.
#[tokio::test]
async fn a_failure_of_the_server_is_an_internal_error_without_details() {
    let server = full();

    for uri in ["test://broken", "test://panics"] {
        let exchange = read(&server, uri).await;
        assert_eq!((exchange.status, code(&exchange)), (200, -32603), "{uri}");
        assert_eq!(exchange.response["error"]["message"], "Internal error");
        assert!(!exchange.response.to_string().contains("/var/secret"), "{exchange:?}");
    }
}

// S-173.
#[tokio::test]
async fn a_uri_that_is_no_text_is_refused() {
    let server = full();
    let ann = server.client("ann");

    for params in [json!({}), json!({"uri": 1}), json!({"uri": null}), json!({"uri": ["test://held"]})] {
        let request = ann.request("resources/read", params.clone()).await;
        // Without a text there is nothing that the header could repeat.
        assert_eq!(request.status, 400, "{params}");
    }
    let mut client = Stdio::start(full());
    for (id, params) in [(1, json!({})), (2, json!({"uri": 1})), (3, json!({"uri": null}))] {
        let answer = client.ask(&request(id, "resources/read", params)).await;
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
    }
}

// S-173.
#[tokio::test]
async fn the_variables_of_a_template_fit_their_types() {
    /// One page of a book.
    #[resource(uri = "test://book/{page}", mime = "text/plain")]
    async fn page(
        /// Its number.
        page: Int<1, 9>,
    ) -> String {
        format!("page {}", page.get())
    }
    let server = Server::new("patterns", "1").resources(resources![page]).without_auth();

    let there = read(&server, "test://book/7").await;
    let beyond = read(&server, "test://book/10").await;
    let no_number = read(&server, "test://book/seven").await;

    assert_eq!(there.response["result"]["contents"][0]["text"], "page 7");
    assert_eq!([code(&beyond), code(&no_number)], [-32602; 2]);
}

// S-175.
#[tokio::test]
async fn bytes_travel_as_base64() {
    let picture = Resource::new("test://picture", "picture", async |_, _| Ok(vec![0_u8, 255, 16]));
    let server = server(vec![]).resources(vec![picture.mime_type("image/png")]);

    let exchange = read(&server, "test://picture").await;

    let contents = &exchange.response["result"]["contents"];
    assert_eq!(*contents, json!([{"uri": "test://picture", "mimeType": "image/png", "blob": "AP8Q"}]));
}

// S-176.
#[tokio::test]
async fn a_variable_of_one_segment_cannot_climb_out_of_it() {
    let file = Resource::new("file:///notes/{name}", "notes", async |_: Cx, it: Map<String, Value>| {
        Ok(it["name"].as_str().unwrap_or_default().to_owned())
    });
    let server = server(vec![]).resources(vec![file]);

    let there = read(&server, "file:///notes/a%20b.txt").await;
    assert_eq!(there.response["result"]["contents"][0]["text"], "a b.txt");
    for uri in [
        "file:///notes/..%2Fkeys",
        "file:///notes/%2e%2e%2fkeys",
        "file:///notes/%2Fetc%2Fkeys",
        "file:///notes/..",
        "file:///notes/%2e%2e",
        "file:///notes/.",
        "file:///notes/..%5Ckeys",
        "file:///notes/a%00",
    ] {
        assert_eq!(code(&read(&server, uri).await), -32602, "{uri}");
    }
}
