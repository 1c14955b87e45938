//! What may be fetched for which purpose, and how much of it.

use std::time::Duration;

/// The rules and limits of one kind of document.
#[derive(Clone, Debug)]
pub(crate) struct Demand {
    pub(super) rules: Rules,
    pub(super) bytes: usize,
    pub(super) resolve: Duration,
    pub(super) connect: Duration,
    pub(super) total: Duration,
}

/// Who chose the URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rules {
    /// The operator, or a server that the operator named.
    Operator,
    /// Anybody: port 443 only.
    Stranger,
    /// Anybody, and the operator allows all ports.
    StrangerAnyPort,
}

impl Demand {
    /// Keys of an authorization server (RFC 7517): 256 KiB.
    pub(crate) const fn keys() -> Self {
        Self::new(Rules::Operator, 256 * 1024)
    }

    /// Metadata of an authorization server (RFC 8414, OpenID Connect Discovery): 64 KiB.
    pub(crate) const fn metadata() -> Self {
        Self::new(Rules::Operator, 64 * 1024)
    }

    /// A Client ID Metadata Document: 5 KiB, the most that the draft recommends (section 6.6).
    pub(crate) const fn client_document() -> Self {
        Self::new(Rules::Stranger, 5 * 1024)
    }

    /// Lets a client document be served on any port.
    pub(crate) const fn on_any_port(mut self) -> Self {
        self.rules = Rules::StrangerAnyPort;
        self
    }

    const fn new(rules: Rules, bytes: usize) -> Self {
        Self {
            rules,
            bytes,
            resolve: Duration::from_secs(2),
            connect: Duration::from_secs(3),
            total: Duration::from_secs(5),
        }
    }
}
