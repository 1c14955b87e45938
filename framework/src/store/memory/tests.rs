//! The memory of what was spent, with the time in the test's hand.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use super::*;

#[test]
fn a_key_is_spent_once() {
    let store = MemoryStore::new().with_clock(|| at(0));

    assert!(!now(store.is_spent(key(1))).unwrap());
    assert_eq!(now(store.spend(key(1), at(10))).unwrap(), Spent::First);
    assert_eq!(now(store.spend(key(1), at(10))).unwrap(), Spent::Again);
    assert!(now(store.is_spent(key(1))).unwrap());
}

#[test]
fn keys_are_spent_apart() {
    let store = MemoryStore::new().with_clock(|| at(0));

    assert_eq!(now(store.spend(key(1), at(10))).unwrap(), Spent::First);

    assert!(!now(store.is_spent(key(2))).unwrap());
    assert_eq!(now(store.spend(key(2), at(10))).unwrap(), Spent::First);
}

#[test]
fn a_key_is_remembered_until_it_expires() {
    let (store, clock) = store(8);

    now(store.spend(key(1), at(10))).unwrap();

    assert_eq!(spent_at(&store, &clock, 9), [true]);
    assert_eq!(spent_at(&store, &clock, 10), [false]);
}

#[test]
fn what_has_expired_cannot_be_spent() {
    let (store, clock) = store(8);
    now(store.spend(key(1), at(10))).unwrap();
    clock.store(10, Relaxed);

    assert_eq!(now(store.spend(key(1), at(10))).unwrap(), Spent::Again);
    assert_eq!(now(store.spend(key(2), at(10))).unwrap(), Spent::Again);
    assert_eq!(now(store.spend(key(3), at(9))).unwrap(), Spent::Again);
}

#[test]
fn a_full_store_refuses_and_forgets_nothing() {
    let (store, _) = store(2);
    now(store.spend(key(1), at(10))).unwrap();
    now(store.spend(key(2), at(10))).unwrap();

    let third = now(store.spend(key(3), at(10)));

    assert!(matches!(third, Err(StoreError::Full)), "{third:?}");
    assert_eq!(now(store.spend(key(1), at(10))).unwrap(), Spent::Again);
    assert!(!now(store.is_spent(key(3))).unwrap());
}

#[test]
fn a_full_store_has_room_once_something_expires() {
    let (store, clock) = store(2);
    now(store.spend(key(1), at(20))).unwrap();
    now(store.spend(key(2), at(10))).unwrap();
    clock.store(10, Relaxed);

    assert_eq!(now(store.spend(key(3), at(30))).unwrap(), Spent::First);
    assert_eq!(now(store.spend(key(1), at(20))).unwrap(), Spent::Again);
    assert!(matches!(now(store.spend(key(4), at(30))), Err(StoreError::Full)));
}

#[test]
fn a_call_forgets_a_bounded_number_of_keys() {
    let (store, clock) = store(100);
    (0..100).for_each(|it| assert_eq!(now(store.spend(key(it), at(10))).unwrap(), Spent::First));
    clock.store(10, Relaxed);

    now(store.spend(key(200), at(20))).unwrap();

    assert_eq!(store.memory().spent.len(), 100 - FORGOTTEN_PER_CALL + 1);
}

#[test]
fn a_key_spent_anew_is_not_forgotten_with_its_first_time() {
    let (store, clock) = store(100);
    (0..50).for_each(|it| assert_eq!(now(store.spend(key(it), at(10))).unwrap(), Spent::First));
    clock.store(10, Relaxed);
    assert_eq!(now(store.spend(key(49), at(20))).unwrap(), Spent::First);

    (100..110).for_each(|it| assert_eq!(now(store.spend(key(it), at(20))).unwrap(), Spent::First));

    assert_eq!(store.memory().spent.len(), 11);
    assert_eq!(store.memory().order.len(), 11);
    assert_eq!(now(store.spend(key(49), at(20))).unwrap(), Spent::Again);
}

#[test]
fn of_many_at_once_exactly_one_is_first() {
    let store = MemoryStore::new().with_clock(|| at(0));
    let gate = std::sync::Barrier::new(8);

    let first: usize = std::thread::scope(|scope| {
        let spend = || {
            gate.wait();
            (0..200).filter(|it| now(store.spend(key(*it), at(10))).unwrap() == Spent::First).count()
        };
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(spend)).collect();
        threads.into_iter().map(|it| it.join().unwrap()).sum()
    });

    assert_eq!(first, 200);
}

#[test]
fn a_dropped_call_spends_nothing() {
    let store = MemoryStore::new().with_clock(|| at(0));

    drop(store.spend(key(1), at(10)));

    assert!(!now(store.is_spent(key(1))).unwrap());
}

#[test]
fn a_store_can_be_shared_as_a_trait_object() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new().with_clock(|| at(0)));

    assert_eq!(now(store.spend(key(1), at(10))).unwrap(), Spent::First);
}

#[test]
fn debug_shows_how_full_it_is_and_no_key() {
    let (store, _) = store(8);
    now(store.spend(key(1), at(10))).unwrap();

    assert_eq!(format!("{store:?}"), "MemoryStore { limit: 8, remembered: 1, .. }");
}

fn store(limit: usize) -> (MemoryStore, Arc<AtomicU64>) {
    let clock = Arc::new(AtomicU64::new(0));
    let hand = Arc::clone(&clock);
    (MemoryStore::new().with_limit(limit).with_clock(move || at(hand.load(Relaxed))), clock)
}

fn spent_at(store: &MemoryStore, clock: &AtomicU64, seconds: u64) -> [bool; 1] {
    clock.store(seconds, Relaxed);
    [now(store.is_spent(key(1))).unwrap()]
}

/// The store never waits, so its futures are ready at once.
fn now<T>(mut future: BoxFuture<'_, T>) -> T {
    match future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("the store waits"),
    }
}

fn key(number: u8) -> [u8; 32] {
    [number; 32]
}

fn at(seconds: u64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(1_800_000_000 + seconds)
}
