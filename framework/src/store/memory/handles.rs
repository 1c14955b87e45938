//! Handles and records in the memory of one process.

use hashbrown::HashMap;

use bytes::Bytes;

use super::super::{
    Added, Found, HandleKey, HandleName, Holding, REMEMBERED, Replaced, StoreError, StoredRecord,
};

#[derive(Default)]
pub(super) struct Handles {
    /// By principal and kind, then by name: so that one principal's can be counted and listed.
    holders: HashMap<Holder, HashMap<HandleName, Holding>>,
    count: usize,
    records: HashMap<[u8; 16], Record>,
    bytes: usize,
    /// When all of them are looked through next for what may be forgotten.
    swept: u64,
}

#[derive(PartialEq, Eq, Hash)]
struct Holder {
    principal: [u8; 32],
    kind: &'static str,
}

impl From<&HandleKey> for Holder {
    fn from(key: &HandleKey) -> Self {
        Self { principal: key.principal, kind: key.kind }
    }
}

struct Record {
    stored: StoredRecord,
    /// How many holdings are about it.
    holdings: usize,
}

impl Handles {
    pub(super) fn hold(
        &mut self,
        key: HandleKey,
        holding: Holding,
        record: Option<Bytes>,
        most: usize,
        limit: usize,
        now: u64,
    ) -> Result<Added, StoreError> {
        if now >= self.swept.saturating_add(SWEEP) || (self.count >= limit && now > self.swept) {
            self.sweep(now);
        }
        if self.live(key.principal, key.kind, now).count() >= most {
            return Ok(Added::TooMany);
        }
        let bytes = record.as_ref().map_or(0, Bytes::len);
        if self.count >= limit || self.bytes + bytes > BYTES {
            return Err(StoreError::Full);
        }
        if let Some(data) = record {
            let holdings = self.records.get(&holding.record).map_or(0, |it| it.holdings);
            self.delete(holding.record);
            self.bytes += bytes;
            let stored = StoredRecord { version: 1, data };
            self.records.insert(holding.record, Record { stored, holdings });
        }
        if let Some(record) = self.records.get_mut(&holding.record) {
            record.holdings += 1;
        }
        // What it replaces lets go last, so that a record stays when the new one is about it too.
        match self.holders.entry(Holder::from(&key)).or_default().insert(key.name, holding) {
            Some(replaced) => self.let_go(replaced.record),
            None => self.count += 1,
        }
        Ok(Added::Done)
    }

    pub(super) fn held(&self, key: &HandleKey) -> Option<Found> {
        let holding = self.holders.get(&Holder::from(key))?.get(&key.name)?.clone();
        let record = self.records.get(&holding.record).map(|it| it.stored.clone());
        Some(Found { holding, record })
    }

    pub(super) fn touch(&mut self, key: &HandleKey, used: u64) {
        let own = self.holders.get_mut(&Holder::from(key));
        if let Some(holding) = own.and_then(|it| it.get_mut(&key.name)) {
            holding.used = holding.used.max(used);
        }
    }

    pub(super) fn replace(
        &mut self,
        record: [u8; 16],
        version: u64,
        data: Bytes,
    ) -> Result<Replaced, StoreError> {
        let Some(Record { stored, .. }) = self.records.get_mut(&record) else { return Ok(Replaced::Gone) };
        if stored.version != version {
            return Ok(Replaced::Changed);
        }
        let bytes = self.bytes - stored.data.len() + data.len();
        if bytes > BYTES {
            return Err(StoreError::Full);
        }
        self.bytes = bytes;
        *stored = StoredRecord { version: version + 1, data };
        Ok(Replaced::Done)
    }

    pub(super) fn delete(&mut self, record: [u8; 16]) {
        if let Some(record) = self.records.remove(&record) {
            self.bytes -= record.stored.data.len();
        }
    }

    pub(super) fn release(&mut self, key: &HandleKey) -> bool {
        let Some(own) = self.holders.get_mut(&Holder::from(key)) else { return false };
        let Some(holding) = own.remove(&key.name) else { return false };
        if own.is_empty() {
            self.holders.remove(&Holder::from(key));
        }
        self.count -= 1;
        self.let_go(holding.record);
        true
    }

    /// A record that nobody holds any more is of no use.
    fn let_go(&mut self, record: [u8; 16]) {
        let Some(held) = self.records.get_mut(&record) else { return };
        held.holdings -= 1;
        if held.holdings == 0 {
            self.delete(record);
        }
    }

    pub(super) fn of(&self, principal: [u8; 32], kind: &'static str, most: usize, now: u64) -> Vec<Holding> {
        let mut all: Vec<_> = self.live(principal, kind, now).cloned().collect();
        all.sort_unstable_by_key(|it| std::cmp::Reverse((it.used, it.record)));
        all.truncate(most);
        all
    }

    fn live(&self, principal: [u8; 32], kind: &'static str, now: u64) -> impl Iterator<Item = &Holding> {
        let own = self.holders.get(&Holder { principal, kind }).into_iter().flat_map(HashMap::values);
        own.filter(move |it| now < it.expires() && self.records.contains_key(&it.record))
    }

    /// Forgets what nobody needs to be told about any more.
    fn sweep(&mut self, now: u64) {
        self.swept = now;
        let mut gone = Vec::new();
        self.holders.retain(|_, own| {
            own.retain(|_, it| {
                let stays = now < it.expires().saturating_add(REMEMBERED.as_secs());
                if !stays {
                    gone.push(it.record);
                }
                stays
            });
            !own.is_empty()
        });
        self.count -= gone.len();
        gone.into_iter().for_each(|it| self.let_go(it));
    }
}

/// Bytes of all records.
const BYTES: usize = 256 * 1024 * 1024;
/// Seconds from one look through all of them to the next.
const SWEEP: u64 = 60;
