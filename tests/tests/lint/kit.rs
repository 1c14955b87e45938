//! A tool that nothing is wrong with, and tables of what makes it wrong.

use serde_json::{Map, Value, json};
use tollgate::lint::{Finding, Rule, lint};

/// What one rule says of some lists.
pub(crate) struct Case {
    pub(crate) rule: Rule,
    /// Lists of tools in which it fires, and where in the last tool.
    pub(crate) fires: Vec<(Vec<Value>, &'static str)>,
    /// Lists in which it does not.
    pub(crate) quiet: Vec<Vec<Value>>,
}

impl Case {
    pub(crate) fn of(rule: Rule) -> Self {
        Self { rule, fires: Vec::new(), quiet: Vec::new() }
    }

    pub(crate) fn fires(mut self, place: &'static str, tools: impl Into<Tools>) -> Self {
        self.fires.push((tools.into().0, place));
        self
    }

    pub(crate) fn quiet(mut self, tools: impl Into<Tools>) -> Self {
        self.quiet.push(tools.into().0);
        self
    }

    /// Asserts what the table says.
    pub(crate) fn hold(&self) {
        let of_rule = |tools: &[Value]| lint(tools).into_iter().filter(|it| it.rule == self.rule);
        for (tools, place) in &self.fires {
            let last = tools.last().and_then(|it| it["name"].as_str());
            let found: Vec<Finding> = of_rule(tools).collect();
            assert_eq!(found.len(), 1, "{}: {found:#?}\n{}", self.rule, json!(tools));
            assert_eq!(found[0].place, *place, "{found:#?}\n{}", json!(tools));
            assert_eq!(found[0].level, self.rule.level());
            assert_eq!(found[0].tool, last.unwrap_or("#1"));
            assert!(!found[0].text.is_empty() && !found[0].fix.is_empty(), "{found:#?}");
        }
        for tools in &self.quiet {
            let found: Vec<Finding> = of_rule(tools).collect();
            assert_eq!(found, [], "{}", json!(tools));
        }
    }
}

/// One tool, or several.
pub(crate) struct Tools(Vec<Value>);

impl From<Value> for Tools {
    fn from(tool: Value) -> Self {
        Self(vec![tool])
    }
}

impl<const N: usize> From<[Value; N]> for Tools {
    fn from(tools: [Value; N]) -> Self {
        Self(tools.into())
    }
}

/// A tool that no rule has anything to say about, with these members in place of its own. `null` takes one out.
pub(crate) fn tool(members: Value) -> Value {
    let mut tool = json!({
        "name": "find_note",
        "description": "Finds a note by words in it. Use when the user looks for one. Do not use when its title is known.",
        "inputSchema": {"type": "object", "properties": {"words": WORDS.clone()}},
        "annotations": {"readOnlyHint": true},
    });
    let Value::Object(members) = members else { panic!("members are an object") };
    for (name, member) in members {
        match member {
            Value::Null => drop(tool.as_object_mut().unwrap().shift_remove(&name)),
            member => tool[name] = member,
        }
    }
    tool
}

/// The same tool with another description.
pub(crate) fn described(description: &str) -> Value {
    tool(json!({"description": description}))
}

/// The same tool under another name, with another description.
pub(crate) fn named(name: &str, description: &str) -> Value {
    tool(json!({"name": name, "description": description}))
}

/// The same tool with one parameter `x`.
pub(crate) fn with(parameter: Value) -> Value {
    with_all(json!({"x": parameter}))
}

/// The same tool with these parameters.
pub(crate) fn with_all(parameters: Value) -> Value {
    tool(json!({"inputSchema": {"type": "object", "properties": parameters}}))
}

/// The same tool with these members in its schema beside `type`.
pub(crate) fn with_schema(members: Value) -> Value {
    let mut schema = Map::from_iter([("type".to_owned(), json!("object"))]);
    let Value::Object(members) = members else { panic!("members are an object") };
    schema.extend(members);
    tool(json!({"inputSchema": schema}))
}

static WORDS: std::sync::LazyLock<Value> = std::sync::LazyLock::new(
    || json!({"type": "string", "maxLength": 80, "description": "Words that stand in the note."}),
);

#[test]
fn no_rule_has_anything_to_say_about_the_tool_of_the_tables() {
    assert_eq!(lint(&[tool(json!({}))]), []);
}
