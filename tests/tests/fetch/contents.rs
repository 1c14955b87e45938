//! What a client document must, may and must not say.

use serde_json::{Value, json};
use tollgate::oauth::{AuthMethod, ClientDocument, ClientDocumentError};

use super::{
    kit::{APP, document, documents, id, town, with},
    page::Page,
};

async fn get(document: &Value) -> Result<std::sync::Arc<ClientDocument>, ClientDocumentError> {
    let town = town();
    town.page(APP, Page::json(document));
    documents(&town).get(&id(APP)).await
}

async fn fault(document: &Value) -> String {
    match get(document).await {
        Err(ClientDocumentError::Invalid(why)) => why,
        other => panic!("{document} gives {other:?}"),
    }
}

fn without(name: &str) -> Value {
    let mut document = document(APP);
    document.as_object_mut().unwrap().remove(name);
    document
}

#[tokio::test(start_paused = true)]
async fn a_document_is_about_the_url_that_it_was_fetched_from_byte_for_byte() {
    let others = [
        "https://app.example.com/client.json/",
        "https://app.example.com/client.jso",
        "https://app.example.com/client.jsoN",
        "https://app.example.com/Client.json",
        "https://app.example.com:443/client.json",
        "https://APP.example.com/client.json",
        "http://app.example.com/client.json",
        "https://app.example.com/client.json ",
        "https://app.example.com/client.json#",
        "https://app.example.com/client.json?",
        "https://other.example.com/client.json",
        "https://app.example.com/./client.json",
        "https://app.example.com/client%2ejson",
        "client",
        "",
    ];
    for other in others {
        let why = fault(&with(json!({"client_id": other}))).await;
        assert_eq!(why, "`client_id` is not the URL that the document was fetched from", "{other}");
    }
    assert_eq!(fault(&with(json!({"client_id": 1}))).await, "`client_id` is not a string");
}

#[tokio::test(start_paused = true)]
async fn what_is_required_is_there() {
    for name in ["client_id", "client_name", "redirect_uris"] {
        assert_eq!(fault(&without(name)).await, format!("`{name}` is missing"));
    }
    assert_eq!(fault(&with(json!({"redirect_uris": []}))).await, "`redirect_uris` is empty");
    assert_eq!(fault(&json!({})).await, "`client_id` is missing");
}

