//! The protocol as data: what travels, and nothing about what it means to this server.

pub(crate) mod capabilities;
pub(crate) mod id;
pub(crate) mod key;
pub(crate) mod kind;
pub(crate) mod level;
pub(crate) mod names;
pub(crate) mod scan;
pub(crate) mod sentinel;
pub(crate) mod version;
pub(crate) mod write;
