//! The arguments of a call, from what the user typed to what the schema wants.

use std::fs;

use serde_json::{Map, Value};

use crate::{out::Failure, text};

/// What the user gave.
#[derive(Debug)]
pub(crate) struct Given {
    /// JSON as it stands.
    whole: Map<String, Value>,
    /// Texts whose types the schema decides.
    texts: Vec<(String, String)>,
}

impl Given {
    pub(crate) fn read(values: &[String], json: Option<&str>) -> Result<Self, Failure> {
        let mut whole = match json.map(serde_json::from_str) {
            None => Map::new(),
            Some(Ok(Value::Object(object))) => object,
            Some(Ok(_)) => return Err("what `--json` has is no object: write it as '{\"key\": 1}'".into()),
            Some(Err(error)) => return Err(format!("what `--json` has is no JSON: {error}").into()),
        };
        let mut texts = Vec::new();
        for given in values {
            let wrong =
                || Failure::from(format!("`{given}` is no argument: write `key=value` or `key:=json`"));
            let (key, value) = given.split_once('=').filter(|(key, _)| !key.is_empty()).ok_or_else(wrong)?;
            if let Some(key) = key.strip_suffix(':') {
                let value = serde_json::from_str(value)
                    .map_err(|error| format!("what follows `{key}:=` is no JSON: {error}"))?;
                whole.insert(key.to_owned(), value);
            } else if let Some(path) = value.strip_prefix('@') {
                let held =
                    fs::read_to_string(path).map_err(|error| format!("`{path}` cannot be read: {error}"))?;
                texts.push((key.to_owned(), held));
            } else {
                texts.push((key.to_owned(), value.to_owned()));
            }
        }
        Ok(Self { whole, texts })
    }

    /// The arguments as the schema wants them, after a look at what would be refused anyway.
    pub(crate) fn typed(&mut self, schema: &Value) -> Result<Value, Failure> {
        let mut arguments = std::mem::take(&mut self.whole);
        for (key, text) in std::mem::take(&mut self.texts) {
            let property = known(schema, &key)?;
            let value = property.map_or_else(|| Ok(guessed(&text)), |it| typed(&text, it, schema));
            arguments.insert(key.clone(), value.map_err(|why| format!("`{key}` {why}"))?);
        }
        let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let missing: Vec<_> = required
            .filter(|it| !arguments.contains_key(*it))
            .map(|it| format!("`{}`", text::line(it)))
            .collect();
        match missing.is_empty() {
            true => Ok(arguments.into()),
            false => Err(format!("the tool needs {} too: add it as `key=value`", missing.join(", ")).into()),
        }
    }
}

/// The schema of an argument; `None` where the tool takes whatever it is called with.
fn known<'a>(schema: &'a Value, key: &str) -> Result<Option<&'a Value>, Failure> {
    let properties = schema.get("properties").and_then(Value::as_object);
    if let Some(property) = properties.and_then(|it| it.get(key)) {
        return Ok(Some(property));
    }
    match schema.get("additionalProperties") {
        Some(Value::Bool(true)) => Ok(None),
        Some(rest @ Value::Object(_)) => Ok(Some(rest)),
        _ => {
            let names: Vec<&str> = properties.into_iter().flatten().map(|(name, _)| name.as_str()).collect();
            let near = text::did_you_mean(key, names.iter().copied());
            let all = names.iter().map(|it| text::line(it)).collect::<Vec<_>>().join(", ");
            let all = if all.is_empty() { "none".into() } else { all };
            Err(format!("the tool has no argument `{key}`.{near} It has: {all}.").into())
        }
    }
}

/// Reads a text as one of the types that a schema allows; text itself comes last.
fn typed(text: &str, property: &Value, root: &Value) -> Result<Value, String> {
    let mut types = Vec::new();
    collect(property, root, 0, &mut types);
    if types.is_empty() {
        return Ok(guessed(text));
    }
    let parsed = serde_json::from_str::<Value>(text.trim()).ok();
    if let Some(value) = parsed.filter(|value| types.iter().any(|it| *it != "string" && is_a(value, it))) {
        return Ok(value);
    }
    match types.contains(&"string") {
        true => Ok(text.into()),
        false => {
            let shown = text::short(text, 60);
            Err(format!("is {}, and `{shown}` is none; for a list or an object write JSON", wanted(&types)))
        }
    }
}

fn wanted(types: &[&str]) -> String {
    let with_article = |it: &&str| match *it {
        "integer" => "a whole number".to_owned(),
        "boolean" => "`true` or `false`".to_owned(),
        "array" => "a list".to_owned(),
        "object" => "an object".to_owned(),
        other => format!("a {other}"),
    };
    types.iter().filter(|it| **it != "null").map(with_article).collect::<Vec<_>>().join(" or ")
}

/// All types that a value may have, through references and alternatives.
fn collect<'a>(schema: &'a Value, root: &'a Value, depth: usize, types: &mut Vec<&'a str>) {
    if depth > 16 {
        return;
    }
    let mut add = |it: &'a str| {
        if !types.contains(&it) {
            types.push(it);
        }
    };
    match &schema["type"] {
        Value::String(one) => add(one),
        Value::Array(many) => many.iter().filter_map(Value::as_str).for_each(add),
        _ => {
            let fixed = schema["enum"].as_array().into_iter().flatten().chain(schema.get("const"));
            fixed.for_each(|it| add(type_of(it)));
        }
    }
    if let Some(path) = schema["$ref"].as_str().and_then(|it| it.strip_prefix('#'))
        && let Some(meant) = root.pointer(path)
    {
        collect(meant, root, depth + 1, types);
    }
    for one in ["anyOf", "oneOf", "allOf"].iter().filter_map(|it| schema[it].as_array()).flatten() {
        collect(one, root, depth + 1, types);
    }
}

