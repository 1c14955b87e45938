//! The file of a store, seen from inside: what its calls cost, and what a disk that fails leaves behind.

use std::sync::atomic::AtomicU64;
use std::time::Duration;

use super::super::HandleName;
use super::*;

#[tokio::test]
async fn a_full_disk_makes_it_unavailable_and_leaves_nothing_half_done() {
    let file = File::new();
    let store = file.open();
    {
        let writer = store.writer.lock().await;
        let pages: i64 = writer.query_row("PRAGMA page_count", [], |row| row.get(0)).unwrap();
        let most = pages + 4;
        writer.query_row(&format!("PRAGMA max_page_count = {most}"), [], |_| Ok(())).unwrap();
    }

    let added = store.hold(key(1), holding(1), Some(vec![7; 1 << 20].into()), 9).await;

    assert!(matches!(added, Err(StoreError::Unavailable(_))), "{added:?}");
    assert_eq!(store.held(key(1)).await.unwrap(), None);
    assert_eq!(count(&store, "SELECT count(*) FROM records").await, 0);
    assert_eq!(count(&store, "SELECT bytes + holdings FROM totals").await, 0);
    assert_eq!(store.spend([1; 32], at(10)).await.unwrap(), Spent::First);
}

#[tokio::test]
async fn a_file_that_becomes_read_only_makes_it_unavailable() {
    let file = File::new();
    let store = file.open();
    store.hold(key(1), holding(1), Some(Bytes::from_static(b"1")), 9).await.unwrap();
    store.writer.lock().await.pragma_update(None, "query_only", true).unwrap();

    assert!(matches!(store.spend([1; 32], at(10)).await, Err(StoreError::Unavailable(_))));
    assert!(matches!(store.touch(key(1), u64::MAX).await, Err(StoreError::Unavailable(_))));
    assert!(matches!(store.delete([1; 16]).await, Err(StoreError::Unavailable(_))));
    assert!(store.held(key(1)).await.unwrap().is_some());
}

#[tokio::test]
async fn a_file_that_another_process_keeps_locked_makes_it_unavailable() {
    let file = File::new();
    let store = file.open();
    let other = Connection::open(file.path()).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    store.writer.lock().await.busy_timeout(Duration::ZERO).unwrap();

    assert!(matches!(store.spend([1; 32], at(10)).await, Err(StoreError::Unavailable(_))));
    assert!(!store.is_spent([1; 32]).await.unwrap());

    other.execute_batch("COMMIT").unwrap();
    assert_eq!(store.spend([1; 32], at(10)).await.unwrap(), Spent::First);
}

#[tokio::test]
async fn a_call_that_panics_does_nothing_and_the_next_one_works() {
    let file = File::new();
    let store = file.open();

    let broken = store.write(Lasting::PowerCut, |it, now| -> rusqlite::Result<()> {
        spent::spend(it, [1; 32], at(10), 9, now)?;
        panic!("on purpose")
    });

    assert!(matches!(broken.await, Err(StoreError::Unavailable(_))));
    assert_eq!(store.spend([1; 32], at(10)).await.unwrap(), Spent::First);
}

#[tokio::test]
async fn a_call_forgets_a_bounded_number_of_rows() {
    let file = File::new();
    let clock = Arc::new(AtomicU64::new(0));
    let hand = Arc::clone(&clock);
    let store = file.open().with_clock(move || at(hand.load(Relaxed)));
    for it in 0..20 {
        store.spend([it; 32], at(10)).await.unwrap();
        store.hold(key(it), holding(it), Some(Bytes::from_static(b"1")), 99).await.unwrap();
    }
    clock.store(20 + super::super::REMEMBERED.as_secs(), Relaxed);

    assert_eq!(store.spend([99; 32], at(9_999_999)).await.unwrap(), Spent::First);
    let mut late = holding(99);
    late.used += 9_999_999;
    late.ends += 9_999_999;
    store.hold(key(99), late, None, 99).await.unwrap();

    assert_eq!(count(&store, "SELECT count(*) FROM spent").await, 5);
    assert_eq!(count(&store, "SELECT count(*) FROM holdings").await, 5);
    assert_eq!(count(&store, "SELECT count(*) FROM records").await, 4);
    assert_eq!(count(&store, "SELECT spent + holdings + bytes FROM totals").await, 14);
}

