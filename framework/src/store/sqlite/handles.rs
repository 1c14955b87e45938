//! Handles and records, in the file.
//!
//! Numbers without a sign are written with one, bit by bit, so that each comes back as it was. None of those that are
//! compared in the file reaches the sign in this universe; `expires` stops before it.

use rusqlite::{Connection, OptionalExtension, Row, Transaction, named_params, params};

use super::super::{Added, Found, HandleKey, Holding, REMEMBERED, Replaced, StoredRecord};
use super::{FORGOTTEN_PER_CALL, at_most};

/// `None` when the store is full. What was forgotten then stays forgotten.
pub(super) fn hold(
    file: &Transaction<'_>,
    key: &HandleKey,
    holding: &Holding,
    record: Option<&[u8]>,
    most: usize,
    limit: usize,
    now: i64,
) -> rusqlite::Result<Option<Added>> {
    forget_some(file, now)?;
    let count = "SELECT count(*) FROM \
                 (SELECT 1 FROM holdings WHERE principal = ?1 AND kind = ?2 AND ?3 < expires \
                 AND EXISTS (SELECT 1 FROM records WHERE records.id = record) LIMIT ?4)";
    let most = at_most(most);
    let live: i64 = file
        .prepare_cached(count)?
        .query_row(params![key.principal, key.kind, now, most], |row| row.get(0))?;
    if live >= most {
        return Ok(Some(Added::TooMany));
    }
    let (holdings, bytes) = totals(file)?;
    if holdings >= at_most(limit) || bytes + at_most(record.map_or(0, <[u8]>::len)) > BYTES {
        return Ok(None);
    }
    if let Some(data) = record {
        let add = "INSERT INTO records (id, version, data) VALUES (?1, 1, ?2) \
                   ON CONFLICT (id) DO UPDATE SET version = 1, data = excluded.data";
        file.prepare_cached(add)?.execute(params![holding.record, data])?;
    }
    add(file, key, holding)?;
    Ok(Some(Added::Done))
}

fn forget_some(file: &Transaction<'_>, now: i64) -> rusqlite::Result<()> {
    let forget = "DELETE FROM holdings WHERE id IN \
                  (SELECT id FROM holdings WHERE expires <= ?1 ORDER BY expires LIMIT ?2)";
    let ended = now - at_most(REMEMBERED.as_secs());
    file.prepare_cached(forget)?.execute(params![ended, FORGOTTEN_PER_CALL])?;
    Ok(())
}

fn totals(file: &Transaction<'_>) -> rusqlite::Result<(i64, i64)> {
    let totals = "SELECT holdings, bytes FROM totals";
    file.prepare_cached(totals)?.query_row([], |row| Ok((row.get(0)?, row.get(1)?)))
}

fn add(file: &Transaction<'_>, key: &HandleKey, holding: &Holding) -> rusqlite::Result<()> {
    let add = "INSERT INTO holdings \
               (principal, kind, name, record, is_owner, rights, used, idle, ends, expires, sealed) VALUES \
               (:principal, :kind, :name, :record, :is_owner, :rights, :used, :idle, :ends, :expires, :sealed) \
               ON CONFLICT (principal, kind, name) DO UPDATE SET \
               record = excluded.record, is_owner = excluded.is_owner, rights = excluded.rights, \
               used = excluded.used, idle = excluded.idle, ends = excluded.ends, \
               expires = excluded.expires, sealed = excluded.sealed";
    file.prepare_cached(add)?.execute(named_params! {
        ":principal": key.principal,
        ":kind": key.kind,
        ":name": key.name.hashed(),
        ":record": holding.record,
        ":is_owner": holding.is_owner,
        ":rights": holding.rights,
        ":used": holding.used.cast_signed(),
        ":idle": holding.idle.cast_signed(),
        ":ends": holding.ends.cast_signed(),
        ":expires": at_most(holding.expires()),
        ":sealed": &holding.sealed[..],
    })?;
    Ok(())
}

