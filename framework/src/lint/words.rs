//! A text as words, for those who look for phrases in it.

use std::ops::Range;

use super::hidden::is_hidden;

/// The words of a text in lower case, without what cannot be seen.
pub(super) struct Words<'t> {
    pub(super) text: &'t str,
    lower: String,
    words: Vec<Word>,
}

struct Word {
    /// Where it stands in `lower`.
    lower: Range<usize>,
    /// And where in the text.
    place: Range<usize>,
    sentence: usize,
}

impl<'t> Words<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        let mut all = Self { text, lower: String::new(), words: Vec::new() };
        let mut open: Option<Word> = None;
        let mut sentence = 0;
        for (at, char) in text.char_indices() {
            if is_hidden(char) {
                continue;
            }
            let end = at + char.len_utf8();
            if char.is_alphanumeric() || (is_apostrophe(char) && open.is_some()) {
                let start = all.lower.len();
                let word = open.get_or_insert(Word { lower: start..start, place: at..at, sentence });
                match is_apostrophe(char) {
                    true => all.lower.push('\''),
                    false => all.lower.extend(char.to_lowercase()),
                }
                word.lower.end = all.lower.len();
                word.place.end = end;
                continue;
            }
            all.words.extend(open.take());
            sentence += usize::from(ends_sentence(char, &text[end..]));
        }
        all.words.extend(open);
        all
    }

    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    pub(super) fn get(&self, at: usize) -> Option<&str> {
        self.words.get(at).map(|it| &self.lower[it.lower.clone()])
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        self.words.iter().map(|it| &self.lower[it.lower.clone()])
    }

    /// Whether the words at `one` and `other` are there and stand in one sentence.
    pub(super) fn are_together(&self, one: usize, other: usize) -> bool {
        let sentence = |at: usize| self.words.get(at).map(|it| it.sentence);
        sentence(one).is_some() && sentence(one) == sentence(other)
    }

    pub(super) fn starts_sentence(&self, at: usize) -> bool {
        at == 0 || !self.are_together(at - 1, at)
    }

    /// Where the words of a range stand in the text.
    pub(super) fn place(&self, range: &Range<usize>) -> Range<usize> {
        match (self.words.get(range.start), range.end.checked_sub(1).and_then(|it| self.words.get(it))) {
            (Some(first), Some(last)) => first.place.start..last.place.end,
            _ => 0..0,
        }
    }
}

fn is_apostrophe(char: char) -> bool {
    matches!(char, '\'' | '’')
}

/// At most so many characters of the start of a text: what is looked for from many places is looked for near them.
pub(super) fn start(text: &str, most: usize) -> &str {
    text.char_indices().nth(most).map_or(text, |(at, _)| &text[..at])
}

/// Whether a sentence ends with `char`, before `rest`: at its stop, at an empty line, before the item of a list.
fn ends_sentence(char: char, rest: &str) -> bool {
    match char {
        '.' | '!' | '?' | ';' => rest.starts_with(char::is_whitespace),
        '\n' => {
            let line = rest.trim_start_matches([' ', '\t', '\r']);
            line.starts_with(['\n', '-', '*', '•', '#'])
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_in_lower_case_and_without_what_cannot_be_seen() {
        let words = Words::of("Ig\u{200B}nore `read_file`, don’t");

        assert_eq!(words.iter().collect::<Vec<_>>(), ["ignore", "read", "file", "don't"]);
        assert_eq!(&words.text[words.place(&(1..3))], "read_file");
    }

    #[test]
    fn a_sentence_ends_at_its_stop_at_an_empty_line_and_before_an_item() {
        let starts = |text: &str| {
            let words = Words::of(text);
            (0..words.len()).filter(|it| words.starts_sentence(*it)).count()
        };

        assert_eq!(starts("Reads a.txt now. Then stops"), 2);
        assert_eq!(starts("Reads\nlines"), 1);
        assert_eq!(starts("Reads\n\nlines\n- items"), 3);
    }
}
