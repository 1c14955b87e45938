//! A store to ask, with the time in the test's hand.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed},
    },
    time::{Duration, SystemTime},
};

use tollgate::store::{HandleKey, HandleName, Holding, MemoryStore, SqliteStore, Store};

/// When the tests begin, in seconds since 1970.
pub const START: u64 = 1_800_000_000;

/// One of the stores, and what it stands on.
pub struct House {
    pub store: Arc<dyn Store>,
    pub clock: Time,
    _folder: Option<Folder>,
}

/// Makes a store with room for so many keys and as many handles.
pub type Build = fn(usize) -> House;

pub fn in_memory(limit: usize) -> House {
    let clock = Time::new();
    let store = MemoryStore::new().with_limit(limit).with_clock(clock.hand());
    House { store: Arc::new(store), clock, _folder: None }
}

pub fn in_a_file(limit: usize) -> House {
    let clock = Time::new();
    let folder = Folder::new();
    let store = SqliteStore::open(folder.file()).unwrap().with_limit(limit).with_clock(clock.hand());
    House { store: Arc::new(store), clock, _folder: Some(folder) }
}

/// The time of a store, in seconds from the start of the test.
#[derive(Clone)]
pub struct Time(Arc<AtomicU64>);

impl Time {
    pub fn new() -> Self {
        Self(Arc::default())
    }

    pub fn set(&self, seconds: u64) {
        self.0.store(seconds, Relaxed);
    }

    pub fn hand(&self) -> impl Fn() -> SystemTime + Send + Sync + 'static {
        let clock = Arc::clone(&self.0);
        move || at(clock.load(Relaxed))
    }
}

pub fn at(seconds: u64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(START + seconds)
}

/// A folder of its own, until it is dropped.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("store-{}-{}", std::process::id(), NEXT.fetch_add(1, Relaxed));
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    pub fn file(&self) -> PathBuf {
        self.0.join("store.db")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// What the first principal calls its note of this number.
pub fn note(number: u8) -> HandleKey {
    HandleKey { principal: [1; 32], kind: "note", name: HandleName::new([number; 16]) }
}

/// About the record of this number: used at the start, for 10 seconds without use, for 30 in any case.
pub fn about(number: u8) -> Holding {
    Holding {
        record: [number; 16],
        is_owner: true,
        rights: 0b101,
        used: START,
        idle: 10,
        ends: START + 30,
        sealed: vec![number; 40].into(),
    }
}

/// About the record of this number, used so many seconds after the start.
pub fn used(number: u8, seconds: u64) -> Holding {
    Holding { used: START + seconds, ..about(number) }
}
