//! Nothing is looked up between the check and the connect, and the socket is asked where it ends.

use tollgate::oauth::ClientDocumentError;

use super::{
    kit::{APP, document, documents, id, town},
    page::Page,
    town::{PUBLIC, Town},
};

#[tokio::test(start_paused = true)]
async fn only_the_checked_address_is_dialled_when_the_second_answer_is_loopback() {
    let town = Town::default();
    town.name("app.example.com", &[PUBLIC]).name("app.example.com", &["127.0.0.1"]);
    town.page(APP, Page::json(&document(APP)));

    documents(&town).get(&id(APP)).await.unwrap();

    assert_eq!(town.looked_up(), ["app.example.com"]);
    assert_eq!(town.dialled(), ["93.184.216.34:443"]);
}

#[tokio::test(start_paused = true)]
async fn a_name_that_has_moved_to_loopback_is_refused() {
    let town = Town::default();
    town.name("app.example.com", &[PUBLIC]).name("app.example.com", &["127.0.0.1"]);
    town.page(APP, Page::json(&document(APP)));

    documents(&town).get(&id(APP)).await.unwrap();
    let refused = documents(&town).get(&id(APP)).await;

    assert_eq!(refused.unwrap_err(), ClientDocumentError::NotFetched);
    assert_eq!(town.dialled(), ["93.184.216.34:443"]);
}

#[tokio::test(start_paused = true)]
async fn a_connection_that_ends_elsewhere_is_not_used() {
    for peer in ["127.0.0.1:443", "10.0.0.1:443", "1.1.1.1:443", "93.184.216.34:80", "[::1]:443"] {
        let town = town();
        town.claim_peer(peer);

        let refused = documents(&town).get(&id(APP)).await;

        assert_eq!(refused.unwrap_err(), ClientDocumentError::NotFetched, "{peer}");
        assert_eq!(town.requests(), Vec::<String>::new());
    }
}

#[tokio::test(start_paused = true)]
async fn the_next_checked_address_is_dialled_when_one_is_closed() {
    let town = Town::default();
    town.name("app.example.com", &["2606:4700::1111", "2606:4700::1111", "1.1.1.1"]).close("2606:4700::1111");
    town.page(APP, Page::json(&document(APP)));

    documents(&town).get(&id(APP)).await.unwrap();

    assert_eq!(town.dialled(), ["[2606:4700::1111]:443", "1.1.1.1:443"]);
}

#[tokio::test(start_paused = true)]
async fn a_name_without_an_address_is_dialled_nowhere() {
    let town = Town::default();
    town.name("empty.example.com", &[]).unknown_name("unknown.example.com");
    let documents = documents(&town);

    for host in ["empty.example.com", "unknown.example.com"] {
        let refused = documents.get(&format!("https://{host}/c")).await;
        assert_eq!(refused.unwrap_err(), ClientDocumentError::NotFetched);
    }
    assert_eq!(town.dialled(), Vec::<String>::new());
}
