//! The same over the operating system's resolver and sockets, on this machine.

use std::sync::Arc;

use serde_json::json;
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite},
    net::TcpListener,
};
use tollgate::oauth::{ClientDocumentError, ClientDocuments, OsNetwork, check_authorization_server};

use super::{
    kit::{document, id, policy},
    page::Page,
    town::ROOT,
};

/// Answers one connection, and says nothing of what was asked.
async fn answer(mut stream: impl AsyncRead + AsyncWrite + Unpin, page: Page) {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.unwrap());
    }
    page.write(&mut stream).await.unwrap();
}

#[tokio::test]
async fn metadata_is_fetched_over_plain_http_on_loopback() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let issuer = format!("http://{}", listener.local_addr().unwrap());
    let page = Page::json(&json!({"issuer": issuer}));
    tokio::spawn(async move { answer(listener.accept().await.unwrap().0, page).await });

    let report =
        check_authorization_server(&issuer, Arc::new(OsNetwork::new()), policy().allow_loopback()).await;

    assert!(report.metadata_url().is_some(), "{report}");
}

#[tokio::test]
async fn a_client_document_is_fetched_over_tls_from_our_own_loopback_address() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let at = format!("localhost:{}/client.json", address.port());
    let page = Page::json(&document(&at));
    tokio::spawn(async move {
        let stream = listener.accept().await.unwrap().0;
        answer(ROOT.acceptor.accept(stream).await.unwrap(), page).await;
    });

    let documents = ClientDocuments::builder().policy(policy().listens_on(address)).build().unwrap();
    let client = documents.get(&id(&at)).await.unwrap();

    assert_eq!(client.host(), "localhost");
}

#[tokio::test]
async fn a_name_of_this_machine_reaches_nothing_on_it() {
    let listener = TcpListener::bind("127.0.0.1:443").await;
    let documents = ClientDocuments::builder().policy(policy()).build().unwrap();

    let refused = documents.get("https://a.localhost/client.json").await;

    assert_eq!(refused.unwrap_err(), ClientDocumentError::NotFetched);
    if let Ok(listener) = listener {
        let accepted = std::future::poll_fn(|cx| std::task::Poll::Ready(listener.poll_accept(cx).is_ready()));
        assert!(!accepted.await);
    }
}
