//! No address with a special use is ever connected to, however a name comes by it.

use std::sync::Arc;

use tollgate::oauth::{ClientDocumentError, check_authorization_server};

use super::{
    kit::{APP, document, documents, id, policy},
    page::Page,
    town::Town,
};

/// IPv4: the registries of RFC 6890, first and last addresses, and the ones that servers are attacked with.
const V4: [&str; 47] = [
    "0.0.0.0",
    "0.255.255.255",
    "10.0.0.0",
    "10.0.0.1",
    "10.255.255.255",
    "100.64.0.0",
    "100.100.100.200",
    "100.127.255.255",
    "127.0.0.0",
    "127.0.0.1",
    "127.0.0.53",
    "127.127.127.127",
    "127.255.255.255",
    "169.254.0.0",
    "169.254.169.254",
    "169.254.170.2",
    "169.254.255.255",
    "172.16.0.0",
    "172.17.0.1",
    "172.31.255.255",
    "192.0.0.0",
    "192.0.0.170",
    "192.0.0.192",
    "192.0.0.255",
    "192.0.2.0",
    "192.0.2.255",
    "192.31.196.1",
    "192.52.193.1",
    "192.88.99.0",
    "192.88.99.255",
    "192.168.0.0",
    "192.168.1.1",
    "192.168.255.255",
    "192.175.48.1",
    "198.18.0.0",
    "198.19.255.255",
    "198.51.100.0",
    "198.51.100.255",
    "203.0.113.0",
    "203.0.113.255",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.0",
    "254.255.255.255",
    "255.255.255.254",
    "255.255.255.255",
    "224.0.0.251",
];

/// IPv6: everything outside of 2000::/3, what is special in it, and all ways to hide an IPv4 address.
const V6: [&str; 45] = [
    "::",
    "::1",
    "::2",
    "::7f00:1",
    "::a00:1",
    "::5db8:d822",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::ffff:169.254.169.254",
    "::ffff:93.184.216.34",
    "::ffff:0:127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b::5db8:d822",
    "64:ff9b:1::1",
    "64:ff9b:1:ffff::1",
    "100::",
    "100::1",
    "100:0:0:1::1",
    "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    "2001::",
    "2001::1",
    "2001:0:5ef5:79fb:0:59e:a2b6:27dd",
    "2001:1::1",
    "2001:2::1",
    "2001:3::1",
    "2001:4:112::1",
    "2001:10::1",
    "2001:20::1",
    "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff",
    "2001:db8::",
    "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff",
    "2002:7f00:1::",
    "2002:a00:1::1",
    "2002:c0a8:101::1",
    "3fff::1",
    "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff",
    "4000::1",
    "5f00::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fec0::1",
    "ff02::1",
    "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
];

fn all() -> impl Iterator<Item = &'static str> {
    V4.into_iter().chain(V6)
}

#[tokio::test(start_paused = true)]
async fn no_client_document_is_fetched_from_a_special_address() {
    let town = Town::default();
    let documents = documents(&town);
    for (place, address) in all().enumerate() {
        let host = format!("a{place}.example.com");
        town.name(&host, &[address]);

        let refused = documents.get(&format!("https://{host}/client.json")).await;

        assert_eq!(refused.unwrap_err(), ClientDocumentError::NotFetched, "{address}");
    }
    assert_eq!(town.looked_up().len(), 92);
    assert_eq!(town.dialled(), Vec::<String>::new());
}

#[tokio::test(start_paused = true)]
async fn no_metadata_is_fetched_from_a_special_address() {
    let town = Town::default();
    for (place, address) in all().enumerate() {
        let host = format!("a{place}.example.com");
        town.name(&host, &[address]);

        let report =
            check_authorization_server(&format!("https://{host}"), Arc::new(town.clone()), policy()).await;

        assert_eq!(report.findings()[0].rule(), "as-unreachable", "{address}");
    }
    assert_eq!(town.dialled(), Vec::<String>::new());
}

#[tokio::test(start_paused = true)]
async fn one_special_address_among_public_ones_refuses_them_all() {
    let town = Town::default();
    let documents = documents(&town);
    for (place, address) in all().enumerate() {
        let host = format!("a{place}.example.com");
        match place % 2 {
            0 => town.name(&host, &["93.184.216.34", "2606:4700::1111", address]),
            _ => town.name(&host, &[address, "93.184.216.34"]),
        };

        let refused = documents.get(&format!("https://{host}/client.json")).await;

        assert_eq!(refused.unwrap_err(), ClientDocumentError::NotFetched, "{address}");
    }
    assert_eq!(town.dialled(), Vec::<String>::new());
}

#[tokio::test(start_paused = true)]
async fn a_public_address_is_fetched_from() {
    for address in ["93.184.216.34", "1.1.1.1", "223.255.255.255", "2606:4700::1111", "2001:200::1"] {
        let town = Town::default();
        town.name("app.example.com", &[address]).page(APP, Page::json(&document(APP)));

        documents(&town).get(&id(APP)).await.unwrap();

        assert_eq!(town.dialled().len(), 1, "{address}");
    }
}