#[tokio::test]
async fn a_full_store_forgets_even_when_it_refuses() {
    let file = File::new();
    let clock = Arc::new(AtomicU64::new(0));
    let hand = Arc::clone(&clock);
    let store = file.open().with_clock(move || at(hand.load(Relaxed)));
    for it in 0..40 {
        store.spend([it; 32], at(10)).await.unwrap();
    }
    clock.store(10, Relaxed);
    let store = store.with_limit(10);

    assert!(matches!(store.spend([99; 32], at(20)).await, Err(StoreError::Full)));
    assert_eq!(store.spend([99; 32], at(20)).await.unwrap(), Spent::First);
}

#[tokio::test]
async fn records_have_room_until_all_of_them_are_too_large() {
    let file = File::new();
    let store = file.open();
    store.hold(key(1), holding(1), Some(Bytes::from_static(b"1")), 9).await.unwrap();
    let bytes = handles::BYTES - 1;
    store.writer.lock().await.execute("UPDATE totals SET bytes = ?1", [bytes]).unwrap();

    let second = store.hold(key(2), holding(2), Some(Bytes::from_static(b"22")), 9).await;
    assert!(matches!(second, Err(StoreError::Full)), "{second:?}");
    let larger = store.replace([1; 16], 1, Bytes::from_static(b"333")).await;
    assert!(matches!(larger, Err(StoreError::Full)), "{larger:?}");
    assert_eq!(store.replace([1; 16], 1, Bytes::from_static(b"22")).await.unwrap(), Replaced::Done);
}

#[tokio::test]
async fn no_call_looks_through_a_whole_table() {
    let file = File::new();
    let store = file.open();
    let writer = store.writer.lock().await;
    let sources = [include_str!("handles.rs"), include_str!("spent.rs")];
    let statements = sources.iter().flat_map(|it| statements(it));

    let mut seen = 0;
    for statement in statements {
        let mut plan = writer.prepare(&format!("EXPLAIN QUERY PLAN {statement}")).unwrap();
        let any = vec![rusqlite::types::Value::Integer(1); plan.parameter_count()];
        let mut rows = plan.query(rusqlite::params_from_iter(any)).unwrap();
        while let Some(row) = rows.next().unwrap() {
            let step: String = row.get(3).unwrap();
            let is_small = ["SCAN totals", "SCAN CONSTANT ROW", "SCAN (subquery"];
            let is_scan = step.starts_with("SCAN") && !is_small.iter().any(|it| step.starts_with(it));
            assert!(!is_scan, "{step}: {statement}");
        }
        seen += 1;
    }
    assert_eq!(seen, 17);
}

#[tokio::test]
async fn debug_shows_where_it_is() {
    let file = File::new();

    let shown = format!("{:?}", file.open().with_limit(8));

    assert!(shown.ends_with("store.db\", limit: 8, .. }"), "{shown}");
}

/// The statements in a source, as the compiler joins their lines.
fn statements(source: &str) -> Vec<String> {
    let strings = source.split('"').skip(1).step_by(2);
    let strings = strings
        .filter(|it| ["SELECT ", "INSERT ", "UPDATE ", "DELETE "].iter().any(|verb| it.starts_with(verb)));
    strings.map(|it| it.replace("\\\n", "")).collect()
}

async fn count(store: &SqliteStore, statement: &str) -> i64 {
    store.writer.lock().await.query_row(statement, [], |row| row.get(0)).unwrap()
}

/// A file in a folder of its own, until it is dropped.
struct File(PathBuf);

impl File {
    fn new() -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("tollgate-{}-{}", std::process::id(), NEXT.fetch_add(1, Relaxed));
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn path(&self) -> PathBuf {
        self.0.join("store.db")
    }

    fn open(&self) -> SqliteStore {
        SqliteStore::open(self.path()).unwrap().with_clock(|| at(0))
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn key(number: u8) -> HandleKey {
    HandleKey { principal: [1; 32], kind: "note", name: HandleName::new([number; 16]) }
}

fn holding(number: u8) -> Holding {
    Holding {
        record: [number; 16],
        is_owner: true,
        rights: 7,
        used: 1_800_000_000,
        idle: 10,
        ends: 1_800_000_020,
        sealed: Bytes::from_static(b"sealed"),
    }
}

fn at(seconds: u64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(1_800_000_000 + seconds)
}
