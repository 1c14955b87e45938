//! Every way to say no. One table: HTTP status, JSON-RPC code, text.

#[cfg(feature = "auth")]
mod challenge;
mod written;

use std::{borrow::Cow, fmt};

use http::StatusCode;
use serde_json::{Value, json};

pub(crate) use written::{error, shown};

use crate::{
    author::listing::supported,
    engine::Engine,
    limits::Limits,
    ready::{EXTENSION, rider::Fault},
    wire::{capabilities::Need, id::Id, names::code, scan},
};

/// A request that goes no further.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) reason: Reason,
    /// The request's id, once it could be read.
    pub(crate) id: Option<Id>,
}

/// Why a request goes no further. The order is that of the row.
#[derive(Debug)]
pub(crate) enum Reason {
    // The door.
    HostCount,
    HostDenied,
    HostDisagrees,
    OriginDenied,
    HeaderName(String),
    LengthTwice,
    NoSuchPath,
    VerbDenied {
        legacy: bool,
    },
    MediaType,
    Accept,
    Encoding,
    // The caller.
    #[cfg(feature = "auth")]
    TokenMissing,
    #[cfg(feature = "auth")]
    TokenMalformed,
    #[cfg(feature = "auth")]
    TokenInvalid,
    #[cfg(feature = "auth")]
    TokenUnchecked {
        retry_after: u8,
    },
    Draining,
    ProcessFull,
    CallerFull,
    ToolFull,
    // The message.
    BodyTooLarge(usize),
    BodySlow,
    BodyBroken,
    LineTooLong(usize),
    ClientFull,
    Scan(scan::Fault),
    Envelope(&'static str),
    // Agreement.
    Header(String),
    // The era.
    Meta(String),
    VersionUnknown {
        requested: String,
        modern_only: bool,
    },
    InitializeTooOld,
    SessionGone,
    SessionNeeded,
    // The call.
    MethodUnknown {
        method: String,
        legacy: bool,
    },
    Params(String),
    ToolUnknown(String),
    PromptUnknown(String),
    ResourceUnknown {
        uri: String,
        legacy: bool,
    },
    /// What rides on a list of tools.
    Rider(Fault),
    CursorUnknown,
    Needs(Need),
    /// All scopes that the operation needs, those that the caller has among them.
    ScopeMissing {
        scopes: Vec<String>,
    },
    // The handles.
    /// The whole answer, which is a result: a call that the model can mend.
    ToldTheModel(Vec<u8>),
    // The round.
    State,
    // Beyond the gates.
    Told {
        message: String,
        uri: Option<String>,
    },
    Internal(String),
}

/// What a refusal looks like on the wire.
pub(crate) struct Row {
    pub(crate) status: StatusCode,
    pub(crate) code: i32,
    pub(crate) text: Cow<'static, str>,
    pub(crate) data: Option<Value>,
}

impl Reason {
    /// The refusal of a request whose id is known.
    pub(crate) fn of(self, id: Option<&Id>) -> Refusal {
        Refusal { reason: self, id: id.cloned() }
    }

    /// A fault of the server: the client gets a reference, the log the story under it.
    pub(crate) fn internal(engine: &Engine, error: &dyn fmt::Display) -> Self {
        let reference = engine.reference();
        tracing::error!(%reference, %error, "a request failed");
        Self::Internal(reference)
    }

    /// A listener wants to watch more than it may.
    pub(crate) fn too_many_uris(limits: &Limits) -> Self {
        Self::Params(format!(
            "a listener watches at most {} URIs, which have {URIS_BYTES} bytes together",
            limits.listen_uris
        ))
    }

