//! What a schema expects, in words for the one who has to correct the value.

use serde_json::{Number, Value};

use super::check::Checker;
use super::rule::{Id, Node, NumberRule, Range, Rule, TextRule, Types};
use super::shorten;

/// What the schema `id` expects, in 200 characters at most.
pub(super) fn describe(checker: &Checker, id: Id) -> String {
    shorten::text(&Words { checker }.schema(id, 0), LONGEST)
}

/// What a choice between `ids` expects, in 200 characters at most.
pub(super) fn describe_choice(checker: &Checker, ids: &[Id]) -> String {
    shorten::text(&Words { checker }.choice(ids, 0), LONGEST)
}

/// The values that are allowed, in 200 characters at most.
pub(super) fn one_of<'v>(values: impl IntoIterator<Item = &'v Value>) -> String {
    let values: Vec<String> = values.into_iter().take(MANY).map(|it| shorten::value(it, 60)).collect();
    match values.as_slice() {
        [] => "nothing".into(),
        [one] => one.clone(),
        values => shorten::text(&format!("one of {}", values.join(", ")), LONGEST),
    }
}

/// How many of `thing`: "at least 2 items".
pub(super) fn count(range: Range, thing: &str) -> String {
    let things =
        |count: u64| if count == 1 { format!("1 {thing}") } else { format!("{count} {}", plural(thing)) };
    match (range.least.filter(|it| *it > 0), range.most) {
        (Some(least), Some(most)) if least == most => format!("exactly {}", things(most)),
        (Some(least), Some(most)) => format!("{least} to {}", things(most)),
        (Some(least), None) => format!("at least {}", things(least)),
        (None, Some(most)) => format!("at most {}", things(most)),
        (None, None) => format!("any number of {}", plural(thing)),
    }
}

fn plural(thing: &str) -> String {
    format!("{thing}s")
}

struct Words<'c> {
    checker: &'c Checker,
}

impl Words<'_> {
    fn schema(&self, id: Id, depth: usize) -> String {
        let node = self.checker.node(id);
        if depth == DEEPEST {
            return "a fitting value".into();
        }
        let find = |wanted: fn(&Rule) -> bool| node.rules.iter().find(|rule| wanted(rule));
        if let Some(Rule::Among(values)) = find(|it| matches!(it, Rule::Among(_))) {
            return one_of(values);
        }
        if let Some(Rule::Any(ids) | Rule::One(ids)) = find(|it| matches!(it, Rule::Any(_) | Rule::One(_))) {
            return self.choice(ids, depth + 1);
        }
        let types = match find(|it| matches!(it, Rule::Types(_))) {
            Some(Rule::Types(types)) => *types,
            _ => implied(node),
        };
        if types != Types::default() {
            let nouns = NOUNS.iter().filter(|(kind, _)| types.has(*kind));
            let nouns: Vec<String> = nouns.map(|(kind, noun)| with_limits(node, *kind, noun)).collect();
            return nouns.join(" or ");
        }
        match node.rules.iter().find(|rule| !rule.is_plain() || matches!(rule, Rule::Never)) {
            Some(Rule::Never) => "nothing".into(),
            Some(Rule::Refer(id)) => self.schema(*id, depth + 1),
            Some(Rule::Dynamic { fallback, .. }) => self.schema(*fallback, depth + 1),
            Some(Rule::All(ids)) => self.joined(ids, " and ", depth + 1),
            Some(Rule::Not(id)) if self.checker.node(*id).rules.is_empty() => "nothing".into(),
            Some(Rule::Not(id)) => format!("anything but {}", self.schema(*id, depth + 1)),
            _ => "any value".into(),
        }
    }

    fn choice(&self, ids: &[Id], depth: usize) -> String {
        let values = |id: &Id| {
            self.checker.node(*id).rules.iter().find_map(|rule| match rule {
                Rule::Among(values) => Some(values),
                _ => None,
            })
        };
        match ids.iter().map(values).collect::<Option<Vec<_>>>() {
            Some(values) => one_of(values.into_iter().flatten()),
            None => self.joined(ids, " or ", depth),
        }
    }

    fn joined(&self, ids: &[Id], word: &str, depth: usize) -> String {
        let mut parts: Vec<String> = Vec::new();
        for id in ids.iter().take(MANY) {
            let part = self.schema(*id, depth);
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
        parts.join(word)
    }
}

