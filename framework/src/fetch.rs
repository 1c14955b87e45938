//! The one way out: a guarded GET for documents whose address somebody else may have chosen.
//!
//! Nothing else in the workspace may open an HTTP connection; clippy holds that. A fetch goes to the addresses that
//! were checked and to no others, follows nothing, sends nothing that says who asks, and takes one JSON object within
//! limits. It knows no proxy, because it connects its sockets itself.

mod demand;
mod policy;
mod target;
mod address;
mod connect;
mod network;
mod exchange;
mod freshness;
mod error;

use std::{fmt, sync::Arc, time::Duration};

use bytes::Bytes;

pub(crate) use self::{demand::Demand, error::FetchError, target::Target, target::is_loopback_host};
pub use self::{
    network::{Connected, Network, OsNetwork},
    policy::FetchPolicy,
};

use self::error::Cause;

/// Fetches documents. A clone shares everything.
#[derive(Clone)]
pub(crate) struct Fetcher {
    network: Arc<dyn Network>,
    policy: Arc<FetchPolicy>,
    tls: tokio_rustls::TlsConnector,
}

/// A JSON object that came whole, and in time.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    /// One JSON object: UTF-8, no key twice, within the bounds of every body.
    pub(crate) bytes: Bytes,
    /// How long its sender calls it fresh; `None` when it does not say, zero for `no-store`.
    pub(crate) fresh_for: Option<Duration>,
    /// Its sender asks that no copy is kept.
    pub(crate) no_store: bool,
}

impl Fetcher {
    /// Reads the trusted roots, from files of the operating system too: make one at start and clone it.
    ///
    /// # Errors
    /// When a root certificate of the policy cannot be read, or no root is trusted at all.
    pub(crate) fn new(network: Arc<dyn Network>, policy: FetchPolicy) -> std::io::Result<Self> {
        let tls = policy.tls()?;
        Ok(Self { network, policy: Arc::new(policy), tls })
    }

    /// Gets one document. Dropping the future closes the connection.
    ///
    /// # Errors
    /// One error whatever went wrong; what it was is in the log. Nothing was sent when the URL is not allowed.
    pub(crate) async fn get(&self, url: &str, demand: &Demand) -> Result<Document, FetchError> {
        let target = self.target(url, demand)?;
        self.get_target(&target, demand).await
    }

    /// Judges a URL by itself, before anything is looked up.
    ///
    /// # Errors
    /// When the demand does not allow the URL.
    pub(crate) fn target(&self, url: &str, demand: &Demand) -> Result<Target, FetchError> {
        Target::parse(url, demand, &self.policy).map_err(|why| logged(url, Cause::Url(why)))
    }

    /// Gets a document whose URL was judged by the same demand.
    ///
    /// # Errors
    /// As [`Fetcher::get`].
    pub(crate) async fn get_target(&self, target: &Target, demand: &Demand) -> Result<Document, FetchError> {
        let fetched = tokio::time::timeout(demand.total, self.fetch(target, demand)).await;
        let fetched = fetched.unwrap_or(Err(Cause::Slow("the whole exchange", demand.total)));
        fetched.map_err(|cause| logged(target.url(), cause))
    }

    async fn fetch(&self, target: &Target, demand: &Demand) -> Result<Document, Cause> {
        let addresses = connect::resolve(&*self.network, target, demand).await?;
        let connected = connect::dial(&*self.network, &addresses, demand).await?;
        match connect::server_name(target)? {
            None => exchange::get(connected.stream, target, demand).await,
            Some(name) => {
                let stream = self.tls.connect(name, connected.stream).await.map_err(Cause::Tls)?;
                exchange::get(stream, target, demand).await
            }
        }
    }
}

fn logged(url: &str, cause: Cause) -> FetchError {
    tracing::warn!(url = error::printable(url), %cause, "a document was not fetched");
    FetchError(cause)
}

impl fmt::Debug for Fetcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fetcher").field("policy", &self.policy).finish_non_exhaustive()
    }
}
