//! What people who write tools touch.

pub(crate) mod access;
pub(crate) mod argument;
pub(crate) mod call;
pub(crate) mod ask;
pub(crate) mod catalog;
pub(crate) mod completions;
pub(crate) mod content;
pub(crate) mod cx;
pub(crate) mod error;
pub(crate) mod held;
pub(crate) mod kinds;
pub(crate) mod listing;
pub(crate) mod output;
pub(crate) mod prompt;
pub(crate) mod record;
pub(crate) mod registered;
pub(crate) mod resource;
pub(crate) mod sets;
pub(crate) mod template;
pub(crate) mod text;
pub(crate) mod tool;
