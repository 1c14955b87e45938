//! A network in memory: names with answers that a test chooses, and hosts that serve pages over TLS.

use std::{
    collections::{HashMap, VecDeque},
    fmt, io,
    net::{IpAddr, SocketAddr},
    pin::Pin,
    sync::{Arc, LazyLock, Mutex},
};

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, duplex};
use tokio_rustls::{
    TlsAcceptor,
    rustls::{
        ServerConfig,
        crypto::aws_lc_rs,
        pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer},
    },
};
use tollgate::oauth::{Connected, Network};

use super::page::Page;

type Later<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Clones are the same town.
#[derive(Clone, Default)]
pub(super) struct Town(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    names: HashMap<String, VecDeque<Answer>>,
    pages: HashMap<String, Page>,
    closed: Vec<IpAddr>,
    deaf: Vec<IpAddr>,
    peer: Option<SocketAddr>,
    looked_up: Vec<String>,
    dialled: Vec<SocketAddr>,
    requests: Vec<String>,
}

#[derive(Clone)]
enum Answer {
    Addresses(Vec<IpAddr>),
    Nothing,
    Silence,
}

/// An address that anybody may be reached at.
pub(super) const PUBLIC: &str = "93.184.216.34";

impl Town {
    /// Lets a name have these addresses.
    pub(super) fn name(&self, host: &str, addresses: &[&str]) -> &Self {
        let addresses = addresses.iter().map(|it| it.parse().unwrap()).collect();
        self.answer(host, Answer::Addresses(addresses))
    }

    pub(super) fn unknown_name(&self, host: &str) -> &Self {
        self.answer(host, Answer::Nothing)
    }

    pub(super) fn silent_name(&self, host: &str) -> &Self {
        self.answer(host, Answer::Silence)
    }

    /// One more answer, after those before it; the last one stays.
    fn answer(&self, host: &str, answer: Answer) -> &Self {
        self.0.lock().unwrap().names.entry(host.into()).or_default().push_back(answer);
        self
    }

    /// Puts a page at a URL without its scheme. A host that has no name yet gets a public address.
    pub(super) fn page(&self, at: &str, page: Page) -> &Self {
        let host = at.split(['/', ':']).next().unwrap();
        if !self.0.lock().unwrap().names.contains_key(host) {
            self.name(host, &[PUBLIC]);
        }
        self.0.lock().unwrap().pages.insert(at.into(), page);
        self
    }

    /// Refuses connections to an address.
    pub(super) fn close(&self, address: &str) -> &Self {
        self.0.lock().unwrap().closed.push(address.parse().unwrap());
        self
    }

    /// Never answers a connection to an address.
    pub(super) fn deafen(&self, address: &str) -> &Self {
        self.0.lock().unwrap().deaf.push(address.parse().unwrap());
        self
    }

    /// Says that every connection ends at this address.
    pub(super) fn claim_peer(&self, address: &str) -> &Self {
        self.0.lock().unwrap().peer = Some(address.parse().unwrap());
        self
    }

    pub(super) fn looked_up(&self) -> Vec<String> {
        self.0.lock().unwrap().looked_up.clone()
    }

    pub(super) fn dialled(&self) -> Vec<String> {
        self.0.lock().unwrap().dialled.iter().map(ToString::to_string).collect()
    }

    /// The heads of all requests so far.
    pub(super) fn requests(&self) -> Vec<String> {
        self.0.lock().unwrap().requests.clone()
    }

    async fn serve(self, mut stream: impl AsyncRead + AsyncWrite + Unpin) -> io::Result<()> {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(stream.read_u8().await?);
        }
        let head = String::from_utf8(head).unwrap();
        let page = {
            let mut state = self.0.lock().unwrap();
            let host = head.lines().find_map(|it| it.strip_prefix("host: ")).unwrap();
            let path = head.split(' ').nth(1).unwrap();
            let page = state.pages.get(&format!("{host}{path}")).cloned();
            state.requests.push(head);
            page.unwrap_or_else(|| Page::new("404 Not Found", ""))
        };
        page.write(&mut stream).await
    }
}

impl Network for Town {
    fn resolve<'a>(&'a self, host: &'a str, port: u16) -> Later<'a, io::Result<Vec<SocketAddr>>> {
        let answer = {
            let mut state = self.0.lock().unwrap();
            state.looked_up.push(host.into());
            let answers = state.names.get_mut(host);
            answers.map_or(Answer::Nothing, |it| match it.len() {
                1 => it[0].clone(),
                _ => it.pop_front().unwrap(),
            })
        };
        Box::pin(async move {
            match answer {
                Answer::Addresses(all) => Ok(all.into_iter().map(|it| SocketAddr::new(it, port)).collect()),
                Answer::Nothing => Err(io::Error::other("no such name in the resolver of 10.0.0.53")),
                Answer::Silence => std::future::pending().await,
            }
        })
    }

    fn connect(&self, address: SocketAddr) -> Later<'_, io::Result<Connected>> {
        Box::pin(async move {
            let (closed, deaf, peer) = {
                let mut state = self.0.lock().unwrap();
                state.dialled.push(address);
                (state.closed.contains(&address.ip()), state.deaf.contains(&address.ip()), state.peer)
            };
            if closed {
                return Err(io::ErrorKind::ConnectionRefused.into());
            }
            if deaf {
                std::future::pending::<()>().await;
            }
            let (ours, theirs) = duplex(64 * 1024);
            let town = self.clone();
            tokio::spawn(async move {
                match address.port() {
                    8080 => town.serve(theirs).await,
                    _ => town.serve(ROOT.acceptor.accept(theirs).await?).await,
                }
            });
            Ok(Connected::new(ours, peer.unwrap_or(address)))
        })
    }
}

impl fmt::Debug for Town {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Town")
    }
}

/// A certificate authority, and a server that it vouches for.
pub(super) struct Root {
    pub(super) pem: String,
    pub(super) der: Vec<u8>,
    pub(super) acceptor: TlsAcceptor,
}

/// The one that the tests trust.
pub(super) static ROOT: LazyLock<Root> = LazyLock::new(Root::new);

impl Root {
    pub(super) fn new() -> Self {
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let root = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
        let key = KeyPair::generate().unwrap();
        let names = ["*.example.com", "localhost", "idp", "127.0.0.1"].map(String::from);
        let leaf = CertificateParams::new(names).unwrap().signed_by(&key, &root).unwrap();
        let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(key.serialize_der()));
        let config = ServerConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![leaf.der().clone()], key)
            .unwrap();
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let root: &rcgen::Certificate = root.as_ref();
        Self { pem: root.pem(), der: root.der().to_vec(), acceptor }
    }
}
