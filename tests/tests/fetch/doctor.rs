//! What the doctor says about an authorization server.

use std::sync::Arc;

use serde_json::{Value, json};
use tollgate::{
    Server,
    auth::{Jwt, Keys},
    oauth::{Report, Severity, check_authorization_server},
};

use super::{kit::policy, page::Page, town::Town};

const ISSUER: &str = "https://auth.example.com";
const PLACE: &str = "auth.example.com/.well-known/oauth-authorization-server";

/// Metadata that leaves nothing to do.
fn good() -> Value {
    json!({
        "issuer": ISSUER,
        "authorization_endpoint": "https://auth.example.com/authorize",
        "token_endpoint": "https://auth.example.com/token",
        "jwks_uri": "https://auth.example.com/keys",
        "code_challenge_methods_supported": ["S256"],
        "client_id_metadata_document_supported": true,
        "authorization_response_iss_parameter_supported": true,
    })
}

async fn check(town: &Town, issuer: &str) -> Report {
    check_authorization_server(issuer, Arc::new(town.clone()), policy()).await
}

/// What is found in the good metadata with one member changed, or taken away by null.
async fn found(name: &str, value: Value) -> Vec<(&'static str, Severity)> {
    let mut metadata = good();
    match value {
        Value::Null => metadata.as_object_mut().unwrap().remove(name).map(drop).unwrap(),
        value => metadata[name] = value,
    }
    let town = Town::default();
    town.page(PLACE, Page::json(&metadata));
    let report = check(&town, ISSUER).await;
    report.findings().iter().map(|it| (it.rule(), it.severity())).collect()
}

#[tokio::test(start_paused = true)]
async fn there_is_nothing_to_do_for_a_good_server() {
    let town = Town::default();
    town.page(PLACE, Page::json(&good()));

    let report = check(&town, ISSUER).await;

    assert_eq!(report.findings(), []);
    assert!(!report.has_errors());
    assert_eq!(report.issuer(), ISSUER);
    let url = format!("https://{PLACE}");
    assert_eq!(report.metadata_url(), Some(url.as_str()));
    assert_eq!(
        report.to_string(),
        format!("authorization server {ISSUER}\n  metadata: {url}\n  nothing to do")
    );
}

#[tokio::test(start_paused = true)]
async fn what_clients_must_refuse_is_an_error() {
    let error = |rule| [(rule, Severity::Error)];

    assert_eq!(found("issuer", json!("https://auth.example.com/")).await, error("as-issuer"));
    assert_eq!(found("issuer", json!("https://honest.example.com")).await, error("as-issuer"));
    assert_eq!(found("issuer", Value::Null).await, error("as-issuer"));
    assert_eq!(found("authorization_endpoint", Value::Null).await, error("as-endpoint"));
    assert_eq!(found("token_endpoint", Value::Null).await, error("as-endpoint"));
    assert_eq!(found("token_endpoint", json!("http://auth.example.com/token")).await, error("as-https"));
    assert_eq!(found("jwks_uri", json!("http://auth.example.com/keys")).await, error("as-https"));
    assert_eq!(found("revocation_endpoint", json!("/revoke")).await, error("as-https"));
    assert_eq!(found("code_challenge_methods_supported", Value::Null).await, error("as-pkce"));
    assert_eq!(found("code_challenge_methods_supported", json!(["plain"])).await, error("as-pkce"));
    assert_eq!(found("code_challenge_methods_supported", json!("S256")).await, error("as-pkce"));
}

#[tokio::test(start_paused = true)]
async fn what_could_be_better_is_a_warning() {
    let warning = |rule| [(rule, Severity::Warning)];

    for value in [Value::Null, json!(false), json!("true")] {
        let documents = found("client_id_metadata_document_supported", value.clone()).await;
        let iss = found("authorization_response_iss_parameter_supported", value).await;
        assert_eq!(documents, warning("as-client-documents"));
        assert_eq!(iss, warning("as-iss"));
    }
    let registration = json!("https://auth.example.com/register");
    assert_eq!(found("registration_endpoint", registration).await, warning("as-registration"));
    assert_eq!(found("jwks_uri", Value::Null).await, warning("as-keys"));
    assert_eq!(found("token_endpoint", json!("http://localhost:8080/token")).await, warning("as-https"));
}

