//! What clients have to know before they have a token: Protected Resource Metadata (RFC 9728).

use bytes::Bytes;
use serde_json::{Map, Value, json};

use super::resource::{Resource, WELL_KNOWN};

/// The document, and where it is. It is made from the configuration alone: no request says who we are.
pub(crate) struct Metadata {
    path: String,
    document: Bytes,
}

impl Metadata {
    pub(super) fn new(resource: &Resource, servers: &[String], scopes: &[String]) -> Self {
        let mut document = Map::new();
        document.insert("resource".into(), resource.url().into());
        document.insert("authorization_servers".into(), json!(servers));
        document.insert("bearer_methods_supported".into(), json!(["header"]));
        if !scopes.is_empty() {
            document.insert("scopes_supported".into(), json!(scopes));
        }
        let document = Value::Object(document).to_string().into();
        Self { path: resource.metadata_path(), document }
    }

    /// The document, where a path is that of the metadata: for the whole resource, or for its host.
    pub(crate) fn at(&self, path: &str) -> Option<&Bytes> {
        (path == WELL_KNOWN || path == self.path).then_some(&self.document)
    }
}
