//! Why a document was not fetched: one text for whoever asked, the cause for the log.

use std::{fmt, io, net::IpAddr, time::Duration};

use crate::wire::scan::Fault;

/// A document was not fetched. Its text says no more, so that nobody can map a network with it.
#[derive(Debug)]
pub(crate) struct FetchError(pub(super) Cause);

impl FetchError {
    /// What happened, for the log and for the operator.
    pub(crate) fn cause(&self) -> &dyn fmt::Display {
        &self.0
    }

    /// What is wrong with the URL by itself. It tells nothing about a network, so whoever wrote it may know.
    pub(crate) fn url_fault(&self) -> Option<&'static str> {
        match self.0 {
            Cause::Url(why) => Some(why),
            _ => None,
        }
    }
}

impl fmt::Display for FetchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the document could not be fetched")
    }
}

impl std::error::Error for FetchError {}

/// What went wrong.
#[derive(Debug)]
pub(super) enum Cause {
    Url(&'static str),
    Resolve(io::Error),
    NoAddress,
    Address(IpAddr),
    Connect(io::Error),
    Peer(IpAddr),
    Tls(io::Error),
    Http(hyper::Error),
    Request(http::Error),
    Status(http::StatusCode),
    Type,
    Encoded,
    Large(usize),
    Json(Fault),
    Slow(&'static str, Duration),
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Url(why) => write!(f, "the URL is not allowed: {why}"),
            Self::Resolve(error) => write!(f, "the host was not found: {error}"),
            Self::NoAddress => write!(f, "the host has no address"),
            Self::Address(address) => write!(f, "the host has an address that is not allowed: {address}"),
            Self::Connect(error) => write!(f, "no connection: {error}"),
            Self::Peer(address) => write!(f, "connected to {address}, which was not asked for"),
            Self::Tls(error) => write!(f, "no TLS: {error}"),
            Self::Http(error) => write!(f, "the HTTP exchange failed: {error}"),
            Self::Request(error) => write!(f, "the URL fits in no request: {error}"),
            Self::Status(status) => write!(f, "the status is {status}, not 200"),
            Self::Type => write!(f, "the content type is not `application/json` or `application/*+json`"),
            Self::Encoded => write!(f, "the content is encoded, which was not asked for"),
            Self::Large(most) => write!(f, "the document has more than {most} bytes"),
            Self::Json(fault) => write!(f, "{fault}"),
            Self::Slow(what, limit) => write!(f, "{what} took more than {} s", limit.as_secs()),
        }
    }
}

/// Somebody's URL with everything escaped that a terminal or log could act on, and cut.
pub(super) fn printable(url: &str) -> String {
    const MOST: usize = 600;
    url.chars().flat_map(char::escape_debug).take(MOST).collect()
}
