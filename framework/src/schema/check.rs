//! Whether an instance keeps the rules, at a bounded cost.

use std::cell::Cell;
use std::collections::HashMap;

use serde_json::{Map, Value};

use super::faults::{self, Violation};
use super::rule::{Id, Items, Members, Node, Range, Rule, is_among};
use super::{equal, settle};

/// A compiled schema.
#[derive(Debug)]
pub(crate) struct Checker {
    nodes: Vec<Node>,
    /// The dynamic anchors of every resource.
    anchors: Vec<HashMap<String, Id>>,
}

impl Checker {
    pub(super) fn new(nodes: Vec<Node>, anchors: Vec<HashMap<String, Id>>) -> Self {
        Self { nodes, anchors }
    }

    /// Finds every fault of `instance`, `most` at most; none means that it is valid.
    ///
    /// Two things are put right in place first: a number without a fraction becomes an integer where the schema
    /// wants one, and `null` for a property that is optional and may not be null is removed. A valid instance with
    /// neither costs no allocation, `propertyNames` and `uniqueItems` on long lists aside. An instance that takes
    /// more than a million steps has one fault, that it is too complex.
    pub(crate) fn check(&self, instance: &mut Value, most: usize) -> Vec<Violation> {
        let run = Run::new(self);
        settle::settle(&run, instance);
        match run.accepts(instance) {
            true => Vec::new(),
            false if run.is_spent() => vec![faults::too_complex(instance)],
            false => faults::collect(self, instance, most),
        }
    }

    /// Whether `instance` is valid as it stands. One that takes too many steps is not.
    pub(crate) fn is_valid(&self, instance: &Value) -> bool {
        Run::new(self).accepts(instance)
    }

    pub(super) fn node(&self, id: Id) -> &Node {
        &self.nodes[id]
    }
}

/// One pass over an instance, and what is left of its allowance.
pub(super) struct Run<'c> {
    pub(super) checker: &'c Checker,
    steps: Cell<usize>,
    depth: Cell<usize>,
}

/// The resources entered on the way to a schema, innermost first.
#[derive(Clone, Copy)]
pub(super) struct Scope<'s> {
    resource: usize,
    outer: Option<&'s Self>,
}

impl Scope<'_> {
    pub(super) const ROOT: Self = Self { resource: 0, outer: None };

    pub(super) fn enter<'a>(&'a self, node: &Node) -> Scope<'a> {
        match node.resource == self.resource {
            true => *self,
            false => Scope { resource: node.resource, outer: Some(self) },
        }
    }
}

impl<'c> Run<'c> {
    pub(super) fn new(checker: &'c Checker) -> Self {
        Self { checker, steps: Cell::new(STEPS), depth: Cell::new(0) }
    }

    fn accepts(&self, instance: &Value) -> bool {
        self.holds(0, instance, &Scope::ROOT) && !self.is_spent()
    }

    pub(super) fn is_spent(&self) -> bool {
        self.steps.get() == 0
    }

    /// Takes `count` steps from the allowance; `false` when it is spent.
    pub(super) fn spend(&self, count: usize) -> bool {
        let left = self.steps.get().saturating_sub(count);
        self.steps.set(left);
        left > 0
    }

    /// Does `work` one level deeper; `None` when that is too deep.
    pub(super) fn deeper<T>(&self, work: impl FnOnce() -> T) -> Option<T> {
        if self.depth.get() == DEEPEST {
            self.steps.set(0);
        }
        if !self.spend(1) {
            return None;
        }
        self.depth.set(self.depth.get() + 1);
        let done = work();
        self.depth.set(self.depth.get() - 1);
        Some(done)
    }

    /// Whether `value` keeps every rule of the schema `id`. Meaningless once the allowance is spent.
    pub(super) fn holds(&self, id: Id, value: &Value, outer: &Scope<'_>) -> bool {
        let node = self.checker.node(id);
        let scope = outer.enter(node);
        self.deeper(|| node.rules.iter().all(|rule| self.keeps(node, rule, value, &scope))).unwrap_or(false)
    }

