//! An HTTP request through the row, and its answer as an HTTP response.

use std::{
    future::Future,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
    time::Duration,
};

use bytes::{Buf, Bytes};
use http::{HeaderMap, HeaderValue, Request, Response, StatusCode, header};
use tower::Service;

use super::preflight;
use crate::{
    answer::{Payload, Reply},
    body::Body,
    caller::Caller,
    engine::Engine,
    gates::{
        self,
        door::Arrival,
        refusal::{Reason, Refusal, Row},
    },
    guard::Guarded,
    wire::names::header as mcp,
};

/// Answers one request. The gates that need not wait have judged it when this returns, so that the future is small.
pub(crate) fn answer<B>(
    engine: Arc<Engine>,
    mut request: Request<B>,
    caller: Option<Caller>,
    path: Option<Arc<str>>,
) -> impl Future<Output = Response<Body>> + Send + Unpin
where
    B: http_body::Body<Data: Buf + Send, Error: Into<Box<dyn std::error::Error + Send + Sync>>>
        + Send
        + 'static,
{
    let metadata = metadata(&engine, &mut request);
    let way = match metadata {
        Some(response) => Way::There(Some(response)),
        None if preflight::is_for(&engine, &request) => {
            Way::Preflight(Guarded(Box::pin(preflight::answer(engine.clone(), request))))
        }
        None => Way::Row(Guarded(gates::row::<B>().call(Arrival {
            engine: engine.clone(),
            request,
            caller,
            path,
        }))),
    };
    Answering { way, engine }
}

/// A request on its way to its answer. Written out, since an `async` block would keep the room for the row twice.
struct Answering<F> {
    way: Way<F>,
    engine: Arc<Engine>,
}

enum Way<F> {
    /// What is served beside the endpoint.
    There(Option<Box<Response<Body>>>),
    Preflight(Guarded<Pin<Box<dyn Future<Output = Response<Body>> + Send>>>),
    Row(Guarded<F>),
}

impl<F: Future<Output = Result<Reply, Refusal>> + Unpin> Future for Answering<F> {
    type Output = Response<Body>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Response<Body>> {
        let Self { way, engine } = self.get_mut();
        let row = match way {
            Way::There(response) => return response.take().map_or(Poll::Pending, |it| Poll::Ready(*it)),
            Way::Preflight(answer) => {
                return Pin::new(answer).poll(cx).map(|it| {
                    it.unwrap_or_else(|panic| refused(engine, &Reason::internal(engine, &panic).of(None)))
                });
            }
            Way::Row(row) => row,
        };
        Poll::Ready(match ready!(Pin::new(row).poll(cx)) {
            Ok(Ok(reply)) => accepted(reply, engine.limits.keep_alive),
            Ok(Err(refusal)) => refused(engine, &refusal),
            Err(panic) => refused(engine, &Reason::internal(engine, &panic).of(None)),
        })
    }
}

/// What is served beside the endpoint, to anybody.
#[cfg(feature = "auth")]
fn metadata<B>(engine: &Engine, request: &mut Request<B>) -> Option<Box<Response<Body>>> {
    super::metadata::answer(engine, request).map(Box::new)
}

#[cfg(not(feature = "auth"))]
const fn metadata<B>(_: &Engine, _: &mut Request<B>) -> Option<Box<Response<Body>>> {
    None
}

fn accepted(reply: Reply, keep_alive: Duration) -> Response<Body> {
    let mut response = match reply.payload {
        Payload::Nothing => status(StatusCode::ACCEPTED),
        Payload::Ended => status(StatusCode::NO_CONTENT),
        Payload::Message(message) => json(Body::bytes([message, Bytes::new()], reply.room)),
        Payload::Page(page, end) => json(Body::bytes([page, end], reply.room)),
        Payload::Stream(messages) => events(Body::events(messages, keep_alive, reply.room)),
    };
    if let Some(Ok(session)) = reply.session.map(HeaderValue::try_from) {
        response.headers_mut().insert(mcp::SESSION, session);
    }
    guarded(response)
}

pub(super) fn refused(engine: &Engine, refusal: &Refusal) -> Response<Body> {
    let row = refusal.reason.row();
    let text = logged(&refusal.reason, &row);
    tracing::debug!(status = row.status.as_u16(), code = row.code, text, "a request was refused");
    let mut response = json(Body::bytes([refusal.body().into(), Bytes::new()], None));
    *response.status_mut() = row.status;
    add_headers(response.headers_mut(), engine, &refusal.reason);
    guarded(response)
}

/// What a refusal says in headers: when to come again, how to show who one is, what is allowed.
pub(super) fn add_headers(headers: &mut HeaderMap, engine: &Engine, reason: &Reason) {
    if let Some(seconds) = reason.retry_after() {
        headers.insert(header::RETRY_AFTER, HeaderValue::from(u16::from(seconds)));
    }
    if let Some(challenge) = reason.challenge(engine) {
        headers.insert(header::WWW_AUTHENTICATE, challenge);
    }
    if let Reason::VerbDenied { legacy } = reason {
        let allow = if *legacy { "POST, GET, DELETE" } else { "POST" };
        headers.insert(header::ALLOW, HeaderValue::from_static(allow));
    }
    if reason.closes() {
        headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
}

/// A text that may repeat what the request says stays out of the log: that may be personal, or nearly a handle.
fn logged<'a>(reason: &Reason, row: &'a Row) -> Option<&'a str> {
    let repeats = matches!(
        reason,
        Reason::Header(_)
            | Reason::Params(_)
            | Reason::Rider(_)
            | Reason::ToolUnknown(_)
            | Reason::PromptUnknown(_)
            | Reason::Told { .. }
    );
    (!repeats).then_some(&*row.text)
}

fn status(status: StatusCode) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = status;
    response
}

pub(super) fn json(body: Body) -> Response<Body> {
    let mut response = Response::new(body);
    // Room for what is added here and by `guarded`, so that the map does not grow in between.
    response.headers_mut().reserve(4);
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// A proxy that buffers would hold events back (basic/transports/streamable-http#receiving-messages).
fn events(body: Body) -> Response<Body> {
    let mut response = Response::new(body);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}

/// What every answer carries: it is for this client alone, and is what it says it is.
pub(super) fn guarded(mut response: Response<Body>) -> Response<Body> {
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}
