//! Is this a request that may come in at all? Host, Origin, path, verb, media types, and the wire rules that hyper
//! leaves to us.

use std::sync::Arc;

use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Uri, header};

use super::refusal::{Reason, Refusal};
use crate::{
    caller::Caller,
    doors::{Allowed, Doors},
    engine::Engine,
    gate::Gate,
};

/// A request as it came.
pub(crate) struct Arrival<B> {
    pub(crate) engine: Arc<Engine>,
    pub(crate) request: Request<B>,
    /// Set by the in-memory client alone.
    pub(crate) caller: Option<Caller>,
    /// The path that is served, unless whoever routed the request has looked at it already.
    pub(crate) path: Option<Arc<str>>,
}

/// A request that may come in.
pub(crate) struct Post<B> {
    pub(crate) engine: Arc<Engine>,
    pub(crate) verb: Verb,
    pub(crate) headers: HeaderMap,
    pub(crate) body: B,
    pub(crate) caller: Option<Caller>,
}

/// What may be done with the endpoint. Legacy clients also open a stream and end their session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verb {
    Post,
    Get,
    Delete,
}

pub(crate) struct Door<B>(std::marker::PhantomData<B>);

impl<B> Gate for Door<B> {
    type In = Arrival<B>;
    type Out = Post<B>;

    fn pass(it: Arrival<B>) -> Result<Post<B>, Refusal> {
        let (head, body) = it.request.into_parts();
        let doors = &it.engine.doors;
        let verb = check_wire(&head.headers)
            .and_then(|()| check_host(&head.headers, &head.uri, doors))
            .and_then(|()| check_origin(&head.headers, doors))
            .and_then(|()| check_path(&head.uri, it.path.as_deref()))
            .and_then(|()| verb(&head.method, doors))
            .and_then(|verb| check_media(&head.headers, verb).map(|()| verb))
            .map_err(|reason| reason.of(None))?;
        Ok(Post { engine: it.engine, verb, headers: head.headers, body, caller: it.caller })
    }
}

/// What hyper lets through: two lengths for one body, and names that a gateway may fold into ours.
fn check_wire(headers: &HeaderMap) -> Result<(), Reason> {
    if headers.contains_key(header::TRANSFER_ENCODING) {
        let encodings = headers.get_all(header::TRANSFER_ENCODING).iter().collect::<Vec<_>>();
        let is_chunked =
            matches!(encodings.as_slice(), [one] if one.as_bytes().eq_ignore_ascii_case(b"chunked"));
        if !is_chunked || headers.contains_key(header::CONTENT_LENGTH) {
            return Err(Reason::LengthTwice);
        }
    }
    if headers.get_all(header::CONTENT_LENGTH).iter().nth(1).is_some() {
        return Err(Reason::LengthTwice);
    }
    match headers.keys().find(|it| it.as_str().starts_with("mcp_")) {
        Some(name) => Err(Reason::HeaderName(name.as_str().to_owned())),
        None => Ok(()),
    }
}

fn check_host(headers: &HeaderMap, target: &Uri, doors: &Doors) -> Result<(), Reason> {
    let host = only(headers, header::HOST).map_err(|()| Reason::HostCount)?;
    // HTTP/2 carries the host in the target alone.
    let authority = target.authority().map(http::uri::Authority::as_str);
    let host = match (host.map(HeaderValue::to_str), authority) {
        (Some(Ok(host)), Some(authority)) if !host.eq_ignore_ascii_case(authority) => {
            return Err(Reason::HostDisagrees);
        }
        (Some(Ok(host)), _) => host,
        (None, Some(authority)) => authority,
        (Some(Err(_)) | None, _) => return Err(Reason::HostCount),
    };
    if doors.hosts.lets_in(host) { Ok(()) } else { Err(Reason::HostDenied) }
}

