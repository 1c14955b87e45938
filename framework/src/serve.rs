//! Bytes in, bytes out: HTTP, stdio, and a client in memory.

pub(crate) mod http;
pub(crate) mod listener;
pub(crate) mod memory;
#[cfg(feature = "auth")]
mod metadata;
mod preflight;
pub(crate) mod sent;
pub(crate) mod socket;
pub(crate) mod stdio;
pub(crate) mod whole;
