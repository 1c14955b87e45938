//! What the tests share: a server on a port of its own, a client that speaks raw bytes, and an ear for the log.

pub mod log;
pub mod raw;

use std::{net::SocketAddr, time::Duration};

use tokio::{net::TcpListener, sync::oneshot, task::JoinHandle};
use tollgate::Server;

pub use log::Log;
pub use raw::{Answer, Call, Connection};

/// A server that listens on a port of its own until it is dropped.
#[derive(Debug)]
pub struct Running {
    /// Where it listens.
    pub address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    served: JoinHandle<std::io::Result<()>>,
}

/// Starts a server on a free port of this machine.
///
/// # Panics
/// When there is no free port.
pub async fn start<S: Clone + Send + Sync + 'static>(server: Server<S>) -> Running {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("there is a free port");
    let address = listener.local_addr().expect("it is bound");
    let (stop, stopped) = oneshot::channel::<()>();
    let served = tokio::spawn(server.serve_on(listener, async move {
        let _ = stopped.await;
    }));
    Running { address, stop: Some(stop), served }
}

impl Running {
    /// Tells the server to stop and waits until it has.
    ///
    /// # Errors
    /// What the server ended with.
    ///
    /// # Panics
    /// When it does not stop within a minute.
    pub async fn stop(mut self) -> std::io::Result<()> {
        drop(self.stop.take());
        let served = tokio::time::timeout(Duration::from_secs(60), &mut self.served).await;
        served.expect("it stops within a minute").expect("it does not panic")
    }

    /// Tells the server to stop and does not wait.
    pub fn signal(&mut self) {
        drop(self.stop.take());
    }
}
