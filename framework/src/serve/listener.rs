//! The server's own listener: connections in, drained on the way out.

use std::{
    convert::Infallible,
    future::{Future, poll_fn},
    io,
    pin::pin,
    sync::Arc,
    time::Duration,
};

use http::{
    HeaderValue,
    header::{CONTENT_LENGTH, TRANSFER_ENCODING},
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
    socket::Socket,
};
use crate::{engine::Engine, layers::HttpService, permits::Permits};

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
                    let served = connection(stream, engine.clone(), front.clone(), drains.clone());
                    connections.spawn(async move {
                        served.await;
                        drop(place);
                    });
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

/// An answer on its way, straight or through the app's layers.
enum Answered<D, L> {
    Direct(D),
    Layered(L),
}

/// Waits for the drain.
async fn drained(mut drains: watch::Receiver<bool>) {
    // The sender lives as long as the listener, which tells before it ends.
    let _ = drains.changed().await;
}

async fn connection(stream: TcpStream, engine: Arc<Engine>, front: Front, drains: watch::Receiver<bool>) {
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
        let answered = match &front {
            Front::Direct(engine, path) => {
                Answered::Direct(answer(engine.clone(), request, None, Some(path.clone())))
            }
            Front::Layered(service) => Answered::Layered(service.clone().call(request)),
        };
        let exchange = exchange.clone();
        async move {
            let response = match answered {
                Answered::Direct(it) => it.await,
                Answered::Layered(it) => it.await?,
            };
            Ok::<_, Infallible>(response.map(|body| Sent { body, exchange }))
        }
    });
    let connection = http1::Builder::new()
        // The socket sees to it, with fewer timers.
        .header_read_timeout(None)
        .max_buf_size(limits.head_bytes)
        .max_headers(limits.header_count)
        .serve_connection(socket, service);
    let mut connection = pin!(connection);
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
