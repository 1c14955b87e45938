//! What somebody may have meant by a name that is none.

use std::ops::Range;

/// Names to choose from, laid out so that most of them need not be looked at.
pub(crate) struct Corpus {
    /// Sorted by how many characters they have.
    names: Vec<Name>,
    /// Where the names of each length start, and the end of the last.
    starts: Vec<usize>,
    /// The same names sorted by their letters.
    sorted: Vec<usize>,
}

struct Name {
    text: String,
    letters: Letters,
    /// What the name is of, for whoever asks.
    of: usize,
}

/// Suggestions for one name at most.
const MOST: usize = 3;
/// Characters that may be wrong.
const DISTANCE: usize = 2;
/// Characters that a shared start must have to count.
const START: usize = 3;

impl Corpus {
    /// Takes names, each with what it is of.
    pub(crate) fn new(names: impl IntoIterator<Item = (String, usize)>) -> Self {
        let named = |(text, of): (String, usize)| Name { letters: Letters::of(&text), text, of };
        let mut names: Vec<Name> = names.into_iter().map(named).collect();
        names.sort_by_key(|it| it.letters.count);
        let longest = names.last().map_or(0, |it| it.letters.count);
        let starts =
            (0..longest + 2).map(|it| names.partition_point(|name| name.letters.count < it)).collect();
        let mut sorted: Vec<usize> = (0..names.len()).collect();
        sorted.sort_by_key(|it| &names[*it].text);
        Self { names, starts, sorted }
    }

    /// The nearest names among those that are shown: first those of which one continues the other, then those with
    /// fewer wrong characters.
    pub(crate) fn nearest(&self, asked: &str, is_shown: impl Fn(usize) -> bool) -> Vec<String> {
        let mut best: Vec<(bool, usize, &str)> = Vec::with_capacity(MOST + 1);
        let mut offer = |name: &'_ Name, candidate| {
            let at = best.partition_point(|it| *it < candidate);
            if at < MOST && best.get(at) != Some(&candidate) && is_shown(name.of) {
                best.insert(at, candidate);
                best.truncate(MOST);
            }
        };
        let letters = Letters::of(asked);
        let far = |name: &Name| match letters.may_be_near(&name.letters) {
            true => distance(asked, &name.text),
            false => DISTANCE + 1,
        };
        for name in self.continuing(asked).chain(self.continued_by(asked)) {
            offer(name, (false, far(name), &name.text));
        }
        for name in &self.names[self.as_long_as(letters.count)] {
            let distance = far(name);
            let continues = || continues(asked, &name.text) || continues(&name.text, asked);
            if distance <= DISTANCE && name.text != asked && !continues() {
                offer(name, (true, distance, &name.text));
            }
        }
        best.into_iter().map(|it| it.2.to_owned()).collect()
    }

    /// The names that continue what was asked for.
    fn continuing<'a>(&'a self, asked: &'a str) -> impl Iterator<Item = &'a Name> {
        let all = &self.sorted[self.sorted.partition_point(|it| self.names[*it].text.as_str() < asked)..];
        let names = all.iter().map(|it| &self.names[*it]).take_while(move |it| it.text.starts_with(asked));
        names.filter(move |it| it.text != asked && continues(asked, &it.text))
    }

    /// The names that it continues.
    fn continued_by<'a>(&'a self, asked: &'a str) -> impl Iterator<Item = &'a Name> {
        let starts = asked.char_indices().map(|(at, _)| &asked[..at]).filter(|it| continues(it, asked));
        starts.flat_map(move |start| {
            let first = self.sorted.partition_point(|it| self.names[*it].text.as_str() < start);
            let names = self.sorted[first..].iter().map(|it| &self.names[*it]);
            names.take_while(move |it| it.text == start)
        })
    }

    /// Where the names stand that may be near by their length.
    fn as_long_as(&self, count: usize) -> Range<usize> {
        let start = |count: usize| self.starts.get(count).copied().unwrap_or(self.names.len());
        start(count.saturating_sub(DISTANCE))..start(count.saturating_add(DISTANCE + 1))
    }
}

/// Whether `long` starts with `short`, by more than the name of a server.
fn continues(short: &str, long: &str) -> bool {
    let own = short.split_once(':').map_or(short, |it| it.1);
    !own.is_empty() && long.starts_with(short) && short.chars().nth(START - 1).is_some()
}

/// How long a text is, and which characters are in it, folded into 64 bits.
struct Letters {
    count: usize,
    seen: u64,
}

impl Letters {
    fn of(text: &str) -> Self {
        let mut letters = Self { count: 0, seen: 0 };
        for it in text.chars() {
            letters.count += 1;
            letters.seen |= 1 << (it as u32 % 64);
        }
        letters
    }

    /// One wrong character turns at most two bits.
    const fn may_be_near(&self, other: &Self) -> bool {
        self.count.abs_diff(other.count) <= DISTANCE
            && (self.seen ^ other.seen).count_ones() as usize <= 2 * DISTANCE
    }
}

