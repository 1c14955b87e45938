//! A URL that may be fetched: parsed once, and in the form that it was written in.

use std::net::IpAddr;

use url::{Host, Position, Url};

use super::{
    demand::{Demand, Rules},
    policy::FetchPolicy,
};

/// Where a document is, by a URL that passed the rules of its demand.
pub(crate) struct Target {
    url: Url,
    pub(super) host: String,
    pub(super) port: u16,
    pub(super) security: Security,
    pub(super) reach: Reach,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Security {
    Tls,
    Plain,
}

/// Which addresses its host may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    Public,
    /// Public ones, and those of private networks.
    Private,
    /// Those of this machine only.
    Loopback,
    /// Public ones, or this loopback address, which is our own.
    Own(IpAddr),
}

impl Target {
    /// Refuses everything that two parsers could read in two ways: a URL is the text that the parser would write.
    pub(super) fn parse(text: &str, demand: &Demand, policy: &FetchPolicy) -> Result<Self, &'static str> {
        let is_operators = demand.rules == Rules::Operator;
        if text.len() > if is_operators { 2_048 } else { 512 } {
            return Err("it is too long");
        }
        let url = Url::parse(text).map_err(|_| "it is no URL")?;
        if url.as_str() != text {
            return Err("it is not written in its normal form");
        }
        let security = match url.scheme() {
            "https" => Security::Tls,
            "http" => Security::Plain,
            _ => return Err("its scheme is not `https`"),
        };
        if !url.username().is_empty() || url.password().is_some() {
            return Err("it has a user name or password");
        }
        if url.fragment().is_some() {
            return Err("it has a fragment");
        }
        let host = url.host_str().unwrap_or_default().to_owned();
        let port = url.port_or_known_default().unwrap_or_default();
        let reach = match is_operators {
            true => operators_reach(&url, &host, security, policy)?,
            false => strangers_reach(&url, &host, security, policy)?,
        };
        if demand.rules == Rules::Stranger && port != 443 && !matches!(reach, Reach::Own(_)) {
            return Err("its port is not 443");
        }
        Ok(Self { url, host, port, security, reach })
    }

    /// The text that it was parsed from.
    pub(crate) fn url(&self) -> &str {
        self.url.as_str()
    }

    /// The host in lower case; an international name in its ASCII form.
    pub(crate) fn host(&self) -> &str {
        &self.host
    }

    /// What stands in the request line.
    pub(super) fn path(&self) -> &str {
        &self.url[Position::BeforePath..Position::AfterQuery]
    }

    /// What stands in `Host`.
    pub(super) fn authority(&self) -> &str {
        &self.url[Position::BeforeHost..Position::AfterPort]
    }

    /// The address that stands in the URL itself; only loopback may.
    pub(super) fn literal(&self) -> Option<IpAddr> {
        match self.url.host()? {
            Host::Domain(_) => None,
            Host::Ipv4(it) => Some(it.into()),
            Host::Ipv6(it) => Some(it.into()),
        }
    }
}

fn operators_reach(
    url: &Url,
    host: &str,
    security: Security,
    policy: &FetchPolicy,
) -> Result<Reach, &'static str> {
    if is_loopback_host(host) && policy.is_loopback_allowed() {
        return Ok(Reach::Loopback);
    }
    let is_private = policy.is_private_allowed(host);
    name(url, host, security)?;
    match is_private {
        true => Ok(Reach::Private),
        false if host.contains('.') => Ok(Reach::Public),
        false => Err("its host has no dot"),
    }
}

fn strangers_reach(
    url: &Url,
    host: &str,
    security: Security,
    policy: &FetchPolicy,
) -> Result<Reach, &'static str> {
    name(url, host, security)?;
    if url.query().is_some() {
        return Err("it has a query");
    }
    if url.path() == "/" {
        return Err("it has no path");
    }
    match policy.own_loopback() {
        Some(own) => Ok(Reach::Own(own)),
        None if host.contains('.') => Ok(Reach::Public),
        None => Err("its host has no dot"),
    }
}

/// The host is a name that TLS can prove.
fn name(url: &Url, host: &str, security: Security) -> Result<(), &'static str> {
    if security == Security::Plain {
        return Err("its scheme is not `https`");
    }
    match url.host() {
        Some(Host::Domain(_)) if host.ends_with('.') => Err("its host ends with a dot"),
        Some(Host::Domain(_)) => Ok(()),
        _ => Err("its host is an IP address"),
    }
}

/// Whether the host of a URL is a usual name of this machine.
pub(crate) fn is_loopback_host(host: &str) -> bool {
    matches!(host, "localhost" | "127.0.0.1" | "[::1]")
}
