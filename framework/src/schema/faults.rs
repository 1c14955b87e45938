//! Every fault of an invalid instance, in words.

use serde_json::{Map, Value};

use super::check::{Checker, Run, Scope};
use super::rule::{Id, Items, Members, Node, Range, Rule};
use super::{keywords, shorten, words};

mod choice;
mod unknown;

/// One fault of an instance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Violation {
    /// Where in the instance, as a JSON pointer; empty for the root. A name of over 120 characters is shortened.
    pub(crate) pointer: String,
    /// What should be there.
    pub(crate) expected: String,
    /// What is there, in 60 characters at most; `nothing` when it is missing.
    pub(crate) found: String,
}

/// The faults of `instance`, which must be invalid: at least one, `most` at most.
pub(super) fn collect(checker: &Checker, instance: &Value, most: usize) -> Vec<Violation> {
    let run = Run::new(checker);
    let mut faults = Faults { run: &run, most: most.max(1), pointer: String::new(), found: Vec::new() };
    faults.visit(0, instance, &Scope::ROOT);
    if faults.found.is_empty() {
        faults.found.push(too_complex(instance));
    }
    faults.found
}

/// The fault of an instance that takes too many steps.
pub(super) fn too_complex(instance: &Value) -> Violation {
    let expected = "a value that can be checked; this one is too complex to check".into();
    Violation { pointer: String::new(), expected, found: shorten::value(instance, SHORT) }
}

struct Faults<'r> {
    run: &'r Run<'r>,
    most: usize,
    pointer: String,
    found: Vec<Violation>,
}

