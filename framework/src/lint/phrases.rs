//! Phrases to look for in a text.

use std::{collections::HashMap, ops::Range};

use super::words::Words;

/// Single words, written with a blank between.
pub(super) struct WordList(pub(super) &'static str);

impl WordList {
    pub(super) fn has(&self, word: &str) -> bool {
        self.iter().any(|it| it == word)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &'static str> {
        self.0.split(' ')
    }
}

/// Some phrases, each written as words with a blank between.
///
/// `a|b` is one word or the other, `*` is up to four words of the same sentence, and `^` stands before a phrase that
/// begins a sentence.
pub(super) struct Phrases {
    all: Vec<Phrase>,
    by_first: HashMap<&'static str, Vec<usize>>,
}

struct Phrase {
    begins: bool,
    steps: Vec<Step>,
}

enum Step {
    Word(Vec<&'static str>),
    Gap,
}

impl Phrases {
    pub(super) fn new(written: &[&'static str]) -> Self {
        let all: Vec<Phrase> = written.iter().map(|it| Phrase::parse(it)).collect();
        let mut by_first: HashMap<_, Vec<_>> = HashMap::new();
        for (at, phrase) in all.iter().enumerate() {
            if let Some(Step::Word(words)) = phrase.steps.first() {
                words.iter().for_each(|it| by_first.entry(*it).or_default().push(at));
            }
        }
        Self { all, by_first }
    }

    pub(super) fn are_in(&self, words: &Words<'_>) -> bool {
        self.find(words).is_some()
    }

    /// The words of the first phrase that is there.
    pub(super) fn find(&self, words: &Words<'_>) -> Option<Range<usize>> {
        self.each(words).next()
    }

    /// The first phrase as it stands in the text.
    pub(super) fn find_text<'t>(&self, words: &Words<'t>) -> Option<&'t str> {
        self.find(words).map(|it| &words.text[words.place(&it)])
    }

    /// The words of every phrase that is there, one for each word that begins one.
    pub(super) fn each<'w>(&'w self, words: &'w Words<'_>) -> impl Iterator<Item = Range<usize>> + 'w {
        words.iter().enumerate().filter_map(|(at, word)| {
            let phrases = self.by_first.get(word)?.iter().map(|it| &self.all[*it]);
            let mut phrases = phrases.filter(|it| !it.begins || words.starts_sentence(at));
            let end = phrases.find_map(|it| end(&it.steps, words, at, at))?;
            Some(at..end)
        })
    }
}

impl Phrase {
    fn parse(written: &'static str) -> Self {
        let steps = written.trim_start_matches('^').split_whitespace();
        let step = |it: &'static str| if it == "*" { Step::Gap } else { Step::Word(it.split('|').collect()) };
        Self { begins: written.starts_with('^'), steps: steps.map(step).collect() }
    }
}

/// Where `steps` end that begin with the word `at`, in the sentence of the word `first`.
fn end(steps: &[Step], words: &Words<'_>, first: usize, at: usize) -> Option<usize> {
    match steps.split_first() {
        None => Some(at),
        Some((Step::Gap, rest)) => (at..=at + LONGEST_GAP).find_map(|it| end(rest, words, first, it)),
        Some((Step::Word(choice), rest)) => {
            let fits = words.are_together(first, at) && choice.contains(&words.get(at)?);
            fits.then(|| end(rest, words, first, at + 1)).flatten()
        }
    }
}

const LONGEST_GAP: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phrase_has_choices_gaps_and_a_beginning() {
        let phrases = Phrases::new(&["use|call * when", "^ deletes"]);
        let found = |text| phrases.find_text(&Words::of(text));

        assert_eq!(found("Please CALL this tool when lost"), Some("CALL this tool when"));
        assert_eq!(found("Use when"), Some("Use when"));
        assert_eq!(found("Use one two three four five when"), None);
        assert_eq!(found("Use it. When lost"), None);
        assert_eq!(found("It deletes"), None);
        assert_eq!(found("Reads. Deletes"), Some("Deletes"));
    }
}
