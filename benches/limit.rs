//! What hyper alone can do: it reads the body, parses the envelope once with borrowed values, and answers. It checks
//! nothing. Ratios are measured against it.

use std::{
    convert::Infallible,
    future::poll_fn,
    io,
    pin::Pin,
    task::{Context, Poll},
};

use bytes::{Bytes, BytesMut};
use http::{HeaderValue, Request, Response, header};
use http_body::{Body, Frame, SizeHint};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::net::TcpListener;

#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow)]
    id: &'a RawValue,
    method: &'a str,
    #[serde(borrow)]
    params: Params<'a>,
}

#[derive(Deserialize)]
struct Params<'a> {
    #[serde(borrow)]
    arguments: Option<Arguments<'a>>,
}

#[derive(Deserialize)]
struct Arguments<'a> {
    #[serde(borrow)]
    text: std::borrow::Cow<'a, str>,
}

#[tokio::main]
async fn main() -> io::Result<()> {
    let port = std::env::var("PORT").ok().and_then(|it| it.parse().ok()).unwrap_or(8001);
    // The answer to tools/list, so that both servers send the same bytes.
    let list = std::env::var("LIST").ok().map(std::fs::read).transpose()?.unwrap_or_default();
    let list = Bytes::from(list);
    let listener = TcpListener::bind(("127.0.0.1", port)).await?;
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        let list = list.clone();
        tokio::spawn(async move {
            let service = service_fn(move |request| answer(request, list.clone()));
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .serve_connection(TokioIo::new(stream), service);
            // A client that leaves is no fault.
            let _ = connection.await;
        });
    }
}

async fn answer(request: Request<Incoming>, list: Bytes) -> Result<Response<Whole>, Infallible> {
    let body = read(request.into_body()).await;
    let out = match serde_json::from_slice::<Envelope<'_>>(&body) {
        Ok(it) if it.method == "tools/list" => list,
        Ok(it) => called(&it),
        Err(error) => Bytes::from(error.to_string()),
    };
    let mut response = Response::new(Whole(Some(out)));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    Ok(response)
}

fn called(it: &Envelope<'_>) -> Bytes {
    let text = it.params.arguments.as_ref().map_or("", |it| &it.text);
    let mut out = Vec::with_capacity(text.len() + 256);
    out.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
    out.extend_from_slice(it.id.get().as_bytes());
    out.extend_from_slice(br#","result":{"resultType":"complete","content":[{"type":"text","text":"#);
    if serde_json::to_writer(&mut out, text).is_err() {
        out.extend_from_slice(b"\"\"");
    }
    out.extend_from_slice(
        br#"}],"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"load","version":"1.0.0"}}}}"#,
    );
    out.into()
}

async fn read(mut body: Incoming) -> Bytes {
    let mut all = BytesMut::new();
    let mut first = Bytes::new();
    while let Some(Ok(frame)) = poll_fn(|cx| Pin::new(&mut body).poll_frame(cx)).await {
        let Ok(data) = frame.into_data() else { continue };
        if first.is_empty() && body.is_end_stream() {
            return data;
        }
        if first.is_empty() {
            first = data.clone();
        }
        all.extend_from_slice(&data);
    }
    all.freeze()
}

struct Whole(Option<Bytes>);

impl Body for Whole {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Ready(self.0.take().map(|it| Ok(Frame::data(it))))
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_none()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.0.as_ref().map_or(0, Bytes::len) as u64)
    }
}
