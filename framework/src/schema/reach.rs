//! Which members and items other keywords have evaluated, for `unevaluatedProperties` and `unevaluatedItems`.
//!
//! Nothing is collected while validating: each part is asked for when it matters. Schemas that apply whatever the
//! value is (`allOf`, `$ref`) count even where they fail, since the instance is invalid then anyway.

use serde_json::Value;

use super::check::{Run, Scope};
use super::rule::{Id, Node, Rule};

/// A member or an item, by its name or position.
#[derive(Clone, Copy)]
enum Part<'p> {
    Member(&'p str),
    Item(usize),
}

impl Run<'_> {
    /// Whether the keywords beside `unevaluatedProperties` in `node` evaluate the member `name` of `value`.
    pub(super) fn reaches_member(&self, node: &Node, value: &Value, name: &str, scope: &Scope<'_>) -> bool {
        self.reached(node, value, Part::Member(name), scope)
    }

    /// Whether the keywords beside `unevaluatedItems` in `node` evaluate the item of `value` at `at`.
    pub(super) fn reaches_item(&self, node: &Node, value: &Value, at: usize, scope: &Scope<'_>) -> bool {
        self.reached(node, value, Part::Item(at), scope)
    }

    fn reached(&self, node: &Node, value: &Value, part: Part<'_>, scope: &Scope<'_>) -> bool {
        let others = |rule: &&Rule| !matches!(rule, Rule::OtherMembers(_) | Rule::OtherItems(_));
        node.rules.iter().filter(others).any(|rule| self.rule_reaches(rule, value, part, scope))
    }

    fn reaches(&self, id: Id, value: &Value, part: Part<'_>, outer: &Scope<'_>) -> bool {
        let node = self.checker.node(id);
        let scope = outer.enter(node);
        self.deeper(|| node.rules.iter().any(|rule| self.rule_reaches(rule, value, part, &scope)))
            .unwrap_or(false)
    }

    fn rule_reaches(&self, rule: &Rule, value: &Value, part: Part<'_>, scope: &Scope<'_>) -> bool {
        let under = |id: Id| self.reaches(id, value, part, scope);
        let under_valid = |id: &Id| self.holds(*id, value, scope) && under(*id);
        match (rule, part) {
            (Rule::Members(rule), Part::Member(name)) => {
                self.spend(rule.cost(name)) && rule.applying(name).next().is_some()
            }
            (Rule::Items(rule), Part::Item(at)) => rule.applying(at).is_some(),
            (Rule::Contains { item, .. }, Part::Item(at)) => {
                value.get(at).is_some_and(|it| self.holds(*item, it, scope))
            }
            (Rule::OtherMembers(_), Part::Member(_)) | (Rule::OtherItems(_), Part::Item(_)) => true,
            (Rule::Refer(id), _) => under(*id),
            (Rule::Dynamic { anchor, fallback, .. }, _) => under(self.dynamic(anchor, *fallback, scope)),
            (Rule::All(ids), _) => ids.iter().any(|id| under(*id)),
            (Rule::Any(ids) | Rule::One(ids), _) => ids.iter().any(under_valid),
            (Rule::If { test, then, otherwise }, _) => match self.holds(*test, value, scope) {
                true => under(*test) || then.is_some_and(under),
                false => otherwise.is_some_and(under),
            },
            (Rule::Dependent(list), _) => {
                list.iter().any(|(name, id)| value.get(name).is_some() && under(*id))
            }
            _ => false,
        }
    }
}
