//! Descriptions that do not tell two tools apart.

use std::collections::HashMap;

use super::{
    definition::Definition,
    finding::{Findings, quote},
    rule::Rule,
};

pub(super) fn check(tools: &[Definition<'_>], found: &mut Findings<'_>) {
    let described: Vec<&Definition<'_>> =
        tools.iter().filter(|it| it.description.is_some_and(|it| !it.trim().is_empty())).collect();
    let twins = near_duplicates(&described);
    let mut starts: HashMap<String, usize> = HashMap::new();
    for (at, tool) in described.iter().enumerate() {
        let place = "/description";
        if let Some(other) = twins[at] {
            let text = format!(
                "at least nine words of ten are those of the tool {}",
                quote(&described[other].label())
            );
            let fix = "say first what only this tool does, or make one tool of both";
            found.add(tool, Rule::NearDuplicate, place, text, fix);
        }
        let Some(start) = start(tool.description.unwrap_or_default()) else { continue };
        let first = *starts.entry(start).or_insert(at);
        if first != at && twins[at].is_none() && described[first].name != tool.name {
            let text = format!("it begins like the tool {}", quote(&described[first].label()));
            let fix = format!("say within the first {START} characters what only this tool does");
            found.add(tool, Rule::SameStart, place, text, fix);
        }
    }
}

/// What is seen of a description that was shortened.
fn start(description: &str) -> Option<String> {
    let words = description.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    let start: String = words.chars().take(START).collect();
    (start.chars().count() == START).then_some(start)
}

/// For each tool the first earlier one whose description is nearly the same.
///
/// Descriptions that are alike share one of their rarest words, as the others are not enough to differ by: only those
/// that share one are compared. What has a twin is not compared with later ones.
fn near_duplicates(tools: &[&Definition<'_>]) -> Vec<Option<usize>> {
    let texts = bags(tools);
    let mut by_word: HashMap<usize, Vec<usize>> = HashMap::new();
    let mut seen_by = vec![usize::MAX; tools.len()];
    let mut twins = vec![None; tools.len()];
    for (at, text) in texts.iter().enumerate() {
        let rarest = &text[..rarest(text.len())];
        let (mut twin, mut compared) = (None::<usize>, 0);
        for other in rarest.iter().filter_map(|it| by_word.get(it)).flatten().copied() {
            if compared == MOST_COMPARED {
                break;
            }
            if std::mem::replace(&mut seen_by[other], at) == at || tools[other].name == tools[at].name {
                continue;
            }
            compared += 1;
            if are_alike(text, &texts[other]) {
                twin = Some(twin.map_or(other, |it| it.min(other)));
            }
        }
        twins[at] = twin;
        if twin.is_none() {
            rarest.iter().for_each(|it| by_word.entry(*it).or_default().push(at));
        }
    }
    twins
}

/// The words of each description as numbers in rising order, where a rarer word has a lower number. A word that comes
/// twice is two words.
fn bags(tools: &[&Definition<'_>]) -> Vec<Vec<usize>> {
    let mut numbers: HashMap<(String, usize), usize> = HashMap::new();
    let mut counts: Vec<usize> = Vec::new();
    let mut bags: Vec<Vec<usize>> = Vec::new();
    for tool in tools {
        let words = &tool.words;
        let mut times: HashMap<&str, usize> = HashMap::new();
        let mut bag = Vec::with_capacity(words.len());
        for word in words.iter() {
            let time = times.entry(word).or_default();
            *time += 1;
            let number = *numbers.entry((word.to_owned(), *time)).or_insert(counts.len());
            counts.resize(counts.len().max(number + 1), 0);
            counts[number] += 1;
            bag.push(number);
        }
        bags.push(bag);
    }
    let mut by_rarity: Vec<usize> = (0..counts.len()).collect();
    by_rarity.sort_by_key(|it| (counts[*it], *it));
    let mut ranks = vec![0; counts.len()];
    by_rarity.iter().enumerate().for_each(|(rank, it)| ranks[*it] = rank);
    for bag in &mut bags {
        bag.iter_mut().for_each(|it| *it = ranks[*it]);
        bag.sort_unstable();
    }
    bags
}

/// How many of the rarest of so many words a twin may be without, and one more.
fn rarest(words: usize) -> usize {
    // A twin of `words` has at least 9/11 of them: fewer would not make nine of ten of both together.
    words.min(words - (words * 9).div_ceil(11) + 1)
}

/// Whether nine of ten words of both together are in both.
fn are_alike(one: &[usize], other: &[usize]) -> bool {
    let (mut at, mut other_at, mut common) = (0, 0, 0_usize);
    while let (Some(left), Some(right)) = (one.get(at), other.get(other_at)) {
        at += usize::from(left <= right);
        other_at += usize::from(right <= left);
        common += usize::from(left == right);
    }
    !one.is_empty() && common * 20 >= (one.len() + other.len()) * 9
}

const START: usize = 60;
/// With how many others one description is compared.
const MOST_COMPARED: usize = 128;
