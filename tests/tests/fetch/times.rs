//! A fetch ends in time, wherever the other side stops.

use std::{sync::Arc, time::Duration};

use serde_json::json;
use tokio::{sync::Semaphore, time::Instant};
use tollgate::oauth::ClientDocumentError;

use super::{
    kit::{APP, documents, id, town, with},
    page::Page,
    town::{PUBLIC, Town},
};

async fn seconds_until_refused(town: &Town) -> u64 {
    let started = Instant::now();
    let refused = documents(town).get(&id(APP)).await;
    assert_eq!(refused.unwrap_err(), ClientDocumentError::NotFetched);
    started.elapsed().as_secs()
}

#[tokio::test(start_paused = true)]
async fn a_look_up_takes_two_seconds() {
    let town = Town::default();
    town.silent_name("app.example.com");

    assert_eq!(seconds_until_refused(&town).await, 2);
}

#[tokio::test(start_paused = true)]
async fn a_connection_takes_three_seconds_and_all_of_them_five() {
    let (one, two) = (town(), Town::default());
    one.deafen(PUBLIC);
    two.name("app.example.com", &["1.1.1.1", "8.8.8.8"]).deafen("1.1.1.1").deafen("8.8.8.8");

    assert_eq!(seconds_until_refused(&one).await, 3);
    assert_eq!(seconds_until_refused(&two).await, 5);
    assert_eq!(two.dialled(), ["1.1.1.1:443", "8.8.8.8:443"]);
}

#[tokio::test(start_paused = true)]
async fn a_head_and_a_body_that_stop_take_five_seconds() {
    let half = with(json!({})).to_string();
    let pages = [
        Page::silence(),
        Page::text("").stalling(),
        Page::text(&half[..half.len() / 2]).stalling(),
        Page::text(&half).waiting_for(Arc::new(Semaphore::new(0))),
    ];
    for page in pages {
        let town = town();
        town.page(APP, page);

        assert_eq!(seconds_until_refused(&town).await, 5);
    }
}

#[tokio::test(start_paused = true)]
async fn leaving_a_fetch_ends_its_connection() {
    let town = town();
    town.page(APP, Page::silence());
    let documents = documents(&town);

    let left = tokio::time::timeout(Duration::from_secs(1), documents.get(&id(APP))).await;

    assert!(left.is_err());
    town.page(APP, Page::json(&with(json!({}))));
    documents.get(&id(APP)).await.expect("leaving is no failure");
}