/// The type that the keywords of a schema without `type` speak of.
fn implied(node: &Node) -> Types {
    node.rules.iter().fold(Types::default(), |types, rule| match rule {
        Rule::Number(_) => types.with(Types::NUMBER),
        Rule::Text(_) => types.with(Types::STRING),
        Rule::Length(_) | Rule::Unique | Rule::Items(_) | Rule::Contains { .. } => types.with(Types::ARRAY),
        Rule::Size(_) | Rule::Required(_) | Rule::Members(_) => types.with(Types::OBJECT),
        _ => types,
    })
}

fn with_limits(node: &Node, kind: Types, noun: &str) -> String {
    let mut text = noun.to_owned();
    for rule in &node.rules {
        match rule {
            Rule::Number(rule) if kind == Types::INTEGER || kind == Types::NUMBER => {
                text.push_str(&bounds(rule))
            }
            Rule::Text(rule) if kind == Types::STRING => text.push_str(&length(rule)),
            Rule::Length(range) if kind == Types::ARRAY => {
                text.push_str(&format!(" of {}", count(*range, "item")))
            }
            Rule::Required(names) if kind == Types::OBJECT => {
                let names: Vec<String> = names.iter().take(MANY).map(|it| format!("`{it}`")).collect();
                text.push_str(&format!(" with {}", names.join(", ")));
            }
            Rule::Unique if kind == Types::ARRAY => text.push_str(" without duplicates"),
            Rule::Size(range) if kind == Types::OBJECT => {
                text.push_str(&format!(" of {}", count(*range, "member")))
            }
            _ => {}
        }
    }
    text
}

fn bounds(rule: &NumberRule) -> String {
    let least =
        rule.least.as_ref().map(|it| ("of at least", it)).or(rule.above.as_ref().map(|it| ("above", it)));
    let most = rule.most.as_ref().map(|it| ("at most", it)).or(rule.below.as_ref().map(|it| ("below", it)));
    let mut text = match (least, most) {
        (Some(("of at least", least)), Some(("at most", most))) => format!(" from {least} to {most}"),
        (Some((from, least)), Some((to, most))) => format!(" {from} {least} and {to} {most}"),
        (Some((from, least)), None) => format!(" {from} {least}"),
        (None, Some(("below", most))) => format!(" below {most}"),
        (None, Some((_, most))) => format!(" of at most {most}"),
        (None, None) => String::new(),
    };
    if let Some(multiple) = &rule.multiple {
        text.push_str(&multiple_of(multiple));
    }
    text
}

fn multiple_of(multiple: &Number) -> String {
    format!(", a multiple of {multiple}")
}

fn length(rule: &TextRule) -> String {
    let mut text = match rule.length == Range::default() {
        true => String::new(),
        false => format!(" of {}", count(rule.length, "character")),
    };
    if let Some(pattern) = &rule.pattern {
        text.push_str(&format!(" matching `{}`", pattern.written));
    }
    text
}

const NOUNS: [(Types, &str); 7] = [
    (Types::STRING, "a string"),
    (Types::INTEGER, "an integer"),
    (Types::NUMBER, "a number"),
    (Types::BOOLEAN, "true or false"),
    (Types::ARRAY, "an array"),
    (Types::OBJECT, "an object"),
    (Types::NULL, "null"),
];
/// The longest description, in characters.
const LONGEST: usize = 200;
/// The most values or alternatives that are named.
const MANY: usize = 40;
/// How far references and choices are followed.
const DEEPEST: usize = 4;
