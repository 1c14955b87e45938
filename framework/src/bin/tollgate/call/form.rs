//! The fields of a form that a server shows to its user (client/elicitation#requested-schema).

use serde_json::{Value, json};

use crate::text;

/// One field.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Field {
    pub(crate) name: String,
    /// What the user reads.
    pub(crate) prompt: String,
    pub(crate) is_required: bool,
    pub(crate) kind: Kind,
    pub(crate) default: Option<Value>,
}

/// What may stand in a field.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    Text { least: usize, most: usize, format: Option<String> },
    Number { is_whole: bool, least: f64, most: f64 },
    Truth,
    One(Vec<Choice>),
    Many { choices: Vec<Choice>, least: usize, most: usize },
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Choice {
    pub(crate) value: String,
    pub(crate) title: String,
}

/// The fields of a form, in its order.
pub(crate) fn fields(schema: &Value) -> Vec<Field> {
    let required: Vec<&str> =
        schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let properties = schema["properties"].as_object();
    properties
        .into_iter()
        .flatten()
        .map(|(name, it)| field(name, it, required.contains(&name.as_str())))
        .collect()
}

fn field(name: &str, schema: &Value, is_required: bool) -> Field {
    let said = |member: &str| schema[member].as_str().filter(|it| !it.is_empty());
    let title = said("title").unwrap_or(name);
    let prompt = match said("description") {
        Some(description) => format!("{title}: {description}"),
        None => title.to_owned(),
    };
    let default = schema.get("default").cloned();
    Field {
        name: name.to_owned(),
        prompt: text::short(&prompt, 300),
        is_required,
        kind: kind(schema),
        default,
    }
}

fn kind(schema: &Value) -> Kind {
    let size = |member: &str, otherwise: u64| {
        usize::try_from(schema[member].as_u64().unwrap_or(otherwise)).unwrap_or(usize::MAX)
    };
    match schema["type"].as_str() {
        Some("boolean") => Kind::Truth,
        Some(kind @ ("integer" | "number")) => Kind::Number {
            is_whole: kind == "integer",
            least: schema["minimum"].as_f64().unwrap_or(f64::MIN),
            most: schema["maximum"].as_f64().unwrap_or(f64::MAX),
        },
        Some("array") => Kind::Many {
            choices: choices(&schema["items"]),
            least: size("minItems", 0),
            most: size("maxItems", u64::MAX),
        },
        _ => match choices(schema) {
            choices if choices.is_empty() => Kind::Text {
                least: size("minLength", 0),
                most: size("maxLength", u64::MAX),
                format: schema["format"].as_str().map(str::to_owned),
            },
            choices => Kind::One(choices),
        },
    }
}

