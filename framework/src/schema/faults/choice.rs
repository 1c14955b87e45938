//! Which branch of a choice was meant, so that its own faults are told and not those of all branches.

use serde_json::Value;

use super::Faults;
use crate::schema::check::{Checker, Scope};
use crate::schema::rule::{Id, Rule, is_among};
use crate::schema::{equal, words};

impl Faults<'_> {
    /// A value that keeps no branch of `anyOf`.
    pub(super) fn choose(&mut self, ids: &[Id], value: &Value, scope: &Scope<'_>) {
        let checker = self.run.checker;
        let fitting: Vec<Id> = ids.iter().copied().filter(|id| fits_type(checker, *id, value, FAR)).collect();
        if let [only] = fitting.as_slice() {
            return self.visit(*only, value, scope);
        }
        if let Some((name, values)) = tag(checker, &fitting).filter(|_| value.is_object()) {
            let given = value.get(name);
            let mut meant = fitting
                .iter()
                .zip(&values)
                .filter(|(_, it)| given.is_some_and(|given| equal::same(it, given)));
            match (meant.next(), meant.next(), given) {
                (Some((id, _)), None, _) => return self.visit(*id, value, scope),
                (None, _, given) => {
                    let expected = words::one_of(values);
                    return self.at(name, |faults| match given {
                        Some(given) => faults.expect(expected, given),
                        None => faults.add(expected, super::NOTHING.into()),
                    });
                }
                _ => {}
            }
        }
        let named: Vec<Id> =
            fitting.into_iter().filter(|id| has_required(checker, *id, value, FAR)).collect();
        match named.as_slice() {
            [only] => self.visit(*only, value, scope),
            _ => self.expect(words::describe_choice(checker, ids), value),
        }
    }

    /// A value that does not keep exactly one branch of `oneOf`.
    pub(super) fn choose_one(&mut self, ids: &[Id], value: &Value, scope: &Scope<'_>) {
        if ids.iter().any(|id| self.run.holds(*id, value, scope)) {
            let choice = words::describe_choice(self.run.checker, ids);
            return self.expect(format!("a value that fits only one of these: {choice}"), value);
        }
        self.choose(ids, value, scope);
    }
}

/// Whether the type of `value`, or the only values allowed, leave the branch possible.
fn fits_type(checker: &Checker, id: Id, value: &Value, far: usize) -> bool {
    far == 0
        || checker.node(id).rules.iter().all(|rule| match rule {
            Rule::Never => false,
            Rule::Types(types) => types.admits(value),
            Rule::Among(values) => is_among(values, value),
            Rule::Refer(id) => fits_type(checker, *id, value, far - 1),
            Rule::All(ids) => ids.iter().all(|id| fits_type(checker, *id, value, far - 1)),
            _ => true,
        })
}

/// Whether the branch requires members by name, and `value` has them all.
fn has_required(checker: &Checker, id: Id, value: &Value, far: usize) -> bool {
    far > 0
        && checker.node(id).rules.iter().any(|rule| match rule {
            Rule::Required(names) => names.iter().all(|it| value.get(it).is_some()),
            Rule::Refer(id) => has_required(checker, *id, value, far - 1),
            _ => false,
        })
}

/// The member that tells the branches apart: each allows one value of it. With the value of each branch.
fn tag<'c>(checker: &'c Checker, ids: &[Id]) -> Option<(&'c str, Vec<&'c Value>)> {
    let branches: Vec<_> = ids.iter().map(|id| fixed(checker, *id, FAR)).collect();
    let value = |branch: &[(&str, &'c Value)], name| branch.iter().find(|it| it.0 == name).map(|it| it.1);
    branches.first()?.iter().find_map(|(name, _)| {
        Some((*name, branches.iter().map(|it| value(it, *name)).collect::<Option<Vec<_>>>()?))
    })
}

/// The members of a branch that have one allowed value.
fn fixed<'c>(checker: &'c Checker, id: Id, far: usize) -> Vec<(&'c str, &'c Value)> {
    if far == 0 {
        return Vec::new();
    }
    let only = |id: Id| {
        checker.node(id).rules.iter().find_map(|rule| match rule {
            Rule::Among(values) if values.len() == 1 => values.first(),
            _ => None,
        })
    };
    let of_rule = |rule: &'c Rule| match rule {
        Rule::Members(rule) => {
            rule.named.iter().filter_map(|(name, id)| Some((name.as_str(), only(*id)?))).collect()
        }
        Rule::Refer(id) => fixed(checker, *id, far - 1),
        Rule::All(ids) => ids.iter().flat_map(|id| fixed(checker, *id, far - 1)).collect(),
        _ => Vec::new(),
    };
    checker.node(id).rules.iter().flat_map(of_rule).collect()
}

/// How far references are followed.
const FAR: usize = 4;
