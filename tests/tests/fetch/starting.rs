//! How often documents are fetched, and how many at one time.

use std::{sync::Arc, time::Duration};

use serde_json::json;
use tokio::{sync::Semaphore, time::advance};
use tollgate::oauth::{ClientDocumentError, ClientDocuments};

use super::{
    kit::{APP, builder, document, documents, id, settle, town, with},
    page::Page,
    town::Town,
};

type Got = tokio::task::JoinHandle<Result<String, ClientDocumentError>>;

/// Asks for a document and does not wait.
fn ask(documents: &ClientDocuments, at: &str) -> Got {
    let (documents, id) = (documents.clone(), id(at));
    tokio::spawn(async move { documents.get(&id).await.map(|it| it.client_id().to_owned()) })
}

#[tokio::test(start_paused = true)]
async fn after_a_failure_the_same_client_id_is_not_tried_for_five_seconds() {
    for bad in [Page::new("404 Not Found", ""), Page::text("{}")] {
        let town = town();
        town.page(APP, bad);
        let documents = documents(&town);
        documents.get(&id(APP)).await.unwrap_err();
        town.page(APP, Page::json(&document(APP)));

        advance(Duration::from_millis(4_999)).await;
        let soon = documents.get(&id(APP)).await.unwrap_err();

        assert_eq!(soon, ClientDocumentError::TemporarilyUnavailable);
        assert_eq!(soon.code(), "temporarily_unavailable");
        assert_eq!(town.requests().len(), 1);
        advance(Duration::from_millis(1)).await;
        documents.get(&id(APP)).await.unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn a_failure_of_one_client_id_does_not_hold_up_another() {
    let town = town();
    let documents = documents(&town);

    documents.get("https://app.example.com/missing").await.unwrap_err();

    documents.get(&id(APP)).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_host_is_asked_ten_times_a_minute() {
    let town = town();
    let documents = documents(&town);
    let at = |number: usize| format!("app.example.com/{number}");
    for number in 0..12 {
        town.page(&at(number), Page::json(&document(&at(number))));
    }
    for number in 0..10 {
        documents.get(&id(&at(number))).await.unwrap();
    }

    advance(Duration::from_secs(58)).await;
    let refused = documents.get(&id(&at(10))).await.unwrap_err();
    documents.get(&id(&at(0))).await.expect("what is kept is not asked for");
    town.page("other.example.com/c", Page::json(&document("other.example.com/c")));
    documents.get("https://other.example.com/c").await.expect("another host has its own ten");

    assert_eq!(refused, ClientDocumentError::TemporarilyUnavailable);
    assert_eq!(town.requests().len(), 11);
    advance(Duration::from_secs(2)).await;
    documents.get(&id(&at(10))).await.expect("being refused does not count as a failure");
}

#[tokio::test(start_paused = true)]
async fn everybody_who_asks_at_one_time_waits_for_one_fetch() {
    let (town, gate) = (town(), Arc::new(Semaphore::new(0)));
    town.page(APP, Page::json(&document(APP)).waiting_for(gate.clone()));
    let documents = documents(&town);
    let all: Vec<_> = (0..50).map(|_| ask(&documents, APP)).collect();
    settle().await;

    gate.add_permits(1);

    for one in all {
        assert_eq!(one.await.unwrap(), Ok(id(APP)));
    }
    assert_eq!(town.requests().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn everybody_who_waits_for_a_fetch_gets_its_failure() {
    let (town, gate) = (town(), Arc::new(Semaphore::new(0)));
    town.page(APP, Page::text("{}").waiting_for(gate.clone()));
    let documents = documents(&town);
    let all: Vec<_> = (0..20).map(|_| ask(&documents, APP)).collect();
    settle().await;

    gate.add_permits(1);

    for one in all {
        let failed = one.await.unwrap().unwrap_err();
        assert_eq!(failed, ClientDocumentError::Invalid("`client_id` is missing".into()));
    }
    assert_eq!(town.requests().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn when_the_one_who_fetches_leaves_the_next_one_fetches() {
    let (town, gate) = (town(), Arc::new(Semaphore::new(0)));
    town.page(APP, Page::json(&document(APP)).waiting_for(gate.clone()));
    let documents = documents(&town);
    let first = ask(&documents, APP);
    settle().await;
    let second = ask(&documents, APP);
    settle().await;

    first.abort();
    settle().await;
    gate.add_permits(2);

    assert_eq!(second.await.unwrap(), Ok(id(APP)));
    assert_eq!(town.requests().len(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_fetch_that_has_ended_is_not_joined() {
    let (town, gate) = (town(), Arc::new(Semaphore::new(0)));
    let page = |name| Page::json(&with(json!({"client_name": name}))).field("cache-control", "no-store");
    town.page(APP, page("One").waiting_for(gate.clone()));
    let documents = documents(&town);
    let first = ask(&documents, APP);
    settle().await;
    // Waits for the first, and is not awake yet when the third one asks.
    let app = id(APP);
    let mut second = Box::pin(documents.get(&app));
    std::future::poll_fn(|cx| std::task::Poll::Ready(second.as_mut().poll(cx).is_pending())).await;
    gate.add_permits(1);
    first.await.unwrap().unwrap();
    town.page(APP, page("Two"));

    let third = tokio::time::timeout(Duration::from_secs(60), documents.get(&app)).await;

    assert_eq!(third.unwrap().unwrap().client_name(), "Two");
    assert_eq!(second.await.unwrap().client_name(), "One");
}

#[tokio::test(start_paused = true)]
async fn eight_documents_are_fetched_at_one_time() {
    let (town, gate) = (Town::default(), Arc::new(Semaphore::new(0)));
    let documents = documents(&town);
    let mut all = Vec::new();
    for number in 0..12 {
        let at = format!("h{number}.example.com/c");
        town.page(&at, Page::json(&document(&at)).waiting_for(gate.clone()));
        all.push(ask(&documents, &at));
    }
    settle().await;
    let at_one_time = town.requests().len();

    gate.add_permits(12);

    for one in all {
        one.await.unwrap().unwrap();
    }
    assert_eq!(at_one_time, 8);
    assert_eq!(town.requests().len(), 12);
}

#[tokio::test(start_paused = true)]
async fn clones_share_what_is_kept_and_others_do_not() {
    let town = town();
    let documents = documents(&town);
    let others = builder(&town).build().unwrap();

    documents.get(&id(APP)).await.unwrap();
    documents.clone().get(&id(APP)).await.unwrap();
    assert_eq!(town.requests().len(), 1);
    others.get(&id(APP)).await.unwrap();
    assert_eq!(town.requests().len(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_document_that_is_not_kept_is_fetched_for_whoever_comes_later() {
    let town = town();
    let documents = documents(&town);
    for name in ["One", "Two"] {
        let page = Page::json(&with(json!({"client_name": name}))).field("cache-control", "no-store");
        town.page(APP, page);

        assert_eq!(documents.get(&id(APP)).await.unwrap().client_name(), name);
    }
}