fn is_a(value: &Value, kind: &str) -> bool {
    match kind {
        "integer" => value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|it| it.fract() == 0.0),
        other => type_of(value) == other,
    }
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// Where no schema says what it is: JSON if it can be that, and text otherwise.
fn guessed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| text.into())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn call(values: &[&str], schema: &Value) -> Result<Value, String> {
        let values: Vec<String> = values.iter().map(|it| (*it).to_owned()).collect();
        Given::read(&values, None).and_then(|mut it| it.typed(schema)).map_err(|it| it.to_string())
    }

    fn one(kind: &Value, text: &str) -> Result<Value, String> {
        call(&[&format!("it={text}")], &json!({"properties": {"it": kind}})).map(|all| all["it"].clone())
    }

    #[test]
    fn a_text_becomes_what_the_schema_says() {
        let table = [
            (json!({"type": "string"}), "7", json!("7")),
            (json!({"type": "string"}), "true", json!("true")),
            (json!({"type": "string"}), "", json!("")),
            (json!({"type": "integer"}), "7", json!(7)),
            (json!({"type": "number"}), "7.5", json!(7.5)),
            (json!({"type": "number"}), "-1e3", json!(-1e3)),
            (json!({"type": "boolean"}), "true", json!(true)),
            (json!({"type": "array"}), "[1, 2]", json!([1, 2])),
            (json!({"type": "object"}), "{\"a\": 1}", json!({"a": 1})),
            (json!({"type": ["integer", "null"]}), "null", json!(null)),
            (json!({"type": ["integer", "string"]}), "7", json!(7)),
            (json!({"type": ["integer", "string"]}), "seven", json!("seven")),
            (json!({"anyOf": [{"type": "null"}, {"type": "integer"}]}), "7", json!(7)),
            (json!({"enum": ["1", "2"]}), "1", json!("1")),
            (json!({"enum": [1, 2]}), "1", json!(1)),
            (json!({}), "7", json!(7)),
            (json!({}), "seven", json!("seven")),
        ];
        for (kind, text, value) in table {
            assert_eq!(one(&kind, text), Ok(value), "{kind} {text}");
        }
    }

    #[test]
    fn a_reference_leads_to_its_type() {
        let schema = json!({
            "properties": {"it": {"$ref": "#/$defs/Count"}},
            "$defs": {"Count": {"type": "integer"}},
        });

        assert_eq!(call(&["it=7"], &schema), Ok(json!({"it": 7})));
    }

    #[test]
    fn a_reference_to_itself_ends() {
        let schema =
            json!({"properties": {"it": {"$ref": "#/$defs/A"}}, "$defs": {"A": {"$ref": "#/$defs/A"}}});

        assert_eq!(call(&["it=7"], &schema), Ok(json!({"it": 7})));
    }

    #[test]
    fn a_text_that_cannot_be_it_is_refused_with_what_is_wanted() {
        assert_eq!(
            one(&json!({"type": "integer"}), "seven"),
            Err("`it` is a whole number, and `seven` is none; for a list or an object write JSON".into())
        );
        assert!(one(&json!({"type": "integer"}), "7.5").is_err());
        assert!(one(&json!({"type": "boolean"}), "yes").is_err());
    }

    #[test]
    fn an_argument_that_the_tool_does_not_have_is_refused_with_the_nearest() {
        let schema = json!({"properties": {"guests": {"type": "integer"}}});

        let told = call(&["guest=7"], &schema).unwrap_err();

        assert_eq!(told, "the tool has no argument `guest`. Did you mean `guests`? It has: guests.");
    }

    #[test]
    fn a_tool_that_takes_anything_gets_anything() {
        assert_eq!(call(&["a=1"], &json!({"additionalProperties": true})), Ok(json!({"a": 1})));
        let typed = json!({"additionalProperties": {"type": "string"}});
        assert_eq!(call(&["a=1"], &typed), Ok(json!({"a": "1"})));
    }

    #[test]
    fn what_is_missing_is_named() {
        let schema = json!({"properties": {"a": {}, "b": {}}, "required": ["a", "b"]});

        assert!(call(&["a=1"], &schema).unwrap_err().contains("`b`"));
    }

    #[test]
    fn raw_json_is_taken_as_it_stands_and_texts_come_on_top() {
        let given = Given::read(&["a:=[1]".into(), "b=x".into()], Some("{\"b\": 1, \"c\": 2}"));
        let schema = json!({"properties": {"b": {"type": "string"}}});

        assert_eq!(given.unwrap().typed(&schema).unwrap(), json!({"b": "x", "c": 2, "a": [1]}));
    }

    #[test]
    fn what_is_no_argument_is_refused() {
        for bad in ["a", "=b", "a:={"] {
            assert!(call(&[bad], &json!({})).is_err(), "{bad}");
        }
        assert!(Given::read(&[], Some("[]")).is_err());
        assert!(Given::read(&["a=@/no/such/file".into()], None).is_err());
    }
}