#[tokio::test(start_paused = true)]
async fn nothing_else_is_said_about_metadata_of_another_issuer() {
    let town = Town::default();
    town.page(PLACE, Page::json(&json!({"issuer": "https://honest.example.com"})));

    let report = check(&town, ISSUER).await;

    assert_eq!(report.findings().len(), 1);
    assert!(report.findings()[0].text().contains("\"https://honest.example.com\""), "{report}");
}

#[tokio::test(start_paused = true)]
async fn the_places_are_asked_in_the_order_of_the_specification() {
    let paths = |town: &Town| -> Vec<String> {
        town.requests().iter().map(|it| it.split(' ').nth(1).unwrap().to_owned()).collect()
    };
    let (town, tenant) = (Town::default(), Town::default());
    town.name("auth.example.com", &["1.1.1.1"]);
    tenant.page(
        "auth.example.com/tenant/.well-known/openid-configuration",
        Page::json(&json!({"issuer": "https://auth.example.com/tenant"})),
    );

    let report = check(&town, ISSUER).await;
    let found = check(&tenant, "https://auth.example.com/tenant").await;

    assert_eq!(
        paths(&town),
        ["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"]
    );
    assert_eq!(report.findings()[0].rule(), "as-unreachable");
    let expected = [
        "/.well-known/oauth-authorization-server/tenant",
        "/.well-known/openid-configuration/tenant",
        "/tenant/.well-known/openid-configuration",
    ];
    assert_eq!(paths(&tenant), expected);
    assert!(found.metadata_url().is_some());
}

#[tokio::test(start_paused = true)]
async fn an_operator_is_told_what_went_wrong_at_each_place() {
    let town = Town::default();
    town.page(PLACE, Page::text("{").status("200 OK"));

    let text = check(&town, ISSUER).await.to_string();

    assert!(text.contains("oauth-authorization-server (the body is not JSON (byte 1))"), "{text}");
    assert!(text.contains("openid-configuration (the status is 404 Not Found, not 200)"), "{text}");
}

#[tokio::test(start_paused = true)]
async fn what_is_no_issuer_is_not_fetched() {
    let town = Town::default();
    for issuer in
        ["", "auth.example.com", "https://auth.example.com?a", "https://auth.example.com/#a", "ftp://a.b"]
    {
        let report = check(&town, issuer).await;
        assert_eq!(report.findings()[0].rule(), "as-issuer-url", "{issuer}");
    }
    for issuer in
        ["http://auth.example.com", "https://10.0.0.1", "https://user@auth.example.com", "https://idp"]
    {
        let report = check(&town, issuer).await;
        assert_eq!(report.findings()[0].rule(), "as-unreachable", "{issuer}");
    }
    assert_eq!(town.looked_up(), Vec::<String>::new());
}

#[tokio::test(start_paused = true)]
async fn metadata_has_at_most_64_kib() {
    for (bytes, is_found) in [(64 * 1024, true), (64 * 1024 + 1, false)] {
        let text = good().to_string();
        let town = Town::default();
        town.page(PLACE, Page::text(&format!("{text}{}", " ".repeat(bytes - text.len()))));

        assert_eq!(check(&town, ISSUER).await.metadata_url().is_some(), is_found, "{bytes}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_has_each_of_its_authorization_servers_looked_at() {
    let town = Town::default();
    town.page(PLACE, Page::json(&good()));
    let auth = Jwt::issuer(ISSUER)
        .audience("https://notes.example.com/mcp")
        .also_issuer("https://gone.example.com", Keys::set(br#"{"keys":[]}"#.as_slice()))
        .network(town.clone())
        .fetch_policy(policy());

    let reports = Server::new("notes", "1").auth(auth).doctor().await;

    let [good, gone] = &reports[..] else { panic!("{reports:?}") };
    assert_eq!((good.issuer(), good.has_errors()), (ISSUER, false));
    assert_eq!((gone.issuer(), gone.has_errors()), ("https://gone.example.com", true));
    assert_eq!(Server::new("notes", "1").without_auth().doctor().await.len(), 0);
}
