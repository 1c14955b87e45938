//! Something is spent once.

use std::{
    sync::Arc,
    task::{Context, Waker},
    time::{Duration, SystemTime},
};

use tollgate::store::Spent;

use super::kit::{Build, about, at, note};

pub async fn of_many_at_once_exactly_one_spends(build: Build) {
    let house = build(1000);

    let tasks: Vec<_> = (0..64)
        .map(|_| {
            let store = Arc::clone(&house.store);
            tokio::spawn(async move { store.spend([1; 32], at(10)).await.unwrap() })
        })
        .collect();
    let mut first = 0;
    for task in tasks {
        first += usize::from(task.await.unwrap() == Spent::First);
    }

    assert_eq!(first, 1);
    assert!(house.store.is_spent([1; 32]).await.unwrap());
}

pub async fn keys_are_spent_apart(build: Build) {
    let house = build(1000);

    assert_eq!(house.store.spend([1; 32], at(10)).await.unwrap(), Spent::First);

    assert!(!house.store.is_spent([2; 32]).await.unwrap());
    assert_eq!(house.store.spend([2; 32], at(10)).await.unwrap(), Spent::First);
    assert_eq!(house.store.spend([1; 32], at(20)).await.unwrap(), Spent::Again);
}

pub async fn a_key_is_remembered_until_it_expires(build: Build) {
    let house = build(1000);
    house.store.spend([1; 32], at(10)).await.unwrap();

    house.clock.set(9);
    assert!(house.store.is_spent([1; 32]).await.unwrap());
    assert_eq!(house.store.spend([1; 32], at(99)).await.unwrap(), Spent::Again);

    house.clock.set(10);
    assert!(!house.store.is_spent([1; 32]).await.unwrap());
}

pub async fn what_has_expired_cannot_be_spent(build: Build) {
    let house = build(1000);
    house.store.spend([1; 32], at(10)).await.unwrap();
    house.clock.set(10);

    assert_eq!(house.store.spend([1; 32], at(10)).await.unwrap(), Spent::Again);
    assert_eq!(house.store.spend([2; 32], at(10)).await.unwrap(), Spent::Again);
    assert_eq!(house.store.spend([3; 32], at(9)).await.unwrap(), Spent::Again);
    assert_eq!(house.store.spend([4; 32], SystemTime::UNIX_EPOCH).await.unwrap(), Spent::Again);
}

pub async fn a_key_can_be_spent_to_the_nanosecond(build: Build) {
    let house = build(1000);
    house.clock.set(10);
    let soon = at(10) + Duration::from_nanos(1);

    assert_eq!(house.store.spend([1; 32], soon).await.unwrap(), Spent::First);
    assert_eq!(house.store.spend([1; 32], soon).await.unwrap(), Spent::Again);
    assert!(house.store.is_spent([1; 32]).await.unwrap());
}

pub async fn a_time_far_away_can_be_remembered(build: Build) {
    let house = build(1000);
    let far = at(0) + Duration::from_secs(1000 * 365 * 24 * 60 * 60);

    assert_eq!(house.store.spend([1; 32], far).await.unwrap(), Spent::First);
    assert_eq!(house.store.spend([1; 32], far).await.unwrap(), Spent::Again);
}

pub async fn a_call_that_is_never_polled_does_nothing(build: Build) {
    let house = build(1000);

    drop(house.store.spend([1; 32], at(10)));
    drop(house.store.hold(note(1), about(1), None, 9));

    assert!(!house.store.is_spent([1; 32]).await.unwrap());
    assert_eq!(house.store.held(note(1)).await.unwrap(), None);
}

pub async fn a_call_that_is_dropped_midway_does_all_or_nothing(build: Build) {
    let house = build(1000);

    for number in 0..100 {
        let mut call = house.store.hold(note(number), about(number), Some(b"1"[..].into()), 1000);
        let _ = call.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        drop(call);
    }

    // The last write waits for those before it.
    house.store.spend([1; 32], at(10)).await.unwrap();
    for number in 0..100 {
        if let Some(held) = house.store.held(note(number)).await.unwrap() {
            assert_eq!(held.holding, about(number));
            assert_eq!(held.record.unwrap().data, b"1"[..]);
        }
    }
}
