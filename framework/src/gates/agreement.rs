//! The headers repeat the body, or the request is refused
//! (basic/transports/streamable-http#server-validation).

use std::{borrow::Cow, sync::Arc};

use http::{HeaderMap, HeaderName};

use super::{
    message::{Message, Read, Sort},
    refusal::{Reason, Refusal, shown},
};
use crate::{
    gate::Gate,
    limits::Limits,
    wire::{
        names::{self, header},
        scan::Kind,
        sentinel,
        version::Version,
    },
};

/// A request whose headers and body say the same.
pub(crate) struct Agreed {
    pub(crate) read: Box<Read>,
    pub(crate) claim: Claim,
}

/// The era that a request is in, by how it presents itself and never by its method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Claim {
    /// It carries its own metadata; this is the version that the header names.
    Modern(Option<Arc<str>>),
    /// It relies on `initialize`; this is the version that the header names.
    Legacy(Option<Version>),
}

pub(crate) struct Agreement;

impl Gate for Agreement {
    type In = Box<Read>;
    type Out = Agreed;

    fn pass(it: Box<Read>) -> Result<Agreed, Refusal> {
        match agree(&it) {
            Ok(claim) => Ok(Agreed { read: it, claim }),
            Err(reason) => Err(reason.of(it.message.id.as_ref())),
        }
    }
}

fn agree(it: &Read) -> Result<Claim, Reason> {
    let message = &it.message;
    let in_body = message.meta(names::PROTOCOL_VERSION);
    let Some(headers) = &it.headers else {
        return Ok(if in_body.is_some() { Claim::Modern(None) } else { Claim::Legacy(None) });
    };
    let in_header = single(headers, header::PROTOCOL_VERSION, "MCP-Protocol-Version")?;
    let legacy = in_header
        .as_deref()
        .map_or(Some(None), |it| Version::parse(it).filter(|it| !it.is_modern()).map(Some));
    if let (Some(version), None) = (legacy, in_body) {
        check_method(headers, message, false)?;
        check_name(headers, message, &it.engine.limits, false)?;
        return Ok(Claim::Legacy(version));
    }
    let Some(in_header) = in_header else {
        return Err(Reason::Header("MCP-Protocol-Version is missing".into()));
    };
    if let Some(in_body) = in_body.and_then(|it| message.text(it))
        && in_body != in_header
    {
        return Err(differs("MCP-Protocol-Version", &in_header, &in_body));
    }
    let is_required = message.sort == Sort::Request;
    check_method(headers, message, is_required)?;
    check_name(headers, message, &it.engine.limits, is_required)?;
    Ok(Claim::Modern(Some(in_header.as_ref().into())))
}

fn check_method(headers: &HeaderMap, message: &Message, is_required: bool) -> Result<(), Reason> {
    let method = message.method();
    match single(headers, header::METHOD, "Mcp-Method")? {
        Some(it) if it == method => Ok(()),
        Some(_) if message.sort == Sort::Verb => Ok(()),
        Some(it) => Err(differs("Mcp-Method", &it, &method)),
        None if is_required => Err(Reason::Header("Mcp-Method is missing".into())),
        None => Ok(()),
    }
}

fn check_name(
    headers: &HeaderMap,
    message: &Message,
    limits: &Limits,
    is_required: bool,
) -> Result<(), Reason> {
    let member = match message.method().as_ref() {
        "tools/call" | "prompts/get" => "name",
        "resources/read" => "uri",
        // Other methods mirror nothing here, but a header that cannot be read is refused all the same.
        _ => return mirrored(headers, header::NAME, "Mcp-Name", limits.name_header_bytes).map(drop),
    };
    let in_header = mirrored(headers, header::NAME, "Mcp-Name", limits.name_header_bytes)?;
    // A body without the member is refused later, for what it lacks.
    let in_body = message.param(member).filter(|it| message.kind(*it) == Kind::String);
    let in_body = in_body.and_then(|it| message.text(it));
    match (in_header, in_body) {
        (Some(in_header), Some(in_body)) if in_header != in_body => {
            Err(differs("Mcp-Name", &in_header, &in_body))
        }
        (None, _) if is_required => Err(Reason::Header("Mcp-Name is missing".into())),
        _ => Ok(()),
    }
}

/// The value of a header that may stand once.
pub(crate) fn single<'a>(
    headers: &'a HeaderMap,
    name: HeaderName,
    shown_name: &str,
) -> Result<Option<Cow<'a, str>>, Reason> {
    let value = super::door::only(headers, name)
        .map_err(|()| Reason::Header(format!("{shown_name} stands twice")))?;
    match value.map(|it| it.to_str()) {
        None => Ok(None),
        Some(Ok(text)) => Ok(Some(Cow::Borrowed(text.trim_matches([' ', '\t'])))),
        Some(Err(_)) => Err(Reason::Header(format!("{shown_name} holds characters that no header may hold"))),
    }
}

/// The same for a header whose value may be encoded.
pub(crate) fn mirrored<'a>(
    headers: &'a HeaderMap,
    name: HeaderName,
    shown_name: &str,
    most: usize,
) -> Result<Option<Cow<'a, str>>, Reason> {
    let Some(value) = single(headers, name, shown_name)? else { return Ok(None) };
    if value.len() > most {
        return Err(Reason::Header(format!("{shown_name} is longer than {most} bytes")));
    }
    let decoded = match &value {
        Cow::Borrowed(text) => sentinel::decode(text.as_bytes()),
        Cow::Owned(text) => sentinel::decode(text.as_bytes()).map(|it| Cow::Owned(it.into_owned())),
    };
    decoded.map(Some).ok_or_else(|| Reason::Header(format!("{shown_name} is no valid encoding")))
}

pub(crate) fn differs(name: &str, in_header: &str, in_body: &str) -> Reason {
    Reason::Header(format!("{name} is `{}`, the body says `{}`", shown(in_header), shown(in_body)))
}