/// How many characters have to be put in, taken out or replaced; anything over the limit is one more than it.
fn distance(a: &str, b: &str) -> usize {
    let within = match a.is_ascii() && b.is_ascii() {
        true => within(a.as_bytes(), b.as_bytes(), DISTANCE),
        false => {
            let [a, b] = [a, b].map(|it| it.chars().collect::<Vec<_>>());
            within(&a, &b, DISTANCE)
        }
    };
    within.unwrap_or(DISTANCE + 1)
}

/// Follows every way to turn one into the other that has at most so many changes.
fn within<T: PartialEq>(a: &[T], b: &[T], left: usize) -> Option<usize> {
    let equal = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[equal..], &b[equal..]);
    let ([_, rest_of_a @ ..], [_, rest_of_b @ ..]) = (a, b) else {
        let rest = a.len() + b.len();
        return (rest <= left).then_some(rest);
    };
    let left = left.checked_sub(1)?;
    let ways = [(rest_of_a, rest_of_b), (rest_of_a, b), (a, rest_of_b)];
    ways.into_iter().filter_map(|(a, b)| within(a, b, left)).min().map(|it| it + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nearest(asked: &str, names: &[&str]) -> Vec<String> {
        Corpus::new(names.iter().map(|it| ((*it).to_owned(), 0))).nearest(asked, |_| true)
    }

    /// The textbook's way, for comparison.
    fn levenshtein(a: &str, b: &str) -> usize {
        let b: Vec<char> = b.chars().collect();
        let mut row: Vec<usize> = (0..=b.len()).collect();
        for (i, of_a) in a.chars().enumerate() {
            let mut diagonal = std::mem::replace(&mut row[0], i + 1);
            for (j, of_b) in b.iter().enumerate() {
                let cost = diagonal + usize::from(of_a != *of_b);
                diagonal = row[j + 1];
                row[j + 1] = cost.min(diagonal + 1).min(row[j] + 1);
            }
        }
        row[b.len()]
    }

    /// Every name judged by itself, for comparison.
    fn one_by_one<'a>(asked: &str, names: &[&'a str]) -> Vec<&'a str> {
        let mut near: Vec<(bool, usize, &str)> = Vec::new();
        for name in names.iter().filter(|it| **it != asked) {
            let is_start = continues(asked, name) || continues(name, asked);
            let distance = levenshtein(asked, name).min(3);
            if is_start || distance <= 2 {
                near.push((!is_start, distance, name));
            }
        }
        near.sort_unstable();
        near.dedup();
        near.into_iter().take(3).map(|it| it.2).collect()
    }

    /// Short words of few letters, the same in each run.
    fn words(count: usize) -> Vec<String> {
        let mut state = 1_u64;
        let mut next = move |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from((state >> 33) % below).unwrap()
        };
        (0..count).map(|_| (0..next(8)).map(|_| ['a', 'b', 'ä', ':', '→'][next(5)]).collect()).collect()
    }

    #[test]
    fn the_distance_is_that_of_the_textbook() {
        for pair in words(40_000).chunks(2) {
            let (a, b) = (&pair[0], &pair[1]);
            assert_eq!(distance(a, b), levenshtein(a, b).min(3), "{a} {b}");
            let near = Letters::of(a).may_be_near(&Letters::of(b));
            assert!(near || levenshtein(a, b) > 2, "{a} {b}");
        }
    }

    #[test]
    fn what_is_passed_over_is_not_near() {
        let words = words(3_000);
        for (asked, names) in words.chunks(60).map(|it| it.split_first().unwrap()) {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            assert_eq!(nearest(asked, &names), one_by_one(asked, &names), "{asked} {names:?}");
        }
    }

    #[test]
    fn at_most_three_are_named_the_nearest_first() {
        let names = ["gh:sync_issue", "gh:sync", "gh:sync_issues_all", "gh:sink_issues", "gh:other"];

        assert_eq!(nearest("gh:sync_issues", &names), ["gh:sync_issue", "gh:sync", "gh:sync_issues_all"]);
        assert_eq!(nearest("gh:synk_issues", &names), ["gh:sink_issues", "gh:sync_issue"]);
    }

    #[test]
    fn a_start_counts_only_beyond_the_server_and_from_three_characters_on() {
        let names = ["gh:create", "create", "cr"];

        assert_eq!(nearest("gh:", &names), [""; 0]);
        assert_eq!(nearest("gh:c", &names), ["gh:create"]);
        assert_eq!(nearest("creat", &["create_all", "cr"]), ["create_all"]);
        assert_eq!(nearest("cre", &names), ["create", "cr"]);
    }

    #[test]
    fn nothing_is_suggested_for_itself_nothing_twice_and_nothing_that_is_not_shown() {
        assert_eq!(nearest("abc", &["abc", "abd", "abd"]), ["abd"]);
        assert_eq!(nearest("abcdef", &["uvwxyz"]), [""; 0]);
        let names = ["abd", "abe"].map(ToOwned::to_owned).into_iter().zip([0, 1]);
        assert_eq!(Corpus::new(names).nearest("abc", |it| it == 1), ["abe"]);
    }
}
