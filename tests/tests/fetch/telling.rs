//! Whoever asks for a document learns nothing about the network; the log tells it all.

use std::{
    fmt::{Debug, Write},
    sync::{Arc, Mutex},
};

use tollgate::oauth::{ClientDocumentError, ClientDocuments, FetchPolicy};
use tracing::{
    Event, Metadata, Subscriber,
    field::{Field, Visit},
    span,
    subscriber::set_default,
};

use super::{
    kit::{APP, builder, documents, id, town},
    page::Page,
    town::{PUBLIC, Root, Town},
};

#[derive(Clone, Default)]
struct Log(Arc<Mutex<String>>);

impl Subscriber for Log {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("tollgate")
    }

    fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
        span::Id::from_u64(1)
    }

    fn record(&self, _: &span::Id, _: &span::Record<'_>) {}

    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}

    fn event(&self, event: &Event<'_>) {
        event.record(&mut Line(&mut self.0.lock().unwrap()));
    }

    fn enter(&self, _: &span::Id) {}

    fn exit(&self, _: &span::Id) {}
}

struct Line<'a>(&'a mut String);

impl Visit for Line<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        writeln!(self.0, "{field}={value:?}").unwrap();
    }
}

/// The error and the log of one attempt.
async fn attempt(town: &Town, documents: ClientDocuments) -> (ClientDocumentError, String) {
    let log = Log::default();
    let _guard = set_default(log.clone());
    let error = documents.get(&id(APP)).await.unwrap_err();
    assert!(!town.looked_up().is_empty());
    let text = log.0.lock().unwrap().clone();
    (error, text)
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
    let log = Log::default();
    let _guard = set_default(log.clone());
    let town = town();

    let refused = documents(&town).get("https://app.example.com/\nmessage=all is well\u{1b}[2J").await;

    assert!(matches!(refused, Err(ClientDocumentError::ClientId(_))));
    let text = log.0.lock().unwrap().clone();
    assert!(text.contains("not written in its normal form"), "{text}");
    assert!(!text.contains("\nmessage=all") && !text.contains('\u{1b}'), "{text}");
}
