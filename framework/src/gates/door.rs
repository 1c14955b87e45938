//! Is this a request that may come in at all? Host, Origin, path, verb, media types, and the wire rules that hyper
//! leaves to us.

use std::sync::Arc;

use http::{HeaderValue, Method, Request, Uri, Version};

use super::{
    headers::{Headers, Once},
    refusal::{Reason, Refusal},
};
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
    pub(crate) headers: Box<Headers>,
    pub(crate) body: B,
    pub(crate) caller: Option<Caller>,
    /// Whether the target carries a token, where none may be.
    #[cfg(feature = "auth")]
    pub(crate) has_token_in_query: bool,
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
        let headers = Headers::take(head.headers);
        let doors = &it.engine.doors;
        let verb = vet(&headers, &head.uri, head.version, doors)
            .and_then(|()| check_origin(&headers, doors))
            .and_then(|()| check_path(&head.uri, it.path.as_deref()))
            .and_then(|()| verb(&head.method, doors))
            .and_then(|verb| check_media(&headers, verb).map(|()| verb))
            .map_err(|reason| reason.of(None))?;
        Ok(Post {
            verb,
            headers,
            body,
            caller: it.caller,
            #[cfg(feature = "auth")]
            has_token_in_query: it.engine.auth.is_some() && has_token_in_query(&head.uri),
            engine: it.engine,
        })
    }
}

/// What everything has to pass that is served under the name of the host.
pub(crate) fn vet(headers: &Headers, target: &Uri, version: Version, doors: &Doors) -> Result<(), Reason> {
    check_wire(headers).and_then(|()| check_host(&headers.host, target, version, doors))
}

/// The same for a JSON document that is posted beside the endpoint: no page of a stranger may send one.
pub(crate) fn vet_json(
    headers: &Headers,
    target: &Uri,
    version: Version,
    doors: &Doors,
) -> Result<(), Reason> {
    vet(headers, target, version, doors)?;
    check_origin(headers, doors)?;
    let content_type = headers.content_type.bytes().map_err(|()| Reason::MediaType)?;
    if content_type.is_some_and(is_json) { Ok(()) } else { Err(Reason::MediaType) }
}

/// What hyper lets through: two lengths for one body, and names that a gateway may fold into ours.
fn check_wire(headers: &Headers) -> Result<(), Reason> {
    let length = headers.content_length.bytes().map_err(|()| Reason::LengthTwice)?;
    let encoding = headers.transfer_encoding.bytes().map_err(|()| Reason::LengthTwice)?;
    match encoding {
        Some(it) if length.is_some() || !it.eq_ignore_ascii_case(b"chunked") => Err(Reason::LengthTwice),
        _ => match &headers.folded {
            Some(name) => Err(Reason::HeaderName(name.as_str().to_owned())),
            None => Ok(()),
        },
    }
}

fn check_host(host: &Once, target: &Uri, version: Version, doors: &Doors) -> Result<(), Reason> {
    let host = host.bytes().map_err(|()| Reason::HostCount)?;
    if host.is_some_and(|it| !it.is_ascii()) {
        return Err(Reason::HostCount);
    }
    let authority = target.authority().map(|it| it.as_str().as_bytes());
    let host = match (host, authority) {
        (Some(host), Some(authority)) if !host.eq_ignore_ascii_case(authority) => {
            let reason =
                if doors.hosts.lets_in(authority) { Reason::HostDisagrees } else { Reason::HostDenied };
            return Err(reason);
        }
        (Some(host), _) => host,
        // HTTP/2 carries the host in the target alone.
        (None, Some(authority)) if version >= Version::HTTP_2 => authority,
        (None, _) => return Err(Reason::HostCount),
    };
    if doors.hosts.lets_in(host) {
        return Ok(());
    }
    tracing::warn!(host = %host.escape_ascii(), "a host is refused: name it with `.allow_hosts(..)` if it is yours");
    Err(Reason::HostDenied)
}

