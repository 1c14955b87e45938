//! Which version of the protocol, and what the client can do: read from this request alone
//! (basic/index#meta, basic/versioning).

use bytes::Bytes;
use serde_json::Value;

use super::{
    agreement::{Agreed, Claim, Named},
    message::{Message, Read, Sort},
    refusal::{Reason, Refusal, shown},
};
use crate::{
    gate::Gate,
    wire::{
        capabilities::Capabilities,
        level::Level,
        names,
        scan::{Kind, Slot, Span},
        version::Version,
    },
};

/// A request whose version is known and spoken.
pub(crate) struct Dated {
    pub(crate) read: Box<Read>,
    pub(crate) era: Era,
}

/// What a request says about itself.
#[derive(Clone, Debug)]
pub(crate) struct Era {
    pub(crate) version: Version,
    pub(crate) capabilities: Capabilities,
    pub(crate) progress_token: Option<Bytes>,
    pub(crate) log_level: Option<Level>,
    /// Names the legacy session, once it is known.
    pub(crate) session: Option<[u8; 32]>,
}

pub(crate) struct Speak;

impl Gate for Speak {
    type In = Agreed;
    type Out = Dated;

    fn pass(it: Agreed) -> Result<Dated, Refusal> {
        let Agreed { read, claim } = it;
        let era = match &claim {
            Claim::Modern(header) => modern(&read, header),
            Claim::Legacy(version) => legacy(&read, *version),
        };
        match era {
            Ok(era) => Ok(Dated { era, read }),
            Err(reason) => Err(reason.of(read.message.id.as_ref())),
        }
    }
}

fn modern(read: &Read, header: &Named) -> Result<Era, Reason> {
    let (message, limits) = (&read.message, &read.engine.limits);
    // Notifications carry no metadata in this revision.
    let is_request = message.sort == Sort::Request;
    let meta = message.at(Slot::Meta);
    match meta {
        Some(it) if message.kind(it) != Kind::Object => return Err(wrong("`_meta` has to be an object")),
        Some(it) if message.raw(it).len() > limits.meta_bytes => {
            return Err(Reason::Meta(format!("`_meta` is larger than {} bytes", limits.meta_bytes)));
        }
        None if is_request => return Err(missing(names::PROTOCOL_VERSION)),
        _ => {}
    }
    let version = match message.at(Slot::MetaVersion) {
        Some(it) if message.says(it, Version::LATEST.as_str()) => Named::Known(Version::LATEST),
        Some(it) => {
            Named::of(&message.text(it).ok_or_else(|| wrong_type(names::PROTOCOL_VERSION, "a string"))?)
        }
        None if is_request => return Err(missing(names::PROTOCOL_VERSION)),
        None => header.clone(),
    };
    let capabilities = match message.at(Slot::MetaCapabilities) {
        Some(it) => capabilities(message, it, true)?,
        None if is_request => return Err(missing(names::CLIENT_CAPABILITIES)),
        None => Capabilities::default(),
    };
    if let Some(it) = message.at(Slot::MetaInfo) {
        check_client_info(message, it)?;
    }
    let log_level = message.at(Slot::MetaLogLevel).map(|it| log_level(message, it)).transpose()?;
    let progress_token = progress_token(message)?;
    let version = match version {
        Named::Known(version) if version.is_modern() => version,
        other => return Err(other.unsupported(read.engine.modern_only)),
    };
    Ok(Era { version, capabilities, progress_token, log_level, session: None })
}

/// What `initialize` negotiated is read from the session at the next gate.
fn legacy(read: &Read, version: Option<Version>) -> Result<Era, Reason> {
    if read.engine.modern_only {
        return Err(match (read.message.method(), version) {
            ("initialize", _) => Reason::InitializeTooOld,
            (_, Some(version)) => {
                Reason::VersionUnknown { requested: version.as_str().into(), modern_only: true }
            }
            _ if read.headers.is_some() => Reason::Header("MCP-Protocol-Version is missing".into()),
            _ => missing(names::PROTOCOL_VERSION),
        });
    }
    let handshake = read.handshake;
    Ok(Era {
        // A request without the header is from before there was one (2025-06-18 introduced it).
        version: handshake.map_or(version.unwrap_or(Version::V2025_03_26), |it| it.version),
        capabilities: handshake.map(|it| it.capabilities).unwrap_or_default(),
        progress_token: progress_token(&read.message)?,
        // Until a legacy client sets a level, the server decides what it sends.
        log_level: Some(Level::Info),
        session: handshake.and_then(|it| it.session),
    })
}

pub(crate) fn capabilities(message: &Message, span: Span, is_modern: bool) -> Result<Capabilities, Reason> {
    // The common case by far, without a parser.
    if message.raw(span) == b"{}" {
        return Ok(Capabilities::default());
    }
    match message.value(span) {
        Value::Object(object) => Ok(Capabilities::read(&object, is_modern)),
        _ => Err(wrong_type(names::CLIENT_CAPABILITIES, "an object")),
    }
}

fn check_client_info(message: &Message, span: Span) -> Result<(), Reason> {
    if message.kind(span) == Kind::Object { Ok(()) } else { Err(wrong_type(names::CLIENT_INFO, "an object")) }
}

fn log_level(message: &Message, span: Span) -> Result<Level, Reason> {
    let name = message.text(span).ok_or_else(|| wrong_type(names::LOG_LEVEL, "a string"))?;
    Level::parse(&name).ok_or_else(|| Reason::Meta(format!("there is no log level `{}`", shown(&name))))
}

/// The token as it was written, to be sent back (basic/patterns/progress).
fn progress_token(message: &Message) -> Result<Option<Bytes>, Reason> {
    let Some(span) = message.at(Slot::ProgressToken) else { return Ok(None) };
    match message.kind(span) {
        Kind::String | Kind::Number if message.raw(span).len() <= TOKEN_BYTES => {
            Ok(Some(message.slice(span)))
        }
        Kind::String | Kind::Number => Err(wrong("`progressToken` is longer than 256 bytes")),
        _ => Err(wrong("`progressToken` has to be a string or a number")),
    }
}

impl Named {
    fn unsupported(self, modern_only: bool) -> Reason {
        let requested = match self {
            Self::Nothing => String::new(),
            Self::Known(version) => version.as_str().to_owned(),
            Self::Unknown(version) => version.chars().take(64).collect(),
        };
        Reason::VersionUnknown { requested, modern_only }
    }
}

/// Bytes of a progress token, which goes back with every report.
const TOKEN_BYTES: usize = 258;

fn missing(key: &str) -> Reason {
    Reason::Meta(format!("`_meta` needs `{key}`"))
}

fn wrong_type(key: &str, wanted: &str) -> Reason {
    Reason::Meta(format!("`{key}` has to be {wanted}"))
}

fn wrong(text: &str) -> Reason {
    Reason::Meta(text.to_owned())
}
