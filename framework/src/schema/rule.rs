//! A compiled schema: nodes that point to each other by number, each a list of rules.

use std::cmp::Ordering;

use serde_json::{Number, Value};

use super::pattern::Pattern;
use super::{equal, number};

/// The place of a node in the checker.
pub(super) type Id = usize;

/// One schema or subschema.
#[derive(Debug)]
pub(super) struct Node {
    /// The rules; those on unevaluated parts come last.
    pub(super) rules: Vec<Rule>,
    /// The resource (the nearest `$id`) it belongs to, for `$dynamicRef`.
    pub(super) resource: usize,
}

#[derive(Debug)]
pub(super) enum Rule {
    Never,
    Types(Types),
    /// `enum` and `const`.
    Among(Vec<Value>),
    Number(NumberRule),
    Text(TextRule),
    /// `minItems`, `maxItems`.
    Length(Range),
    /// `uniqueItems`.
    Unique,
    /// `minProperties`, `maxProperties`.
    Size(Range),
    Required(Vec<String>),
    Needs(Vec<(String, Vec<String>)>),
    Names(Id),
    Members(Members),
    Items(Items),
    Contains {
        item: Id,
        count: Range,
    },
    Refer(Id),
    Dynamic {
        anchor: String,
        fallback: Id,
        all: Vec<Id>,
    },
    All(Vec<Id>),
    Any(Vec<Id>),
    One(Vec<Id>),
    Not(Id),
    If {
        test: Id,
        then: Option<Id>,
        otherwise: Option<Id>,
    },
    Dependent(Vec<(String, Id)>),
    /// `unevaluatedProperties`.
    OtherMembers(Id),
    /// `unevaluatedItems`.
    OtherItems(Id),
}

impl Rule {
    /// Whether the rule looks at the value alone, not at other schemas or named members.
    pub(super) fn is_plain(&self) -> bool {
        matches!(
            self,
            Self::Never
                | Self::Types(_)
                | Self::Among(_)
                | Self::Number(_)
                | Self::Text(_)
                | Self::Length(_)
                | Self::Unique
                | Self::Size(_)
        )
    }

    /// The schemas that apply to the same value.
    pub(super) fn in_place(&self) -> Vec<Id> {
        match self {
            Self::Refer(id) | Self::Not(id) => vec![*id],
            Self::Dynamic { fallback, all, .. } => all.iter().copied().chain([*fallback]).collect(),
            Self::All(ids) | Self::Any(ids) | Self::One(ids) => ids.clone(),
            Self::If { test, then, otherwise } => {
                [Some(*test), *then, *otherwise].into_iter().flatten().collect()
            }
            Self::Dependent(list) => list.iter().map(|(_, id)| *id).collect(),
            _ => Vec::new(),
        }
    }
}

/// The set of types that `type` allows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Types(u8);

impl Types {
    pub(super) const NULL: Self = Self(1);
    pub(super) const BOOLEAN: Self = Self(2);
    pub(super) const INTEGER: Self = Self(4);
    pub(super) const NUMBER: Self = Self(8);
    pub(super) const STRING: Self = Self(16);
    pub(super) const ARRAY: Self = Self(32);
    pub(super) const OBJECT: Self = Self(64);

    pub(super) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "null" => Self::NULL,
            "boolean" => Self::BOOLEAN,
            "integer" => Self::INTEGER,
            "number" => Self::NUMBER,
            "string" => Self::STRING,
            "array" => Self::ARRAY,
            "object" => Self::OBJECT,
            _ => return None,
        })
    }

    pub(super) fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(super) fn admits(self, value: &Value) -> bool {
        match value {
            Value::Null => self.has(Self::NULL),
            Value::Bool(_) => self.has(Self::BOOLEAN),
            Value::Number(it) => self.has(Self::NUMBER) || self.has(Self::INTEGER) && number::is_integer(it),
            Value::String(_) => self.has(Self::STRING),
            Value::Array(_) => self.has(Self::ARRAY),
            Value::Object(_) => self.has(Self::OBJECT),
        }
    }
}

