//! Keys come over the network, through the guarded fetcher.

use std::{
    io,
    net::SocketAddr,
    pin::Pin,
    sync::{Arc, Mutex},
};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
use tollgate::{
    Server,
    auth::{Jwt, Keys},
    oauth::{Connected, FetchPolicy, Network},
};

use super::{
    desk::Desk,
    mint::{AUDIENCE, NOW, Ring, Token, jwks, set},
};

const ISSUER: &str = "http://localhost:8080";
const OAUTH: &str = "/.well-known/oauth-authorization-server";
const OPENID: &str = "/.well-known/openid-configuration";

type Later<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// This machine, with an authorization server on it that answers with pages.
#[derive(Clone, Default)]
struct Host(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    /// By path: more header lines, and the body.
    pages: Vec<(String, String, Vec<u8>)>,
    asked: Vec<String>,
}

impl Host {
    fn page(&self, path: &str, body: impl Into<Vec<u8>>) -> &Self {
        self.page_with(path, "", body)
    }

    fn page_with(&self, path: &str, headers: &str, body: impl Into<Vec<u8>>) -> &Self {
        let mut state = self.0.lock().unwrap();
        state.pages.retain(|it| it.0 != path);
        state.pages.push((path.into(), headers.into(), body.into()));
        drop(state);
        self
    }

    /// The paths that were asked for since the last time.
    fn asked(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap().asked)
    }

    async fn serve(self, mut stream: DuplexStream) -> io::Result<()> {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(stream.read_u8().await?);
        }
        let path = String::from_utf8_lossy(&head).split(' ').nth(1).unwrap().to_owned();
        let page = {
            let mut state = self.0.lock().unwrap();
            state.asked.push(path.clone());
            state.pages.iter().find(|it| it.0 == path).cloned()
        };
        let (status, headers, body) = match page {
            Some((_, headers, body)) => ("200 OK", headers, body),
            None => ("404 Not Found", String::new(), Vec::new()),
        };
        let head = format!(
            "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n{headers}\r\n",
            body.len()
        );
        stream.write_all(&[head.as_bytes(), &body].concat()).await
    }

    fn jwt(&self) -> Jwt {
        let policy = FetchPolicy::new().allow_loopback();
        Jwt::issuer(ISSUER).audience(AUDIENCE).network(self.clone()).fetch_policy(policy)
    }
}

impl Network for Host {
    fn resolve<'a>(&'a self, _: &'a str, port: u16) -> Later<'a, io::Result<Vec<SocketAddr>>> {
        Box::pin(async move { Ok(vec![SocketAddr::from(([127, 0, 0, 1], port))]) })
    }

    fn connect(&self, address: SocketAddr) -> Later<'_, io::Result<Connected>> {
        let (ours, theirs) = duplex(64 * 1024);
        tokio::spawn(self.clone().serve(theirs));
        Box::pin(async move { Ok(Connected::new(ours, address)) })
    }
}

fn token() -> Token {
    Token::good().claim("iss", ISSUER).claim("exp", NOW + 100_000)
}

fn metadata() -> Value {
    json!({"issuer": ISSUER, "jwks_uri": format!("{ISSUER}/jwks")})
}

#[tokio::test]
async fn the_keys_are_where_the_metadata_of_the_issuer_says() {
    for (place, asked) in [(OAUTH, vec![OAUTH, "/jwks"]), (OPENID, vec![OAUTH, OPENID, "/jwks"])] {
        let host = Host::default();
        host.page(place, metadata().to_string()).page("/jwks", jwks());
        let desk = Desk::open(host.jwt()).await;

        assert_eq!(host.asked(), [""; 0]);
        desk.accepts(place, &token().text()).await;
        desk.accepts(place, &token().claim("jti", "2").text()).await;

        assert_eq!(host.asked(), asked);
    }
}

#[tokio::test]
async fn metadata_that_is_wrong_brings_no_keys_and_nobody_a_no() {
    let host = Host::default();
    host.page("/jwks", jwks());
    for (what, body) in [
        ("another issuer", json!({"issuer": "http://localhost:8081", "jwks_uri": format!("{ISSUER}/jwks")})),
        ("no issuer", json!({"jwks_uri": format!("{ISSUER}/jwks")})),
        ("no keys", json!({"issuer": ISSUER})),
        ("keys that are no URL", json!({"issuer": ISSUER, "jwks_uri": 1})),
        ("keys on a private network", json!({"issuer": ISSUER, "jwks_uri": "https://10.0.0.1/jwks"})),
        ("keys in a file", json!({"issuer": ISSUER, "jwks_uri": "file:///etc/passwd"})),
    ] {
        host.page(OAUTH, body.to_string());
        let desk = Desk::open(host.jwt()).await;

        assert_eq!(desk.show(&token().text()).await.status, 503, "{what}");

        assert!(!host.asked().contains(&"/jwks".to_owned()), "{what}");
        host.page(OAUTH, metadata().to_string());
        desk.watch.pass(30);
        desk.accepts(what, &token().text()).await;
        host.asked();
    }
}

#[tokio::test]
async fn keys_at_a_url_are_fetched_when_the_first_token_comes_and_when_they_are_stale() {
    let host = Host::default();
    host.page_with("/keys", "Cache-Control: max-age=1800\r\n", jwks());
    let desk = Desk::open(host.jwt().keys(Keys::url(format!("{ISSUER}/keys")))).await;
    let fresh = |number: u64| token().claim("jti", number.to_string()).text();

    assert_eq!(host.asked(), [""; 0]);
    desk.accepts("the first", &fresh(0)).await;
    desk.watch.pass(1_799);
    desk.accepts("while they are fresh", &fresh(1)).await;
    assert_eq!(host.asked(), ["/keys"]);
    host.page("/keys", set(&[Ring::theirs().ec_jwk("new")]));
    desk.watch.pass(1);

    assert_eq!(desk.show(&fresh(2)).await.status, 401);
    desk.accepts("with the new key", &token().by_them().header("kid", "new").text()).await;
    assert_eq!(host.asked(), ["/keys"]);
}

#[test]
fn what_is_never_fetched_is_found_at_start() {
    let new = |jwt: Jwt| Server::new("notes", "1").auth(jwt).check().run();
    let https = || Jwt::issuer("https://login.example.com").audience(AUDIENCE);

    assert!(new(https()).is_ok());
    assert!(new(https().keys(Keys::url("https://login.example.com/jwks"))).is_ok());
    for url in
        ["", "jwks", "http://login.example.com/jwks", "file:///etc/passwd", "https://ann@login.example.com/"]
    {
        assert!(new(https().keys(Keys::url(url))).is_err(), "{url}");
    }
    assert!(new(Jwt::issuer(ISSUER).audience(AUDIENCE)).is_err());
    assert!(new(https().fetch_policy(FetchPolicy::new().root_certificate("nonsense"))).is_err());
}
