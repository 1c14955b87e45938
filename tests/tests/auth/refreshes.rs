//! Keys are loaded when they are needed, seldom enough, and never lost.

use std::{
    error::Error,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use tokio::sync::Semaphore;
use tollgate::auth::{Jwt, KeyDocument, Keys, LoadKeys};
use tollgate_tests::{Answer, Connection};

use super::{
    desk::{Desk, call},
    mint::{AUDIENCE, ISSUER, NOW, Ring, Token, jwks, set},
};

/// An authorization server as its keys show it.
#[derive(Clone)]
struct Idp {
    /// `None` while it is down.
    document: Arc<Mutex<Option<KeyDocument>>>,
    loads: Arc<AtomicUsize>,
    /// One for each load that it lets through.
    gate: Arc<Semaphore>,
}

impl Idp {
    fn up() -> Self {
        let gate = Arc::new(Semaphore::new(Semaphore::MAX_PERMITS));
        Self { document: Arc::new(Mutex::new(Some(KeyDocument::new(jwks())))), loads: Arc::default(), gate }
    }

    fn down() -> Self {
        let it = Self::up();
        it.says(None);
        it
    }

    fn says(&self, document: Option<KeyDocument>) {
        *self.document.lock().unwrap() = document;
    }

    fn loads(&self) -> usize {
        self.loads.load(Ordering::SeqCst)
    }

    async fn desk(&self) -> Desk {
        Desk::open(Jwt::issuer(ISSUER).audience(AUDIENCE).keys(Keys::loader(self.clone()))).await
    }
}

impl LoadKeys for Idp {
    async fn load(&self) -> Result<KeyDocument, Box<dyn Error + Send + Sync>> {
        self.loads.fetch_add(1, Ordering::SeqCst);
        self.gate.acquire().await?.forget();
        self.document.lock().unwrap().clone().ok_or_else(|| "it is down".into())
    }
}

/// A token that was never shown before, so that no memory of it helps.
fn fresh() -> String {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    Token::good()
        .claim("jti", COUNT.fetch_add(1, Ordering::SeqCst).to_string())
        .claim("exp", NOW + 1_000_000)
        .text()
}

fn unknown(number: usize) -> String {
    Token::good().header("kid", format!("unknown-{number}")).claim("exp", NOW + 1_000_000).text()
}

#[tokio::test]
async fn a_thousand_unknown_keys_cost_one_load_and_a_good_token_works_throughout() {
    let idp = Idp::up();
    let desk = idp.desk().await;
    desk.accepts("the first", &fresh()).await;
    desk.watch.pass(30);

    for number in 0..1_000 {
        assert_eq!(desk.show(&unknown(number)).await.status, 401);
        if number % 50 == 0 {
            desk.accepts("between", &fresh()).await;
        }
    }
    assert_eq!(idp.loads(), 2);

    desk.watch.pass(29);
    assert_eq!(desk.show(&unknown(5_000)).await.status, 401);
    assert_eq!(idp.loads(), 2);
    desk.watch.pass(1);
    assert_eq!(desk.show(&unknown(5_001)).await.status, 401);
    assert_eq!(desk.show(&unknown(5_002)).await.status, 401);
    assert_eq!(idp.loads(), 3);
}

#[tokio::test]
async fn whatever_the_issuer_answers_the_keys_that_are_there_stay() {
    let ours = Ring::ours();
    let big = [jwks(), vec![b' '; 10 * 1024 * 1024]].concat();
    for (what, document) in [
        ("an error", None),
        ("an empty set", Some(KeyDocument::new(set(&[])))),
        ("10 MiB", Some(KeyDocument::new(big))),
        ("garbage", Some(KeyDocument::new("<html>down for maintenance</html>"))),
        ("half of it", Some(KeyDocument::new(&jwks()[..100]))),
        (
            "keys that cannot be used",
            Some(KeyDocument::new(set(&[serde_json::json!({"kty": "oct", "k": "AA"})]))),
        ),
        ("two keys of one name", Some(KeyDocument::new(set(&[ours.ec_jwk("ec"), ours.ed_jwk("ec")])))),
    ] {
        let idp = Idp::up();
        let desk = idp.desk().await;
        desk.accepts(what, &fresh()).await;
        idp.says(document);

        for round in 0..3 {
            desk.watch.pass(30);
            for _ in 0..5 {
                assert_eq!(desk.show(&unknown(round)).await.status, 401, "{what}");
                desk.accepts(what, &fresh()).await;
            }
        }

        assert_eq!(idp.loads(), 4, "{what}");
    }
}

#[tokio::test]
async fn an_issuer_that_hangs_holds_up_nobody_whose_key_is_there() {
    let idp = Idp::up();
    let desk = idp.desk().await;
    desk.accepts("the first", &fresh()).await;
    desk.watch.pass(30);
    idp.gate.forget_permits(Semaphore::MAX_PERMITS);

    let mut waits = Connection::open(desk.running.address).await;
    waits.send(&call(&unknown(0)).bytes()).await;
    while idp.loads() < 2 {
        tokio::task::yield_now().await;
    }
    desk.accepts("meanwhile", &fresh()).await;
    desk.watch.pass(600);
    desk.accepts("while the keys are stale", &fresh()).await;

    idp.gate.add_permits(1);
    assert_eq!(waits.answer().await.status, 401);
    assert_eq!(idp.loads(), 2);
}

#[tokio::test]
async fn a_load_goes_on_with_the_next_token_when_the_client_that_began_it_leaves() {
    let idp = Idp::up();
    idp.gate.forget_permits(Semaphore::MAX_PERMITS);
    let desk = idp.desk().await;
    let mut leaves = Connection::open(desk.running.address).await;
    leaves.send(&call(&fresh()).bytes()).await;
    while idp.loads() == 0 {
        tokio::task::yield_now().await;
    }

    drop(leaves);
    // Two answers later the server has heard of it.
    for _ in 0..2 {
        assert_eq!(desk.show("nonsense").await.status, 401);
    }
    idp.gate.add_permits(1);

    desk.accepts("the next", &fresh()).await;
    assert_eq!(idp.loads(), 1);
}

#[tokio::test]
async fn all_that_wait_for_keys_wait_for_one_load() {
    let idp = Idp::up();
    idp.gate.forget_permits(Semaphore::MAX_PERMITS);
    let desk = idp.desk().await;
    let mut waiting = Vec::new();
    for _ in 0..50 {
        let mut connection = Connection::open(desk.running.address).await;
        connection.send(&call(&fresh()).bytes()).await;
        waiting.push(connection);
    }
    while idp.loads() == 0 {
        tokio::task::yield_now().await;
    }

    idp.gate.add_permits(1);

    for mut it in waiting {
        assert_eq!(it.answer().await.status, 200);
    }
    assert_eq!((idp.loads(), desk.runs()), (1, 50));
}

#[tokio::test]
async fn while_the_issuer_is_down_and_no_key_is_there_nobody_is_told_that_the_token_is_bad() {
    let idp = Idp::down();
    let desk = idp.desk().await;
    let refused = |answer: &Answer, retry: &str| {
        assert_eq!(answer.verdict(), (503, -32603));
        assert_eq!(answer.header("retry-after"), Some(retry));
        assert_eq!(answer.header("www-authenticate"), None);
    };

    refused(&desk.show(&fresh()).await, "30");
    desk.watch.pass(10);
    refused(&desk.show(&fresh()).await, "20");
    assert_eq!(idp.loads(), 1);
    assert_eq!(desk.show(&Token::good().without("aud").text()).await.status, 401);
    idp.says(Some(KeyDocument::new(jwks())));
    refused(&desk.show(&fresh()).await, "20");
    desk.watch.pass(20);

    desk.accepts("once it is up", &fresh()).await;
    assert_eq!((idp.loads(), desk.runs()), (2, 1));
}

#[tokio::test]
async fn keys_serve_for_a_day_while_the_issuer_is_down() {
    let idp = Idp::up();
    let desk = idp.desk().await;
    desk.accepts("at first", &fresh()).await;
    idp.says(None);

    desk.watch.pass(24 * 3_600 - 1);
    desk.accepts("for a day", &fresh()).await;
    desk.watch.pass(1);

    assert_eq!(desk.show(&fresh()).await.status, 503);
}

#[tokio::test]
async fn a_set_is_fresh_for_as_long_as_it_says_within_bounds() {
    for (said, expected) in [(None, 600), (Some(1), 300), (Some(3_600), 3_600), (Some(1_000_000), 24 * 3_600)]
    {
        let idp = Idp::up();
        let document = KeyDocument::new(jwks());
        idp.says(Some(match said {
            Some(seconds) => document.fresh_for(Duration::from_secs(seconds)),
            None => document,
        }));
        let desk = idp.desk().await;
        desk.accepts("at first", &fresh()).await;

        desk.watch.pass(expected - 1);
        desk.accepts("while it is fresh", &fresh()).await;
        assert_eq!(idp.loads(), 1, "{said:?}");
        desk.watch.pass(1);
        desk.accepts("later", &fresh()).await;
        assert_eq!(idp.loads(), 2, "{said:?}");
    }
}

#[tokio::test]
async fn a_new_key_is_found_at_once_and_an_old_one_ends() {
    let idp = Idp::up();
    let desk = idp.desk().await;
    let old = fresh();
    desk.accepts("the old key", &old).await;
    let theirs = Ring::theirs();
    idp.says(Some(KeyDocument::new(set(&[theirs.ec_jwk("new"), theirs.ed_jwk("newer")]))));
    desk.watch.pass(30);
    let new = || Token::good().by_them().header("kid", "new");

    desk.accepts("the new key", &new().text()).await;
    desk.accepts("the old key, whose token was checked within the minute", &old).await;
    assert_eq!(desk.show(&fresh()).await.status, 401);
    desk.watch.pass(30);
    assert_eq!(desk.show(&old).await.status, 401);
    desk.accepts("the new key", &new().text()).await;
}

#[tokio::test]
async fn a_key_that_was_looked_for_in_vain_is_not_looked_for_again_for_five_minutes() {
    let idp = Idp::up();
    idp.says(Some(KeyDocument::new(jwks()).fresh_for(Duration::from_secs(3_600))));
    let desk = idp.desk().await;
    desk.accepts("at first", &fresh()).await;
    desk.watch.pass(30);
    assert_eq!(desk.show(&unknown(0)).await.status, 401);
    assert_eq!(idp.loads(), 2);

    desk.watch.pass(299);
    assert_eq!(desk.show(&unknown(0)).await.status, 401);
    assert_eq!(idp.loads(), 2);
    desk.watch.pass(1);
    assert_eq!(desk.show(&unknown(0)).await.status, 401);
    assert_eq!(idp.loads(), 3);
}

#[tokio::test]
async fn a_key_that_is_looked_for_while_no_load_may_begin_is_looked_for_later() {
    let idp = Idp::up();
    let desk = idp.desk().await;
    desk.accepts("at first", &fresh()).await;
    let new = Token::good().by_them().header("kid", "new").text();
    assert_eq!(desk.show(&new).await.status, 401);
    idp.says(Some(KeyDocument::new(set(&[Ring::theirs().ec_jwk("new")]))));

    desk.watch.pass(30);

    desk.accepts("later", &new).await;
}

#[tokio::test]
async fn a_clock_that_is_set_back_stops_no_load() {
    let idp = Idp::down();
    let desk = idp.desk().await;
    assert_eq!(desk.show(&fresh()).await.status, 503);
    idp.says(Some(KeyDocument::new(jwks())));

    desk.watch.set(NOW - 5);

    desk.accepts("after the step", &fresh()).await;
}

#[tokio::test]
async fn a_loader_that_panics_has_failed() {
    struct Panics;
    impl LoadKeys for Panics {
        async fn load(&self) -> Result<KeyDocument, Box<dyn Error + Send + Sync>> {
            panic!("out of luck")
        }
    }
    let desk = Desk::open(Jwt::issuer(ISSUER).audience(AUDIENCE).keys(Keys::loader(Panics))).await;

    for _ in 0..2 {
        assert_eq!(desk.show(&fresh()).await.status, 503);
        desk.watch.pass(30);
    }
}
