//! One GET over one connection, and the checks of what comes back.

use std::pin::pin;

use bytes::{Bytes, BytesMut};
use http::{HeaderMap, Request, Response, StatusCode, header};
use http_body::Body as _;
use hyper::{body::Incoming, client::conn::http1};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};

use crate::wire::scan::{Bounds, scan};

use super::{Document, demand::Demand, error::Cause, freshness::Freshness, target::Target};

/// Sends the request and reads one JSON object. The connection ends with it.
pub(super) async fn get(
    stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static,
    target: &Target,
    demand: &Demand,
) -> Result<Document, Cause> {
    #[expect(clippy::disallowed_methods, reason = "this is the one client, behind the guards of the fetcher")]
    let (mut sender, connection) = http1::Builder::new()
        .max_buf_size(HEAD_BYTES)
        .handshake::<_, String>(TokioIo::new(stream))
        .await
        .map_err(Cause::Http)?;
    let request = request(target)?;
    let mut exchange = pin!(async move {
        let response = sender.send_request(request).await.map_err(Cause::Http)?;
        read(response, demand).await
    });
    // The connection may end before its last bytes are read.
    tokio::select! {
        biased;
        document = &mut exchange => return document,
        _ = connection => {}
    }
    exchange.await
}

/// The least that hyper can be held to.
const HEAD_BYTES: usize = 8 * 1024;

/// No cookie, no referer, no credentials: there is nothing in the fetcher that they could come from.
fn request(target: &Target) -> Result<Request<String>, Cause> {
    Request::get(target.path())
        .header(header::HOST, target.authority())
        .header(header::ACCEPT, "application/json")
        .header(header::ACCEPT_ENCODING, "identity")
        .header(header::USER_AGENT, "tollgate")
        .header(header::CONNECTION, "close")
        .body(String::new())
        .map_err(Cause::Request)
}

async fn read(response: Response<Incoming>, demand: &Demand) -> Result<Document, Cause> {
    if response.status() != StatusCode::OK {
        return Err(Cause::Status(response.status()));
    }
    if !is_json(response.headers()) {
        return Err(Cause::Type);
    }
    if response.headers().contains_key(header::CONTENT_ENCODING) {
        return Err(Cause::Encoded);
    }
    let Freshness { fresh_for, no_store } = Freshness::of(response.headers());
    let bytes = collect(response.into_body(), demand.bytes).await?;
    scan(&bytes, &Bounds::default()).map_err(Cause::Json)?;
    Ok(Document { bytes, fresh_for, no_store })
}

/// Stops at the first byte that is too many, whatever length was announced.
async fn collect(body: Incoming, most: usize) -> Result<Bytes, Cause> {
    if body.size_hint().lower() > most as u64 {
        return Err(Cause::Large(most));
    }
    let mut body = pin!(body);
    let mut bytes = BytesMut::new();
    while let Some(frame) = std::future::poll_fn(|cx| body.as_mut().poll_frame(cx)).await {
        if let Ok(data) = frame.map_err(Cause::Http)?.into_data() {
            if bytes.len() + data.len() > most {
                return Err(Cause::Large(most));
            }
            bytes.extend_from_slice(&data);
        }
    }
    Ok(bytes.freeze())
}

fn is_json(headers: &HeaderMap) -> bool {
    let mut all = headers.get_all(header::CONTENT_TYPE).iter();
    let (Some(value), None) = (all.next(), all.next()) else { return false };
    let Ok(value) = value.to_str() else { return false };
    let essence = value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let Some(subtype) = essence.strip_prefix("application/") else { return false };
    let is_token = |text: &str| {
        !text.is_empty() && text.bytes().all(|it| it.is_ascii_alphanumeric() || b"!#$&-^_.+".contains(&it))
    };
    subtype == "json" || subtype.strip_suffix("+json").is_some_and(is_token)
}
