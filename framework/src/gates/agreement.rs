//! The headers repeat the body, or the request is refused
//! (basic/transports/streamable-http#server-validation).

use super::{
    headers::Headers,
    message::{Message, Read, Sort},
    refusal::{Reason, Refusal, shown},
    room::Housed,
};
use crate::{
    gate::Gate,
    limits::Limits,
    wire::{
        scan::{Kind, Slot, Span},
        version::Version,
    },
};

/// A request whose headers and body say the same.
pub(crate) struct Agreed {
    pub(crate) read: Box<Read>,
    pub(crate) claim: Claim,
}

/// The version that a header names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Named {
    Nothing,
    Known(Version),
    Unknown(String),
}

/// The era that a request is in, by how it presents itself and never by its method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Claim {
    /// It carries its own metadata.
    Modern(Named),
    /// It relies on `initialize`; this is the version that the header names.
    Legacy(Option<Version>),
}

impl Named {
    pub(crate) fn of(version: &str) -> Self {
        Version::parse(version).map_or_else(|| Self::Unknown(version.to_owned()), Self::Known)
    }
}

pub(crate) struct Agreement;

impl Gate for Agreement {
    type In = Housed;
    type Out = Agreed;

    fn pass(it: Housed) -> Result<Agreed, Refusal> {
        let it = it.0;
        match agree(&it) {
            Ok(claim) => Ok(Agreed { read: it, claim }),
            Err(reason) => Err(reason.of(it.message.id.as_ref())),
        }
    }
}

fn agree(it: &Read) -> Result<Claim, Reason> {
    let message = &it.message;
    let in_body = message.at(Slot::MetaVersion);
    let Some(headers) = &it.headers else {
        // Metadata that lacks the version is refused for that, and is not taken for what a legacy client sends.
        let is_modern = in_body.or(message.at(Slot::MetaCapabilities)).is_some();
        return Ok(if is_modern { Claim::Modern(Named::Nothing) } else { Claim::Legacy(None) });
    };
    let in_header = match headers.version.is(Version::LATEST.as_str()) {
        true => Some(Version::LATEST.as_str()),
        false => headers.version.text("MCP-Protocol-Version")?,
    };
    let legacy = in_header.map_or(Some(None), |it| Version::parse(it).filter(|it| !it.is_modern()).map(Some));
    if let (Some(version), None) = (legacy, in_body) {
        check_method(headers, message, false)?;
        check_name(headers, message, &it.engine.limits, false)?;
        return Ok(Claim::Legacy(version));
    }
    if message.sort == Sort::Verb {
        return Err(Reason::VerbDenied { legacy: false });
    }
    let Some(in_header) = in_header else {
        return Err(Reason::Header("MCP-Protocol-Version is missing".into()));
    };
    check_same("MCP-Protocol-Version", in_header, in_body, message)?;
    let is_required = message.sort == Sort::Request;
    check_method(headers, message, is_required)?;
    check_name(headers, message, &it.engine.limits, is_required)?;
    Ok(Claim::Modern(Named::of(in_header)))
}

fn check_method(headers: &Headers, message: &Message, is_required: bool) -> Result<(), Reason> {
    let method = message.method();
    if headers.method.is(method) {
        return Ok(());
    }
    match headers.method.text("Mcp-Method")? {
        Some(it) if it == method => Ok(()),
        Some(_) if message.sort == Sort::Verb => Ok(()),
        Some(it) => Err(differs("Mcp-Method", it, method)),
        None if is_required => Err(Reason::Header("Mcp-Method is missing".into())),
        None => Ok(()),
    }
}

fn check_name(
    headers: &Headers,
    message: &Message,
    limits: &Limits,
    is_required: bool,
) -> Result<(), Reason> {
    let member = match message.method() {
        "tools/call" | "prompts/get" => Slot::Name,
        "resources/read" => Slot::Uri,
        // Other methods mirror nothing here, but a header that cannot be read is refused all the same.
        _ => return headers.name.decoded("Mcp-Name", limits.name_header_bytes).map(drop),
    };
    let in_header = headers.name.decoded("Mcp-Name", limits.name_header_bytes)?;
    // A body without the member is refused later, for what it lacks.
    match in_header {
        Some(in_header) => check_same("Mcp-Name", &in_header, message.at(member), message),
        None if is_required => Err(Reason::Header("Mcp-Name is missing".into())),
        None => Ok(()),
    }
}

/// Compares where the body has a text; what else it has is judged later.
fn check_same(name: &str, in_header: &str, in_body: Option<Span>, message: &Message) -> Result<(), Reason> {
    match in_body.filter(|it| message.kind(*it) == Kind::String) {
        Some(span) if !message.says(span, in_header) => {
            Err(differs(name, in_header, &message.text(span).unwrap_or_default()))
        }
        _ => Ok(()),
    }
}

pub(crate) fn differs(name: &str, in_header: &str, in_body: &str) -> Reason {
    Reason::Header(format!("{name} is `{}`, the body says `{}`", shown(in_header), shown(in_body)))
}
