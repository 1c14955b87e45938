//! The headers that a request is judged by, looked through once. All others are dropped here.

use std::borrow::Cow;

use http::{HeaderMap, HeaderName, HeaderValue};
use smallvec::SmallVec;

use super::refusal::Reason;
use crate::wire::{names::header::PARAM_PREFIX, sentinel};

/// What a request's headers say.
#[derive(Debug, Default)]
pub(crate) struct Headers {
    pub(crate) host: Once,
    pub(crate) origin: Once,
    /// Marked, so that no log shows it.
    #[cfg(feature = "auth")]
    pub(crate) authorization: Once,
    pub(crate) fetch_site: Once,
    /// Seldom more than one.
    pub(crate) accept: SmallVec<[HeaderValue; 1]>,
    pub(crate) content_type: Once,
    pub(crate) content_encoding: Once,
    pub(crate) content_length: Once,
    pub(crate) transfer_encoding: Once,
    pub(crate) version: Once,
    pub(crate) method: Once,
    pub(crate) name: Once,
    pub(crate) session: Once,
    /// `Mcp-Param-*`, under their names in lower case.
    pub(crate) params: Vec<(HeaderName, Once)>,
    /// A name with `_` that a gateway may fold into one of ours.
    pub(crate) folded: Option<HeaderName>,
}

/// A header that may stand once.
#[derive(Debug, Default)]
pub(crate) enum Once {
    #[default]
    Absent,
    One(HeaderValue),
    Twice,
}

impl Headers {
    /// Boxed, so that what is handed on from gate to gate stays small.
    pub(crate) fn take(map: HeaderMap) -> Box<Self> {
        let mut all = Box::<Self>::default();
        let mut last = None;
        for (name, value) in map {
            // A header that stands again comes without its name.
            let name = name.or(last);
            if let Some(name) = &name {
                all.put(name, value);
            }
            last = name;
        }
        all
    }

    fn put(&mut self, name: &HeaderName, value: HeaderValue) {
        let slot = match name.as_str() {
            "host" => &mut self.host,
            "content-type" => &mut self.content_type,
            "content-length" => &mut self.content_length,
            "mcp-protocol-version" => &mut self.version,
            "mcp-method" => &mut self.method,
            "mcp-name" => &mut self.name,
            "mcp-session-id" => &mut self.session,
            #[cfg(feature = "auth")]
            "authorization" => {
                let mut value = value;
                value.set_sensitive(true);
                return self.authorization.put(value);
            }
            "origin" => &mut self.origin,
            "sec-fetch-site" => &mut self.fetch_site,
            "content-encoding" => &mut self.content_encoding,
            "transfer-encoding" => &mut self.transfer_encoding,
            "accept" => return self.accept.push(value),
            other if other.starts_with(PARAM_PREFIX) => return self.put_param(name, value),
            other if is_lookalike(other) => {
                self.folded = Some(name.clone());
                return;
            }
            _ => return,
        };
        slot.put(value);
    }

    fn put_param(&mut self, name: &HeaderName, value: HeaderValue) {
        match self.params.iter_mut().find(|it| it.0 == name) {
            Some((_, slot)) => slot.put(value),
            None => self.params.push((name.clone(), Once::One(value))),
        }
    }

    /// The `Mcp-Param-*` of that name in lower case.
    pub(crate) fn param(&self, name: &str) -> &Once {
        self.params.iter().find(|it| it.0.as_str() == name).map_or(&Once::Absent, |it| &it.1)
    }
}

/// The token in the value of a header `Authorization`; `None` where it is of another scheme (RFC 6750, section 2.1).
pub(crate) fn bearer(value: &[u8]) -> Option<&[u8]> {
    let (scheme, rest) = value.split_at(value.iter().position(|it| *it == b' ').unwrap_or(value.len()));
    scheme.eq_ignore_ascii_case(b"bearer").then(|| rest.trim_ascii())
}

/// Whether a gateway that takes `_` for `-` would read one of ours. What follows `Mcp-Param-` is named by the tool.
fn is_lookalike(name: &str) -> bool {
    name.contains('_') && name.replace('_', "-").starts_with("mcp-")
}

impl Once {
    fn put(&mut self, value: HeaderValue) {
        *self = match self {
            Self::Absent => Self::One(value),
            Self::One(_) | Self::Twice => Self::Twice,
        };
    }

    /// The bytes of the only value; an error when there are two.
    pub(crate) fn bytes(&self) -> Result<Option<&[u8]>, ()> {
        match self {
            Self::Absent => Ok(None),
            Self::One(value) => Ok(Some(value.as_bytes())),
            Self::Twice => Err(()),
        }
    }

    /// Whether it stands once and is exactly this.
    pub(crate) fn is(&self, expected: &str) -> bool {
        matches!(self, Self::One(value) if value.as_bytes() == expected.as_bytes())
    }

    /// The text of an `Mcp-*` header, whose name is shown in a refusal.
    pub(crate) fn text(&self, name: &str) -> Result<Option<&str>, Reason> {
        match self {
            Self::Absent => Ok(None),
            Self::One(value) => match value.to_str() {
                Ok(text) => Ok(Some(text.trim_matches([' ', '\t']))),
                Err(_) => Err(Reason::Header(format!("{name} holds characters that no header may hold"))),
            },
            Self::Twice => Err(Reason::Header(format!("{name} stands twice"))),
        }
    }

    /// The same for a header whose value may be encoded.
    pub(crate) fn decoded(&self, name: &str, most: usize) -> Result<Option<Cow<'_, str>>, Reason> {
        let Some(text) = self.text(name)? else { return Ok(None) };
        if text.len() > most {
            return Err(Reason::Header(format!("{name} is longer than {most} bytes")));
        }
        let decoded = sentinel::decode(text.as_bytes());
        decoded.map(Some).ok_or_else(|| Reason::Header(format!("{name} is no valid encoding")))
    }
}
