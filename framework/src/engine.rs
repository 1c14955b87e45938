//! What a running server is made of, shared by all its requests.

use std::{
    sync::{Arc, atomic::AtomicUsize},
    time::{Duration, SystemTime},
};

#[cfg(feature = "auth")]
use crate::auth::Authority;
use crate::{
    author::{call::Backing, catalog::Catalog},
    clock,
    doors::Doors,
    layers::CallLayers,
    limits::Limits,
    permits::{PerCaller, Permits},
    ready::Readiness,
    seal::{KeyRing, Times},
    store::Store,
};

pub(crate) struct Engine {
    pub(crate) backing: Arc<Backing>,
    pub(crate) catalog: Arc<Catalog>,
    pub(crate) limits: Limits,
    /// What a tool's result may have that does not say so itself.
    #[cfg(feature = "budget")]
    pub(crate) result_tokens: Option<usize>,
    pub(crate) doors: Doors,
    /// `None` where anybody may call.
    #[cfg(feature = "auth")]
    pub(crate) auth: Option<Arc<Authority>>,
    pub(crate) keys: KeyRing,
    /// Names this server in what it signs, so that another with the same key does not take it for its own.
    pub(crate) audience: String,
    /// Remembers which sessions were ended.
    pub(crate) sessions: Arc<dyn Store>,
    pub(crate) modern_only: bool,
    pub(crate) calls: Permits,
    pub(crate) calls_per_caller: PerCaller,
    pub(crate) listeners: Permits,
    pub(crate) listeners_per_caller: PerCaller,
    /// Bytes of all bodies that are being read.
    pub(crate) reading: AtomicUsize,
    pub(crate) call_layers: CallLayers,
    /// What questions about tools are answered with.
    pub(crate) readiness: Readiness,
}

impl Engine {
    pub(crate) fn now(&self) -> SystemTime {
        self.backing.clock.now()
    }

    pub(crate) fn seconds(&self) -> u64 {
        clock::seconds(self.now())
    }

    /// From now on for so long.
    pub(crate) fn times(&self, lifetime: Duration) -> Times {
        let issued = self.seconds();
        Times { issued, expires: issued.saturating_add(lifetime.as_secs()) }
    }

    /// Ties what a client sees to what the log says.
    pub(crate) fn reference(&self) -> String {
        let mut bytes = [0; 6];
        match self.backing.entropy.fill(&mut bytes) {
            Ok(()) => bytes.iter().map(|it| format!("{it:02x}")).collect(),
            Err(_) => "none".into(),
        }
    }

    /// # Errors
    /// When the source of randomness fails.
    pub(crate) fn nonce(&self) -> std::io::Result<[u8; 24]> {
        let mut nonce = [0; 24];
        self.backing.entropy.fill(&mut nonce)?;
        Ok(nonce)
    }
}
