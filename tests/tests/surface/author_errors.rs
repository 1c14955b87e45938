//! How a tool says no, and what stays inside.

use std::io;

use serde_json::{Value, json};
use tollgate::prelude::*;
use tollgate_tests::Log;

use crate::{client, told};

/// Seats somebody.
///
/// Use when they come.
/// Do not use when they go.
#[tool]
async fn seat(guests: u32) -> Result<String> {
    if guests > 4 {
        fail!("No table for {guests} is free. Offer another day.");
    }
    Ok("seated".into())
}

#[tokio::test]
async fn what_fail_says_is_what_the_model_reads() {
    let client = client(tools![seat]);

    assert_eq!(
        told(&client, "seat", json!({"guests": 5})).await,
        "No table for 5 is free. Offer another day."
    );
    let typed = client.call(seat { guests: 9 }).await.unwrap_err();
    assert_eq!(typed.text(), "No table for 9 is free. Offer another day.");
    assert!(typed.is_told());
}

/// Reads something.
///
/// Use when it is there.
/// Do not use when it is not.
#[tool]
async fn read(missing: bool) -> Result<String> {
    let text: io::Result<String> = Err(io::Error::other("secret-path /etc/shadow"));
    if missing {
        return None.or_fail("There is nothing. Ask for something else.");
    }
    text.or_fail("It cannot be read. Try again later.")
}

#[tokio::test]
async fn or_fail_says_its_own_text_and_not_that_of_the_error() {
    let client = client(tools![read]);

    assert_eq!(told(&client, "read", json!({"missing": false})).await, "It cannot be read. Try again later.");
    assert_eq!(
        told(&client, "read", json!({"missing": true})).await,
        "There is nothing. Ask for something else."
    );
}

#[derive(Debug)]
struct Broken(io::Error);

impl std::fmt::Display for Broken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("secret-outer")
    }
}

impl std::error::Error for Broken {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0)
    }
}

fn stray() -> std::result::Result<String, Broken> {
    Err(Broken(io::Error::other("secret-inner")))
}

/// Breaks.
///
/// Use when it has to break.
/// Do not use when it has not.
#[tool]
async fn stumble() -> Result<String> {
    Ok(stray()?)
}

#[tokio::test]
async fn a_stray_error_tells_the_model_a_reference_and_the_log_the_whole_story() {
    let log = Log::start();
    let client = client(tools![stumble]);

    let told = told(&client, "stumble", json!({})).await;

    let reference = told.strip_prefix("internal error (reference ").and_then(|it| it.strip_suffix(')'));
    let lines = log.with(reference.unwrap());
    assert!(!told.contains("secret"), "{told}");
    assert_eq!(lines.len(), 1);
    assert!(lines[0].contains("secret-outer: secret-inner"), "{lines:?}");
}

/// Keeps its own error type.
///
/// Use when it has one.
/// Do not use when it has none.
#[tool]
async fn own_error() -> std::result::Result<String, Broken> {
    stray()
}

#[tokio::test]
async fn an_error_type_of_the_authors_own_does_not_leak_either() {
    let client = client(tools![own_error]);

    assert!(told(&client, "own_error", json!({})).await.starts_with("internal error (reference "));
}

/// Asks about something.
#[prompt]
async fn broken_prompt() -> Result<String> {
    Ok(stray()?)
}

/// Something to read.
#[resource(uri = "test://broken")]
async fn broken_resource() -> Result<String> {
    Ok(stray()?)
}

/// Something else to read.
#[resource(uri = "test://refused")]
async fn refused_resource() -> Result<String> {
    fail!("It is locked. Ask its owner.")
}

#[tokio::test]
async fn stray_errors_of_prompts_and_resources_do_not_leak() {
    let log = Log::start();
    let server = Server::new("surface", "1")
        .prompts(prompts![broken_prompt])
        .resources(resources![broken_resource, refused_resource])
        .without_auth();
    let client = server.client("ann");

    let prompt = client.request("prompts/get", json!({"name": "broken_prompt"})).await.response;
    let resource = client.request("resources/read", json!({"uri": "test://broken"})).await.response;
    let refused = client.request("resources/read", json!({"uri": "test://refused"})).await.response;

    let code = |it: &Value| it["error"]["code"].as_i64();
    assert_eq!((code(&prompt), code(&resource), code(&refused)), (Some(-32603), Some(-32603), Some(-32602)));
    assert!(!prompt.to_string().contains("secret") && !resource.to_string().contains("secret"));
    assert_eq!(refused["error"]["message"], "It is locked. Ask its owner.");
    assert_eq!(log.with("secret-inner").len(), 2);
}
