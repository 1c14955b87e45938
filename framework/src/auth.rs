//! The resource server of OAuth 2.1: who calls, from the token that a request brings (basic/authorization).
//!
//! [`Jwt`] checks tokens that an authorization server signed; it is what nearly every server needs:
//!
//! ```no_run
//! # use tollgate::{Server, auth::Jwt};
//! # async fn run() -> std::io::Result<()> {
//! let auth = Jwt::issuer("https://login.example.com")
//!     .audience("https://notes.example.com/mcp")
//!     .scopes_supported(["notes:read", "notes:write"]);
//! Server::new("notes", "1.0.0").auth(auth).allow_hosts(["notes.example.com"]).serve("0.0.0.0:8000").await
//! # }
//! ```
//!
//! The keys come from where the issuer's own metadata says, unless [`Jwt::keys`] says otherwise. Everything else that a caller may show (API keys, tokens that only their issuer can read) is checked by a
//! [`TokenVerifier`] of the app's own.
//!
//! # Metadata
//!
//! Clients learn where to get a token from a document (RFC 9728) that the server serves by itself, to anybody, under
//! `/.well-known/oauth-protected-resource` followed by the path of the audience, and without that path. Where a server
//! is nested in a router, the router has to send both there:
//!
//! ```ignore
//! let router = axum::Router::new()
//!     .route_service("/mcp", server.clone())
//!     .route_service("/.well-known/oauth-protected-resource", server.clone())
//!     .route_service("/.well-known/oauth-protected-resource/mcp", server);
//! ```

mod algorithm;
mod cache;
mod challenge;
mod claims;
mod clockwork;
mod jwt;
mod keeper;
mod key_set;
mod keys;
mod metadata;
mod remote;
mod resource;
mod token;
mod verifier;

use std::{
    fmt,
    sync::Arc,
    time::{Duration, SystemTime},
};

pub use crate::caller::Principal;
use crate::{
    caller::{Caller, scope_fault},
    clock::{Clock, Entropy},
    fetch::{FetchPolicy, Network, OsNetwork},
    oauth::{Report, check_authorization_server},
};
pub use algorithm::Algorithm;
use cache::Cache;
pub(crate) use challenge::Challenge;
pub use jwt::Jwt;
pub use keys::{KeyDocument, Keys, LoadKeys};
pub(crate) use metadata::Metadata;
use resource::Resource;
use verifier::AnyVerifier;
pub use verifier::{TokenError, TokenVerifier};

/// How callers are told apart: what checks their tokens, and what clients are told about it.
///
/// A [`Jwt`] or a [`TokenVerifier`] turns into it by itself; made by hand, a verifier can have metadata too.
#[derive(Clone)]
pub struct Auth {
    check: Check,
    resource: Option<String>,
    servers: Vec<String>,
    /// Those that clients may ask for, unless that follows from what the server offers.
    scopes: Option<Vec<String>>,
}

#[derive(Clone)]
enum Check {
    Jwt(Box<Jwt>),
    Verifier(Arc<dyn AnyVerifier>),
}

impl Auth {
    /// Tokens that the app checks itself. Without [`resource`](Self::resource) there is no metadata, and clients have to
    /// be given their tokens by hand.
    pub fn verifier(verifier: impl TokenVerifier) -> Self {
        let check = Check::Verifier(Arc::new(verifier));
        Self { check, resource: None, servers: Vec::new(), scopes: None }
    }

    /// The URL of this server, as clients know it, and an authorization server that makes tokens for it.
    #[must_use]
    pub fn resource(mut self, url: impl Into<String>, authorization_server: impl Into<String>) -> Self {
        self.resource = Some(url.into());
        self.servers.push(authorization_server.into());
        self
    }

    /// The scopes that clients may ask for, in the metadata and in challenges. Default: those of the tools, prompts and
    /// resources that the server starts with, without the ones that only hidden items need.
    #[must_use]
    pub fn scopes_supported<T: Into<String>>(mut self, scopes: impl IntoIterator<Item = T>) -> Self {
        self.scopes = Some(scopes.into_iter().map(Into::into).collect());
        self
    }

