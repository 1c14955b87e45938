//! A store in one file that the processes of one machine share.

mod file;
mod spent;
mod handles;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::SystemTime;

use bytes::Bytes;
use rusqlite::{Connection, Transaction, TransactionBehavior::Immediate};
use tokio::sync::Mutex;

use super::{Added, BoxFuture, Found, HandleKey, Holding, Replaced, Spent, Store, StoreError};

/// Remembers what was spent, and keeps what handles name, in a file that outlives the process.
///
/// It is right for one machine: any number of its processes may open the same file, and each sees at once what the
/// others did. The file must lie on a disk of that machine, for SQLite's shared memory (`-shm`, beside the log
/// `-wal`) does not work over a network. Only its owner can read a file that was made here; it is not encrypted. The
/// handles in it are hashed or sealed, the records are not. The space of what was forgotten is used again, so a file
/// does not shrink.
///
/// **What stays.** What a call has answered is there after the process was killed, and after a power cut if the disk
/// keeps what it says it has written. A power cut may lose the last uses that were noted by
/// [`touch`](Store::touch), nothing else: a handle may then end earlier, by as long as it was used since.
///
/// **What fails.** A full disk, a file that became read-only, or a file that another process has locked for more than
/// five seconds is [`StoreError::Unavailable`], and nothing of that call is done. A call that has begun runs to its
/// end when its future is dropped.
///
/// At most 1 000 000 keys are remembered, about 130 MB. When that many are spent and none has expired, spending fails
/// with [`StoreError::Full`]: nothing is forgotten to make room. For handles the same holds, with as many of them and
/// 1 GiB of records. These limits are about the file; processes that share one should have the same.
///
/// Its calls must be made on a tokio runtime: they wait for the disk on its threads for blocking work.
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// # let folder = std::env::temp_dir().join(format!("tollgate-doc-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder).unwrap();
/// # let path = folder.join("store.db");
/// use std::time::{Duration, SystemTime};
/// use tollgate::store::{SqliteStore, Spent, Store};
///
/// let expires = SystemTime::now() + Duration::from_secs(600);
///
/// let store = SqliteStore::open(&path).unwrap();
/// assert_eq!(store.spend([7; 32], expires).await.unwrap(), Spent::First);
/// drop(store);
///
/// let store = SqliteStore::open(&path).unwrap();
/// assert_eq!(store.spend([7; 32], expires).await.unwrap(), Spent::Again);
/// # drop(store);
/// # std::fs::remove_dir_all(&folder).unwrap();
/// # });
/// ```
pub struct SqliteStore {
    path: PathBuf,
    limit: usize,
    clock: Arc<dyn Fn() -> SystemTime + Send + Sync>,
    /// SQLite lets one write at a time. Who waits for its turn here waits in order and holds no thread.
    writer: Arc<Mutex<Connection>>,
    /// They see the last state that was committed, and wait for no writer.
    readers: [Arc<Mutex<Connection>>; READERS],
    next: AtomicUsize,
}

impl SqliteStore {
    /// Opens the file at this path, or makes it, with mode 0600 on Unix. The folder must be there.
    ///
    /// It waits for the disk: call it at start.
    ///
    /// # Errors
    ///
    /// [`StoreError::Unavailable`] if the file cannot be made, read or written, if it is something else than a store,
    /// or if a newer version of Tollgate has written it.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        // The folder in which the process runs may change later.
        let path = std::path::absolute(path).map_err(unavailable)?;
        let (writer, readers) = file::open(&path)?;
        Ok(Self {
            path,
            limit: DEFAULT_LIMIT,
            clock: Arc::new(SystemTime::now),
            writer: Arc::new(Mutex::new(writer)),
            readers: readers.map(|it| Arc::new(Mutex::new(it))),
            next: AtomicUsize::new(0),
        })
    }

    /// Changes how many keys, and how many handles, are remembered at most. A key takes about 130 bytes.
    #[must_use]
    pub fn with_limit(mut self, keys: usize) -> Self {
        self.limit = keys;
        self
    }

    /// Takes the time from this function instead of the system's clock, for tests.
    #[must_use]
    pub fn with_clock(mut self, clock: impl Fn() -> SystemTime + Send + Sync + 'static) -> Self {
        self.clock = Arc::new(clock);
        self
    }

    /// Does all of the work or nothing, alone over all processes.
    async fn write<T: Send + 'static>(
        &self,
        lasting: Lasting,
        work: impl FnOnce(&Transaction<'_>, SystemTime) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let clock = Arc::clone(&self.clock);
        let mut writer = Arc::clone(&self.writer).lock_owned().await;
        blocking(move || {
            writer.pragma_update(None, "synchronous", lasting.level())?;
            let transaction = writer.transaction_with_behavior(Immediate)?;
            // Read under the lock, so that time does not go back from one call to the next.
            let output = work(&transaction, clock())?;
            transaction.commit()?;
            Ok(output)
        })
        .await
    }

    /// Runs one statement that only reads.
    async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection, SystemTime) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let clock = Arc::clone(&self.clock);
        let reader = &self.readers[self.next.fetch_add(1, Relaxed) % READERS];
        let reader = Arc::clone(reader).lock_owned().await;
        blocking(move || work(&reader, clock())).await
    }
}