fn check_origin(headers: &HeaderMap, doors: &Doors) -> Result<(), Reason> {
    let origin = only(headers, header::ORIGIN).map_err(|()| Reason::OriginDenied)?;
    let Some(origin) = origin else {
        // A browser that hides the origin still says that the page is a stranger.
        let site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
        let is_strange = site == Some(b"cross-site") && doors.origins != Allowed::Any;
        return if is_strange { Err(Reason::OriginDenied) } else { Ok(()) };
    };
    let allowed = origin.to_str().is_ok_and(|it| doors.origins.lets_origin_in(it));
    if allowed { Ok(()) } else { Err(Reason::OriginDenied) }
}

fn check_path(target: &Uri, path: Option<&str>) -> Result<(), Reason> {
    if path.is_none_or(|it| target.path() == it) { Ok(()) } else { Err(Reason::NoSuchPath) }
}

fn verb(method: &Method, doors: &Doors) -> Result<Verb, Reason> {
    match *method {
        Method::POST => Ok(Verb::Post),
        Method::GET if doors.legacy => Ok(Verb::Get),
        Method::DELETE if doors.legacy => Ok(Verb::Delete),
        _ => Err(Reason::VerbDenied { legacy: doors.legacy }),
    }
}

fn check_media(headers: &HeaderMap, verb: Verb) -> Result<(), Reason> {
    match verb {
        Verb::Delete => return Ok(()),
        Verb::Get => {
            return if accepts(headers, "text/event-stream") { Ok(()) } else { Err(Reason::Accept) };
        }
        Verb::Post => {}
    }
    let content_type = only(headers, header::CONTENT_TYPE).map_err(|()| Reason::MediaType)?;
    if !content_type.is_some_and(is_json) {
        return Err(Reason::MediaType);
    }
    let encoding = headers.get(header::CONTENT_ENCODING).map(HeaderValue::as_bytes);
    if encoding.is_some_and(|it| !it.eq_ignore_ascii_case(b"identity")) {
        return Err(Reason::Encoding);
    }
    if accepts(headers, "application/json") && accepts(headers, "text/event-stream") {
        Ok(())
    } else {
        Err(Reason::Accept)
    }
}

fn is_json(content_type: &HeaderValue) -> bool {
    let Ok(text) = content_type.to_str() else { return false };
    let mut parts = text.split(';').map(str::trim);
    let is_json = parts.next().is_some_and(|it| it.eq_ignore_ascii_case("application/json"));
    // JSON is UTF-8; another charset would be another document.
    is_json
        && parts.all(|it| match it.split_once('=') {
            Some((name, value)) if name.trim().eq_ignore_ascii_case("charset") => {
                value.trim().trim_matches('"').eq_ignore_ascii_case("utf-8")
            }
            _ => true,
        })
}

/// Whether a media type is acceptable; a request that does not say accepts all.
fn accepts(headers: &HeaderMap, media_type: &str) -> bool {
    let mut all = headers.get_all(header::ACCEPT).iter().peekable();
    if all.peek().is_none() {
        return true;
    }
    let range = media_type.split_once('/').map_or(media_type, |it| it.0);
    all.filter_map(|it| it.to_str().ok()).flat_map(|it| it.split(',')).any(|it| {
        let mut parts = it.split(';').map(str::trim);
        let name = parts.next().unwrap_or_default();
        let refused = parts.any(|it| matches!(it, "q=0" | "q=0.0" | "q=0.00" | "q=0.000"));
        let matches = name.eq_ignore_ascii_case(media_type)
            || name == "*/*"
            || name.strip_suffix("/*").is_some_and(|it| it.eq_ignore_ascii_case(range));
        matches && !refused
    })
}

/// The only value of a header; an error when there are two.
pub(crate) fn only(headers: &HeaderMap, name: HeaderName) -> Result<Option<&HeaderValue>, ()> {
    let mut all = headers.get_all(name).iter();
    let first = all.next();
    if all.next().is_some() { Err(()) } else { Ok(first) }
}
