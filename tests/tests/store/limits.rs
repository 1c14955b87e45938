//! How many a principal may hold, how many a store remembers, and for how long.

use std::sync::Arc;

use bytes::Bytes;
use tollgate::store::{Added, HandleKey, Holding, REMEMBERED, Replaced, Spent, StoreError};

use super::kit::{Build, House, START, about, at, note, used};

impl House {
    /// Adds the holding with a record, if the principal may hold one more.
    async fn add(&self, key: HandleKey, holding: Holding, most: usize) -> Result<Added, StoreError> {
        self.store.hold(key, holding, Some(Bytes::from_static(b"1")), most).await
    }

    async fn holds(&self, key: HandleKey) -> bool {
        self.store.held(key).await.unwrap().is_some()
    }
}

pub async fn one_more_than_the_most_is_too_many(build: Build) {
    let house = build(1000);

    assert_eq!(house.add(note(1), about(1), 2).await.unwrap(), Added::Done);
    assert_eq!(house.add(note(2), about(2), 2).await.unwrap(), Added::Done);
    assert_eq!(house.add(note(3), about(3), 2).await.unwrap(), Added::TooMany);

    assert!(!house.holds(note(3)).await);
    assert_eq!(house.store.replace([3; 16], 1, Bytes::new()).await.unwrap(), Replaced::Gone);
    assert_eq!(house.add(note(4), about(4), 0).await.unwrap(), Added::TooMany);
    house.store.release(note(1)).await.unwrap();
    assert_eq!(house.add(note(3), about(3), 2).await.unwrap(), Added::Done);
}

pub async fn what_has_expired_does_not_count(build: Build) {
    let house = build(1000);
    house.add(note(1), about(1), 1).await.unwrap();

    house.clock.set(9);
    assert_eq!(house.add(note(2), used(2, 9), 1).await.unwrap(), Added::TooMany);
    house.clock.set(10);
    assert_eq!(house.add(note(2), used(2, 10), 1).await.unwrap(), Added::Done);
    assert!(house.holds(note(1)).await);
}

pub async fn what_lost_its_record_does_not_count(build: Build) {
    let house = build(1000);
    house.add(note(1), about(1), 1).await.unwrap();
    house.store.delete([1; 16]).await.unwrap();

    assert_eq!(house.add(note(2), about(2), 1).await.unwrap(), Added::Done);
}

pub async fn what_was_used_again_counts_longer(build: Build) {
    let house = build(1000);
    house.add(note(1), about(1), 1).await.unwrap();
    house.store.touch(note(1), START + 9).await.unwrap();

    house.clock.set(18);
    assert_eq!(house.add(note(2), used(2, 18), 1).await.unwrap(), Added::TooMany);
    house.clock.set(19);
    assert_eq!(house.add(note(2), used(2, 19), 1).await.unwrap(), Added::Done);
}

pub async fn principals_and_kinds_are_counted_apart(build: Build) {
    let house = build(1000);
    house.add(note(1), about(1), 1).await.unwrap();

    let other = HandleKey { principal: [2; 32], ..note(2) };
    assert_eq!(house.add(other, about(2), 1).await.unwrap(), Added::Done);
    let list = HandleKey { kind: "list", ..note(3) };
    assert_eq!(house.add(list, about(3), 1).await.unwrap(), Added::Done);
}

pub async fn with_most_nothing_is_replaced(build: Build) {
    let house = build(1000);
    house.add(note(1), about(1), 1).await.unwrap();

    assert_eq!(house.add(note(1), about(2), 1).await.unwrap(), Added::TooMany);

    assert_eq!(house.store.held(note(1)).await.unwrap().unwrap().holding, about(1));
}

pub async fn of_many_at_once_exactly_as_many_are_held_as_may_be(build: Build) {
    let house = Arc::new(build(1000));

    let tasks: Vec<_> = (0..64)
        .map(|number| {
            let house = Arc::clone(&house);
            tokio::spawn(async move { house.add(note(number), about(number), 5).await.unwrap() })
        })
        .collect();
    let mut done = 0;
    for task in tasks {
        done += usize::from(task.await.unwrap() == Added::Done);
    }

    assert_eq!(done, 5);
    assert_eq!(house.store.holdings([1; 32], "note", 99).await.unwrap().len(), 5);
}

