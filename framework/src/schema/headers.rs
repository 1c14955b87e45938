//! Arguments that the client repeats in a header: the `x-mcp-header` annotation.
//!
//! basic/transports/streamable-http#schema-extension

use serde_json::{Map, Value};

use super::SchemaError;
use super::keywords;

/// An argument and the header that repeats it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HeaderParam {
    /// The header as the schema spells it: `Mcp-Param-Region`.
    pub(crate) header: String,
    /// The same in lower case, for look-ups.
    pub(crate) lookup: String,
    /// The names that lead from the arguments to the value.
    pub(crate) path: Vec<String>,
    pub(crate) kind: ParamKind,
}

/// How the value is written in the header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ParamKind {
    Text,
    Integer,
    Boolean,
}

/// The headers that the arguments described by `schema` are repeated in, in the order written.
///
/// # Errors
///
/// When an annotation is not a token, is given twice (letter case does not count), stands on anything but a
/// string, an integer or a boolean, or anywhere but on a property that a chain of `properties` leads to.
pub(crate) fn header_params(schema: &Value) -> Result<Vec<HeaderParam>, SchemaError> {
    let mut search = Search { found: Vec::new() };
    search.schema(schema, "", Some(&[]))?;
    Ok(search.found)
}

struct Search {
    found: Vec<HeaderParam>,
}

impl Search {
    /// Searches a schema that the names in `path` lead to; `None` when anything but `properties` was passed.
    fn schema(&mut self, schema: &Value, pointer: &str, path: Option<&[String]>) -> Result<(), SchemaError> {
        let Value::Object(members) = schema else { return refuse_within(schema, pointer) };
        if let Some(name) = members.get(ANNOTATION) {
            let path = path.filter(|it| !it.is_empty()).ok_or_else(|| misplaced(pointer))?;
            let param = param(name, members, path).map_err(|it| SchemaError::new(place(pointer), it))?;
            if self.found.iter().any(|it| it.lookup == param.lookup) {
                let problem =
                    format!("two arguments want the header `{}`; letter case does not count", param.header);
                return Err(SchemaError::new(place(pointer), problem));
            }
            self.found.push(param);
        }
        members.iter().try_for_each(|(keyword, value)| self.keyword(keyword, value, pointer, path))
    }

    fn keyword(
        &mut self,
        keyword: &str,
        value: &Value,
        above: &str,
        path: Option<&[String]>,
    ) -> Result<(), SchemaError> {
        let pointer = format!("{above}/{}", keywords::escape(keyword));
        match (keywords::holds(keyword), value) {
            (Some(keywords::Holds::Map), Value::Object(map)) => map.iter().try_for_each(|(name, schema)| {
                let deeper = path
                    .filter(|_| keyword == "properties")
                    .map(|it| [it, std::slice::from_ref(name)].concat());
                self.schema(schema, &format!("{pointer}/{}", keywords::escape(name)), deeper.as_deref())
            }),
            (Some(keywords::Holds::One), Value::Object(_)) => self.schema(value, &pointer, None),
            (Some(keywords::Holds::List), Value::Array(list)) => list
                .iter()
                .enumerate()
                .try_for_each(|(at, schema)| self.schema(schema, &format!("{pointer}/{at}"), None)),
            _ if DATA.contains(&keyword) => Ok(()),
            _ => refuse_within(value, &pointer),
        }
    }
}

/// Refuses an annotation under a keyword that holds no schemas, where a reference may still lead.
fn refuse_within(value: &Value, pointer: &str) -> Result<(), SchemaError> {
    match value {
        Value::Object(members) if members.contains_key(ANNOTATION) => Err(misplaced(pointer)),
        Value::Object(members) => members
            .iter()
            .try_for_each(|(name, it)| refuse_within(it, &format!("{pointer}/{}", keywords::escape(name)))),
        Value::Array(list) => {
            list.iter().enumerate().try_for_each(|(at, it)| refuse_within(it, &format!("{pointer}/{at}")))
        }
        _ => Ok(()),
    }
}

fn misplaced(pointer: &str) -> SchemaError {
    SchemaError::new(
        place(pointer),
        "only a property that a chain of `properties` leads to may have a header",
    )
}

fn place(pointer: &str) -> String {
    format!("{pointer}/{ANNOTATION}")
}

fn param(name: &Value, schema: &Map<String, Value>, path: &[String]) -> Result<HeaderParam, String> {
    let name = name.as_str().ok_or("the name of a header must be a string")?;
    if name.is_empty() {
        return Err("the name of a header must not be empty".into());
    }
    if !name.bytes().all(is_token) {
        return Err(format!("{name:?} is not a token, and cannot be part of the name of a header"));
    }
    let kind = match schema.get("type").and_then(Value::as_str) {
        Some("string") => ParamKind::Text,
        Some("integer") => ParamKind::Integer,
        Some("boolean") => ParamKind::Boolean,
        _ => return Err("only an argument of `type` string, integer or boolean may have a header".into()),
    };
    let header = format!("Mcp-Param-{name}");
    Ok(HeaderParam { lookup: header.to_ascii_lowercase(), header, path: path.to_vec(), kind })
}

/// RFC 9110, section 5.6.2.
fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

const ANNOTATION: &str = "x-mcp-header";
/// Keywords under which the annotation would only be the name of a member.
const DATA: [&str; 5] = ["const", "default", "dependentRequired", "enum", "examples"];