    /// The table.
    pub(crate) fn row(&self) -> Row {
        use StatusCode as Http;
        match self {
            Self::HostCount => {
                row(Http::BAD_REQUEST, code::INVALID_REQUEST, "a request has one Host header, in ASCII")
            }
            Self::HostDenied => row(Http::FORBIDDEN, code::INVALID_REQUEST, "this Host is not served here"),
            Self::HostDisagrees => {
                row(Http::BAD_REQUEST, code::INVALID_REQUEST, "the target and Host disagree")
            }
            Self::OriginDenied => {
                row(Http::FORBIDDEN, code::INVALID_REQUEST, "this Origin may not call here")
            }
            Self::HeaderName(name) => said(
                Http::BAD_REQUEST,
                code::INVALID_REQUEST,
                format!("no header may be named `{}`", shown(name)),
            ),
            Self::LengthTwice => {
                row(Http::BAD_REQUEST, code::INVALID_REQUEST, "a body has a length or is chunked, not both")
            }
            Self::NoSuchPath => row(
                Http::NOT_FOUND,
                code::INVALID_REQUEST,
                "nothing is served at this path; an endpoint is at `/mcp` unless its server says otherwise",
            ),
            Self::VerbDenied { .. } => row(Http::METHOD_NOT_ALLOWED, code::INVALID_REQUEST, "send a POST"),
            Self::MediaType => row(
                Http::UNSUPPORTED_MEDIA_TYPE,
                code::INVALID_REQUEST,
                "Content-Type has to be application/json",
            ),
            Self::Accept => row(
                Http::NOT_ACCEPTABLE,
                code::INVALID_REQUEST,
                "Accept has to list application/json and text/event-stream",
            ),
            Self::Encoding => {
                row(Http::UNSUPPORTED_MEDIA_TYPE, code::INVALID_REQUEST, "Content-Encoding is not supported")
            }
            #[cfg(feature = "auth")]
            Self::TokenMissing => row(
                Http::UNAUTHORIZED,
                code::INVALID_REQUEST,
                "this server needs a token: see WWW-Authenticate",
            ),
            #[cfg(feature = "auth")]
            Self::TokenMalformed => row(
                Http::BAD_REQUEST,
                code::INVALID_REQUEST,
                "send one token, in one Authorization header, as Bearer",
            ),
            #[cfg(feature = "auth")]
            Self::TokenInvalid => {
                row(Http::UNAUTHORIZED, code::INVALID_REQUEST, "the token is invalid or has expired")
            }
            #[cfg(feature = "auth")]
            Self::TokenUnchecked { .. } => row(
                Http::SERVICE_UNAVAILABLE,
                code::INTERNAL_ERROR,
                "tokens cannot be checked now: keep yours and come again",
            ),
            Self::ScopeMissing { scopes } => said(
                Http::FORBIDDEN,
                code::INVALID_REQUEST,
                format!("this needs the scopes {}", scopes.join(" ")),
            ),
            Self::Draining => {
                row(Http::SERVICE_UNAVAILABLE, code::INTERNAL_ERROR, "the server is shutting down")
            }
            Self::ProcessFull => row(Http::SERVICE_UNAVAILABLE, code::INTERNAL_ERROR, "the server is busy"),
            Self::CallerFull => {
                row(Http::TOO_MANY_REQUESTS, code::INTERNAL_ERROR, "you have too many calls running")
            }
            Self::ToolFull => {
                row(Http::TOO_MANY_REQUESTS, code::INTERNAL_ERROR, "too many calls of this tool")
            }
            Self::BodyTooLarge(most) => said(
                Http::PAYLOAD_TOO_LARGE,
                code::INVALID_REQUEST,
                format!("the message is larger than {most} bytes"),
            ),
            Self::LineTooLong(most) => said(
                Http::PAYLOAD_TOO_LARGE,
                code::PARSE_ERROR,
                format!("the line is longer than {most} bytes"),
            ),
            Self::ClientFull => row(
                Http::TOO_MANY_REQUESTS,
                code::INVALID_REQUEST,
                "too many requests are running: wait for an answer",
            ),
            Self::BodySlow => row(Http::REQUEST_TIMEOUT, code::INVALID_REQUEST, "the body took too long"),
            Self::BodyBroken => row(Http::BAD_REQUEST, code::PARSE_ERROR, "the body broke off"),
            Self::Scan(scan::Fault::NotAnObject(_)) => row(
                Http::BAD_REQUEST,
                code::INVALID_REQUEST,
                "a message is one JSON object; batches are not supported",
            ),
            Self::Scan(fault) => said(Http::BAD_REQUEST, code::PARSE_ERROR, fault.to_string()),
            Self::Envelope(text) => row(Http::BAD_REQUEST, code::INVALID_REQUEST, text),
            Self::Header(text) => {
                said(Http::BAD_REQUEST, code::HEADER_MISMATCH, format!("Header mismatch: {text}"))
            }
            Self::Meta(text) => said(Http::BAD_REQUEST, code::INVALID_PARAMS, text.clone()),
            Self::VersionUnknown { requested, modern_only } => Row {
                data: Some(json!({"supported": supported(*modern_only), "requested": requested})),
                ..row(Http::BAD_REQUEST, code::UNSUPPORTED_VERSION, "Unsupported protocol version")
            },
            Self::InitializeTooOld => Row {
                data: Some(json!({"supported": supported(true), "requested": "initialize"})),
                ..said(
                    Http::BAD_REQUEST,
                    code::UNSUPPORTED_VERSION,
                    format!("this server speaks {} only, without `initialize`", supported(true).join(", ")),
                )
            },
            Self::SessionGone => {
                row(Http::NOT_FOUND, code::INVALID_REQUEST, "this session has ended: initialize again")
            }
            Self::SessionNeeded => row(
                Http::BAD_REQUEST,
                code::INVALID_REQUEST,
                "send a POST; GET and DELETE belong to older revisions and need the Mcp-Session-Id of initialize",
            ),
            // To a legacy client 404 would mean that its session is over.
            Self::MethodUnknown { method, legacy } => said(
                if *legacy { Http::OK } else { Http::NOT_FOUND },
                code::METHOD_NOT_FOUND,
                format!("Method not found: {}", shown(method)),
            ),
            Self::Params(text) => said(Http::OK, code::INVALID_PARAMS, text.clone()),
            Self::ToolUnknown(name) => {
                said(Http::OK, code::INVALID_PARAMS, format!("Unknown tool: {}", shown(name)))
            }
            Self::PromptUnknown(name) => {
                said(Http::OK, code::INVALID_PARAMS, format!("Unknown prompt: {}", shown(name)))
            }
            Self::ResourceUnknown { uri, legacy } => Row {
                data: Some(json!({"uri": uri})),
                ..row(
                    Http::OK,
                    if *legacy { code::LEGACY_RESOURCE_NOT_FOUND } else { code::INVALID_PARAMS },
                    "Resource not found",
                )
            },
            Self::Rider(fault) => Row {
                data: Some(fault.data()),
                ..said(Http::OK, code::INVALID_PARAMS, format!("{EXTENSION}: {}", fault.text))
            },
            Self::CursorUnknown => {
                row(Http::OK, code::INVALID_PARAMS, "Invalid cursor: start the list from the beginning")
            }
            Self::Needs(need) => Row {
                data: Some(json!({"requiredCapabilities": need.value()})),
                ..said(
                    Http::BAD_REQUEST,
                    code::MISSING_CAPABILITY,
                    format!("the client has to declare the capability {}", need.name()),
                )
            },
            Self::ToldTheModel(_) => row(Http::OK, code::INVALID_PARAMS, "the model was told what to do"),
            Self::State => Row {
                data: Some(json!({"reason": "invalid_request_state"})),
                ..row(Http::OK, code::INVALID_PARAMS, "Invalid or expired requestState")
            },
            Self::Told { message, uri } => Row {
                data: uri.as_ref().map(|it| json!({"uri": it})),
                ..said(Http::OK, code::INVALID_PARAMS, message.clone())
            },
            Self::Internal(reference) => Row {
                data: Some(json!({"reference": reference})),
                ..row(Http::OK, code::INTERNAL_ERROR, "Internal error")
            },
        }
    }

