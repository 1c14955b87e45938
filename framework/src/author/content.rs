//! What a tool, a prompt or a resource can show (server/tools#tool-result).

use base64::{Engine, engine::general_purpose::STANDARD};
use serde::{Serialize, Serializer, ser::SerializeMap};

/// Who says something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The person, or whoever acts for them.
    User,
    /// The model.
    Assistant,
}

/// Hints about who a piece of content is for.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Annotations {
    /// Who it is for; empty means everybody.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub audience: Vec<Role>,
    /// How much it matters, from 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<f64>,
    /// When it last changed, as an ISO 8601 time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_modified: Option<String>,
}

/// One piece of content.
#[derive(Clone, Debug, PartialEq)]
pub struct Content {
    pub(crate) kind: Kind,
    annotations: Option<Annotations>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    Text { text: String },
    Image { data: String, mime_type: String },
    Audio { data: String, mime_type: String },
    ResourceLink(ResourceLink),
    Resource { resource: ResourceContents },
}

// By hand, since a flattened enum is serialized through a detour, and every answer has content.
impl Serialize for Content {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match &self.kind {
            Kind::Text { text } => {
                map.serialize_entry("type", "text")?;
                map.serialize_entry("text", text)?;
            }
            Kind::Image { data, mime_type } => {
                map.serialize_entry("type", "image")?;
                map.serialize_entry("data", data)?;
                map.serialize_entry("mimeType", mime_type)?;
            }
            Kind::Audio { data, mime_type } => {
                map.serialize_entry("type", "audio")?;
                map.serialize_entry("data", data)?;
                map.serialize_entry("mimeType", mime_type)?;
            }
            Kind::ResourceLink(link) => {
                map.serialize_entry("type", "resource_link")?;
                link.members(&mut map)?;
            }
            Kind::Resource { resource } => {
                map.serialize_entry("type", "resource")?;
                map.serialize_entry("resource", resource)?;
            }
        }
        if let Some(annotations) = &self.annotations {
            map.serialize_entry("annotations", annotations)?;
        }
        map.end()
    }
}

impl Content {
    /// Text.
    pub fn text(text: impl Into<String>) -> Self {
        Kind::Text { text: text.into() }.into()
    }

    /// An image, as its bytes and its MIME type.
    pub fn image(bytes: impl AsRef<[u8]>, mime_type: impl Into<String>) -> Self {
        Kind::Image { data: STANDARD.encode(bytes), mime_type: mime_type.into() }.into()
    }

    /// Sound, as its bytes and its MIME type.
    pub fn audio(bytes: impl AsRef<[u8]>, mime_type: impl Into<String>) -> Self {
        Kind::Audio { data: STANDARD.encode(bytes), mime_type: mime_type.into() }.into()
    }

    /// A link to a resource that the client may read.
    #[must_use]
    pub fn link(link: ResourceLink) -> Self {
        Kind::ResourceLink(link).into()
    }

    /// A resource, whole.
    #[must_use]
    pub fn resource(resource: ResourceContents) -> Self {
        Kind::Resource { resource }.into()
    }

    /// The text, where there is nothing else to it.
    pub(crate) fn as_plain_text(&self) -> Option<&str> {
        match (&self.kind, &self.annotations) {
            (Kind::Text { text }, None) => Some(text),
            _ => None,
        }
    }

    /// What of it a model reads as text.
    #[cfg(feature = "budget")]
    pub(crate) fn readable(&self) -> &str {
        match &self.kind {
            Kind::Text { text } => text,
            Kind::Resource { resource: ResourceContents { body: Body::Text(text), .. } } => text,
            Kind::Image { .. } | Kind::Audio { .. } | Kind::ResourceLink(_) | Kind::Resource { .. } => "",
        }
    }

    /// The same content with hints about who it is for.
    #[must_use]
    pub fn annotated(mut self, annotations: Annotations) -> Self {
        self.annotations = Some(annotations);
        self
    }
}

impl From<Kind> for Content {
    fn from(kind: Kind) -> Self {
        Self { kind, annotations: None }
    }
}

/// Several pieces of content as the output of a tool.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contents(pub(crate) Vec<Content>);

impl From<Vec<Content>> for Contents {
    fn from(all: Vec<Content>) -> Self {
        Self(all)
    }
}

impl<const N: usize> From<[Content; N]> for Contents {
    fn from(all: [Content; N]) -> Self {
        Self(all.into())
    }
}

impl FromIterator<Content> for Contents {
    fn from_iter<I: IntoIterator<Item = Content>>(all: I) -> Self {
        Self(all.into_iter().collect())
    }
}

/// Points to a resource (server/tools#resource-links).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ResourceLink {
    /// Where it is.
    pub uri: String,
    /// What it is called.
    pub name: String,
    /// What it is called, for people.
    pub title: Option<String>,
    /// What it holds.
    pub description: Option<String>,
    /// Its MIME type.
    pub mime_type: Option<String>,
    /// Its size in bytes.
    pub size: Option<u64>,
}

impl ResourceLink {
    /// A link with a name.
    pub fn new(uri: impl Into<String>, name: impl Into<String>) -> Self {
        Self {
            uri: uri.into(),
            name: name.into(),
            title: None,
            description: None,
            mime_type: None,
            size: None,
        }
    }

    fn members<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        map.serialize_entry("uri", &self.uri)?;
        map.serialize_entry("name", &self.name)?;
        let texts =
            [("title", &self.title), ("description", &self.description), ("mimeType", &self.mime_type)];
        for (name, text) in texts {
            if let Some(text) = text {
                map.serialize_entry(name, text)?;
            }
        }
        match self.size {
            Some(size) => map.serialize_entry("size", &size),
            None => Ok(()),
        }
    }
}

/// What a resource holds: text or bytes, and where it came from.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ResourceContents {
    /// Where it is.
    pub uri: String,
    /// Its MIME type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    #[serde(flatten)]
    body: Body,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Body {
    Text(String),
    Blob(String),
}

impl ResourceContents {
    /// Text of a MIME type.
    pub fn text(uri: impl Into<String>, mime_type: impl Into<String>, text: impl Into<String>) -> Self {
        Self { uri: uri.into(), mime_type: Some(mime_type.into()), body: Body::Text(text.into()) }
    }

    /// Bytes of a MIME type.
    pub fn blob(uri: impl Into<String>, mime_type: impl Into<String>, bytes: impl AsRef<[u8]>) -> Self {
        Self { uri: uri.into(), mime_type: Some(mime_type.into()), body: Body::Blob(STANDARD.encode(bytes)) }
    }
}

/// A picture that stands for a server, a tool, a prompt or a resource.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Icon {
    /// An `https:` or `data:` URI.
    pub src: String,
    /// Its MIME type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// The sizes it has, as `48x48` or `any`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sizes: Vec<String>,
}

impl Icon {
    /// An icon at an `https:` or `data:` URI.
    pub fn new(src: impl Into<String>) -> Self {
        Self { src: src.into(), mime_type: None, sizes: Vec::new() }
    }
}

impl From<&str> for Icon {
    fn from(src: &str) -> Self {
        Self::new(src)
    }
}
