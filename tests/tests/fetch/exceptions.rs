//! The exceptions of an operator hold for exactly what they name.

use std::sync::Arc;

use serde_json::json;
use tollgate::oauth::{
    ClientDocumentError, ClientDocuments, FetchPolicy, Report, check_authorization_server,
};

use super::{
    kit::{APP, document, documents, id, policy, town},
    page::Page,
    town::{ROOT, Root, Town},
};

/// Metadata that leaves nothing to do.
fn serve(town: &Town, at: &str, issuer: &str) {
    let metadata = json!({"issuer": issuer, "token_endpoint": "https://auth.example.com/token"});
    town.page(&format!("{at}/.well-known/oauth-authorization-server"), Page::json(&metadata));
}

async fn check(town: &Town, issuer: &str, policy: FetchPolicy) -> Report {
    check_authorization_server(issuer, Arc::new(town.clone()), policy).await
}

fn is_fetched(report: &Report) -> bool {
    report.metadata_url().is_some()
}

#[tokio::test(start_paused = true)]
async fn a_private_host_is_reached_by_its_exact_name() {
    for address in ["10.1.2.3", "172.20.0.1", "192.168.7.7", "100.64.0.9", "fd12::1"] {
        let town = Town::default();
        town.name("idp", &[address]).name("idp.example.com", &[address]);
        serve(&town, "idp", "https://idp");

        let allowed = policy().allow_private("IDP");

        assert!(is_fetched(&check(&town, "https://idp", allowed.clone()).await), "{address}");
        assert!(!is_fetched(&check(&town, "https://idp", policy()).await));
        assert!(!is_fetched(&check(&town, "https://idp.example.com", allowed.clone()).await));
        assert_eq!(town.dialled().len(), 1);
        assert!(!is_fetched(&check(&town, "http://idp", allowed).await));
    }
}

#[tokio::test(start_paused = true)]
async fn a_private_host_cannot_be_this_machine_or_a_metadata_service() {
    for address in
        ["127.0.0.1", "::1", "169.254.169.254", "fe80::1", "0.0.0.0", "::ffff:10.0.0.1", "224.0.0.1"]
    {
        let town = Town::default();
        town.name("idp", &[address]);

        assert!(!is_fetched(&check(&town, "https://idp", policy().allow_private("idp")).await), "{address}");
        assert_eq!(town.dialled(), Vec::<String>::new());
    }
}

#[tokio::test(start_paused = true)]
async fn a_client_document_is_never_fetched_from_a_private_host() {
    let town = Town::default();
    town.name("app.example.com", &["10.0.0.1"]);
    let policy = policy().allow_private("app.example.com").allow_loopback();
    let documents = ClientDocuments::builder().policy(policy).network(town.clone()).build().unwrap();

    assert_eq!(documents.get(&id(APP)).await.unwrap_err(), ClientDocumentError::NotFetched);
    assert_eq!(town.dialled(), Vec::<String>::new());
}

#[tokio::test(start_paused = true)]
async fn plain_http_is_for_this_machine_and_by_a_switch() {
    let town = Town::default();
    town.name("localhost", &["127.0.0.1", "::1"]).name("auth.example.com", &["127.0.0.1"]);
    serve(&town, "localhost:8080", "http://localhost:8080");
    serve(&town, "127.0.0.1:8080", "http://127.0.0.1:8080");
    serve(&town, "[::1]:8080", "http://[::1]:8080");

    for issuer in ["http://localhost:8080", "http://127.0.0.1:8080", "http://[::1]:8080"] {
        assert!(!is_fetched(&check(&town, issuer, policy()).await), "{issuer}");
        assert!(is_fetched(&check(&town, issuer, policy().allow_loopback()).await), "{issuer}");
    }
    let others = [
        "http://auth.example.com:8080",
        "https://auth.example.com",
        "http://127.0.0.2:8080",
        "http://10.0.0.1",
    ];
    for issuer in others {
        assert!(!is_fetched(&check(&town, issuer, policy().allow_loopback()).await), "{issuer}");
    }
    assert_eq!(town.dialled(), ["127.0.0.1:8080", "127.0.0.1:8080", "[::1]:8080"]);
}