/// The choices of an enumeration, in any of the ways in which one can be written.
fn choices(schema: &Value) -> Vec<Choice> {
    let titled = schema["oneOf"].as_array().or_else(|| schema["anyOf"].as_array());
    if let Some(titled) = titled {
        let choice = |it: &Value| {
            let value = it["const"].as_str()?;
            Some(Choice { value: value.into(), title: text::line(it["title"].as_str().unwrap_or(value)) })
        };
        return titled.iter().filter_map(choice).collect();
    }
    let names = &schema["enumNames"];
    let values = schema["enum"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let choice = |(i, value): (usize, &str)| Choice {
        value: value.into(),
        title: text::line(names[i].as_str().unwrap_or(value)),
    };
    values.enumerate().map(choice).collect()
}

impl Field {
    /// What the user typed, as the server wants it; `None` for a field that is left out.
    pub(crate) fn read(&self, typed: &str) -> Result<Option<Value>, String> {
        if typed.is_empty() && !self.is_required {
            return Ok(None);
        }
        match &self.kind {
            Kind::Text { least, most, format } => {
                let length = typed.chars().count();
                if length < *least || length > *most {
                    return Err(match most {
                        &usize::MAX => format!("at least {least} characters"),
                        _ => format!("{least} to {most} characters"),
                    });
                }
                fits(typed, format.as_deref())?;
                Ok(Some(typed.into()))
            }
            Kind::Number { is_whole, least, most } => {
                number(typed.trim(), *is_whole, *least, *most).map(Some)
            }
            Kind::Truth => match typed.trim() {
                "true" | "yes" | "y" => Ok(Some(true.into())),
                "false" | "no" | "n" => Ok(Some(false.into())),
                _ => Err("yes or no".into()),
            },
            Kind::One(choices) => choices
                .iter()
                .find(|it| it.value == typed)
                .map(|it| Some(it.value.as_str().into()))
                .ok_or_else(|| format!("one of {}", listed(choices))),
            Kind::Many { .. } => Err("a list".into()),
        }
    }

    /// The choices that were made, by their places.
    pub(crate) fn pick(&self, picked: &[usize]) -> Result<Option<Value>, String> {
        let (choices, least, most) = match &self.kind {
            Kind::Many { choices, least, most } => (choices, *least, *most),
            Kind::One(choices) => (choices, usize::from(self.is_required), 1),
            _ => return Err("there is nothing to choose from".into()),
        };
        if picked.is_empty() && !self.is_required {
            return Ok(None);
        }
        if picked.len() < least || picked.len() > most {
            let most = if most == usize::MAX { choices.len() } else { most };
            return Err(format!("choose {least} to {most}"));
        }
        let values: Vec<&str> =
            picked.iter().filter_map(|it| choices.get(*it)).map(|it| it.value.as_str()).collect();
        Ok(Some(match self.kind {
            Kind::One(_) => values.first().copied().into(),
            _ => json!(values),
        }))
    }
}

fn listed(choices: &[Choice]) -> String {
    choices.iter().map(|it| it.title.as_str()).collect::<Vec<_>>().join(", ")
}

fn number(typed: &str, is_whole: bool, least: f64, most: f64) -> Result<Value, String> {
    let value: Option<Value> = serde_json::from_str(typed).ok();
    let value = value.filter(|it| if is_whole { it.is_i64() || it.is_u64() } else { it.is_number() });
    let value = value.ok_or(if is_whole { "a whole number" } else { "a number" })?;
    match value.as_f64().is_some_and(|it| (least..=most).contains(&it)) {
        true => Ok(value),
        false if most >= f64::MAX => Err(format!("at least {least}")),
        false if least <= f64::MIN => Err(format!("at most {most}")),
        false => Err(format!("{least} to {most}")),
    }
}

/// A coarse look: the server has the last word.
fn fits(typed: &str, format: Option<&str>) -> Result<(), String> {
    let is_date = |it: &str| {
        let digits = it
            .bytes()
            .enumerate()
            .all(|(i, it)| if matches!(i, 4 | 7) { it == b'-' } else { it.is_ascii_digit() });
        it.len() == 10 && digits
    };
    let (is_good, example) = match format {
        Some("email") => {
            (typed.split_once('@').is_some_and(|(a, b)| !a.is_empty() && b.contains('.')), "ann@example.com")
        }
        Some("uri") => (
            typed.split_once(':').is_some_and(|(a, b)| !a.is_empty() && !b.is_empty()),
            "https://example.com",
        ),
        Some("date") => (is_date(typed), "2026-09-01"),
        Some("date-time") => {
            (typed.get(..10).is_some_and(is_date) && typed.contains('T'), "2026-09-01T12:00:00Z")
        }
        _ => (true, ""),
    };
    if is_good { Ok(()) } else { Err(format!("write it as {example}")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(schema: &Value) -> Field {
        field("it", schema, true)
    }

    #[test]
    fn fields_keep_their_order_and_say_which_are_needed() {
        let all = fields(&json!({
            "properties": {"b": {"type": "boolean", "title": "Hold", "description": "Hold it?"}, "a": {}},
            "required": ["b"],
        }));

        let told: Vec<_> =
            all.iter().map(|it| (it.name.as_str(), it.prompt.as_str(), it.is_required)).collect();
        assert_eq!(told, [("b", "Hold: Hold it?", true), ("a", "a", false)]);
        assert_eq!(all[0].kind, Kind::Truth);
    }

    #[test]
    fn an_enumeration_is_one_however_it_is_written() {
        let red = |title: &str| Kind::One(vec![Choice { value: "r".into(), title: title.into() }]);

        assert_eq!(one(&json!({"type": "string", "enum": ["r"]})).kind, red("r"));
        assert_eq!(one(&json!({"type": "string", "enum": ["r"], "enumNames": ["Red"]})).kind, red("Red"));
        assert_eq!(
            one(&json!({"type": "string", "oneOf": [{"const": "r", "title": "Red"}]})).kind,
            red("Red")
        );
    }

    #[test]
    fn numbers_are_held_to_their_limits() {
        let guests = one(&json!({"type": "integer", "minimum": 1, "maximum": 12}));

        assert_eq!(guests.read("12"), Ok(Some(json!(12))));
        assert_eq!(guests.read("13"), Err("1 to 12".into()));
        assert_eq!(guests.read("1.5"), Err("a whole number".into()));
        assert_eq!(one(&json!({"type": "number", "minimum": 0})).read("-1"), Err("at least 0".into()));
    }

    #[test]
    fn texts_are_held_to_their_length_and_format() {
        assert!(one(&json!({"type": "string", "minLength": 2, "maxLength": 3})).read("äöü").is_ok());
        assert!(one(&json!({"type": "string", "minLength": 2, "maxLength": 3})).read("ä").is_err());
        for (format, good, bad) in [
            ("email", "a@b.c", "a.b.c"),
            ("uri", "mailto:a", "a"),
            ("date", "2026-09-01", "01.09.2026"),
            ("date-time", "2026-09-01T00:00:00Z", "2026-09-01"),
        ] {
            let field = one(&json!({"type": "string", "format": format}));

            assert!(field.read(good).is_ok() && field.read(bad).is_err(), "{format}");
        }
    }

    #[test]
    fn a_field_that_is_not_needed_may_stay_empty() {
        let field = field("it", &json!({"type": "integer"}), false);

        assert_eq!(field.read(""), Ok(None));
        assert!(one(&json!({"type": "integer"})).read("").is_err());
    }

    #[test]
    fn several_choices_are_counted() {
        let field =
            one(&json!({"type": "array", "items": {"enum": ["a", "b", "c"]}, "minItems": 1, "maxItems": 2}));

        assert_eq!(field.pick(&[0, 2]), Ok(Some(json!(["a", "c"]))));
        assert_eq!(field.pick(&[]), Err("choose 1 to 2".into()));
        assert!(field.pick(&[0, 1, 2]).is_err());
    }
}
