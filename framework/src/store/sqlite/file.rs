//! Opening the file: who may read it, what it must be, and what stands in it.

use std::fs::OpenOptions;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags, TransactionBehavior::Immediate};

use super::super::StoreError;
use super::{READERS, unavailable};

pub(super) fn open(path: &Path) -> Result<(Connection, [Connection; READERS]), StoreError> {
    // Closing any handle of a file drops all locks that the process has on it, so nobody may have a connection while
    // the handle that made the file is closed.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _one = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    make(path).map_err(unavailable)?;
    let mut writer = connect(path).map_err(unavailable)?;
    if writer.is_readonly("main").map_err(unavailable)? {
        return Err(StoreError::Unavailable("the file cannot be written".into()));
    }
    // Before anything is changed: it may be another program's.
    is_empty(&writer)?;
    keep_a_log(&writer)?;
    let transaction = writer.transaction_with_behavior(Immediate).map_err(unavailable)?;
    if is_empty(&transaction)? {
        transaction.execute_batch(include_str!("schema.sql")).map_err(unavailable)?;
    }
    transaction.commit().map_err(unavailable)?;
    let mut readers = Vec::with_capacity(READERS);
    for _ in 0..READERS {
        readers.push(connect(path).map_err(unavailable)?);
    }
    let readers = readers.try_into().expect("as many were made");
    Ok((writer, readers))
}

/// SQLite gives its other files the mode of this one.
fn make(path: &Path) -> std::io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(error),
        Ok(_) | Err(_) => Ok(()),
    }
}

fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(PATIENCE)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    Ok(connection)
}

/// Whether the file has still to be filled. What is neither empty nor ours is an error.
fn is_empty(connection: &Connection) -> Result<bool, StoreError> {
    // In one statement, so that it is about one state of the file.
    let (application, version, tables) = connection
        .query_row(
            "SELECT (SELECT application_id FROM pragma_application_id), \
                    (SELECT user_version FROM pragma_user_version), \
                    (SELECT count(*) FROM sqlite_schema)",
            [],
            |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?, row.get::<_, i64>(2)?)),
        )
        .map_err(unavailable)?;
    match (application, version, tables) {
        (0, 0, 0) => Ok(true),
        (APPLICATION, VERSION, _) => Ok(false),
        (APPLICATION, newer, _) if newer > VERSION => Err(StoreError::Unavailable(
            format!(
                "the file has version {newer}, and this version of `tollgate` knows no newer than {VERSION}: \
                 update `tollgate`, or use another file"
            )
            .into(),
        )),
        _ => Err(StoreError::Unavailable("the file is not a store of `tollgate`".into())),
    }
}

/// Turns on the write-ahead log, which lets others read while one writes.
fn keep_a_log(connection: &Connection) -> Result<(), StoreError> {
    for _ in 0..TRIES {
        let mode =
            connection.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get::<_, String>(0));
        match mode {
            Ok(mode) if mode == "wal" => return Ok(()),
            Ok(_) => return Err(StoreError::Unavailable("the file cannot have a write-ahead log".into())),
            // Processes that open a new file together get into each other's way, and SQLite does not always wait.
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) => {
                thread::sleep(Duration::from_millis(10));
            }
            Err(error) => return Err(unavailable(error)),
        }
    }
    Err(StoreError::Unavailable("other processes keep the file locked".into()))
}

/// `Toll`, in `schema.sql` too.
const APPLICATION: i64 = 0x546f_6c6c;
/// Of the tables, in `schema.sql` too.
const VERSION: i64 = 1;
/// How long a call waits for other processes.
const PATIENCE: Duration = Duration::from_secs(5);
const TRIES: usize = 50;
/// More than there are.
const STATEMENTS: usize = 32;