/// A key that is not there is one search in the index, whoever holds the name and whether anybody does.
pub(super) fn held(file: &Connection, key: &HandleKey) -> rusqlite::Result<Option<Found>> {
    let find = "SELECT record, is_owner, rights, used, idle, ends, sealed, version, data \
                FROM holdings LEFT JOIN records ON records.id = holdings.record \
                WHERE principal = ?1 AND kind = ?2 AND name = ?3";
    let held = |row: &Row<'_>| {
        let version: Option<i64> = row.get(7)?;
        let record = match version {
            Some(version) => Some(StoredRecord {
                version: version.cast_unsigned(),
                data: row.get::<_, Vec<u8>>(8)?.into(),
            }),
            None => None,
        };
        Ok(Found { holding: holding(row)?, record })
    };
    file.prepare_cached(find)?.query_row(params![key.principal, key.kind, key.name.hashed()], held).optional()
}

fn holding(row: &Row<'_>) -> rusqlite::Result<Holding> {
    Ok(Holding {
        record: row.get(0)?,
        is_owner: row.get(1)?,
        rights: row.get(2)?,
        used: row.get::<_, i64>(3)?.cast_unsigned(),
        idle: row.get::<_, i64>(4)?.cast_unsigned(),
        ends: row.get::<_, i64>(5)?.cast_unsigned(),
        sealed: row.get::<_, Vec<u8>>(6)?.into(),
    })
}

pub(super) fn touch(file: &Transaction<'_>, key: &HandleKey, used: u64) -> rusqlite::Result<()> {
    let find = "SELECT record, is_owner, rights, used, idle, ends, sealed FROM holdings \
                WHERE principal = ?1 AND kind = ?2 AND name = ?3";
    let found = file
        .prepare_cached(find)?
        .query_row(params![key.principal, key.kind, key.name.hashed()], holding)
        .optional()?
        .filter(|it| it.used < used);
    let Some(mut holding) = found else { return Ok(()) };
    holding.used = used;
    let touch = "UPDATE holdings SET used = ?4, expires = ?5 \
                 WHERE principal = ?1 AND kind = ?2 AND name = ?3";
    file.prepare_cached(touch)?.execute(params![
        key.principal,
        key.kind,
        key.name.hashed(),
        used.cast_signed(),
        at_most(holding.expires()),
    ])?;
    Ok(())
}

/// `None` when the store is full.
pub(super) fn replace(
    file: &Transaction<'_>,
    record: [u8; 16],
    version: u64,
    data: &[u8],
) -> rusqlite::Result<Option<Replaced>> {
    let find = "SELECT version, length(data) FROM records WHERE id = ?1";
    let found: Option<(i64, i64)> =
        file.prepare_cached(find)?.query_row([record], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    let Some((current, length)) = found else { return Ok(Some(Replaced::Gone)) };
    if current.cast_unsigned() != version {
        return Ok(Some(Replaced::Changed));
    }
    let (_, bytes) = totals(file)?;
    if bytes - length + at_most(data.len()) > BYTES {
        return Ok(None);
    }
    let replace = "UPDATE records SET version = version + 1, data = ?2 WHERE id = ?1";
    file.prepare_cached(replace)?.execute(params![record, data])?;
    Ok(Some(Replaced::Done))
}

pub(super) fn delete(file: &Transaction<'_>, record: [u8; 16]) -> rusqlite::Result<()> {
    file.prepare_cached("DELETE FROM records WHERE id = ?1")?.execute([record])?;
    Ok(())
}

pub(super) fn release(file: &Transaction<'_>, key: &HandleKey) -> rusqlite::Result<bool> {
    let release = "DELETE FROM holdings WHERE principal = ?1 AND kind = ?2 AND name = ?3";
    Ok(file.prepare_cached(release)?.execute(params![key.principal, key.kind, key.name.hashed()])? > 0)
}

pub(super) fn of(
    file: &Connection,
    principal: [u8; 32],
    kind: &str,
    most: usize,
    now: i64,
) -> rusqlite::Result<Vec<Holding>> {
    let list = "SELECT record, is_owner, rights, used, idle, ends, sealed FROM holdings \
                WHERE principal = ?1 AND kind = ?2 AND ?3 < expires \
                AND EXISTS (SELECT 1 FROM records WHERE records.id = record) \
                ORDER BY used DESC, record DESC LIMIT ?4";
    let mut list = file.prepare_cached(list)?;
    list.query_map(params![principal, kind, now, at_most(most)], holding)?.collect()
}

/// Of all records.
pub(super) const BYTES: i64 = 1024 * 1024 * 1024;
