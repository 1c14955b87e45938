//! Documents that are kept for a while.

use std::{
    collections::HashMap,
    sync::Arc,
    time::{Duration, SystemTime},
};

use super::document::ClientDocument;

/// Valid documents by their client id. When there are too many, the one goes that was not asked for the longest.
#[derive(Default)]
pub(super) struct Cache {
    kept: HashMap<String, Kept>,
    bytes: usize,
    /// Counts what was asked for.
    turn: u64,
}

struct Kept {
    document: Arc<ClientDocument>,
    from: SystemTime,
    until: SystemTime,
    used: u64,
}

impl Cache {
    /// A document that is still fresh. One from the future is not: the clock was set back.
    pub(super) fn get(&mut self, client_id: &str, now: SystemTime) -> Option<Arc<ClientDocument>> {
        self.turn += 1;
        let kept = self.kept.get_mut(client_id)?;
        if !(kept.from..kept.until).contains(&now) {
            self.forget(client_id);
            return None;
        }
        kept.used = self.turn;
        Some(kept.document.clone())
    }

    /// Keeps a document as long as its sender says, within our bounds.
    pub(super) fn keep(
        &mut self,
        document: Arc<ClientDocument>,
        fresh_for: Option<Duration>,
        now: SystemTime,
    ) {
        let fresh_for = fresh_for.unwrap_or(UNSAID).clamp(SHORTEST, LONGEST);
        self.forget(document.client_id());
        self.bytes += document.cost();
        let client_id = document.client_id().to_owned();
        self.kept.insert(client_id, Kept { document, from: now, until: now + fresh_for, used: self.turn });
        while self.kept.len() > DOCUMENTS || self.bytes > BYTES {
            let Some((oldest, _)) = self.kept.iter().min_by_key(|(_, it)| it.used) else { break };
            let oldest = oldest.clone();
            self.forget(&oldest);
        }
    }

    fn forget(&mut self, client_id: &str) {
        if let Some(kept) = self.kept.remove(client_id) {
            self.bytes -= kept.document.cost();
        }
    }
}

const DOCUMENTS: usize = 1_000;
const BYTES: usize = 8 * 1024 * 1024;
const SHORTEST: Duration = Duration::from_secs(60);
const LONGEST: Duration = Duration::from_secs(24 * 3_600);
/// For a document that does not say how long it is fresh.
const UNSAID: Duration = Duration::from_secs(300);
