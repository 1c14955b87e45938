//! Whoever asks for a document learns nothing about the network; the log tells it all.

use tollgate::oauth::{ClientDocumentError, ClientDocuments, FetchPolicy};
use tollgate_tests::Log;

use super::{
    kit::{APP, builder, documents, id, town},
    page::Page,
    town::{PUBLIC, Root, Town},
};

/// The error and the log of one attempt.
async fn attempt(town: &Town, documents: ClientDocuments) -> (ClientDocumentError, String) {
    let log = Log::start();
    let error = documents.get(&id(APP)).await.unwrap_err();
    assert!(!town.looked_up().is_empty());
    (error, log.text())
}

fn named(addresses: &[&str]) -> Town {
    let town = Town::default();
    town.name("app.example.com", addresses);
    town
}

#[tokio::test(start_paused = true)]
async fn every_failure_is_one_text_and_its_cause_is_in_the_log() {
    let (unknown, closed, deaf, missing) = (Town::default(), town(), town(), town());
    unknown.unknown_name("app.example.com");
    closed.close(PUBLIC);
    deaf.deafen(PUBLIC);
    missing.page(APP, Page::new("404 Not Found", ""));
    let cases = [
        (unknown, "the host was not found: no such name in the resolver of 10.0.0.53"),
        (named(&["10.0.0.7"]), "the host has an address that is not allowed: 10.0.0.7"),
        (named(&[]), "the host has no address"),
        (closed, "no connection: connection refused"),
        (deaf, "the connection took more than 3 s"),
        (missing, "the status is 404 Not Found, not 200"),
    ];
    for (town, cause) in cases {
        let (error, log) = attempt(&town, documents(&town)).await;

        assert_eq!(error, ClientDocumentError::NotFetched);
        assert!(log.contains(cause), "{cause}: {log}");
        assert!(log.contains("url=\"https://app.example.com/client.json\""), "{log}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_certificate_that_is_not_trusted_is_told_in_the_log_only() {
    let town = town();
    let policy = FetchPolicy::new().root_certificate(Root::new().pem);

    let (error, log) = attempt(&town, builder(&town).policy(policy).build().unwrap()).await;

    assert_eq!(error.to_string(), "the client document could not be fetched");
    assert!(log.contains("no TLS: invalid peer certificate"), "{log}");
}

#[tokio::test(start_paused = true)]
async fn a_client_id_cannot_write_lines_of_the_log() {
    let log = Log::start();
    let town = town();

    let refused = documents(&town).get("https://app.example.com/\nmessage=all is well\u{1b}[2J").await;

    assert!(matches!(refused, Err(ClientDocumentError::ClientId(_))));
    let text = log.text();
    assert!(text.contains("not written in its normal form"), "{text}");
    assert!(!text.contains("\nmessage=all") && !text.contains('\u{1b}'), "{text}");
}
