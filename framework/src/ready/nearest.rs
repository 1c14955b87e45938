//! What somebody may have meant by a name that is none.

/// Names to choose from, each with what tells most of them apart from a name at once.
pub(crate) struct Corpus {
    names: Vec<Name>,
}

struct Name {
    text: String,
    letters: Letters,
}

/// Suggestions for one name at most.
const MOST: usize = 3;
/// Characters that may be wrong.
const DISTANCE: usize = 2;
/// Characters that a shared start must have to count.
const START: usize = 3;

impl Corpus {
    pub(crate) fn new(names: impl IntoIterator<Item = String>) -> Self {
        let named = |text: String| Name { letters: Letters::of(&text), text };
        Self { names: names.into_iter().map(named).collect() }
    }

    /// The nearest names: those of which one continues the other first, then those with fewer wrong characters.
    pub(crate) fn nearest(&self, asked: &str) -> Vec<String> {
        let letters = Letters::of(asked);
        let mut best: Vec<(bool, usize, &str)> = Vec::with_capacity(MOST + 1);
        for name in &self.names {
            let Some((is_start, distance)) = near(asked, &letters, name) else { continue };
            let candidate = (!is_start, distance, name.text.as_str());
            let at = best.partition_point(|it| *it < candidate);
            if at < MOST && best.get(at) != Some(&candidate) {
                best.insert(at, candidate);
                best.truncate(MOST);
            }
        }
        best.into_iter().map(|it| it.2.to_owned()).collect()
    }
}

/// Whether one continues the other, and how many characters are wrong; `None` when they are strangers.
fn near(asked: &str, letters: &Letters, name: &Name) -> Option<(bool, usize)> {
    if asked == name.text {
        return None;
    }
    let is_start = continues(asked, &name.text) || continues(&name.text, asked);
    let distance = match letters.may_be_near(&name.letters) {
        true => distance(asked, &name.text),
        false => DISTANCE + 1,
    };
    (is_start || distance <= DISTANCE).then_some((is_start, distance))
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
    // What is equal at both ends costs nothing, and that is most of what is near.
    let start = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).map(|it| it.0.len_utf8()).sum();
    let (a, b) = (&a[start..], &b[start..]);
    let end: usize =
        a.chars().rev().zip(b.chars().rev()).take_while(|(a, b)| a == b).map(|it| it.0.len_utf8()).sum();
    within(&a[..a.len() - end], &b[..b.len() - end], DISTANCE).unwrap_or(DISTANCE + 1)
}

/// Follows every way to turn one into the other that has at most so many changes.
fn within(a: &str, b: &str, left: usize) -> Option<usize> {
    let start: usize = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).map(|it| it.0.len_utf8()).sum();
    let (a, b) = (&a[start..], &b[start..]);
    let (Some(first_of_a), Some(first_of_b)) = (a.chars().next(), b.chars().next()) else {
        let rest = a.chars().count() + b.chars().count();
        return (rest <= left).then_some(rest);
    };
    let left = left.checked_sub(1)?;
    let (rest_of_a, rest_of_b) = (&a[first_of_a.len_utf8()..], &b[first_of_b.len_utf8()..]);
    let ways = [(rest_of_a, rest_of_b), (rest_of_a, b), (a, rest_of_b)];
    ways.into_iter().filter_map(|(a, b)| within(a, b, left)).min().map(|it| it + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nearest(asked: &str, names: &[&str]) -> Vec<String> {
        Corpus::new(names.iter().map(|it| (*it).to_owned())).nearest(asked)
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

    #[test]
    fn the_distance_is_that_of_the_textbook() {
        let mut state = 1_u64;
        let mut next = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        for _ in 0..20_000 {
            let word = |next: &mut dyn FnMut(u64) -> u64| -> String {
                (0..next(7)).map(|_| ['a', 'b', 'ä', '→'][usize::try_from(next(4)).unwrap()]).collect()
            };
            let (a, b) = (word(&mut next), word(&mut next));
            assert_eq!(distance(&a, &b), levenshtein(&a, &b).min(3), "{a} {b}");
            let near = Letters::of(&a).may_be_near(&Letters::of(&b));
            assert!(near || levenshtein(&a, &b) > 2, "{a} {b}");
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
    fn nothing_is_suggested_for_itself_and_nothing_twice() {
        assert_eq!(nearest("abc", &["abc", "abd", "abd"]), ["abd"]);
        assert_eq!(nearest("abcdef", &["uvwxyz"]), [""; 0]);
    }
}
