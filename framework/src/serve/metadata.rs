//! Protected Resource Metadata over HTTP (RFC 9728): for anybody, from any page, behind the check of the Host.

use bytes::Bytes;
use http::{HeaderValue, Method, Request, Response, StatusCode, header};

use super::http::refused;
use crate::{
    body::Body,
    engine::Engine,
    gates::{door::vet, headers::Headers},
};

/// The answer to a request for the metadata; `None` for every other.
pub(super) fn answer<B>(engine: &Engine, request: &mut Request<B>) -> Option<Response<Body>> {
    let document = engine.auth.as_ref()?.metadata.as_ref()?.at(request.uri().path())?.clone();
    let headers = Headers::take(std::mem::take(request.headers_mut()));
    if let Err(reason) = vet(&headers, request.uri(), request.version(), &engine.doors) {
        return Some(refused(engine, &reason.of(None)));
    }
    let mut response = match *request.method() {
        Method::GET | Method::HEAD => {
            let mut response = Response::new(Body::bytes([document, Bytes::new()], None));
            let headers = response.headers_mut();
            headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
            headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("max-age=3600"));
            response
        }
        // A page that sends a header of the protocol asks first (Fetch, CORS preflight).
        Method::OPTIONS => {
            let mut response = empty(StatusCode::NO_CONTENT);
            let headers = response.headers_mut();
            headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, HEAD"));
            headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static("*"));
            headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("3600"));
            response
        }
        _ => {
            let mut response = empty(StatusCode::METHOD_NOT_ALLOWED);
            response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET, HEAD, OPTIONS"));
            response
        }
    };
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    Some(response)
}

fn empty(status: StatusCode) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = status;
    response
}
