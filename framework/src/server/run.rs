//! A decided server at work: on an address, on a listener, on standard input and output.

use std::{future::Future, io, sync::Arc};

use tokio::net::{TcpListener, ToSocketAddrs};

use super::{AuthDecided, Server};
use crate::serve::{
    listener::{self, Front},
    stdio::{self, streams},
};

impl<S: Clone + Send + Sync + 'static, A> Server<S, A> {
    /// Listens on an address until the process is told to stop (SIGTERM or Ctrl-C), then lets what runs come to its
    /// end. A second signal ends it at once.
    ///
    /// # Errors
    /// When the configuration is wrong, or the address cannot be listened on.
    pub async fn serve(self, address: impl ToSocketAddrs) -> io::Result<()>
    where
        A: AuthDecided,
    {
        let listener = TcpListener::bind(address)
            .await
            .map_err(|error| io::Error::new(error.kind(), format!("cannot listen: {error}")))?;
        self.serve_on(listener, stop_signal()).await
    }

    /// Serves on a listener until `stop` is ready.
    ///
    /// # Errors
    /// When the configuration is wrong.
    pub async fn serve_on(self, listener: TcpListener, stop: impl Future<Output = ()>) -> io::Result<()>
    where
        A: AuthDecided,
    {
        let engine = self.engine().map_err(io::Error::other)?;
        let config = &self.shared.config;
        config.check_address(listener.local_addr()?)?;
        config.warn_of_what_is_forgotten();
        let path: Arc<str> = config.path.as_str().into();
        let mut front = Front::Direct(engine.clone(), path.clone());
        for layer in &config.http_layers {
            front = Front::Layered(layer(front.into_service()));
        }
        listener::run(listener, engine, front, stop).await
    }

    /// Serves one client on standard input and output until the input ends (basic/transports/stdio). Whoever started
    /// the process is the caller. Print nothing to standard output: it belongs to the protocol, and where it is a pipe or a
    /// socket it no longer blocks.
    ///
    /// # Errors
    /// When the configuration is wrong, or the streams break.
    pub async fn serve_stdio(self) -> io::Result<()>
    where
        A: AuthDecided,
    {
        let input = tokio::io::BufReader::with_capacity(64 * 1024, streams::input()?);
        self.serve_streams(input, streams::output()?).await
    }

    /// The same on any pair of streams, a message a line.
    ///
    /// # Errors
    /// When the configuration is wrong, or the streams break.
    pub async fn serve_streams(
        self,
        input: impl tokio::io::AsyncBufRead + Unpin,
        output: impl tokio::io::AsyncWrite + Unpin + Send + 'static,
    ) -> io::Result<()>
    where
        A: AuthDecided,
    {
        let engine = self.engine().map_err(io::Error::other)?;
        stdio::run(engine, input, output).await
    }
}

/// Ready at the first SIGTERM or Ctrl-C; the process ends at the second.
async fn stop_signal() {
    let first = one_signal().await;
    if first.is_err() {
        return std::future::pending().await;
    }
    tokio::spawn(async {
        if one_signal().await.is_ok() {
            std::process::exit(1);
        }
    });
}

async fn one_signal() -> io::Result<()> {
    #[cfg(unix)]
    {
        let mut terminate = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())?;
        tokio::select! {
            interrupted = tokio::signal::ctrl_c() => interrupted,
            _ = terminate.recv() => Ok(()),
        }
    }
    #[cfg(not(unix))]
    tokio::signal::ctrl_c().await
}