    /// Seconds after which a retry makes sense.
    pub(crate) const fn retry_after(&self) -> Option<u8> {
        match self {
            #[cfg(feature = "auth")]
            Self::TokenUnchecked { retry_after } => Some(*retry_after),
            Self::Draining => Some(5),
            Self::ProcessFull | Self::CallerFull | Self::ToolFull => Some(1),
            _ => None,
        }
    }

    /// Without auth there is nothing to show.
    #[cfg(not(feature = "auth"))]
    pub(crate) const fn challenge(&self, _: &Engine) -> Option<http::HeaderValue> {
        None
    }

    /// Whether what follows on the connection could be read as part of another request.
    pub(crate) const fn closes(&self) -> bool {
        matches!(
            self,
            Self::LengthTwice
                | Self::BodyTooLarge(_)
                | Self::BodySlow
                | Self::BodyBroken
                | Self::HostCount
                | Self::Draining
        )
    }
}

/// Bytes of all URIs that one listener watches.
pub(crate) const URIS_BYTES: usize = 16 * 1024;

const fn row(status: StatusCode, code: i32, text: &'static str) -> Row {
    Row { status, code, text: Cow::Borrowed(text), data: None }
}

fn said(status: StatusCode, code: i32, text: String) -> Row {
    Row { status, code, text: text.into(), data: None }
}

impl Refusal {
    /// The JSON-RPC error, or the result that stands in its place.
    pub(crate) fn body(&self) -> Vec<u8> {
        if let Reason::ToldTheModel(answer) = &self.reason {
            return answer.clone();
        }
        let row = self.reason.row();
        error(self.id.as_ref(), row.code, &row.text, row.data.as_ref())
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason.row().text)
    }
}