    /// Whether `value` keeps one rule of `node`.
    pub(super) fn keeps(&self, node: &Node, rule: &Rule, value: &Value, scope: &Scope<'_>) -> bool {
        match (rule, value) {
            (Rule::Never, _) => false,
            (Rule::Types(types), value) => types.admits(value),
            (Rule::Among(values), value) => self.spend(values.len() / 8) && is_among(values, value),
            (Rule::Number(rule), Value::Number(number)) => rule.admits(number),
            (Rule::Text(rule), Value::String(text)) => self.spend(rule.cost(text)) && rule.admits(text),
            (Rule::Length(range), Value::Array(items)) => range.admits(items.len()),
            (Rule::Unique, Value::Array(items)) => self.spend(items.len()) && equal::all_different(items),
            (Rule::Size(range), Value::Object(members)) => range.admits(members.len()),
            (Rule::Required(names), Value::Object(members)) => {
                names.iter().all(|it| members.contains_key(it))
            }
            (Rule::Needs(list), Value::Object(members)) => list.iter().all(|(name, names)| {
                !members.contains_key(name) || names.iter().all(|it| members.contains_key(it))
            }),
            (Rule::Names(id), Value::Object(members)) => members.keys().all(|it| self.names(*id, it, scope)),
            (Rule::Members(rule), Value::Object(members)) => self.members(rule, members, scope),
            (Rule::Items(rule), Value::Array(items)) => self.items(rule, items, scope),
            (Rule::Contains { item, count }, Value::Array(items)) => {
                self.contains(*item, *count, items, scope)
            }
            (Rule::Refer(id), value) => self.holds(*id, value, scope),
            (Rule::Dynamic { anchor, fallback, .. }, value) => {
                self.holds(self.dynamic(anchor, *fallback, scope), value, scope)
            }
            (Rule::All(ids), value) => ids.iter().all(|id| self.holds(*id, value, scope)),
            (Rule::Any(ids), value) => ids.iter().any(|id| self.holds(*id, value, scope)),
            (Rule::One(ids), value) => {
                ids.iter().filter(|id| self.holds(**id, value, scope)).take(2).count() == 1
            }
            (Rule::Not(id), value) => !self.holds(*id, value, scope),
            (Rule::If { test, then, otherwise }, value) => {
                let branch = if self.holds(*test, value, scope) { then } else { otherwise };
                branch.is_none_or(|id| self.holds(id, value, scope))
            }
            (Rule::Dependent(list), Value::Object(members)) => {
                list.iter().all(|(name, id)| !members.contains_key(name) || self.holds(*id, value, scope))
            }
            (Rule::OtherMembers(id), Value::Object(members)) => members.iter().all(|(name, member)| {
                self.reaches_member(node, value, name, scope) || self.holds(*id, member, scope)
            }),
            (Rule::OtherItems(id), Value::Array(items)) => items
                .iter()
                .enumerate()
                .all(|(at, item)| self.reaches_item(node, value, at, scope) || self.holds(*id, item, scope)),
            _ => true,
        }
    }

    /// Whether the name of a member fits. The only rule that needs a value made from a name.
    pub(super) fn names(&self, id: Id, name: &str, scope: &Scope<'_>) -> bool {
        self.holds(id, &Value::String(name.to_owned()), scope)
    }

    fn members(&self, rule: &Members, members: &Map<String, Value>, scope: &Scope<'_>) -> bool {
        members.iter().all(|(name, member)| {
            self.spend(rule.cost(name)) && rule.applying(name).all(|id| self.holds(id, member, scope))
        })
    }

    fn items(&self, rule: &Items, items: &[Value], scope: &Scope<'_>) -> bool {
        items
            .iter()
            .enumerate()
            .all(|(at, item)| rule.applying(at).is_none_or(|id| self.holds(id, item, scope)))
    }

    fn contains(&self, item: Id, count: Range, items: &[Value], scope: &Scope<'_>) -> bool {
        count.admits(items.iter().filter(|it| self.holds(item, it, scope)).count())
    }

    /// The outermost resource entered that has this dynamic anchor decides.
    pub(super) fn dynamic(&self, anchor: &str, fallback: Id, scope: &Scope<'_>) -> Id {
        let scopes = std::iter::successors(Some(scope), |it| it.outer);
        scopes
            .filter_map(|it| self.checker.anchors[it.resource].get(anchor))
            .last()
            .copied()
            .unwrap_or(fallback)
    }
}

/// The most schema evaluations for one instance.
const STEPS: usize = 1_000_000;
/// The most schemas inside each other, counting both the instance's nesting and the schema's.
const DEEPEST: usize = 400;