#[tokio::test(start_paused = true)]
async fn localhost_that_is_not_this_machine_is_refused() {
    let town = Town::default();
    town.name("localhost", &["93.184.216.34"]);
    serve(&town, "localhost:8080", "http://localhost:8080");

    assert!(!is_fetched(&check(&town, "http://localhost:8080", policy().allow_loopback()).await));
    assert_eq!(town.dialled(), Vec::<String>::new());
}

#[tokio::test(start_paused = true)]
async fn a_server_on_loopback_fetches_client_documents_from_its_own_address_only() {
    let at = "localhost:8443/client.json";
    let cases: [(&str, &[&str], &[&str]); 8] = [
        ("127.0.0.1:9000", &["127.0.0.1"], &["127.0.0.1:8443"]),
        ("127.0.0.1:9000", &["::1", "127.0.0.1"], &["127.0.0.1:8443"]),
        ("[::1]:9000", &["::1", "127.0.0.1"], &["[::1]:8443"]),
        ("127.0.0.1:9000", &["::1"], &[]),
        ("127.0.0.1:9000", &["127.0.0.2"], &[]),
        ("127.0.0.1:9000", &["127.0.0.1", "93.184.216.34"], &[]),
        ("127.0.0.1:9000", &["10.0.0.1"], &[]),
        ("127.0.0.1:9000", &["169.254.169.254"], &[]),
    ];
    for (listener, answers, dialled) in cases {
        let town = Town::default();
        town.name("localhost", answers).page(at, Page::json(&document(at)));
        let policy = policy().listens_on(listener.parse().unwrap());
        let documents = ClientDocuments::builder().policy(policy).network(town.clone()).build().unwrap();

        let client = documents.get(&id(at)).await;

        assert_eq!(client.is_ok(), !dialled.is_empty(), "{listener} {answers:?}");
        assert_eq!(town.dialled(), dialled, "{listener} {answers:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_that_listens_elsewhere_fetches_no_client_document_from_this_machine() {
    for listener in ["0.0.0.0:9000", "[::]:9000", "93.184.216.34:443", "10.0.0.1:9000"] {
        let town = Town::default();
        town.name("app.example.com", &["127.0.0.1"]).name("localhost", &["127.0.0.1"]);
        let policy = policy().listens_on(listener.parse().unwrap());
        let documents = ClientDocuments::builder().policy(policy).network(town.clone()).build().unwrap();

        assert_eq!(documents.get(&id(APP)).await.unwrap_err(), ClientDocumentError::NotFetched);
        assert!(matches!(
            documents.get("https://localhost/c").await.unwrap_err(),
            ClientDocumentError::ClientId(_)
        ));
        assert_eq!(town.dialled(), Vec::<String>::new());
    }
}

#[tokio::test(start_paused = true)]
async fn a_root_certificate_may_be_pem_or_der() {
    let other = Root::new();
    let both = format!("{}{}", other.pem, ROOT.pem);
    for root in [ROOT.pem.clone().into_bytes(), ROOT.der.clone(), both.into_bytes()] {
        let policy = FetchPolicy::new().root_certificate(root);
        let documents = ClientDocuments::builder().policy(policy).network(town()).build().unwrap();

        documents.get(&id(APP)).await.unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn a_certificate_of_a_stranger_or_for_another_name_is_refused() {
    let town = town();
    let policy = FetchPolicy::new().root_certificate(Root::new().pem);
    let strangers = ClientDocuments::builder().policy(policy).network(town.clone()).build().unwrap();
    town.page("app.example.net/client.json", Page::json(&document("app.example.net/client.json")));

    assert_eq!(strangers.get(&id(APP)).await.unwrap_err(), ClientDocumentError::NotFetched);
    let other_name = documents(&town).get("https://app.example.net/client.json").await;
    assert_eq!(other_name.unwrap_err(), ClientDocumentError::NotFetched);
    assert_eq!(town.requests(), Vec::<String>::new());
}

#[test]
fn a_root_certificate_that_cannot_be_read_is_told_at_start() {
    for root in [&b""[..], b"no certificate", b"\x30\x03abc", b"-----BEGIN CERTIFICATE-----\n%%%"] {
        let built = ClientDocuments::builder().policy(FetchPolicy::new().root_certificate(root)).build();

        assert_eq!(built.unwrap_err().kind(), std::io::ErrorKind::InvalidInput);
    }
}
