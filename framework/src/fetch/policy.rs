//! Whom the fetcher trusts, and the exceptions that an operator makes.

use std::{
    io,
    net::{IpAddr, SocketAddr},
    sync::Arc,
};

use tokio_rustls::{
    TlsConnector,
    rustls::{
        ClientConfig, RootCertStore,
        crypto::aws_lc_rs,
        pki_types::{CertificateDer, pem::PemObject},
    },
};

/// What the fetcher may do beyond the usual: fetch over TLS from public addresses.
///
/// ```
/// use tollgate::oauth::FetchPolicy;
///
/// // An identity provider inside the cluster, with a certificate of the company.
/// # let pem = b"";
/// let policy = FetchPolicy::new().allow_private("idp.auth.svc").root_certificate(pem);
/// ```
#[derive(Clone, Debug, Default)]
pub struct FetchPolicy {
    roots: Vec<Vec<u8>>,
    private: Vec<String>,
    loopback: Loopback,
    listener: Option<IpAddr>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Loopback {
    #[default]
    Refused,
    Allowed,
}

impl FetchPolicy {
    /// TLS and public addresses only, trusted by the roots of the operating system.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Trusts these certificates too, in addition to those of the operating system: one in DER, or any number in PEM.
    ///
    /// Whether they can be read is checked where the policy is used first, when that is built.
    #[must_use]
    pub fn root_certificate(mut self, pem_or_der: impl Into<Vec<u8>>) -> Self {
        self.roots.push(pem_or_der.into());
        self
    }

    /// Lets one host have addresses of a private network (RFC 1918, RFC 6598, unique local IPv6), for an
    /// authorization server in the same cluster. The name may be without a dot. Loopback and link-local addresses,
    /// such as those of cloud metadata services, stay refused.
    ///
    /// For keys and metadata only. Client documents are never fetched from a private address.
    #[must_use]
    pub fn allow_private(mut self, host: &str) -> Self {
        self.private.push(host.to_ascii_lowercase());
        self
    }

    /// Lets keys and metadata come from this machine (`localhost`, `127.0.0.1`, `[::1]`), also by plain `http`. For
    /// development: on a server, whatever listens on loopback could then stand in for the authorization server.
    #[must_use]
    pub fn allow_loopback(mut self) -> Self {
        self.loopback = Loopback::Allowed;
        self
    }

    /// Says where this process listens. If that is a loopback address, client documents may be fetched from the same
    /// address, on any port (draft-ietf-oauth-client-id-metadata-document-01, section 6.5). For development.
    #[must_use]
    pub fn listens_on(mut self, address: SocketAddr) -> Self {
        self.listener = Some(address.ip());
        self
    }

    pub(super) fn is_private_allowed(&self, host: &str) -> bool {
        self.private.iter().any(|it| it == host)
    }

    pub(super) fn is_loopback_allowed(&self) -> bool {
        self.loopback == Loopback::Allowed
    }

    /// The loopback address that this process listens on.
    pub(super) fn own_loopback(&self) -> Option<IpAddr> {
        self.listener.filter(IpAddr::is_loopback)
    }

    pub(super) fn tls(&self) -> io::Result<TlsConnector> {
        let mut roots = RootCertStore::empty();
        let system = rustls_native_certs::load_native_certs();
        for error in system.errors {
            tracing::warn!(%error, "some root certificates of the operating system could not be read");
        }
        roots.add_parsable_certificates(system.certs);
        for bytes in &self.roots {
            for certificate in certificates(bytes)? {
                roots.add(certificate).map_err(invalid)?;
            }
        }
        if roots.is_empty() {
            return Err(invalid("no root certificate is trusted: add one with `root_certificate`"));
        }
        let mut config = ClientConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(invalid)?
            .with_root_certificates(roots)
            .with_no_client_auth();
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(TlsConnector::from(Arc::new(config)))
    }
}

fn certificates(bytes: &[u8]) -> io::Result<Vec<CertificateDer<'_>>> {
    // DER starts with the tag of a sequence, which is no text.
    if bytes.first() == Some(&0x30) {
        return Ok(vec![CertificateDer::from(bytes)]);
    }
    let all = CertificateDer::pem_slice_iter(bytes).collect::<Result<Vec<_>, _>>();
    match all.map_err(|error| invalid(format!("a root certificate is neither PEM nor DER: {error}")))? {
        none if none.is_empty() => Err(invalid("a root certificate is neither PEM nor DER")),
        some => Ok(some),
    }
}

fn invalid(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, error)
}