/// Once it has begun it goes on to its end, whether or not somebody still waits for it.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> rusqlite::Result<T> + Send + 'static,
) -> Result<T, StoreError> {
    tokio::task::spawn_blocking(work).await.map_err(unavailable)?.map_err(unavailable)
}

fn unavailable(error: impl std::error::Error + Send + Sync + 'static) -> StoreError {
    StoreError::Unavailable(Box::new(error))
}

/// What a commit survives besides the end of the process.
enum Lasting {
    /// A power cut: the commit waits until the disk has it.
    PowerCut,
    /// No more than that; the next commit that waits for the disk takes it along.
    Process,
}

impl Lasting {
    fn level(&self) -> &'static str {
        match self {
            Self::PowerCut => "FULL",
            Self::Process => "NORMAL",
        }
    }
}

impl Store for SqliteStore {
    fn spend(&self, key: [u8; 32], expires: SystemTime) -> BoxFuture<'_, Result<Spent, StoreError>> {
        let limit = self.limit;
        Box::pin(async move {
            let spent =
                self.write(Lasting::PowerCut, move |it, now| spent::spend(it, key, expires, limit, now));
            spent.await?.ok_or(StoreError::Full)
        })
    }

    fn is_spent(&self, key: [u8; 32]) -> BoxFuture<'_, Result<bool, StoreError>> {
        Box::pin(self.read(move |it, now| spent::is_spent(it, key, now)))
    }

    fn hold(
        &self,
        key: HandleKey,
        holding: Holding,
        record: Option<Bytes>,
        most: usize,
    ) -> BoxFuture<'_, Result<Added, StoreError>> {
        let limit = self.limit;
        Box::pin(async move {
            let added = self.write(Lasting::PowerCut, move |it, now| {
                handles::hold(it, &key, &holding, record.as_deref(), most, limit, seconds(now))
            });
            added.await?.ok_or(StoreError::Full)
        })
    }

    fn held(&self, key: HandleKey) -> BoxFuture<'_, Result<Option<Found>, StoreError>> {
        Box::pin(self.read(move |it, _| handles::held(it, &key)))
    }

    fn touch(&self, key: HandleKey, used: u64) -> BoxFuture<'_, Result<(), StoreError>> {
        Box::pin(self.write(Lasting::Process, move |it, _| handles::touch(it, &key, used)))
    }

    fn replace(
        &self,
        record: [u8; 16],
        version: u64,
        data: Bytes,
    ) -> BoxFuture<'_, Result<Replaced, StoreError>> {
        Box::pin(async move {
            let replaced =
                self.write(Lasting::PowerCut, move |it, _| handles::replace(it, record, version, &data));
            replaced.await?.ok_or(StoreError::Full)
        })
    }

    fn delete(&self, record: [u8; 16]) -> BoxFuture<'_, Result<(), StoreError>> {
        Box::pin(self.write(Lasting::PowerCut, move |it, _| handles::delete(it, record)))
    }

    fn release(&self, key: HandleKey) -> BoxFuture<'_, Result<bool, StoreError>> {
        Box::pin(self.write(Lasting::PowerCut, move |it, _| handles::release(it, &key)))
    }

    fn holdings(
        &self,
        principal: [u8; 32],
        kind: &'static str,
        most: usize,
    ) -> BoxFuture<'_, Result<Vec<Holding>, StoreError>> {
        Box::pin(self.read(move |it, now| handles::of(it, principal, kind, most, seconds(now))))
    }
}

fn seconds(now: SystemTime) -> i64 {
    now.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |it| at_most(it.as_secs()))
}

/// SQLite's integers have a sign. What is beyond them is as good as their end.
fn at_most<T: TryInto<i64>>(number: T) -> i64 {
    number.try_into().unwrap_or(i64::MAX)
}

impl fmt::Debug for SqliteStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqliteStore")
            .field("path", &self.path)
            .field("limit", &self.limit)
            .finish_non_exhaustive()
    }
}

/// The rows of a table `of` that a call removes at most: more than one call adds, so that the file empties again, and
/// few enough that no call waits for a flood that expires at once.
const FORGOTTEN_PER_CALL: i64 = 16;

const DEFAULT_LIMIT: usize = 1_000_000;

const READERS: usize = 4;

#[cfg(test)]
mod tests;