fn check_origin(headers: &Headers, doors: &Doors) -> Result<(), Reason> {
    let Some(origin) = headers.origin.bytes().map_err(|()| Reason::OriginDenied)? else {
        // A browser that hides the origin still says that the page is a stranger.
        let is_strange =
            headers.fetch_site.bytes() == Ok(Some(b"cross-site")) && doors.origins != Allowed::Any;
        return if is_strange { Err(Reason::OriginDenied) } else { Ok(()) };
    };
    let allowed = std::str::from_utf8(origin).is_ok_and(|it| doors.origins.lets_origin_in(it));
    if allowed { Ok(()) } else { Err(Reason::OriginDenied) }
}

#[cfg(feature = "auth")]
pub(crate) fn has_token_in_query(target: &Uri) -> bool {
    target.query().is_some_and(has_token)
}

/// Whether a query names a token, however the name is spelt (RFC 6750, section 2.3).
#[cfg(feature = "auth")]
fn has_token(query: &str) -> bool {
    let name = |it: &str| it.split('=').next().map(decoded).unwrap_or_default();
    query.split(['&', ';']).any(|it| name(it).eq_ignore_ascii_case("access_token"))
}

/// Text without its percent signs.
#[cfg(feature = "auth")]
fn decoded(text: &str) -> String {
    let mut parts = text.split('%');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.get(..2).and_then(|it| u8::from_str_radix(it, 16).ok()) {
            Some(byte) => {
                out.push(byte.into());
                out.push_str(&part[2..]);
            }
            None => out.push_str(part),
        }
    }
    out
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

fn check_media(headers: &Headers, verb: Verb) -> Result<(), Reason> {
    match verb {
        Verb::Delete => return Ok(()),
        Verb::Get => {
            return if accepts(&headers.accept, EVENTS) { Ok(()) } else { Err(Reason::Accept) };
        }
        Verb::Post => {}
    }
    let content_type = headers.content_type.bytes().map_err(|()| Reason::MediaType)?;
    if !content_type.is_some_and(is_json) {
        return Err(Reason::MediaType);
    }
    let encoding = headers.content_encoding.bytes().map_err(|()| Reason::Encoding)?;
    if encoding.is_some_and(|it| !it.eq_ignore_ascii_case(b"identity")) {
        return Err(Reason::Encoding);
    }
    if accepts_both(&headers.accept) { Ok(()) } else { Err(Reason::Accept) }
}

const JSON: &str = "application/json";
const EVENTS: &str = "text/event-stream";

fn is_json(content_type: &[u8]) -> bool {
    // What nearly every client sends needs no parser.
    if content_type == JSON.as_bytes() {
        return true;
    }
    let Ok(text) = std::str::from_utf8(content_type) else { return false };
    let mut parts = text.split(';').map(str::trim);
    let is_json = parts.next().is_some_and(|it| it.eq_ignore_ascii_case(JSON));
    // JSON is UTF-8; another charset would be another document.
    is_json
        && parts.all(|it| match it.split_once('=') {
            Some((name, value)) if name.trim().eq_ignore_ascii_case("charset") => {
                value.trim().trim_matches('"').eq_ignore_ascii_case("utf-8")
            }
            _ => true,
        })
}

fn accepts_both(accept: &[HeaderValue]) -> bool {
    // What nearly every client sends needs no parser.
    matches!(accept, [one] if one == "application/json, text/event-stream" || one == "*/*")
        || (accepts(accept, JSON) && accepts(accept, EVENTS))
}

/// Whether a media type is acceptable; a request that does not say accepts all.
fn accepts(accept: &[HeaderValue], media_type: &str) -> bool {
    let range = media_type.split_once('/').map_or(media_type, |it| it.0);
    accept.is_empty()
        || accept.iter().filter_map(|it| it.to_str().ok()).flat_map(|it| it.split(',')).any(|it| {
            let mut parts = it.split(';').map(str::trim);
            let name = parts.next().unwrap_or_default();
            let refused = parts.any(|it| matches!(it, "q=0" | "q=0.0" | "q=0.00" | "q=0.000"));
            let matches = name.eq_ignore_ascii_case(media_type)
                || name == "*/*"
                || name.strip_suffix("/*").is_some_and(|it| it.eq_ignore_ascii_case(range));
            matches && !refused
        })
}
