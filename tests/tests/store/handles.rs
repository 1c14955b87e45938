//! Who holds which record.

use std::sync::Arc;

use bytes::Bytes;
use tollgate::store::{Added, Found, HandleKey, Holding, Replaced, Store, StoredRecord};

use super::kit::{Build, START, about, note, used};

/// What another principal calls the note of the same name.
fn of_another(number: u8) -> HandleKey {
    HandleKey { principal: [2; 32], ..note(number) }
}

fn text(text: &'static str) -> Bytes {
    Bytes::from_static(text.as_bytes())
}

async fn hold(store: &Arc<dyn Store>, key: HandleKey, holding: Holding, record: Option<&'static str>) {
    let added = store.hold(key, holding, record.map(text), 99).await.unwrap();
    assert_eq!(added, Added::Done);
}

async fn record(store: &Arc<dyn Store>, key: HandleKey) -> Option<StoredRecord> {
    store.held(key).await.unwrap().expect("it is held").record
}

pub async fn what_is_held_comes_back_as_it_was(build: Build) {
    let house = build(1000);
    let store = &house.store;
    let shared = Holding { is_owner: false, rights: 255, sealed: Bytes::new(), ..about(2) };

    hold(store, note(1), about(1), Some(r#"{"text":"ä"}"#)).await;
    hold(store, note(2), shared.clone(), Some("2")).await;

    let first = StoredRecord { version: 1, data: text(r#"{"text":"ä"}"#) };
    assert_eq!(store.held(note(1)).await.unwrap(), Some(Found { holding: about(1), record: Some(first) }));
    assert_eq!(store.held(note(2)).await.unwrap().unwrap().holding, shared);
}

pub async fn the_largest_numbers_come_back_as_they_were(build: Build) {
    let house = build(1000);
    let store = &house.store;
    let endless = Holding { idle: u64::MAX, ends: u64::MAX, ..about(1) };

    hold(store, note(1), endless.clone(), Some("1")).await;

    assert_eq!(store.held(note(1)).await.unwrap().unwrap().holding, endless);
    assert_eq!(store.holdings([1; 32], "note", usize::MAX).await.unwrap(), [endless]);
}

pub async fn whoever_asks_otherwise_finds_nothing(build: Build) {
    let house = build(1000);
    let store = &house.store;
    hold(store, note(1), about(1), Some("1")).await;

    assert_eq!(store.held(note(2)).await.unwrap(), None);
    assert_eq!(store.held(of_another(1)).await.unwrap(), None);
    assert_eq!(store.held(HandleKey { kind: "notes", ..note(1) }).await.unwrap(), None);
    assert!(!store.release(of_another(1)).await.unwrap());
    assert!(store.held(note(1)).await.unwrap().is_some());
}

pub async fn a_record_may_be_empty_or_large(build: Build) {
    let house = build(1000);
    let store = &house.store;
    let large = Bytes::from(vec![b'x'; 3 << 20]);

    hold(store, note(1), about(1), Some("")).await;
    store.hold(note(2), about(2), Some(large.clone()), 99).await.unwrap();

    assert_eq!(record(store, note(1)).await.unwrap().data, Bytes::new());
    assert_eq!(record(store, note(2)).await.unwrap().data, large);
}

pub async fn one_record_may_have_several_holdings(build: Build) {
    let house = build(1000);
    let store = &house.store;
    hold(store, note(1), about(1), Some("1")).await;
    hold(store, of_another(7), about(1), None).await;

    assert_eq!(store.replace([1; 16], 1, text("2")).await.unwrap(), Replaced::Done);

    let second = Some(StoredRecord { version: 2, data: text("2") });
    assert_eq!(record(store, note(1)).await, second);
    assert_eq!(record(store, of_another(7)).await, second);
}

pub async fn a_holding_may_be_about_no_record(build: Build) {
    let house = build(1000);
    let store = &house.store;

    hold(store, note(1), about(1), None).await;

    assert_eq!(store.held(note(1)).await.unwrap(), Some(Found { holding: about(1), record: None }));
}

pub async fn a_use_is_noted_unless_it_is_earlier(build: Build) {
    let house = build(1000);
    let store = &house.store;
    hold(store, note(1), about(1), Some("1")).await;

    store.touch(note(1), START + 5).await.unwrap();
    assert_eq!(store.held(note(1)).await.unwrap().unwrap().holding, used(1, 5));

    store.touch(note(1), START + 4).await.unwrap();
    assert_eq!(store.held(note(1)).await.unwrap().unwrap().holding, used(1, 5));
}

pub async fn a_use_of_what_is_not_there_changes_nothing(build: Build) {
    let house = build(1000);
    let store = &house.store;
    hold(store, note(1), about(1), Some("1")).await;

    store.touch(note(2), START + 5).await.unwrap();
    store.touch(of_another(1), START + 5).await.unwrap();

    assert_eq!(store.held(note(2)).await.unwrap(), None);
    assert_eq!(store.held(note(1)).await.unwrap().unwrap().holding, about(1));
}

pub async fn a_record_is_replaced_if_it_has_the_version(build: Build) {
    let house = build(1000);
    let store = &house.store;
    hold(store, note(1), about(1), Some("1")).await;

    assert_eq!(store.replace([1; 16], 2, text("x")).await.unwrap(), Replaced::Changed);
    assert_eq!(store.replace([1; 16], 0, text("x")).await.unwrap(), Replaced::Changed);
    assert_eq!(store.replace([1; 16], 1, text("second")).await.unwrap(), Replaced::Done);
    assert_eq!(store.replace([1; 16], 1, text("x")).await.unwrap(), Replaced::Changed);
    assert_eq!(store.replace([2; 16], 1, text("x")).await.unwrap(), Replaced::Gone);

    assert_eq!(record(store, note(1)).await, Some(StoredRecord { version: 2, data: text("second") }));
}

pub async fn of_two_updates_with_one_version_exactly_one_is_done(build: Build) {
    let house = build(1000);
    let store = &house.store;
    hold(store, note(1), about(1), Some("1")).await;

    for version in 1..20 {
        let both = ["a", "b"].map(|data| {
            let store = Arc::clone(store);
            tokio::spawn(async move { store.replace([1; 16], version, text(data)).await.unwrap() })
        });
        let mut outcomes = Vec::new();
        for task in both {
            outcomes.push(task.await.unwrap());
        }

        assert!(outcomes.contains(&Replaced::Done) && outcomes.contains(&Replaced::Changed), "{outcomes:?}");
    }
    assert_eq!(record(store, note(1)).await.unwrap().version, 20);
}

pub async fn a_deleted_record_is_gone_for_all_its_holders(build: Build) {
    let house = build(1000);
    let store = &house.store;
    hold(store, note(1), about(1), Some("1")).await;
    hold(store, of_another(1), about(1), None).await;
    hold(store, note(2), about(2), Some("2")).await;

    store.delete([1; 16]).await.unwrap();
    store.delete([1; 16]).await.unwrap();

    assert_eq!(record(store, note(1)).await, None);
    assert_eq!(record(store, of_another(1)).await, None);
    assert_eq!(store.replace([1; 16], 1, text("x")).await.unwrap(), Replaced::Gone);
    assert!(record(store, note(2)).await.is_some());
}

pub async fn a_released_holding_is_gone_and_the_others_stay(build: Build) {
    let house = build(1000);
    let store = &house.store;
    hold(store, note(1), about(1), Some("1")).await;
    hold(store, of_another(1), about(1), None).await;

    assert!(store.release(of_another(1)).await.unwrap());
    assert!(!store.release(of_another(1)).await.unwrap());

    assert_eq!(store.held(of_another(1)).await.unwrap(), None);
    assert!(record(store, note(1)).await.is_some());
}

pub async fn a_record_goes_with_its_last_holding(build: Build) {
    let house = build(1000);
    let store = &house.store;
    hold(store, note(1), about(1), Some("1")).await;
    hold(store, of_another(1), about(1), None).await;

    store.release(note(1)).await.unwrap();
    assert_eq!(store.replace([1; 16], 1, text("2")).await.unwrap(), Replaced::Done);

    store.release(of_another(1)).await.unwrap();
    assert_eq!(store.replace([1; 16], 2, text("3")).await.unwrap(), Replaced::Gone);
}

pub async fn a_replaced_holding_lets_its_record_go(build: Build) {
    let house = build(1000);
    let store = &house.store;
    hold(store, note(1), about(1), Some("1")).await;

    hold(store, note(1), about(2), Some("2")).await;

    assert_eq!(store.held(note(1)).await.unwrap().unwrap().holding, about(2));
    assert_eq!(record(store, note(1)).await.unwrap().data, text("2"));
    assert_eq!(store.replace([1; 16], 1, text("x")).await.unwrap(), Replaced::Gone);
    assert_eq!(store.holdings([1; 32], "note", 9).await.unwrap(), [about(2)]);
}

pub async fn a_replaced_holding_keeps_the_record_that_it_is_still_about(build: Build) {
    let house = build(1000);
    let store = &house.store;
    hold(store, note(1), about(1), Some("1")).await;
    let less = Holding { rights: 1, ..about(1) };

    hold(store, note(1), less.clone(), None).await;

    let first = StoredRecord { version: 1, data: text("1") };
    assert_eq!(store.held(note(1)).await.unwrap(), Some(Found { holding: less, record: Some(first) }));
    assert!(store.release(note(1)).await.unwrap());
    assert_eq!(store.replace([1; 16], 1, text("x")).await.unwrap(), Replaced::Gone);
}

pub async fn a_holding_is_replaced_together_with_its_record(build: Build) {
    let house = build(1000);
    let store = &house.store;
    hold(store, note(1), about(1), Some("1")).await;
    hold(store, of_another(1), about(1), None).await;

    hold(store, note(1), about(1), Some("anew")).await;

    store.release(note(1)).await.unwrap();
    assert_eq!(record(store, of_another(1)).await, Some(StoredRecord { version: 1, data: text("anew") }));
    store.release(of_another(1)).await.unwrap();
    assert_eq!(store.replace([1; 16], 1, text("x")).await.unwrap(), Replaced::Gone);
}

pub async fn holdings_are_listed_newest_first_and_at_most_so_many(build: Build) {
    let house = build(1000);
    let store = &house.store;
    for (number, seconds) in [(1, 3), (2, 5), (3, 1), (4, 4)] {
        hold(store, note(number), used(number, seconds), Some("1")).await;
    }
    store.touch(note(3), START + 9).await.unwrap();

    let all = [used(3, 9), used(2, 5), used(4, 4), used(1, 3)];
    assert_eq!(store.holdings([1; 32], "note", 9).await.unwrap(), all);
    assert_eq!(store.holdings([1; 32], "note", 2).await.unwrap(), all[..2]);
    assert_eq!(store.holdings([1; 32], "note", 0).await.unwrap(), []);
}

pub async fn what_has_expired_or_lost_its_record_is_not_listed(build: Build) {
    let house = build(1000);
    let store = &house.store;
    for number in 1..=4 {
        hold(store, note(number), about(number), Some("1")).await;
    }
    hold(store, note(5), about(5), None).await;
    store.touch(note(1), START + 8).await.unwrap();
    store.touch(note(2), START + 8).await.unwrap();
    store.delete([2; 16]).await.unwrap();

    house.clock.set(9);
    assert_eq!(store.holdings([1; 32], "note", 9).await.unwrap(), [used(1, 8), about(4), about(3)]);
    house.clock.set(10);
    assert_eq!(store.holdings([1; 32], "note", 9).await.unwrap(), [used(1, 8)]);
    store.touch(note(1), START + 25).await.unwrap();
    house.clock.set(29);
    assert_eq!(store.holdings([1; 32], "note", 9).await.unwrap(), [used(1, 25)]);
    house.clock.set(30);
    assert_eq!(store.holdings([1; 32], "note", 9).await.unwrap(), []);
}

pub async fn principals_and_kinds_are_listed_apart(build: Build) {
    let house = build(1000);
    let store = &house.store;
    hold(store, note(1), about(1), Some("1")).await;
    hold(store, of_another(1), about(2), Some("2")).await;
    hold(store, HandleKey { kind: "list", ..note(1) }, about(3), Some("3")).await;

    assert_eq!(store.holdings([1; 32], "note", 9).await.unwrap(), [about(1)]);
    assert_eq!(store.holdings([2; 32], "note", 9).await.unwrap(), [about(2)]);
    assert_eq!(store.holdings([1; 32], "list", 9).await.unwrap(), [about(3)]);
    assert_eq!(store.holdings([2; 32], "list", 9).await.unwrap(), []);
}
