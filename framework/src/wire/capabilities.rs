//! What a client says that it can do (schema: `ClientCapabilities`).

use serde_json::{Map, Value, json};

use super::names;

/// The capabilities that one request declared. Nothing is remembered from another request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Capabilities {
    /// It can show a form to its user.
    pub forms: bool,
    /// It can send its user to a URL.
    pub urls: bool,
    /// It can ask a model.
    pub sampling: bool,
    /// It can ask a model that may use tools.
    pub sampling_tools: bool,
    /// It can name the folders it works in.
    pub roots: bool,
    /// It asks whether tools are ready ([`ready`](crate::ready)).
    pub required_tools: bool,
}

/// One thing that a request may need from its client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    Forms,
    Urls,
    Sampling,
    SamplingTools,
    Roots,
}

impl Capabilities {
    /// Reads the object; members of another shape count as not declared. Extensions have a place of their own since
    /// 2026-07-28; before, they stand among what is experimental.
    pub(crate) fn read(object: &Map<String, Value>, is_modern: bool) -> Self {
        let extensions = object.get(if is_modern { "extensions" } else { "experimental" });
        let inner = |name: &str, member: &str| {
            object
                .get(name)
                .and_then(Value::as_object)
                .is_some_and(|it| it.get(member).is_some_and(Value::is_object))
        };
        let has = |name: &str| object.get(name).is_some_and(Value::is_object);
        Self {
            // An empty object means forms only (client/elicitation#capabilities).
            forms: has("elicitation") && (inner("elicitation", "form") || !inner("elicitation", "url")),
            urls: inner("elicitation", "url"),
            sampling: has("sampling"),
            sampling_tools: inner("sampling", "tools"),
            roots: has("roots"),
            required_tools: extensions.and_then(|it| it.get(names::REQUIRED_TOOLS)).is_some_and(is_version_1),
        }
    }

    pub(crate) const fn has(self, need: Need) -> bool {
        match need {
            Need::Forms => self.forms,
            Need::Urls => self.urls,
            Need::Sampling => self.sampling,
            Need::SamplingTools => self.sampling_tools,
            Need::Roots => self.roots,
        }
    }

    /// Packs into one byte for a signed session.
    pub(crate) const fn bits(self) -> u8 {
        self.forms as u8
            | (self.urls as u8) << 1
            | (self.sampling as u8) << 2
            | (self.sampling_tools as u8) << 3
            | (self.roots as u8) << 4
            | (self.required_tools as u8) << 5
    }

    pub(crate) const fn from_bits(bits: u8) -> Self {
        Self {
            forms: bits & 1 != 0,
            urls: bits & 2 != 0,
            sampling: bits & 4 != 0,
            sampling_tools: bits & 8 != 0,
            roots: bits & 16 != 0,
            required_tools: bits & 32 != 0,
        }
    }
}

/// Settings that this server speaks. Another version is as good as none: the core protocol is what both have.
fn is_version_1(settings: &Value) -> bool {
    settings.as_object().is_some_and(|it| it.get("version").is_none_or(|it| *it == 1))
}

impl Need {
    /// The `ClientCapabilities` object that would satisfy the need.
    pub(crate) fn value(self) -> Value {
        match self {
            Self::Forms => json!({"elicitation": {"form": {}}}),
            Self::Urls => json!({"elicitation": {"url": {}}}),
            Self::Sampling => json!({"sampling": {}}),
            Self::SamplingTools => json!({"sampling": {"tools": {}}}),
            Self::Roots => json!({"roots": {}}),
        }
    }

    /// The capability in words.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Forms => "elicitation",
            Self::Urls => "elicitation by URL",
            Self::Sampling => "sampling",
            Self::SamplingTools => "sampling with tools",
            Self::Roots => "roots",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(value: &Value) -> Capabilities {
        Capabilities::read(value.as_object().unwrap(), true)
    }

    #[test]
    fn an_empty_elicitation_means_forms_only() {
        let it = read(&json!({"elicitation": {}}));

        assert!(it.forms && !it.urls);
    }

    #[test]
    fn a_client_that_declares_urls_alone_gets_no_forms() {
        let it = read(&json!({"elicitation": {"url": {}}}));

        assert!(!it.forms && it.urls);
    }

    #[test]
    fn bits_carry_every_capability() {
        let all =
            read(&json!({"elicitation": {"form": {}, "url": {}}, "sampling": {"tools": {}}, "roots": {},
                "extensions": {"app.mcpproxy/required-tools": {}}}));

        assert_eq!(Capabilities::from_bits(all.bits()), all);
        assert_eq!(all.bits(), 0b11_1111);
        assert_eq!(Capabilities::from_bits(0), Capabilities::default());
    }

    #[test]
    fn an_extension_is_declared_where_its_era_has_extensions() {
        let declared =
            |place: &str, settings: Value| json!({place: {"app.mcpproxy/required-tools": settings}});
        let read = |value: Value, is_modern| {
            Capabilities::read(value.as_object().unwrap(), is_modern).required_tools
        };

        assert!(read(declared("extensions", json!({"version": 1})), true));
        assert!(read(declared("experimental", json!({})), false));
        assert!(!read(declared("experimental", json!({"version": 1})), true));
        assert!(!read(declared("extensions", json!({"version": 1})), false));
        for settings in [json!(null), json!(true), json!([]), json!({"version": 2}), json!({"version": "1"})]
        {
            assert!(!read(declared("extensions", settings.clone()), true), "{settings}");
        }
    }
}