#[tokio::test(start_paused = true)]
async fn a_member_of_the_wrong_type_is_refused() {
    let wrong = [
        json!({"client_name": null}),
        json!({"client_name": ["Example"]}),
        json!({"redirect_uris": "https://app.example.com/callback"}),
        json!({"redirect_uris": [1]}),
        json!({"redirect_uris": {"0": "https://app.example.com/callback"}}),
        json!({"grant_types": "authorization_code"}),
        json!({"response_types": [true]}),
        json!({"scope": ["a"]}),
        json!({"logo_uri": 1}),
        json!({"token_endpoint_auth_method": ["none"]}),
        json!({"token_endpoint_auth_method": null}),
        json!({"jwks": []}),
        json!({"jwks": {"keys": {}}}),
        json!({"jwks": {"keys": ["a"]}}),
        json!({"jwks": {"keys": [{}]}}),
    ];
    for changes in wrong {
        fault(&with(changes)).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_secret_is_never_in_a_document() {
    for name in ["client_secret", "client_secret_expires_at"] {
        for value in [json!("s3cr3t"), json!(""), json!(0), json!(null)] {
            let why = fault(&with(json!({name: value}))).await;
            assert_eq!(why, format!("`{name}` must not be in a public document"));
        }
    }
    for key in [
        json!({"kty": "oct", "k": "AAAA"}),
        json!({"kty": "oct"}),
        json!({"kty": "EC", "crv": "P-256", "x": "A", "y": "A", "d": "A"}),
        json!({"kty": "RSA", "n": "A", "e": "AQAB", "p": "A"}),
        json!({"kty": "OKP", "x": "A", "d": "A"}),
    ] {
        assert_eq!(fault(&with(json!({"jwks": {"keys": [key]}}))).await, "`jwks` has a secret key");
    }
}

#[tokio::test(start_paused = true)]
async fn a_method_with_a_shared_secret_is_refused() {
    let keys = json!({"keys": [{"kty": "OKP", "crv": "Ed25519", "x": "A"}]});
    for method in
        ["client_secret_basic", "client_secret_post", "client_secret_jwt", "None", "", "password", "new"]
    {
        fault(&with(json!({"token_endpoint_auth_method": method}))).await;
    }
    for algorithm in ["HS256", "HS384", "HS512", "none"] {
        let changes = json!({
            "token_endpoint_auth_method": "private_key_jwt",
            "token_endpoint_auth_signing_alg": algorithm,
            "jwks": keys,
        });
        fault(&with(changes)).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_method_that_needs_keys_says_where_they_are_once() {
    for method in ["private_key_jwt", "self_signed_tls_client_auth"] {
        let why = fault(&with(json!({"token_endpoint_auth_method": method}))).await;
        assert_eq!(why, format!("`{method}` needs `jwks` or `jwks_uri`"));
    }
    let both = json!({"jwks": {"keys": []}, "jwks_uri": "https://app.example.com/keys"});
    assert_eq!(fault(&with(both)).await, "`jwks` and `jwks_uri` must not be there both");
}

#[tokio::test(start_paused = true)]
async fn a_link_is_https() {
    for name in ["client_uri", "logo_uri", "tos_uri", "policy_uri", "jwks_uri"] {
        for link in [
            "http://app.example.com/a",
            "javascript:alert(1)",
            "data:image/png,a",
            "/logo.png",
            "",
            "https://a:b@c.d/",
        ] {
            let why = fault(&with(json!({name: link}))).await;
            assert_eq!(why, format!("`{name}` is not an `https` URL"), "{link}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_name_shows_what_it_says() {
    for name in ["", "  ", "a\u{202e}b", "a\u{2066}b", "a\nb", "a\u{0}b", "a\u{1b}[31m", "\u{200f}a"] {
        assert!(fault(&with(json!({"client_name": name}))).await.starts_with("`client_name`"), "{name:?}");
    }
    let client = get(&with(json!({"client_name": "Übersicht 概要"}))).await.unwrap();
    assert_eq!(client.client_name(), "Übersicht 概要");
}

#[tokio::test(start_paused = true)]
async fn a_client_is_what_its_document_says() {
    let logo = "https://app.example.com/logo.png";
    let changes =
        json!({"logo_uri": logo, "scope": "a b", "grant_types": ["authorization_code"], "other": {"a": 1}});
    let town = town();
    town.page(APP, Page::json(&with(changes)));

    let client = documents(&town).get(&id(APP)).await.unwrap();

    assert_eq!(client.client_id(), id(APP));
    assert_eq!(client.host(), "app.example.com");
    assert_eq!(client.client_name(), "Example");
    assert_eq!(client.redirect_uris().collect::<Vec<_>>(), ["https://app.example.com/callback"]);
    assert_eq!(client.token_endpoint_auth_method(), AuthMethod::None);
    assert_eq!(client.logo_uri().as_deref(), Some(logo));
    assert_eq!(client.metadata()["other"], json!({"a": 1}));
    assert_eq!((client.jwks(), client.jwks_uri()), (None, None));
    assert_eq!(town.requests().len(), 1, "the logo is not fetched");
}

#[tokio::test(start_paused = true)]
async fn a_client_with_keys_proves_itself_by_them() {
    let keys = json!({"keys": [{"kty": "OKP", "crv": "Ed25519", "x": "A"}]});
    let inside = json!({"token_endpoint_auth_method": "private_key_jwt", "jwks": keys});
    let outside =
        json!({"token_endpoint_auth_method": "private_key_jwt", "jwks_uri": "https://app.example.com/keys"});

    let (inside, outside) = (get(&with(inside)).await.unwrap(), get(&with(outside)).await.unwrap());

    assert_eq!(inside.token_endpoint_auth_method(), AuthMethod::PrivateKeyJwt);
    assert_eq!(inside.jwks(), Some(keys));
    assert_eq!(outside.jwks_uri().as_deref(), Some("https://app.example.com/keys"));
    assert_ne!(inside.fingerprint(), outside.fingerprint());
}

#[tokio::test(start_paused = true)]
async fn a_fingerprint_changes_with_what_a_consent_rests_on_and_with_nothing_else() {
    let key = |x: &str| json!({"keys": [{"kty": "OKP", "crv": "Ed25519", "x": x}]});
    let (a, b) = ("https://app.example.com/a", "https://app.example.com/b");
    let print = async |changes: Value| get(&with(changes)).await.unwrap().fingerprint();
    let before = print(json!({"redirect_uris": [a, b], "jwks": key("A")})).await;

    let same = [
        json!({"redirect_uris": [b, a], "jwks": key("A")}),
        json!({"redirect_uris": [a, b, a], "jwks": key("A"), "token_endpoint_auth_method": "none"}),
        json!({"redirect_uris": [a, b], "jwks": key("A"), "client_name": "Other", "scope": "more"}),
    ];
    for changes in same {
        assert_eq!(print(changes.clone()).await, before, "{changes}");
    }
    let other = [
        json!({"redirect_uris": [a], "jwks": key("A")}),
        json!({"redirect_uris": [a, b, "http://localhost/"], "jwks": key("A")}),
        json!({"redirect_uris": [a, b], "jwks": key("B")}),
        json!({"redirect_uris": [a, b]}),
        json!({"redirect_uris": [a, b], "jwks_uri": "https://app.example.com/keys"}),
        json!({"redirect_uris": [a, b], "jwks": key("A"), "token_endpoint_auth_method": "private_key_jwt"}),
    ];
    for changes in other {
        assert_ne!(print(changes.clone()).await, before, "{changes}");
    }
}
