//! required-tools: whether the tools that a job needs are ready, told before a model spends a token on them.
//!
//! A client names the tools that its job needs, and gets back for each of them `ready`, or why not and what to do. The
//! question rides on `tools/list` (the extension `app.mcpproxy/required-tools`, on every server and in every era), or
//! comes by HTTP to [`Server::preflight_api`](crate::Server::preflight_api). Both are answered by one function over what
//! is known already: it can neither wait nor reach another server.
//!
//! What it looks at is the tools themselves, what `#[tool(ready = f)]` says of each, and, for a server that stands before
//! others, a [`Gateway`]. `ready` says that nothing known here stands in the way now. It is no promise that a call works.

mod reason;
mod filter;
mod id;
mod known;
mod nearest;
mod evaluate;
mod facet;
mod fingerprint;
pub(crate) mod rider;
pub(crate) mod rest;
mod scrub;
mod activity;
mod operator;
mod readiness;

pub use activity::{Activity, ActivityError, ActivityFile, ActivityRecord, RecordedTool, Surface};
pub(crate) use evaluate::{Asked, Tier, View, evaluate, held_back};
pub use facet::{Facet, Status, ToolStatus};
pub(crate) use filter::Annotations;
pub use fingerprint::{BadPin, Fingerprint};
pub use known::{Approval, Connection, Gateway, Scope, ServerPolicy, Unreadable};
pub(crate) use known::{Index, Indexed, Names};
pub(crate) use nearest::Corpus;
pub use operator::{OperatorKey, OperatorKeyError};
pub(crate) use readiness::Readiness;
pub use reason::{Action, Reason, Unready, Verdict};
pub(crate) use rest::RestQuestion;

use crate::wire::names;

/// The extension's name: the key of what a server advertises, of what a client declares, and of rider and facet.
pub const EXTENSION: &str = names::REQUIRED_TOOLS;
/// The version of the extension's settings that is spoken here.
pub const VERSION: u64 = 1;
/// Tools that one rider may name, those named twice counted twice.
pub const MAX_TOOLS: usize = 50;
