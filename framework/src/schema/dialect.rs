//! Which JSON Schema dialects are understood: 2020-12, and the older two where they say the same.

use serde_json::{Map, Value};

use super::SchemaError;
use super::keywords;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    Draft07,
    Draft2019,
    Draft2020,
}

impl Dialect {
    /// The dialect that the root of a document declares; 2020-12 when it declares none.
    pub(super) fn of(root: &Value) -> Result<Self, SchemaError> {
        root.get("$schema").map_or(Ok(Self::Draft2020), |it| Self::named("", it))
    }

    fn named(pointer: &str, uri: &Value) -> Result<Self, SchemaError> {
        let trimmed = uri.as_str().map(|it| it.strip_suffix('#').unwrap_or(it));
        match trimmed.and_then(|it| it.split_once("://")).map(|(_, rest)| rest) {
            Some("json-schema.org/draft/2020-12/schema") => Ok(Self::Draft2020),
            Some("json-schema.org/draft/2019-09/schema") => Ok(Self::Draft2019),
            Some("json-schema.org/draft-07/schema") => Ok(Self::Draft07),
            _ => Err(SchemaError::new(
                format!("{pointer}/$schema"),
                format!("{uri} is not a known dialect; known are 2020-12, 2019-09 and draft-07"),
            )),
        }
    }

    /// Refuses a subschema that this dialect reads differently than 2020-12 does.
    pub(super) fn agree(self, pointer: &str, schema: &Map<String, Value>) -> Result<(), SchemaError> {
        if let Some(uri) = schema.get("$schema")
            && Self::named(pointer, uri)? != self
        {
            return Err(SchemaError::new(format!("{pointer}/$schema"), "a document has one dialect"));
        }
        match schema.iter().find(|(keyword, value)| self.differs(keyword, value, schema)) {
            None => Ok(()),
            Some((keyword, _)) => Err(SchemaError::new(
                format!("{pointer}/{}", keywords::escape(keyword)),
                format!("{self:?} gives `{keyword}` here another meaning than 2020-12; write it for 2020-12"),
            )),
        }
    }

    fn differs(self, keyword: &str, value: &Value, schema: &Map<String, Value>) -> bool {
        match (self, keyword) {
            (Self::Draft2020, _) => false,
            (_, "items") => value.is_array(),
            (
                _,
                "additionalItems" | "prefixItems" | "$dynamicRef" | "$dynamicAnchor" | "$recursiveRef"
                | "$recursiveAnchor" | "unevaluatedItems",
            ) => true,
            (Self::Draft2019, _) => false,
            (Self::Draft07, "$ref") => {
                let beside = |name: &str| !matches!(name, "$ref" | "$schema" | "$defs" | "definitions");
                schema.keys().any(|name| beside(name) && !keywords::describes(name))
            }
            (Self::Draft07, "$id") => value.as_str().is_some_and(|it| it.contains('#')),
            (Self::Draft07, keyword) => matches!(
                keyword,
                "$anchor"
                    | "dependentRequired"
                    | "dependentSchemas"
                    | "unevaluatedProperties"
                    | "minContains"
                    | "maxContains"
            ),
        }
    }
}
