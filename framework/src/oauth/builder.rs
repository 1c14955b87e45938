//! What an authorization server decides about client documents before it takes the first.

use std::{fmt, io, sync::Arc};

use crate::{
    clock::{Clock, Os},
    fetch::{Demand, FetchPolicy, Fetcher, Network, OsNetwork},
};

use super::{
    document::Accepts,
    documents::{ClientDocuments, Rules},
    redirect::Ports,
};

/// Settings of [`ClientDocuments`].
#[must_use]
pub struct ClientDocumentsBuilder {
    policy: FetchPolicy,
    network: Arc<dyn Network>,
    demand: Demand,
    trust: Trust,
    accepts: Accepts,
    clock: Box<dyn Clock>,
}

/// The hosts that client ids may have.
#[derive(Debug, Default)]
pub(super) struct Trust {
    allowed: Vec<String>,
    denied: Vec<String>,
}

impl Trust {
    pub(super) fn allows(&self, host: &str) -> bool {
        let names = |list: &[String]| list.iter().any(|it| it == host);
        !names(&self.denied) && (self.allowed.is_empty() || names(&self.allowed))
    }
}

impl ClientDocumentsBuilder {
    pub(super) fn new() -> Self {
        Self {
            policy: FetchPolicy::new(),
            network: Arc::new(OsNetwork::new()),
            demand: Demand::client_document(),
            trust: Trust::default(),
            accepts: Accepts { redirect_schemes: Vec::new(), ports: Ports::AsListed },
            clock: Box::new(Os),
        }
    }

    /// Certificates to trust, and where this process listens.
    pub fn policy(mut self, policy: FetchPolicy) -> Self {
        self.policy = policy;
        self
    }

    /// Accepts clients of this host, and of no others but those allowed in the same way. The host is compared whole:
    /// `example.com` does not allow `app.example.com`.
    pub fn allow_host(mut self, host: &str) -> Self {
        self.trust.allowed.push(host.to_ascii_lowercase());
        self
    }

    /// Accepts no clients of this host, also when it is allowed.
    pub fn deny_host(mut self, host: &str) -> Self {
        self.trust.denied.push(host.to_ascii_lowercase());
        self
    }

    /// Lets client ids have another port than 443.
    pub fn any_port(mut self) -> Self {
        self.demand = self.demand.on_any_port();
        self
    }

    /// Lets the port of a redirect to this machine be another one than in the document, for native apps that listen
    /// on a port which they get at run time (RFC 8252, section 7.3). For `localhost` too, which many clients use.
    pub fn any_loopback_port(mut self) -> Self {
        self.accepts.ports = Ports::AnyOnLoopback;
        self
    }

    /// Accepts redirects to apps that have registered this scheme on the user's machine, such as `com.example.app`.
    ///
    /// The specification wants redirects to be `https` or on `localhost` (2026-07-28,
    /// `basic/authorization/security-considerations`): any app can register any scheme.
    pub fn redirect_scheme(mut self, scheme: &str) -> Self {
        self.accepts.redirect_schemes.push(scheme.to_ascii_lowercase());
        self
    }

    /// Takes the network from here instead of the operating system.
    pub fn network(mut self, network: impl Network) -> Self {
        self.network = Arc::new(network);
        self
    }

    /// Takes the time of day from here, by which documents grow old.
    pub fn clock(mut self, clock: impl Clock) -> Self {
        self.clock = Box::new(clock);
        self
    }

    /// Reads the trusted certificates.
    ///
    /// # Errors
    /// When a certificate cannot be read, none is trusted, or a redirect scheme is one that browsers run or read
    /// themselves.
    pub fn build(self) -> io::Result<ClientDocuments> {
        if let Some(scheme) = self.accepts.redirect_schemes.iter().find(|it| NO_APPS.contains(&it.as_str())) {
            let text = format!("`{scheme}` cannot be a redirect scheme: it is no app's");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
        }
        Ok(ClientDocuments::new(Rules {
            fetcher: Fetcher::new(self.network, self.policy)?,
            demand: self.demand,
            trust: self.trust,
            accepts: self.accepts,
            clock: self.clock,
        }))
    }
}

const NO_APPS: [&str; 14] = [
    "about",
    "blob",
    "data",
    "file",
    "filesystem",
    "ftp",
    "http",
    "javascript",
    "mailto",
    "tel",
    "vbscript",
    "view-source",
    "ws",
    "wss",
];

impl fmt::Debug for ClientDocumentsBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientDocumentsBuilder")
            .field("policy", &self.policy)
            .field("trust", &self.trust)
            .field("accepts", &self.accepts)
            .finish_non_exhaustive()
    }
}
