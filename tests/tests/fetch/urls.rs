//! A client id is a URL that has one spelling, by rules that nobody has to look anything up for.

use tollgate::oauth::ClientDocumentError;

use super::{
    kit::{APP, builder, documents, id, town},
    page::Page,
};

/// Addresses in all spellings that some parser or resolver understands.
const LITERALS: [&str; 36] = [
    "https://127.0.0.1/c",
    "https://2130706433/c",
    "https://0x7f000001/c",
    "https://0x7F000001/c",
    "https://017700000001/c",
    "https://127.1/c",
    "https://127.0.1/c",
    "https://0/c",
    "https://0.0.0.0/c",
    "https://0177.0.0.1/c",
    "https://0x7f.0.0.1/c",
    "https://0x7f.1/c",
    "https://127.0.0.01/c",
    "https://127.0.0.1./c",
    "https://%31%32%37.0.0.1/c",
    "https://１２７.０.０.１/c",
    "https://127。0。0。1/c",
    "https://①②⑦.⓪.⓪.①/c",
    "https://[::1]/c",
    "https://[::]/c",
    "https://[0:0:0:0:0:0:0:1]/c",
    "https://[::ffff:127.0.0.1]/c",
    "https://[::ffff:7f00:1]/c",
    "https://[::127.0.0.1]/c",
    "https://[64:ff9b::7f00:1]/c",
    "https://[2002:7f00:1::]/c",
    "https://[fe80::1%25eth0]/c",
    "https://[fe80::1]/c",
    "https://[fd00::1]/c",
    "https://169.254.169.254/latest/meta-data",
    "https://2852039166/c",
    "https://93.184.216.34/c",
    "https://[2606:4700::1111]/c",
    "https://256.256.256.256/c",
    "https://1.2.3.4.5/c",
    "https://127.0.0.1.:443/c",
];

/// Names of this machine, and URLs that are something else for another parser.
const SPELLINGS: [&str; 44] = [
    "",
    " ",
    "app",
    "app.example.com/client.json",
    "//app.example.com/client.json",
    "http://app.example.com/client.json",
    "ftp://app.example.com/client.json",
    "file:///etc/passwd",
    "data:application/json,{}",
    "javascript:alert(1)",
    "https:app.example.com/client.json",
    "https:/app.example.com/client.json",
    "https:///app.example.com/client.json",
    "HTTPS://app.example.com/client.json",
    "https://app.example.com",
    "https://app.example.com/",
    "https://app.example.com/../client.json",
    "https://app.example.com/./client.json",
    "https://app.example.com/a/../client.json",
    "https://app.example.com/%2e%2e/client.json",
    "https://app.example.com/%2E/client.json",
    "https://app.example.com/.%2e/client.json",
    "https://user@app.example.com/client.json",
    "https://user:pass@app.example.com/client.json",
    "https://@app.example.com/client.json",
    "https://app.example.com/client.json#",
    "https://app.example.com/client.json#top",
    "https://app.example.com/client.json?",
    "https://app.example.com/client.json?a=b",
    "https://APP.example.com/client.json",
    "https://app.example.com:443/client.json",
    "https://app.example.com:/client.json",
    "https://app.example.com:8443/client.json",
    "https://app.example.com:22/client.json",
    "https://app.example.com:99999/client.json",
    "https://app.example.com./client.json",
    "https://app.example.com\\client.json",
    "https://app.example.com/client\\.json",
    "https://app.example.com/client.json ",
    " https://app.example.com/client.json",
    "https://app.example.com/cli\tent.json",
    "https://app.exam\u{ad}ple.com/client.json",
    "https://localhost/client.json",
    "https://münchen.example.com/client.json",
];

#[tokio::test]
async fn no_spelling_of_an_address_is_a_client_id() {
    let town = town();
    let documents = documents(&town);

    for literal in LITERALS {
        let refused = documents.get(literal).await.unwrap_err();
        assert!(matches!(refused, ClientDocumentError::ClientId(_)), "{literal}: {refused:?}");
    }
    assert_eq!(town.looked_up(), Vec::<String>::new());
    assert_eq!(town.dialled(), Vec::<String>::new());
}

#[tokio::test]
async fn what_can_be_read_in_two_ways_is_no_client_id() {
    let town = town();
    let documents = documents(&town);

    for spelling in SPELLINGS {
        let refused = documents.get(spelling).await.unwrap_err();
        assert!(matches!(refused, ClientDocumentError::ClientId(_)), "{spelling}: {refused:?}");
    }
    assert_eq!(town.looked_up(), Vec::<String>::new());
}

#[tokio::test]
async fn a_client_id_has_at_most_512_bytes() {
    let at = |length: usize| format!("app.example.com/{}", "a".repeat(length - id("app.example.com/").len()));
    let town = town();
    town.page(&at(512), Page::json(&super::kit::document(&at(512))));
    let documents = documents(&town);

    documents.get(&id(&at(512))).await.unwrap();
    let refused = documents.get(&id(&at(513))).await.unwrap_err();

    assert_eq!(refused, ClientDocumentError::ClientId("it is too long"));
}

#[tokio::test]
async fn another_port_is_allowed_by_a_switch_only() {
    let at = "app.example.com:8443/client.json";
    let town = town();
    town.page(at, Page::json(&super::kit::document(at)));

    let refused = documents(&town).get(&id(at)).await.unwrap_err();
    let client = builder(&town).any_port().build().unwrap().get(&id(at)).await.unwrap();

    assert_eq!(refused, ClientDocumentError::ClientId("its port is not 443"));
    assert_eq!(client.host(), "app.example.com");
    assert_eq!(town.dialled(), ["93.184.216.34:8443"]);
}

#[tokio::test]
async fn only_allowed_hosts_are_looked_up_and_denied_ones_never() {
    let town = town();
    let allowing = builder(&town).allow_host("App.Example.Com").build().unwrap();
    let other = builder(&town).allow_host("example.com").build().unwrap();
    let denying = builder(&town).allow_host("app.example.com").deny_host("app.example.com").build().unwrap();

    assert_eq!(other.get(&id(APP)).await.unwrap_err(), ClientDocumentError::NotTrusted);
    assert_eq!(denying.get(&id(APP)).await.unwrap_err(), ClientDocumentError::NotTrusted);
    assert_eq!(town.looked_up(), Vec::<String>::new());
    allowing.get(&id(APP)).await.unwrap();
}
