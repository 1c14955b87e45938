//! Where a user may be sent back to.

use std::sync::Arc;

use serde_json::json;
use tollgate::oauth::{ClientDocument, ClientDocumentError, ClientDocumentsBuilder};

use super::{
    kit::{APP, builder, id, town, with},
    page::Page,
};

async fn get(
    uris: &[&str],
    set: impl Fn(ClientDocumentsBuilder) -> ClientDocumentsBuilder,
) -> Result<Arc<ClientDocument>, ClientDocumentError> {
    let town = town();
    town.page(APP, Page::json(&with(json!({"redirect_uris": uris}))));
    set(builder(&town)).build().unwrap().get(&id(APP)).await
}

#[tokio::test(start_paused = true)]
async fn a_redirect_is_in_the_document_byte_for_byte() {
    let listed = "https://app.example.com/callback";
    let client = get(&[listed, "https://app.example.com"], |it| it).await.unwrap();

    assert!(client.allows_redirect(listed));
    assert!(client.allows_redirect("https://app.example.com"));
    let others = [
        "https://app.example.com/callback/",
        "https://app.example.com/callback?a=b",
        "https://app.example.com/callback#",
        "https://app.example.com/Callback",
        "https://app.example.com/callback/../evil",
        "https://app.example.com/callbac",
        "https://app.example.com:443/callback",
        "https://app.example.com.evil.example/callback",
        "https://app.example.com@evil.example/callback",
        "https://evil.example/callback",
        "HTTPS://app.example.com/callback",
        "http://app.example.com/callback",
        "https://app.example.com/",
        "javascript:alert(1)",
        " https://app.example.com/callback",
        "",
    ];
    for other in others {
        assert!(!client.allows_redirect(other), "{other}");
        assert_eq!(client.redirect_host(other), None);
    }
}

#[tokio::test(start_paused = true)]
async fn a_document_lists_https_and_this_machine_only() {
    let bad = [
        "http://app.example.com/callback",
        "http://127.0.0.2/callback",
        "http://2130706433/callback",
        "http://localhost.evil.example/callback",
        "http://localhost@evil.example/callback",
        "http://user@localhost/callback",
        "http://localhost:0/callback",
        "http://localhost:99999/callback",
        "http://LOCALHOST/callback",
        "https://user:pass@app.example.com/callback",
        "https://app.example.com/callback#",
        "https://app.example.com/callback#a",
        "https://app.example.com\\@evil.example/callback",
        "https://app.example.com/call back",
        "https://app.example.com/call\nback",
        "https://äpp.example.com/callback",
        "https://",
        "javascript:alert(1)",
        "data:text/html,a",
        "file:///etc/passwd",
        "com.example.app:/callback",
        "cursor://anysphere.cursor-mcp/callback",
        "urn:ietf:wg:oauth:2.0:oob",
        "/callback",
        "",
    ];
    for uri in bad {
        let refused = get(&["https://app.example.com/callback", uri], |it| it).await.unwrap_err();

        let text = refused.to_string();
        assert!(
            text.starts_with("the client document is not valid: the redirect URI number 2 "),
            "{uri}: {text}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn an_app_s_scheme_is_accepted_where_the_operator_says_so() {
    let uri = "com.example.app:/callback";
    let client = get(&[uri], |it| it.redirect_scheme("Com.Example.App")).await.unwrap();

    assert!(client.allows_redirect(uri));
    assert!(!client.is_loopback_only());
    assert_eq!(client.redirect_host(uri), Some("com.example.app"));
    assert!(get(&["com.example.other:/callback"], |it| it.redirect_scheme("com.example.app")).await.is_err());
}

#[test]
fn a_scheme_that_browsers_handle_themselves_is_no_app_s() {
    for scheme in ["javascript", "JavaScript", "data", "file", "http", "blob", "vbscript"] {
        assert!(builder(&town()).redirect_scheme(scheme).build().is_err(), "{scheme}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_port_on_this_machine_is_free_where_the_operator_says_so() {
    let listed = [
        "http://127.0.0.1:3000/callback",
        "http://[::1]/callback",
        "http://localhost/callback?a=b",
        "https://app.example.com/callback",
    ];
    let exact = get(&listed, |it| it).await.unwrap();
    let free = get(&listed, ClientDocumentsBuilder::any_loopback_port).await.unwrap();

    let same_but_for_the_port = [
        "http://127.0.0.1:51004/callback",
        "http://127.0.0.1/callback",
        "http://[::1]:51004/callback",
        "http://localhost:8/callback?a=b",
    ];
    for uri in same_but_for_the_port {
        assert!(free.allows_redirect(uri), "{uri}");
        assert!(!exact.allows_redirect(uri), "{uri}");
    }
    let others = [
        "http://127.0.0.1:51004/other",
        "http://127.0.0.1:51004/callback/",
        "http://127.0.0.1:51004/callback?a",
        "http://127.0.0.1:51004/callback#a",
        "http://127.0.0.1:51004\\@evil.example/callback",
        "http://127.0.0.1:51004@evil.example/callback",
        "http://127.0.0.1:0/callback",
        "http://127.0.0.1:/callback",
        "http://127.0.0.1:65536/callback",
        "http://127.0.0.1:+1/callback",
        "http://127.0.0.2:3000/callback",
        "http://localhost:3000/callback",
        "http://[::1]:/callback",
        "https://127.0.0.1:3000/callback",
        "https://app.example.com:8443/callback",
        "http://evil.example:3000/callback",
    ];
    for uri in others {
        assert!(!free.allows_redirect(uri), "{uri}");
    }
    assert!(listed.iter().all(|it| free.allows_redirect(it) && exact.allows_redirect(it)));
    assert_eq!(free.redirect_host("http://127.0.0.1:51004/callback"), Some("127.0.0.1"));
}

#[tokio::test(start_paused = true)]
async fn a_client_of_this_machine_only_is_told() {
    let local = ["http://127.0.0.1:3000/callback", "http://localhost:3000/callback", "http://[::1]/"];
    let mixed = ["http://localhost/callback", "https://app.example.com/callback"];

    assert!(get(&local, |it| it).await.unwrap().is_loopback_only());
    assert!(get(&["https://localhost/callback"], |it| it).await.unwrap().is_loopback_only());
    assert!(!get(&mixed, |it| it).await.unwrap().is_loopback_only());
}
