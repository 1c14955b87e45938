//! For people who run an authorization server next to their MCP server, or have one to check: client documents, and a
//! look at the server's metadata.
//!
//! [`ClientDocuments`] fetches and checks Client ID Metadata Documents, so that a client which nobody has registered
//! can be shown to the user by its name and host (specification 2026-07-28, `basic/authorization/client-registration`).
//! [`check_authorization_server`] tells what an MCP client would miss in the metadata of an authorization server.
//!
//! All documents come through one guarded fetcher: public addresses only, the ones that were checked, over TLS,
//! without redirects, within limits of size and time. [`FetchPolicy`] makes the exceptions, [`Network`] stands in for
//! the network in tests.

mod documents;
mod builder;
mod document;
mod claims;
mod redirect;
mod cache;
mod starts;
mod error;
mod doctor;
mod issuer;
mod report;

pub(crate) use self::issuer::metadata_urls;
pub use self::{
    builder::ClientDocumentsBuilder,
    doctor::check_authorization_server,
    document::{AuthMethod, ClientDocument},
    documents::ClientDocuments,
    error::ClientDocumentError,
    report::{Finding, Report, Severity},
};
pub use crate::fetch::{Connected, FetchPolicy, Network, OsNetwork};