impl Faults<'_> {
    fn visit(&mut self, id: Id, value: &Value, outer: &Scope<'_>) {
        if self.is_full() {
            return;
        }
        let run = self.run;
        let node = run.checker.node(id);
        let scope = outer.enter(node);
        run.deeper(|| {
            let broken = |rule: &&Rule| !run.keeps(node, rule, value, &scope) && !run.is_spent();
            let (plain, other): (Vec<&Rule>, Vec<&Rule>) =
                node.rules.iter().filter(broken).partition(|it| it.is_plain());
            if !plain.is_empty() {
                self.expect(words::describe(run.checker, id), value);
            }
            other.into_iter().for_each(|rule| self.explain(id, node, rule, value, &scope));
        });
    }

    /// Adds the faults of `value` under a rule that it breaks.
    fn explain(&mut self, id: Id, node: &Node, rule: &Rule, value: &Value, scope: &Scope<'_>) {
        match (rule, value) {
            (Rule::Required(names), Value::Object(members)) => self.missing(node, names, members),
            (Rule::Needs(list), Value::Object(members)) => {
                for (name, names) in list.iter().filter(|(name, _)| members.contains_key(name)) {
                    for it in names.iter().filter(|it| !members.contains_key(*it)) {
                        self.at(it, |faults| {
                            faults.add(format!("a value, as `{name}` is given"), NOTHING.into())
                        });
                    }
                }
            }
            (Rule::Names(id), Value::Object(members)) => self.names(*id, members, scope),
            (Rule::Members(rule), Value::Object(members)) => self.members(id, rule, members, scope),
            (Rule::Items(rule), Value::Array(items)) => self.items(rule, items, scope),
            (Rule::Contains { item, count }, value) => self.contains(*item, *count, value),
            (Rule::Refer(id), value) => self.visit(*id, value, scope),
            (Rule::Dynamic { anchor, fallback, .. }, value) => {
                self.visit(self.run.dynamic(anchor, *fallback, scope), value, scope);
            }
            (Rule::All(ids), value) => ids.iter().for_each(|id| self.visit(*id, value, scope)),
            (Rule::Any(ids), value) => self.choose(ids, value, scope),
            (Rule::One(ids), value) => self.choose_one(ids, value, scope),
            (Rule::Not(id), value) => {
                self.expect(format!("anything but {}", words::describe(self.run.checker, *id)), value);
            }
            (Rule::If { test, then, otherwise }, value) => {
                let branch = if self.run.holds(*test, value, scope) { then } else { otherwise };
                branch.iter().for_each(|id| self.visit(*id, value, scope));
            }
            (Rule::Dependent(list), value) => {
                for (_, id) in list.iter().filter(|(name, _)| value.get(name).is_some()) {
                    self.visit(*id, value, scope);
                }
            }
            (Rule::OtherMembers(below), Value::Object(members)) => {
                for (name, member) in members {
                    if !self.run.reaches_member(node, value, name, scope) {
                        self.other(id, *below, name, member, scope);
                    }
                }
            }
            (Rule::OtherItems(below), Value::Array(items)) => {
                for (at, item) in items.iter().enumerate() {
                    if !self.run.reaches_item(node, value, at, scope) {
                        self.at(&at.to_string(), |faults| faults.visit(*below, item, scope));
                    }
                }
            }
            _ => {}
        }
    }

    fn missing(&mut self, node: &Node, names: &[String], members: &Map<String, Value>) {
        for name in names.iter().filter(|it| !members.contains_key(*it)) {
            let declared = node.rules.iter().find_map(|rule| match rule {
                Rule::Members(rule) => rule.named(name),
                _ => None,
            });
            let expected =
                declared.map_or_else(|| "a value".into(), |id| words::describe(self.run.checker, id));
            self.at(name, |faults| faults.add(expected, NOTHING.into()));
        }
    }

    fn names(&mut self, id: Id, members: &Map<String, Value>, scope: &Scope<'_>) {
        for name in members.keys().filter(|it| !self.run.names(id, it, scope)).collect::<Vec<_>>() {
            let expected = format!("a name that is {}", words::describe(self.run.checker, id));
            self.at(name, |faults| faults.expect(expected, &Value::String(name.clone())));
        }
    }

    fn members(&mut self, id: Id, rule: &Members, members: &Map<String, Value>, scope: &Scope<'_>) {
        for (name, member) in members {
            if self.is_full() {
                return;
            }
            for below in rule.applying(name) {
                match Some(below) == rule.others {
                    true => self.other(id, below, name, member, scope),
                    false => self.at(name, |faults| faults.visit(below, member, scope)),
                }
            }
        }
    }

    /// A member that no keyword names.
    fn other(&mut self, id: Id, below: Id, name: &str, member: &Value, scope: &Scope<'_>) {
        let forbidden = self.run.checker.node(below).rules.iter().any(|rule| matches!(rule, Rule::Never));
        let noun = if self.pointer.is_empty() { "argument" } else { "member" };
        self.at(name, |faults| match forbidden {
            true => faults.expect(unknown::explain(faults.run.checker, id, name, noun), member),
            false => faults.visit(below, member, scope),
        });
    }

    fn items(&mut self, rule: &Items, items: &[Value], scope: &Scope<'_>) {
        for (at, item) in items.iter().enumerate() {
            if self.is_full() {
                return;
            }
            if let Some(id) = rule.applying(at) {
                self.at(&at.to_string(), |faults| faults.visit(id, item, scope));
            }
        }
    }

    fn contains(&mut self, item: Id, count: Range, value: &Value) {
        let item = words::describe(self.run.checker, item);
        self.expect(format!("an array with {} like this: {item}", words::count(count, "item")), value);
    }

    /// Works one step further down the instance.
    fn at(&mut self, token: &str, work: impl FnOnce(&mut Self)) {
        let above = self.pointer.len();
        self.pointer.push('/');
        self.pointer.push_str(&keywords::escape(&shorten::text(token, LONGEST_NAME)));
        work(self);
        self.pointer.truncate(above);
    }

    fn expect(&mut self, expected: String, value: &Value) {
        self.add(expected, shorten::value(value, SHORT));
    }

    fn add(&mut self, expected: String, found: String) {
        let fault = Violation { pointer: self.pointer.clone(), expected, found };
        if !self.is_full() && !self.found.contains(&fault) {
            self.found.push(fault);
        }
    }

    fn is_full(&self) -> bool {
        self.found.len() >= self.most
    }
}

const NOTHING: &str = "nothing";
/// The longest value in a fault, in characters.
const SHORT: usize = 60;
/// The longest name in a pointer, in characters.
const LONGEST_NAME: usize = 120;
