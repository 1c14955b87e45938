//! A token is good in its time, give or take half a minute.

use std::time::Duration;

use serde_json::json;
use tollgate_tests::{Call, Connection};

use super::{
    desk::{Desk, jwt},
    mint::{NOW, Token},
};

/// Which of the tokens are taken, each shown for the first time.
async fn taken(desk: &Desk, tokens: impl IntoIterator<Item = Token>) -> Vec<bool> {
    let mut taken = Vec::new();
    for token in tokens {
        taken.push(desk.show(&token.text()).await.status == 200);
    }
    taken
}

// S-225.
#[tokio::test]
async fn a_token_ends_half_a_minute_after_its_time() {
    let desk = Desk::open(jwt()).await;
    let at = |it: i64| Token::good().claim("exp", NOW as i64 - it);

    let taken = taken(&desk, [-1, 0, 29, 30, 31].map(at)).await;

    assert_eq!(taken, [true, true, true, false, false]);
}

#[tokio::test]
async fn a_token_begins_half_a_minute_before_its_time() {
    let desk = Desk::open(jwt()).await;

    for name in ["nbf", "iat"] {
        let taken = taken(&desk, [0, 29, 30, 31].map(|it| Token::good().claim(name, NOW + it))).await;

        assert_eq!(taken, [true, true, true, false], "{name}");
    }
}

#[tokio::test]
async fn how_far_clocks_may_be_apart_can_be_set() {
    let desk = Desk::open(jwt().leeway(Duration::ZERO)).await;

    let taken = taken(&desk, [NOW - 1, NOW, NOW + 1].map(|it| Token::good().claim("exp", it))).await;

    assert_eq!(taken, [false, false, true]);
}

// S-227.
#[tokio::test]
async fn a_token_that_was_taken_is_refused_once_it_has_expired() {
    let desk = Desk::open(jwt()).await;
    let token = Token::good().claim("exp", NOW + 20);

    let mut taken = Vec::new();
    for it in [0, 19, 20, 49, 50] {
        desk.watch.set(NOW + it);
        taken.push(desk.show(&token.text()).await.status);
    }

    assert_eq!(taken, [200, 200, 200, 200, 401]);
}

#[tokio::test]
async fn a_token_may_be_too_old_though_it_has_not_expired() {
    let desk = Desk::open(jwt().max_token_age(Duration::from_secs(600))).await;
    let rows = [
        ("too old", Token::good().claim("iat", NOW - 631)),
        ("of an unknown age", Token::good().without("iat")),
    ];
    for (what, token) in rows {
        desk.refuses(what, &token.text()).await;
    }

    desk.accepts("just young enough", &Token::good().claim("iat", NOW - 630).text()).await;
}

// S-227.
#[tokio::test]
async fn a_stream_does_not_outlive_its_token() {
    let desk = Desk::open(jwt()).await;
    desk.watch.set_millis(NOW * 1_000 - 200);
    let token = Token::good().claim("exp", NOW).claim("iat", NOW - 10).text();
    let listen = Call::modern("subscriptions/listen", json!({"notifications": {"toolsListChanged": true}}));
    let mut connection = Connection::open(desk.running.address).await;

    connection.send(&listen.header(format!("Authorization: Bearer {token}")).bytes()).await;
    assert_eq!(connection.head().await.status, 200);
    let first = connection.event().await.unwrap();
    let last = connection.event().await.unwrap();

    assert_eq!(first["method"], "notifications/subscriptions/acknowledged");
    assert_eq!(last["result"]["resultType"], "complete");
    assert_eq!(connection.event().await, None);
}
