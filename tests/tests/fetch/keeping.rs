//! How long a document is kept, and how many.

use std::time::Duration;

use serde_json::json;
use tokio::time::advance;
use tollgate::oauth::ClientDocuments;

use super::{
    kit::{APP, Watch, builder, document, id, town, with},
    page::Page,
    town::Town,
};

fn kept(town: &Town) -> (ClientDocuments, Watch) {
    let watch = Watch::new();
    (builder(town).clock(watch.clone()).build().unwrap(), watch)
}

/// After how many seconds a document is fetched again.
async fn seconds_kept(fields: &[(&str, &str)]) -> u64 {
    let town = town();
    town.page(APP, fields.iter().fold(Page::json(&document(APP)), |it, (name, value)| it.field(name, value)));
    let (documents, watch) = kept(&town);
    documents.get(&id(APP)).await.unwrap();
    for (step, seconds) in [59, 60, 299, 300, 3_599, 3_600, 86_399, 86_400].into_iter().scan(0, |at, it| {
        let step = it - *at;
        *at = it;
        Some((step, it))
    }) {
        watch.advance(step);
        documents.get(&id(APP)).await.unwrap();
        if town.requests().len() > 1 {
            return seconds;
        }
    }
    panic!("it is kept for more than a day");
}

#[tokio::test(start_paused = true)]
async fn a_document_is_kept_as_long_as_it_says_between_a_minute_and_a_day() {
    assert_eq!(seconds_kept(&[("cache-control", "max-age=3600")]).await, 3_600);
    assert_eq!(seconds_kept(&[("cache-control", "max-age=1")]).await, 60);
    assert_eq!(seconds_kept(&[("cache-control", "no-cache")]).await, 60);
    assert_eq!(seconds_kept(&[("cache-control", "max-age=soon")]).await, 60);
    assert_eq!(seconds_kept(&[("cache-control", "max-age=31536000, immutable")]).await, 86_400);
    assert_eq!(seconds_kept(&[("cache-control", "max-age=99999999999999999999")]).await, 86_400);
    assert_eq!(seconds_kept(&[("cache-control", "max-age=7200"), ("age", "3600")]).await, 3_600);
}

#[tokio::test(start_paused = true)]
async fn expires_counts_where_cache_control_is_silent() {
    let date = ("date", "Sun, 06 Nov 1994 08:49:37 GMT");

    assert_eq!(seconds_kept(&[date, ("expires", "Sun, 06 Nov 1994 09:49:37 GMT")]).await, 3_600);
    assert_eq!(seconds_kept(&[date, ("expires", "0")]).await, 60);
}

#[tokio::test(start_paused = true)]
async fn a_document_that_does_not_say_is_kept_for_five_minutes() {
    assert_eq!(seconds_kept(&[]).await, 300);
}

#[tokio::test(start_paused = true)]
async fn no_store_is_not_kept() {
    let town = town();
    town.page(APP, Page::json(&document(APP)).field("cache-control", "max-age=3600, no-store"));
    let (documents, _) = kept(&town);

    for _ in 0..3 {
        documents.get(&id(APP)).await.unwrap();
    }

    assert_eq!(town.requests().len(), 3);
}

#[tokio::test(start_paused = true)]
async fn a_document_is_not_kept_longer_when_the_clock_is_set_back() {
    let town = town();
    let (documents, watch) = kept(&town);
    documents.get(&id(APP)).await.unwrap();

    watch.set_back(1);
    documents.get(&id(APP)).await.unwrap();

    assert_eq!(town.requests().len(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_change_is_seen_when_the_document_is_fetched_again() {
    let town = town();
    let (documents, watch) = kept(&town);
    let before = documents.get(&id(APP)).await.unwrap().fingerprint();
    town.page(APP, Page::json(&with(json!({"redirect_uris": ["https://evil.example/"]}))));

    watch.advance(299);
    assert_eq!(documents.get(&id(APP)).await.unwrap().fingerprint(), before);
    watch.advance(1);
    assert_ne!(documents.get(&id(APP)).await.unwrap().fingerprint(), before);
}

#[tokio::test(start_paused = true)]
async fn an_invalid_document_does_not_replace_nor_outlive_a_valid_one() {
    let town = town();
    let (documents, watch) = kept(&town);
    documents.get(&id(APP)).await.unwrap();
    town.page(APP, Page::text("{}"));

    watch.advance(300);

    assert!(documents.get(&id(APP)).await.is_err());
    assert!(documents.get(&id(APP)).await.is_err(), "what is stale is not used");
}

#[tokio::test(start_paused = true)]
async fn two_client_ids_of_one_host_are_two_documents() {
    let town = town();
    let other = "app.example.com/other.json";
    town.page(other, Page::json(&document(other)));
    let (documents, _) = kept(&town);

    let (one, two) = (documents.get(&id(APP)).await.unwrap(), documents.get(&id(other)).await.unwrap());

    assert_ne!(one.client_id(), two.client_id());
}

/// Fetches documents with these redirects of as many hosts, ten of each.
async fn fill(town: &Town, documents: &ClientDocuments, count: usize, redirects: &[String]) {
    for number in 0..count {
        let at = format!("h{}.example.com/{number}", number / 10);
        let mut document = document(&at);
        document["redirect_uris"] = json!(redirects);
        town.page(&at, Page::json(&document).field("cache-control", "max-age=86400"));
        documents.get(&id(&at)).await.unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn at_most_a_thousand_documents_are_kept_those_that_are_asked_for() {
    let town = town();
    let (documents, _) = kept(&town);
    fill(&town, &documents, 1_000, &["https://a.example/".into()]).await;
    advance(Duration::from_secs(60)).await;
    let (first, second) = (id("h0.example.com/0"), id("h0.example.com/1"));

    documents.get(&first).await.unwrap();
    assert_eq!(town.requests().len(), 1_000);
    documents.get(&id(APP)).await.unwrap();
    documents.get(&first).await.unwrap();
    assert_eq!(town.requests().len(), 1_001);
    documents.get(&second).await.unwrap();
    assert_eq!(town.requests().len(), 1_002, "the one that was not asked for the longest had to go");
}

#[tokio::test(start_paused = true)]
async fn at_most_eight_mebibytes_are_kept() {
    let town = town();
    let (documents, _) = kept(&town);
    let many: Vec<_> = (0..300).map(|it| format!("https://a/{it}")).collect();

    fill(&town, &documents, 200, &many).await;
    documents.get(&id("h19.example.com/199")).await.unwrap();
    let so_far = town.requests().len();
    advance(Duration::from_secs(60)).await;
    documents.get(&id("h0.example.com/0")).await.unwrap();

    assert_eq!(so_far, 200);
    assert_eq!(town.requests().len(), 201, "the first one had to go");
}
