//! Stateless MCP servers: every request passes a row of gates, each of which proves one thing, and what passes the
//! last one runs.
//!
//! A tool is an `async fn`. Its parameters are the schema, its doc comment is what the model reads:
//!
//! ```no_run
//! use tollgate::prelude::*;
//!
//! /// Greets a person by name.
//! ///
//! /// Use when the user asks to be greeted.
//! /// Do not use when a message has to reach somebody else.
//! #[tool(read_only)]
//! async fn greet(
//!     /// What the person likes to be called.
//!     name: Text<80>,
//! ) -> String {
//!     format!("Hello, {name}!")
//! }
//!
//! #[tokio::main]
//! async fn main() -> std::io::Result<()> {
//!     Server::new("hello", "1.0.0").tools(tools![greet]).without_auth().serve("127.0.0.1:8000").await
//! }
//! ```
//!
//! It speaks revision 2026-07-28 of the protocol, and the older ones on the same endpoint. Nothing is remembered
//! between requests: run any number of copies behind any load balancer.

mod answer;
#[cfg(feature = "auth")]
pub mod auth;
mod author;
mod body;
#[cfg(feature = "budget")]
pub mod budget;
mod caller;
mod changes;
mod clock;
mod doors;
mod engine;
#[cfg(feature = "auth")]
mod fetch;
mod gate;
mod gates;
mod guard;
mod handles;
mod layers;
mod limits;
#[cfg(feature = "lint")]
pub mod lint;
#[cfg(feature = "auth")]
pub mod oauth;
mod pending;
mod permits;
#[doc(hidden)]
pub mod private;
pub mod ready;
mod schema;
pub mod seal;
mod serve;
mod server;
pub mod store;
mod wire;

pub use answer::Reply;
pub use author::{
    argument::Argument,
    ask::{Answer, Elicit, Form, FormField, Root, Sampled, Sampling, SamplingMessage},
    catalog::{CatalogError, CatalogHandle},
    content::{Annotations, Content, Contents, Icon, ResourceContents, ResourceLink, Role},
    cx::{Cx, FromRef},
    error::{OrFail, Result, ToolError},
    held::Held,
    listing::Cache,
    output::Output,
    prompt::{Message, Prompt, PromptOutput, PromptRequest},
    record::{Handle, NotAHandle, Record, Stored},
    resource::{Resource, ResourceOutput},
    sets::{IntoSet, PromptSet, ResourceSet, ToolSet},
    text::{Int, OutOfBounds, Text},
    tool::{Request, Tool},
};
pub use body::Body;
pub use caller::Caller;
pub use clock::{Clock, Entropy, Os};
pub use handles::{Access, Action, Rights};
pub use layers::{Admitted, CallService, HttpService, Refused};
pub use limits::Limits;
pub use ready::Unready;
pub use seal::{KeyRing, Secret};
pub use serde_json;
pub use serve::memory::{Client, Exchange};
pub use server::{AuthDecided, AuthUndecided, Check, CheckError, CheckReport, Decided, Server, StartError};
pub use tollgate_macros::{Elicit, Record, prompt, resource, tool};
pub use wire::{capabilities::Capabilities, level::Level, version::Version};

/// What a file with tools needs.
pub mod prelude {
    #[doc(no_inline)]
    pub use crate::{
        Answer, Content, Contents, Cx, Elicit, FromRef, Handle, Held, Int, Level, Message, OrFail, Prompt,
        Record, Resource, ResourceContents, Result, Secret, Server, Text, Tool, ToolError, ToolSet, Unready,
        fail, prompt, prompts, resource, resources, tool, tools,
    };
}