pub async fn what_has_ended_is_remembered_for_a_week_and_then_forgotten(build: Build) {
    let house = build(1000);
    house.add(note(1), about(1), 99).await.unwrap();
    let forgotten = 10 + REMEMBERED.as_secs();

    house.clock.set(forgotten - 1);
    house.add(note(2), used(2, forgotten), 99).await.unwrap();
    assert!(house.holds(note(1)).await);

    // A store may look for what it forgets from time to time only.
    house.clock.set(forgotten + 3600);
    house.add(note(3), used(3, forgotten), 99).await.unwrap();
    assert!(!house.holds(note(1)).await);
    assert!(house.holds(note(3)).await);
}

pub async fn a_record_is_forgotten_with_its_last_holding(build: Build) {
    let house = build(1000);
    house.add(note(1), about(1), 99).await.unwrap();
    house.store.hold(note(2), used(1, 5), None, 99).await.unwrap();

    house.clock.set(12 + REMEMBERED.as_secs());
    house.add(note(3), used(3, 9), 99).await.unwrap();
    assert!(!house.holds(note(1)).await);
    assert_eq!(house.store.replace([1; 16], 1, Bytes::new()).await.unwrap(), Replaced::Done);

    house.clock.set(3600 + REMEMBERED.as_secs());
    house.add(note(4), used(4, 9), 99).await.unwrap();
    assert_eq!(house.store.replace([1; 16], 2, Bytes::new()).await.unwrap(), Replaced::Gone);
}

pub async fn a_full_store_refuses_keys_and_forgets_none(build: Build) {
    let house = build(2);
    house.store.spend([1; 32], at(10)).await.unwrap();
    house.store.spend([2; 32], at(10)).await.unwrap();

    let third = house.store.spend([3; 32], at(10)).await;

    assert!(matches!(third, Err(StoreError::Full)), "{third:?}");
    assert_eq!(house.store.spend([1; 32], at(10)).await.unwrap(), Spent::Again);
    assert!(!house.store.is_spent([3; 32]).await.unwrap());
}

pub async fn a_full_store_has_room_for_a_key_once_one_expires(build: Build) {
    let house = build(2);
    house.store.spend([1; 32], at(20)).await.unwrap();
    house.store.spend([2; 32], at(10)).await.unwrap();
    house.clock.set(10);

    assert_eq!(house.store.spend([3; 32], at(30)).await.unwrap(), Spent::First);
    assert!(matches!(house.store.spend([4; 32], at(30)).await, Err(StoreError::Full)));
    assert_eq!(house.store.spend([1; 32], at(20)).await.unwrap(), Spent::Again);
}

pub async fn a_full_store_refuses_handles_and_forgets_none(build: Build) {
    let house = build(2);
    house.add(note(1), about(1), 99).await.unwrap();
    house.add(note(2), about(2), 99).await.unwrap();
    // What has expired is still remembered, and takes room.
    house.clock.set(10);

    let third = house.add(note(3), used(3, 10), 99).await;

    assert!(matches!(third, Err(StoreError::Full)), "{third:?}");
    assert!(house.holds(note(1)).await && house.holds(note(2)).await);
    assert!(!house.holds(note(3)).await);
    house.store.release(note(1)).await.unwrap();
    assert_eq!(house.add(note(3), used(3, 10), 99).await.unwrap(), Added::Done);
}

pub async fn a_full_store_has_room_for_a_handle_once_one_is_forgotten(build: Build) {
    let house = build(2);
    house.add(note(1), about(1), 99).await.unwrap();
    house.add(note(2), used(2, 5), 99).await.unwrap();
    house.clock.set(10 + REMEMBERED.as_secs());

    assert_eq!(house.add(note(3), about(3), 99).await.unwrap(), Added::Done);
    assert!(!house.holds(note(1)).await && house.holds(note(2)).await);
}
