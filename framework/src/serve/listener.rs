//! The server's own listener: connections in, drained on the way out.

use std::{
    convert::Infallible,
    future::{Future, poll_fn},
    io,
    pin::{Pin, pin},
    sync::Arc,
    task::{Context, Poll, ready},
    time::Duration,
};

use http::{
    HeaderValue, Response,
    header::{AUTHORIZATION, CONTENT_LENGTH, Entry, TRANSFER_ENCODING},
};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::watch,
    task::JoinSet,
    time::sleep,
};
use tower::Service;

use super::{
    http::answer,
    sent::Sent,
    socket::{Exchange, Socket},
};
use crate::{
    body::Body,
    engine::Engine,
    layers::HttpService,
    limits::Limits,
    permits::{Permit, Permits},
};

/// What serves each request of a connection.
#[derive(Clone)]
pub(crate) enum Front {
    Direct(Arc<Engine>, Arc<str>),
    /// Behind the app's own layers.
    Layered(HttpService),
}

/// Serves until `stop` is ready, then lets what runs come to its end.
pub(crate) async fn run(
    listener: TcpListener,
    engine: Arc<Engine>,
    front: Front,
    stop: impl Future<Output = ()>,
) -> io::Result<()> {
    let mut stop = pin!(stop);
    let places = Permits::new(engine.limits.connections, None);
    let (drain, drains) = watch::channel(false);
    let mut connections = JoinSet::new();
    let mut pause = PAUSE;
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => {
                    pause = PAUSE;
                    // Over the limit the connection is closed at once: it costs least that way.
                    let Ok(place) = places.take() else { continue };
                    connections.spawn(connection(stream, engine.clone(), front.clone(), drains.clone(), place));
                }
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be accepted");
                    sleep(pause).await;
                    pause = (pause * 2).min(MOST_PAUSE);
                }
            },
            Some(_) = connections.join_next() => {}
            () = &mut stop => break,
        }
    }
    drop(listener);
    engine.catalog.changes.drain();
    // Without connections nobody hears it.
    let _ = drain.send(true);
    let mut end = pin!(sleep(engine.limits.drain_time));
    loop {
        tokio::select! {
            next = connections.join_next() => if next.is_none() { return Ok(()) },
            () = &mut end => break,
        }
    }
    tracing::warn!(left = connections.len(), "calls were still running at the end of the drain time");
    connections.shutdown().await;
    Ok(())
}

const PAUSE: Duration = Duration::from_millis(5);
const MOST_PAUSE: Duration = Duration::from_secs(1);

/// An answer on its way, straight or through the app's layers. Written out, since an `async` block would keep the room
/// for it twice.
enum Answering<D> {
    Direct(D, Exchange),
    Layered(<HttpService as Service<hyper::Request<Incoming>>>::Future, Exchange),
}

impl<D: Future<Output = Response<Body>> + Unpin> Future for Answering<D> {
    type Output = Result<Response<Sent>, Infallible>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let (response, exchange) = match self.get_mut() {
            Self::Direct(it, exchange) => (ready!(Pin::new(it).poll(cx)), exchange),
            Self::Layered(it, exchange) => (ready!(it.as_mut().poll(cx))?, exchange),
        };
        Poll::Ready(Ok(response.map(|body| Sent { body, exchange: exchange.clone() })))
    }
}

/// Waits for the drain.
async fn drained(mut drains: watch::Receiver<bool>) {
    // The sender lives as long as the listener, which tells before it ends.
    let _ = drains.changed().await;
}

/// Serves one connection, which holds its place. A future that is moved after it was made would stand here twice, and
/// a connection that only listens is little else.
async fn connection(
    stream: TcpStream,
    engine: Arc<Engine>,
    front: Front,
    drains: watch::Receiver<bool>,
    _place: Permit,
) {
    // An answer is one write; waiting for more of it would only delay it.
    let _ = stream.set_nodelay(true);
    let limits = &engine.limits;
    let (socket, exchange) = Socket::new(stream, limits);
    let service = service_fn(move |mut request: hyper::Request<Incoming>| {
        exchange.begin();
        // hyper has dropped the length of a chunked request; the door refuses one that has both.
        if request.headers().contains_key(TRANSFER_ENCODING) && exchange.may_have_length() {
            request.headers_mut().insert(CONTENT_LENGTH, HeaderValue::from_static("0"));
        }
        match &front {
            Front::Direct(engine, path) => {
                Answering::Direct(answer(engine.clone(), request, None, Some(path.clone())), exchange.clone())
            }
            Front::Layered(service) => {
                // So that no layer of the app logs a token.
                if let Entry::Occupied(mut tokens) = request.headers_mut().entry(AUTHORIZATION) {
                    tokens.iter_mut().for_each(|it| it.set_sensitive(true));
                }
                Answering::Layered(service.clone().call(request), exchange.clone())
            }
        }
    });
    let mut connection = pin!(http(limits).serve_connection(socket, service));
    let mut drained = pin!(drained(drains.clone()));
    let mut is_told = false;
    let mut is_armed = false;
    let ended = poll_fn(|cx| {
        // The wait is only polled when there is something to hear: it would cost as much as a gate otherwise.
        if !is_told && (!is_armed || drains.has_changed().unwrap_or(true)) {
            is_armed = true;
            if drained.as_mut().poll(cx).is_ready() {
                is_told = true;
                connection.as_mut().graceful_shutdown();
            }
        }
        connection.as_mut().poll(cx)
    })
    .await;
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection broke off");
    }
}

fn http(limits: &Limits) -> http1::Builder {
    let mut http = http1::Builder::new();
    // The socket sees to the time of a head, with fewer timers.
    http.header_read_timeout(None).max_buf_size(limits.head_bytes).max_headers(limits.header_count);
    http
}

impl Front {
    /// What the innermost of the app's layers wraps.
    pub(crate) fn into_service(self) -> HttpService {
        match self {
            Self::Layered(service) => service,
            Self::Direct(engine, path) => HttpService(Arc::new(move |request| {
                let (engine, path) = (engine.clone(), path.clone());
                Box::pin(async move { Ok(answer(engine, request, None, Some(path)).await) })
            })),
        }
    }
}
