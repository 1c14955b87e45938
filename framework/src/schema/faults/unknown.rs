//! What to say about a name that the schema does not know.

use crate::schema::check::Checker;
use crate::schema::rule::{Id, Rule};
use crate::schema::shorten;

/// Names what is known, and first what was probably meant. `noun` is what the name is a name of.
pub(super) fn explain(checker: &Checker, id: Id, name: &str, noun: &str) -> String {
    let mut known = Vec::new();
    collect(checker, id, &mut known, &mut Vec::new());
    if known.is_empty() {
        return format!("no {noun}s");
    }
    if known.contains(&name) {
        return format!("no `{name}` together with the others");
    }
    let nearest = known.iter().map(|it| (distance(it, name), it)).filter(|(away, _)| *away <= NEAR).min();
    let hint = nearest.map(|(_, it)| format!("did you mean `{it}`? ")).unwrap_or_default();
    let named: Vec<String> =
        known.iter().take(MANY).map(|it| format!("`{}`", shorten::text(it, 60))).collect();
    let more = match known.len() - named.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let known = if hint.is_empty() { "known are" } else { "Known are" };
    format!("no such {noun}; {hint}{known} {}{more}", named.join(", "))
}

/// The names that the schema and those on the same value declare, in the order written.
fn collect<'c>(checker: &'c Checker, id: Id, known: &mut Vec<&'c str>, seen: &mut Vec<Id>) {
    if seen.contains(&id) || known.len() > 1000 {
        return;
    }
    seen.push(id);
    for rule in &checker.node(id).rules {
        match rule {
            Rule::Members(rule) => {
                for (name, _) in &rule.named {
                    if !known.contains(&name.as_str()) {
                        known.push(name);
                    }
                }
            }
            Rule::Not(_) => {}
            rule => rule.in_place().into_iter().for_each(|id| collect(checker, id, known, seen)),
        }
    }
}

/// How many letters must be put in, taken out or changed; anything over 2 is as good as another name.
fn distance(known: &str, given: &str) -> usize {
    let (known, given): (Vec<char>, Vec<char>) =
        (known.chars().take(64).collect(), given.chars().take(64).collect());
    // Of a short name, nearly every other short name is near.
    if known.len().abs_diff(given.len()) > NEAR || known.len().min(given.len()) <= NEAR {
        return usize::MAX;
    }
    let mut row: Vec<usize> = (0..=given.len()).collect();
    for (at, letter) in known.iter().enumerate() {
        let mut corner = std::mem::replace(&mut row[0], at + 1);
        for column in 1..row.len() {
            let changed = corner + usize::from(*letter != given[column - 1]);
            corner = row[column];
            row[column] = changed.min(row[column] + 1).min(row[column - 1] + 1);
        }
    }
    row[given.len()]
}

/// The largest distance that is still a slip.
const NEAR: usize = 2;
/// The most names that are listed.
const MANY: usize = 20;
