//! Names of tools in texts, of tools that are not there.

use std::collections::HashSet;

use super::{
    definition::{Definition, Role},
    finding::{Findings, quote},
    names::Names,
    rule::Rule,
    vocabulary::VERBS,
};

pub(super) fn check(tools: &[Definition<'_>], names: &Names<'_>, found: &mut Findings<'_>) {
    let list = List::of(tools, names);
    let mut searches = MOST_SEARCHES;
    for tool in tools {
        let mut said: Vec<&str> = Vec::new();
        for text in tool.texts.iter().filter(|it| it.role == Role::Description) {
            for mention in mentions(text.text).filter(|it| list.lacks(it)) {
                if said.len() == MOST_MENTIONS || said.contains(&mention.name) {
                    continue;
                }
                said.push(mention.name);
                let fix = match list.nearest(mention.name, &mut searches) {
                    Some(name) => format!("write {}, if that is meant, or leave the name out", quote(name)),
                    None => "write the name of a tool of this list, or leave it out".to_owned(),
                };
                let what = format!("it names {}, and no tool has that name", quote(mention.name));
                found.add(tool, Rule::UnknownTool, &text.place, what, fix);
            }
        }
    }
}

/// A word that may be the name of a tool.
struct Mention<'t> {
    name: &'t str,
    in_backticks: bool,
    /// The text beside it calls it a tool, or says to call it.
    is_called_tool: bool,
}

/// What is known of a whole list.
struct List<'a, 'n> {
    names: &'n Names<'a>,
    /// Names of parameters, values of enums and other words that stand for themselves.
    others: HashSet<&'a str>,
    /// First words that several names share, such as `git`.
    families: HashSet<&'a str>,
    has_hyphens: bool,
    has_humps: bool,
}

impl<'a, 'n> List<'a, 'n> {
    fn of(tools: &[Definition<'a>], names: &'n Names<'a>) -> Self {
        let texts = tools.iter().flat_map(|it| &it.texts).filter(|it| it.role != Role::Description);
        let others = texts.map(|it| it.text).filter(|it| !it.contains(' ') && it.len() <= LONGEST).collect();
        let mut firsts = HashSet::new();
        let mut families = HashSet::new();
        for first in names.all.iter().filter_map(|it| Some(it.0.split_once(['_', '-', '.'])?.0)) {
            if !firsts.insert(first) {
                families.insert(first);
            }
        }
        let any = |has: fn(&str) -> bool| names.all.iter().any(|it| has(it.0));
        let (has_hyphens, has_humps) = (any(|it| it.contains('-')), any(has_hump));
        Self { names, others, families, has_hyphens, has_humps }
    }

    fn lacks(&self, mention: &Mention<'_>) -> bool {
        let name = mention.name;
        !self.names.has(name) && !self.others.contains(name) && self.is_of_a_tool(mention)
    }

    /// Whether a word is meant as the name of a tool, as far as one can see.
    fn is_of_a_tool(&self, mention: &Mention<'_>) -> bool {
        let name = mention.name;
        let first = name.split(|it: char| !it.is_ascii_lowercase() && !it.is_ascii_digit()).next();
        let is_built = name.contains('_')
            || mention.in_backticks && self.has_hyphens && name.contains('-')
            || mention.in_backticks && self.has_humps && has_hump(name);
        let begins = first.is_some_and(|it| VERBS.has(it) || self.families.contains(it));
        mention.is_called_tool || is_built && (begins || self.names.like(name).is_some())
    }

    fn nearest(&self, name: &str, searches: &mut usize) -> Option<&'a str> {
        if let Some((like, _)) = self.names.like(name) {
            return Some(like);
        }
        *searches = searches.checked_sub(1)?;
        let names = self.names.all.iter().map(|it| it.0).take(MOST_COMPARED).filter(|it| it.len() <= LONGEST);
        let likeness = |it: &str| strsim::normalized_damerau_levenshtein(name, it);
        let best = names.max_by(|one, other| likeness(one).total_cmp(&likeness(other)))?;
        (likeness(best) >= LIKENESS).then_some(best)
    }
}

fn has_hump(name: &str) -> bool {
    name.starts_with(|it: char| it.is_ascii_lowercase()) && name.contains(|it: char| it.is_ascii_uppercase())
}

fn mentions(text: &str) -> impl Iterator<Item = Mention<'_>> {
    let mut start = 0;
    text.split('`').enumerate().flat_map(move |(at, part)| {
        let place = start..start + part.len();
        start = place.end + 1;
        let is_code = at % 2 == 1 && place.end < text.len();
        let code = is_code.then(|| in_backticks(text, place.start, part)).flatten();
        let bare = (!is_code).then(|| bare(part)).into_iter().flatten();
        code.into_iter().chain(bare)
    })
}

fn in_backticks<'t>(text: &'t str, start: usize, part: &'t str) -> Option<Mention<'t>> {
    let name = part.strip_suffix("()").unwrap_or(part);
    let is_name = !name.is_empty()
        && name.len() <= LONGEST
        && name.bytes().all(|it| it.is_ascii_alphanumeric() || matches!(it, b'_' | b'-'))
        && name.starts_with(|it: char| it.is_ascii_alphabetic());
    let before = text[..start].trim_end_matches('`').trim_end();
    let after = text[start + part.len()..].trim_start_matches('`').trim_start();
    let is_after = |word: &str| {
        let rest = before.len().checked_sub(word.len()).and_then(|it| before.get(it..));
        rest.is_some_and(|it| it.eq_ignore_ascii_case(word))
    };
    let is_tool = |it: &str| after.strip_prefix(it).is_some_and(|it| !it.starts_with(char::is_alphanumeric));
    let is_called_tool = is_tool("tool")
        || [" tool", " call", " calling", " invoke", " invoking", "tool named", "tool called"]
            .iter()
            .any(|it| is_after(it));
    is_name.then_some(Mention { name, in_backticks: true, is_called_tool })
}

/// Words with `_` inside, but for those in paths and addresses.
fn bare(part: &str) -> impl Iterator<Item = Mention<'_>> {
    let chunks = part.split(|it: char| it.is_whitespace() || matches!(it, ',' | ';' | '"' | '(' | '[' | '|'));
    let names = chunks.filter_map(|chunk| {
        let chunk = chunk.trim_matches(['\'', '’', '*', '.', ':', '!', '?', ')', ']', '}']);
        let is_name = chunk.len() <= LONGEST
            && chunk.bytes().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'_')
            && chunk.contains('_')
            && chunk.split('_').all(|it| !it.is_empty());
        is_name.then_some(chunk)
    });
    names.map(|name| Mention { name, in_backticks: false, is_called_tool: false })
}

const LONGEST: usize = 128;
/// How many unknown names are told of one tool.
const MOST_MENTIONS: usize = 16;
/// For how many unknown names of a list a similar one is searched.
const MOST_SEARCHES: usize = 64;
/// Among how many names.
const MOST_COMPARED: usize = 1_000;
const LIKENESS: f64 = 0.7;
