//! Tokens of other kinds are checked by the app, and remembered like all others.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, UNIX_EPOCH},
};

use tollgate::auth::{Principal, TokenError, TokenVerifier};

use super::{
    desk::{Desk, call, plain, said},
    mint::NOW,
};

/// Knows `ann` for ever, `bob` for ten seconds, and nothing while `down` is asked for.
#[derive(Clone, Default)]
struct Table(Arc<AtomicUsize>);

impl TokenVerifier for Table {
    async fn verify(&self, token: &str) -> Result<Principal, TokenError> {
        self.0.fetch_add(1, Ordering::SeqCst);
        match token {
            "ann" => Ok(Principal::new("table", "ann").with_scopes(["read"]).with_client("cli")),
            "bob" => {
                Ok(Principal::new("table", "bob").with_expiry(UNIX_EPOCH + Duration::from_secs(NOW + 10)))
            }
            "down" => Err(TokenError::unavailable(Duration::from_secs(7))),
            "long" => Err(TokenError::unavailable(Duration::from_secs(100_000))),
            "panic" => panic!("the table fell over"),
            _ => Err(TokenError::Invalid),
        }
    }
}

#[tokio::test]
async fn what_the_app_says_of_a_token_counts() {
    let desk = Desk::open(Table::default()).await;

    let ann = said(&desk.show("ann").await);
    assert_eq!(
        (&ann["issuer"], &ann["subject"], &ann["client"]),
        (&"table".into(), &"ann".into(), &"cli".into())
    );
    assert_eq!(desk.show("eve").await.status, 401);
    let down = desk.show("down").await;
    assert_eq!((down.status, down.header("retry-after")), (503, Some("7")));
    assert_eq!(desk.show("long").await.header("retry-after"), Some("255"));
    assert_eq!(desk.show("panic").await.verdict(), (200, -32603));
    assert_eq!(desk.runs(), 1);
}

#[tokio::test]
async fn a_yes_is_remembered_for_a_minute_and_a_no_is_not() {
    let table = Table::default();
    let desk = Desk::open(table.clone()).await;
    let asked = || table.0.swap(0, Ordering::SeqCst);

    for _ in 0..10 {
        assert_eq!(desk.show("ann").await.status, 200);
        assert_eq!(desk.show("eve").await.status, 401);
    }
    assert_eq!(asked(), 11);

    desk.watch.pass(59);
    desk.show("ann").await;
    assert_eq!(asked(), 0);
    desk.watch.pass(1);
    desk.show("ann").await;
    assert_eq!(asked(), 1);
}

#[tokio::test]
async fn a_yes_is_not_remembered_beyond_the_end_of_the_token() {
    let table = Table::default();
    let desk = Desk::open(table.clone()).await;

    desk.show("bob").await;
    desk.watch.pass(9);
    desk.show("bob").await;
    assert_eq!(table.0.load(Ordering::SeqCst), 1);
    desk.watch.pass(1);
    desk.show("bob").await;

    assert_eq!(table.0.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn the_app_is_asked_about_nothing_that_could_be_no_token() {
    let table = Table::default();
    let desk = Desk::open(table.clone()).await;

    assert_eq!(desk.send(plain()).await.status, 401);
    assert_eq!(desk.show(&"x".repeat(8_193)).await.status, 401);
    assert_eq!(desk.send(call("ann bob")).await.status, 400);
    assert_eq!(desk.send(call("ann").header("Authorization: Bearer bob")).await.status, 400);

    assert_eq!(table.0.load(Ordering::SeqCst), 0);
}
