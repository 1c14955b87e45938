//! What is put right in an instance before it is checked: `2.0` for an integer, `null` for an absent argument.

use serde_json::{Map, Number, Value};

use super::check::{Run, Scope};
use super::number;
use super::rule::{Id, Members, Rule, Types};

/// Puts `instance` right in place. It costs one look at an instance that has no such number and no null member.
pub(super) fn settle(run: &Run<'_>, instance: &mut Value) {
    if may_change(instance) {
        run.settle(0, instance, &Scope::ROOT);
    }
}

fn may_change(value: &Value) -> bool {
    match value {
        Value::Number(number) => as_integer(number).is_some(),
        Value::Array(items) => items.iter().any(may_change),
        Value::Object(members) => members.values().any(|it| it.is_null() || may_change(it)),
        _ => false,
    }
}

/// The integer that was written as a float.
fn as_integer(number: &Number) -> Option<Number> {
    let whole = number::as_whole(number).filter(|_| number.is_f64())?;
    i64::try_from(whole).map(Number::from).or_else(|_| u64::try_from(whole).map(Number::from)).ok()
}

impl Run<'_> {
    /// Settles a value that the schema `id` applies to.
    fn settle(&self, id: Id, value: &mut Value, outer: &Scope<'_>) {
        if let Value::Object(members) = value {
            self.drop_nulls(id, members, outer);
        }
        self.settle_in_place(id, value, outer);
    }

    fn drop_nulls(&self, id: Id, members: &mut Map<String, Value>, scope: &Scope<'_>) {
        if members.values().any(Value::is_null) {
            members.retain(|name, member| {
                let mut wish = Wish::default();
                if member.is_null() {
                    self.ask(id, name, scope, &mut wish);
                }
                wish.required || !wish.not_null
            });
        }
    }

    /// What the schema `id` and all that apply with it say about a null member.
    fn ask(&self, id: Id, name: &str, outer: &Scope<'_>, wish: &mut Wish) {
        let node = self.checker.node(id);
        let scope = outer.enter(node);
        self.deeper(|| {
            for rule in &node.rules {
                match rule {
                    Rule::Required(names) => wish.required |= names.iter().any(|it| it == name),
                    Rule::Members(rule) => {
                        wish.not_null |= rule.named(name).is_some_and(|id| self.is_not_null(id, &scope))
                    }
                    Rule::Refer(id) => self.ask(*id, name, &scope, wish),
                    Rule::Dynamic { anchor, fallback, .. } => {
                        self.ask(self.dynamic(anchor, *fallback, &scope), name, &scope, wish);
                    }
                    Rule::All(ids) => ids.iter().for_each(|id| self.ask(*id, name, &scope, wish)),
                    _ => {}
                }
            }
        });
    }

    /// Whether the schema wants some value, but not null. One that wants none at all is not optional but forbidden.
    fn is_not_null(&self, id: Id, scope: &Scope<'_>) -> bool {
        let forbids = self.checker.node(id).rules.iter().any(|rule| matches!(rule, Rule::Never));
        !forbids && !self.holds(id, &Value::Null, scope)
    }

    fn settle_in_place(&self, id: Id, value: &mut Value, outer: &Scope<'_>) {
        let node = self.checker.node(id);
        let scope = outer.enter(node);
        self.deeper(|| node.rules.iter().for_each(|rule| self.settle_rule(id, rule, value, &scope)));
    }

    fn settle_rule(&self, id: Id, rule: &Rule, value: &mut Value, scope: &Scope<'_>) {
        match (rule, value) {
            (Rule::Types(types), Value::Number(number))
                if types.has(Types::INTEGER) && !types.has(Types::NUMBER) =>
            {
                if let Some(integer) = as_integer(number) {
                    *number = integer;
                }
            }
            (Rule::Members(rule), Value::Object(members)) => self.settle_members(rule, members, scope),
            (Rule::Items(rule), Value::Array(items)) => {
                for (at, item) in items.iter_mut().enumerate() {
                    rule.applying(at).into_iter().for_each(|id| self.settle(id, item, scope));
                }
            }
            (Rule::Refer(id), value) => self.settle_in_place(*id, value, scope),
            (Rule::Dynamic { anchor, fallback, .. }, value) => {
                self.settle_in_place(self.dynamic(anchor, *fallback, scope), value, scope);
            }
            (Rule::All(ids), value) => ids.iter().for_each(|id| self.settle_in_place(*id, value, scope)),
            (Rule::Any(ids) | Rule::One(ids), value) => self.settle_choice(ids, value, scope),
            (Rule::If { test, then, otherwise }, value) => {
                let branches = match self.holds(*test, value, scope) {
                    true => [Some(*test), *then],
                    false => [*otherwise, None],
                };
                branches.into_iter().flatten().for_each(|id| self.settle(id, value, scope));
            }
            (Rule::Dependent(list), value) => {
                for (name, id) in list {
                    if value.get(name).is_some() {
                        self.settle(*id, value, scope);
                    }
                }
            }
            (Rule::OtherMembers(_) | Rule::OtherItems(_), value) => {
                self.settle_others(id, rule, value, scope)
            }
            _ => {}
        }
    }

    fn settle_members(&self, rule: &Members, members: &mut Map<String, Value>, scope: &Scope<'_>) {
        for (name, member) in members.iter_mut() {
            rule.applying(name).for_each(|id| self.settle(id, member, scope));
        }
    }

    /// Settles by every branch that the value keeps; when there is none, by the first that it keeps once settled.
    fn settle_choice(&self, ids: &[Id], value: &mut Value, scope: &Scope<'_>) {
        let kept: Vec<Id> = ids.iter().copied().filter(|id| self.holds(*id, value, scope)).collect();
        if !kept.is_empty() {
            return kept.into_iter().for_each(|id| self.settle(id, value, scope));
        }
        if !may_change(value) {
            return;
        }
        for id in ids {
            if !self.spend(size(value)) {
                return;
            }
            let mut settled = value.clone();
            self.settle(*id, &mut settled, scope);
            if self.holds(*id, &settled, scope) {
                *value = settled;
                return;
            }
        }
    }

    fn settle_others(&self, id: Id, rule: &Rule, value: &mut Value, scope: &Scope<'_>) {
        let node = self.checker.node(id);
        match rule {
            Rule::OtherMembers(below) => {
                let members = value.as_object().into_iter().flatten().map(|(name, _)| name);
                let open = members.filter(|name| !self.reaches_member(node, value, name, scope));
                for name in open.cloned().collect::<Vec<_>>() {
                    value.get_mut(name).into_iter().for_each(|it| self.settle(*below, it, scope));
                }
            }
            Rule::OtherItems(below) => {
                let count = value.as_array().map_or(0, Vec::len);
                for at in
                    (0..count).filter(|at| !self.reaches_item(node, value, *at, scope)).collect::<Vec<_>>()
                {
                    value.get_mut(at).into_iter().for_each(|it| self.settle(*below, it, scope));
                }
            }
            _ => {}
        }
    }
}

/// What schemas want of a member that is null.
#[derive(Default)]
struct Wish {
    required: bool,
    not_null: bool,
}

/// How many values there are in `value`, itself included.
fn size(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(size).sum::<usize>(),
        Value::Object(members) => 1 + members.values().map(size).sum::<usize>(),
        _ => 1,
    }
}