/// How many of something.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) least: Option<u64>,
    pub(super) most: Option<u64>,
}

impl Range {
    pub(super) fn admits(self, count: usize) -> bool {
        let count = count as u64;
        self.least.is_none_or(|it| count >= it) && self.most.is_none_or(|it| count <= it)
    }
}

/// The keywords on numbers.
#[derive(Debug, Default)]
pub(super) struct NumberRule {
    pub(super) least: Option<Number>,
    pub(super) above: Option<Number>,
    pub(super) most: Option<Number>,
    pub(super) below: Option<Number>,
    pub(super) multiple: Option<Number>,
}

impl NumberRule {
    pub(super) fn admits(&self, number: &Number) -> bool {
        let against = |bound: &Number| number::compare(number, bound);
        self.least.as_ref().is_none_or(|it| against(it) != Ordering::Less)
            && self.above.as_ref().is_none_or(|it| against(it) == Ordering::Greater)
            && self.most.as_ref().is_none_or(|it| against(it) != Ordering::Greater)
            && self.below.as_ref().is_none_or(|it| against(it) == Ordering::Less)
            && self.multiple.as_ref().is_none_or(|it| number::is_multiple(number, it))
    }
}

/// The keywords on strings.
#[derive(Debug, Default)]
pub(super) struct TextRule {
    /// In characters, not bytes.
    pub(super) length: Range,
    pub(super) pattern: Option<Pattern>,
}

impl TextRule {
    /// What a look at `text` costs, in steps.
    pub(super) fn cost(&self, text: &str) -> usize {
        self.pattern.as_ref().map_or(0, |it| it.cost(text))
    }

    pub(super) fn admits(&self, text: &str) -> bool {
        (self.length == Range::default() || self.length.admits(text.chars().count()))
            && self.pattern.as_ref().is_none_or(|it| it.matches(text))
    }
}

/// `properties`, `patternProperties`, `additionalProperties`.
#[derive(Debug, Default)]
pub(super) struct Members {
    /// In the order written.
    pub(super) named: Vec<(String, Id)>,
    /// Positions in `named`, by name.
    pub(super) sorted: Vec<usize>,
    pub(super) patterns: Vec<(Pattern, Id)>,
    pub(super) others: Option<Id>,
}

impl Members {
    /// What a look at the name costs, in steps.
    pub(super) fn cost(&self, name: &str) -> usize {
        self.patterns.iter().map(|(pattern, _)| 1 + pattern.cost(name)).sum()
    }

    pub(super) fn named(&self, name: &str) -> Option<Id> {
        let found = self.sorted.binary_search_by(|at| self.named[*at].0.as_str().cmp(name)).ok()?;
        Some(self.named[self.sorted[found]].1)
    }

    /// The schemas that apply to the member `name`.
    pub(super) fn applying(&self, name: &str) -> impl Iterator<Item = Id> {
        let named = self.named(name);
        let matching = move |(pattern, id): &(Pattern, Id)| pattern.matches(name).then_some(*id);
        let matched = named.is_some() || self.patterns.iter().any(|it| it.0.matches(name));
        let others = self.others.filter(|_| !matched);
        named.into_iter().chain(self.patterns.iter().filter_map(matching)).chain(others)
    }
}

/// `prefixItems`, `items`.
#[derive(Debug, Default)]
pub(super) struct Items {
    pub(super) prefix: Vec<Id>,
    pub(super) rest: Option<Id>,
}

impl Items {
    pub(super) fn applying(&self, at: usize) -> Option<Id> {
        self.prefix.get(at).copied().or(self.rest)
    }
}

/// Whether `value` is one of `values`.
pub(super) fn is_among(values: &[Value], value: &Value) -> bool {
    values.iter().any(|it| equal::same(it, value))
}
