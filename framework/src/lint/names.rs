//! The names of a list: which there are, and which are mixed up.

use std::{
    collections::{HashMap, hash_map::Entry},
    hash::{DefaultHasher, Hasher},
};

use super::{
    definition::Definition,
    finding::{Findings, quote},
    rule::Rule,
    vocabulary::VERBS,
};

/// The names of all tools, to find those like a given one.
pub(super) struct Names<'a> {
    /// Each name once, in the order of the list, with the first tool of that name.
    pub(super) all: Vec<(&'a str, usize)>,
    by_name: HashMap<&'a str, usize>,
    /// By the letters and digits alone.
    by_letters: HashMap<String, usize>,
    /// By what a name is without one of its characters: names that are one apart share that.
    by_rest: HashMap<u64, Vec<usize>>,
}

impl<'a> Names<'a> {
    pub(super) fn of(tools: &[Definition<'a>]) -> Self {
        let mut names = Self {
            all: Vec::new(),
            by_name: HashMap::new(),
            by_letters: HashMap::new(),
            by_rest: HashMap::new(),
        };
        for (name, at) in tools.iter().filter_map(|it| Some((it.name?, it.at))) {
            let next = names.all.len();
            let Entry::Vacant(place) = names.by_name.entry(name) else { continue };
            place.insert(next);
            names.all.push((name, at));
            if name.len() > LONGEST {
                continue;
            }
            names.by_letters.entry(letters(name)).or_insert(next);
            for rest in rests(name) {
                let sharing = names.by_rest.entry(rest).or_default();
                if sharing.len() < MOST_ALIKE {
                    sharing.push(next);
                }
            }
        }
        names
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }

    /// The first other name that is written the same but for separators and case, or else but for one character.
    pub(super) fn like(&self, name: &str) -> Option<(&'a str, usize)> {
        if name.len() > LONGEST {
            return None;
        }
        let is_other = |at: &usize| self.all[*at].0 != name;
        let same = self.by_letters.get(&letters(name)).copied().filter(is_other);
        let near = || {
            let near = rests(name).into_iter().filter_map(|it| self.by_rest.get(&it)).flatten().copied();
            near.filter(is_other).filter(|at| is_one_apart(self.all[*at].0, name)).min()
        };
        same.or_else(near).map(|at| self.all[at])
    }
}

fn letters(name: &str) -> String {
    name.chars().filter(|it| it.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// A name as it is, and without each of its characters in turn, each once.
fn rests(name: &str) -> Vec<u64> {
    let without = |at: usize, length: usize| {
        let mut hasher = DefaultHasher::new();
        hasher.write(&name.as_bytes()[..at]);
        hasher.write(&name.as_bytes()[at + length..]);
        hasher.finish()
    };
    let cuts = name.char_indices().map(|(at, char)| (at, char.len_utf8()));
    let mut rests: Vec<u64> = cuts.chain([(name.len(), 0)]).map(|(at, length)| without(at, length)).collect();
    rests.sort_unstable();
    rests.dedup();
    rests
}

/// Whether one name becomes the other by one character more, less or exchanged for another.
fn is_one_apart(one: &str, other: &str) -> bool {
    let longest = one.chars().count().max(other.chars().count());
    let shortest = one.chars().count().min(other.chars().count());
    let same = |(one, other): &(char, char)| one == other;
    let before = one.chars().zip(other.chars()).take_while(same).count();
    let after = one.chars().rev().zip(other.chars().rev()).take_while(same).count();
    longest >= SHORTEST && one != other && before + after.min(shortest - before) + 1 == longest
}

/// Two names are said to be alike only where nothing tells that they are meant to be.
fn is_meant(one: &str, other: &str) -> bool {
    let words = |name: &str| -> Vec<String> {
        name.split(|it: char| !it.is_alphanumeric()).map(str::to_lowercase).collect()
    };
    let (ones, others) = (words(one), words(other));
    let mut differing = ones.iter().zip(&others).filter(|(one, other)| one != other);
    let is_verb = |it: &String| VERBS.has(it);
    let are_verbs =
        ones.len() == others.len() && differing.all(|(one, other)| is_verb(one) && is_verb(other));
    let without_digits = |name: &str| name.replace(|it: char| it.is_ascii_digit(), "");
    are_verbs && letters(one) != letters(other)
        || one != other && without_digits(one) == without_digits(other)
}

pub(super) fn check(tools: &[Definition<'_>], names: &Names<'_>, found: &mut Findings<'_>) {
    for tool in tools {
        let Some(name) = tool.name else { continue };
        let first = names.by_name.get(name).map_or(tool.at, |at| names.all[*at].1);
        if first != tool.at {
            let text = format!("the tool at {} of the list has the same name", first + 1);
            let fix = "give each tool a name of its own; prefix those of another server with its name";
            found.add(tool, Rule::DuplicateName, "/name", text, fix);
            continue;
        }
        let alike = names.like(name).filter(|(_, at)| *at < tool.at);
        if let Some((other, _)) = alike.filter(|(other, _)| !is_meant(name, other)) {
            let text = format!("it is almost the name of the tool {}", quote(other));
            let fix = "name both by what tells them apart";
            found.add(tool, Rule::SimilarNames, "/name", text, fix);
        }
    }
}

/// Names that are longer are refused anyway, and not compared.
const LONGEST: usize = 128;
/// Shorter ones differ by one character as a rule.
const SHORTEST: usize = 5;
/// How many names are kept for one rest.
const MOST_ALIKE: usize = 8;
