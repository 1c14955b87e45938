//! The keys that were spent, in the file.

use std::time::SystemTime;

use rusqlite::{Connection, OptionalExtension, Transaction, params};

use super::super::Spent;
use super::{FORGOTTEN_PER_CALL, at_most};

/// `None` when the store is full. What was forgotten then stays forgotten.
pub(super) fn spend(
    file: &Transaction<'_>,
    key: [u8; 32],
    expires: SystemTime,
    limit: usize,
    now: SystemTime,
) -> rusqlite::Result<Option<Spent>> {
    forget_some(file, now)?;
    if expires <= now || is_spent(file, key, now)? {
        return Ok(Some(Spent::Again));
    }
    let count: i64 = file.prepare_cached("SELECT spent FROM totals")?.query_row([], |row| row.get(0))?;
    if count >= at_most(limit) {
        return Ok(None);
    }
    let spend = "INSERT INTO spent (key, expires) VALUES (?1, ?2) \
                 ON CONFLICT (key) DO UPDATE SET expires = excluded.expires";
    file.prepare_cached(spend)?.execute(params![key, nanoseconds(expires)])?;
    Ok(Some(Spent::First))
}

pub(super) fn is_spent(file: &Connection, key: [u8; 32], now: SystemTime) -> rusqlite::Result<bool> {
    let find = "SELECT expires FROM spent WHERE key = ?1";
    let expires: Option<i64> = file.prepare_cached(find)?.query_row([key], |row| row.get(0)).optional()?;
    Ok(expires.is_some_and(|expires| nanoseconds(now) < expires))
}

fn forget_some(file: &Transaction<'_>, now: SystemTime) -> rusqlite::Result<()> {
    let forget = "DELETE FROM spent WHERE key IN \
                  (SELECT key FROM spent WHERE expires <= ?1 ORDER BY expires LIMIT ?2)";
    file.prepare_cached(forget)?.execute(params![nanoseconds(now), FORGOTTEN_PER_CALL])?;
    Ok(())
}

/// Since 1970. They last until 2262.
fn nanoseconds(time: SystemTime) -> i64 {
    match time.duration_since(SystemTime::UNIX_EPOCH) {
        Ok(after) => at_most(after.as_nanos()),
        Err(before) => -at_most(before.duration().as_nanos()),
    }
}