    /// Looks at each of the authorization servers as a client would.
    pub(crate) async fn doctor(&self) -> Vec<Report> {
        let (network, policy) = match &self.check {
            Check::Jwt(jwt) => jwt.way_out(),
            Check::Verifier(_) => (Arc::new(OsNetwork::new()) as Arc<dyn Network>, FetchPolicy::new()),
        };
        let mut reports = Vec::with_capacity(self.servers.len());
        for issuer in &self.servers {
            reports.push(check_authorization_server(issuer, network.clone(), policy.clone()).await);
        }
        reports
    }

    /// Everything that a running server needs, or what is wrong with it. `published` are the scopes of what it offers.
    pub(crate) fn build(
        &self,
        published: Vec<String>,
        clock: &Arc<dyn Clock>,
        entropy: &dyn Entropy,
    ) -> Result<Authority, Vec<String>> {
        let mut faults = Vec::new();
        let mut note = |fault: String| faults.push(fault);
        for scope in self.scopes.iter().flatten() {
            scope_fault(scope).into_iter().for_each(&mut note);
        }
        let resource = self.resource.as_deref().map(Resource::parse).transpose().map_err(&mut note).ok();
        let verifier = match &self.check {
            Check::Verifier(verifier) => Some(verifier.clone()),
            Check::Jwt(jwt) => match jwt.build(clock) {
                Ok(verifier) => Some(Arc::new(verifier) as Arc<dyn AnyVerifier>),
                Err(more) => {
                    more.into_iter().for_each(&mut note);
                    None
                }
            },
        };
        let cache = Cache::new(entropy).map_err(|error| note(format!("no randomness: {error}"))).ok();
        let scopes = self.scopes.clone().unwrap_or(published);
        match (resource, verifier, cache) {
            (Some(resource), Some(verifier), Some(cache)) if faults.is_empty() => Ok(Authority {
                verifier,
                cache,
                challenge: Challenge::new(resource.as_ref(), &scopes),
                metadata: resource.map(|it| Metadata::new(&it, &self.servers, &scopes)),
            }),
            _ => Err(faults),
        }
    }
}

impl<V: TokenVerifier> From<V> for Auth {
    fn from(verifier: V) -> Self {
        Self::verifier(verifier)
    }
}

impl From<Jwt> for Auth {
    fn from(jwt: Jwt) -> Self {
        jwt.into_auth()
    }
}

impl fmt::Debug for Auth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Auth").field("resource", &self.resource).finish_non_exhaustive()
    }
}

/// Tells callers apart while the server runs.
pub(crate) struct Authority {
    verifier: Arc<dyn AnyVerifier>,
    cache: Cache,
    pub(crate) challenge: Challenge,
    /// `None` where clients are given their tokens by hand.
    pub(crate) metadata: Option<Metadata>,
}

impl Authority {
    /// Whom a token stands for, if it was checked within the last minute.
    pub(crate) fn recall(&self, token: &[u8], now: SystemTime) -> Option<Caller> {
        self.cache.get(token, now)
    }

    /// Checks a token.
    ///
    /// # Errors
    /// When it is no good, or nobody can tell now.
    pub(crate) async fn check(&self, token: &str, now: SystemTime) -> Result<Caller, TokenError> {
        if token.len() > TOKEN_BYTES {
            return Err(TokenError::Invalid);
        }
        let checked = tokio::time::timeout(CHECK_TIME, self.verifier.verify(token)).await;
        let principal = checked.map_err(|_| {
            tracing::warn!("a token could not be checked in time");
            TokenError::Unavailable { retry_after: RETRY }
        })??;
        let caller = Caller::verified(principal);
        self.cache.put(token.as_bytes(), &caller, now);
        Ok(caller)
    }
}

/// Bytes of a token.
const TOKEN_BYTES: usize = 8 * 1024;
/// How long a check may take, waiting for keys included.
const CHECK_TIME: Duration = Duration::from_secs(15);
/// After what time to come again when nobody could tell.
const RETRY: Duration = Duration::from_secs(5);
