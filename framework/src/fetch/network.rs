//! How the fetcher reaches the network, and what stands in for it in tests.

use std::{
    fmt, io,
    net::{SocketAddr, ToSocketAddrs},
    sync::{Arc, LazyLock},
};

use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::TcpStream,
    sync::Semaphore,
};

use crate::store::BoxFuture;

/// Resolves names and opens connections for the fetcher.
///
/// The operating system's ([`OsNetwork`]) is right for a server. Implement it to use a resolver of your own, or in
/// tests: to give a name the answers that the test is about, and to serve documents from memory.
///
/// The fetcher checks what `resolve` answers, connects to exactly those addresses, and checks
/// [`Connected::peer`] again. An implementation must not resolve in `connect`, and must not go through a proxy: the
/// check would then be about something else.
///
/// Both futures are dropped when they take too long: 2 s for `resolve`, 3 s for each `connect`.
pub trait Network: Send + Sync + 'static {
    /// All addresses of a host. Their ports do not matter, the fetcher uses that of the URL.
    ///
    /// # Errors
    /// When the name has no answer. It is logged, and not shown to whoever asked for the document.
    fn resolve<'a>(&'a self, host: &'a str, port: u16) -> BoxFuture<'a, io::Result<Vec<SocketAddr>>>;

    /// Connects to this address.
    ///
    /// # Errors
    /// When there is no connection. The next address is tried, if there is one.
    fn connect(&self, address: SocketAddr) -> BoxFuture<'_, io::Result<Connected>>;
}

/// An open connection, and who is at its other end.
pub struct Connected {
    pub(super) stream: Box<dyn Stream>,
    pub(super) peer: SocketAddr,
}

impl Connected {
    /// Hands over a stream. `peer` is where it really ends, as the socket tells, not where it should end.
    pub fn new(stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static, peer: SocketAddr) -> Self {
        Self { stream: Box::new(stream), peer }
    }

    /// Who is at the other end.
    #[must_use]
    pub fn peer(&self) -> SocketAddr {
        self.peer
    }
}

impl fmt::Debug for Connected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connected").field("peer", &self.peer).finish_non_exhaustive()
    }
}

pub(super) trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

/// The network of the operating system: its resolver, and TCP.
///
/// The resolver blocks a thread until it answers or gives up, also when nobody waits any more. At most eight threads
/// of the process do; who comes then waits, within the time that a fetch has.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct OsNetwork;

impl OsNetwork {
    /// The network of the operating system.
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

impl Network for OsNetwork {
    fn resolve<'a>(&'a self, host: &'a str, port: u16) -> BoxFuture<'a, io::Result<Vec<SocketAddr>>> {
        Box::pin(async move {
            let place = RESOLVING.clone().acquire_owned().await.map_err(io::Error::other)?;
            let host = host.to_owned();
            let answer = tokio::task::spawn_blocking(move || {
                // Given back when the thread is free, not when the waiting ends.
                let _place = place;
                (host.as_str(), port).to_socket_addrs().map(Iterator::collect)
            });
            answer.await?
        })
    }

    fn connect(&self, address: SocketAddr) -> BoxFuture<'_, io::Result<Connected>> {
        Box::pin(async move {
            let stream = TcpStream::connect(address).await?;
            let peer = stream.peer_addr()?;
            Ok(Connected::new(stream, peer))
        })
    }
}

static RESOLVING: LazyLock<Arc<Semaphore>> = LazyLock::new(|| Arc::new(Semaphore::new(8)));
