//! Why a client id does not stand for a client now.

use std::fmt;

/// Why there is no document for a client id.
///
/// Its text may be shown to whoever sent the client id: it says nothing about names, addresses, ports or certificates.
/// Those are in the log.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ClientDocumentError {
    /// The client id is not a URL that may be one, and why. Nothing was looked up.
    ClientId(&'static str),
    /// The host is not one that this authorization server trusts. Nothing was looked up.
    NotTrusted,
    /// There was no such document, or none that could be read.
    NotFetched,
    /// There is a document, and what is wrong with it. For the developer of the client.
    Invalid(String),
    /// Not tried: the last attempt failed less than 5 s ago, or too much is fetched now. The client may come again.
    TemporarilyUnavailable,
}

impl ClientDocumentError {
    /// The error code of OAuth (RFC 6749, sections 4.1.2.1 and 5.2): `invalid_client`, or `temporarily_unavailable`.
    ///
    /// The redirect URI of the request is not checked yet, so show the error and do not redirect.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::TemporarilyUnavailable => "temporarily_unavailable",
            Self::ClientId(_) | Self::NotTrusted | Self::NotFetched | Self::Invalid(_) => "invalid_client",
        }
    }
}

impl fmt::Display for ClientDocumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ClientId(why) => write!(f, "the client id is not allowed: {why}"),
            Self::NotTrusted => f.write_str("clients of this host are not accepted"),
            Self::NotFetched => f.write_str("the client document could not be fetched"),
            Self::Invalid(why) => write!(f, "the client document is not valid: {why}"),
            Self::TemporarilyUnavailable => {
                f.write_str("the client document cannot be fetched now, try again later")
            }
        }
    }
}

impl std::error::Error for ClientDocumentError {}
