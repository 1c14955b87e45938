//! Values that a description lists in words.

use super::{
    vocabulary::{CHOICES, EXAMPLES},
    words::{Words, start},
};

/// The values that a description says are the only ones; at least two.
pub(super) fn of(description: &str) -> Option<Vec<&str>> {
    let words = Words::of(description);
    let led = CHOICES.each(&words).take(MOST_LEADS).find_map(|it| {
        let place = words.place(&it);
        let values = list(&description[place.end..]);
        (values.len() >= 2).then_some(values)
    });
    led.or_else(|| quoted(description))
}

/// The words of a list: `: a, b or c`. Empty where the list goes on, or has more than single words.
fn list(text: &str) -> Vec<&str> {
    let text = start(text, LONGEST);
    let text = text.trim_start_matches([':', ' ', '\n', '(', '-', '=', '[', '*']);
    let end = text.find(['\n', ')', ';', ']']).unwrap_or(text.len());
    let text = &text[..text[..end].find(". ").unwrap_or(end)];
    let text = text.trim_end().trim_end_matches('.');
    if EXAMPLES.are_in(&Words::of(text)) || text.ends_with('…') || text.ends_with("..") {
        return Vec::new();
    }
    let mut values = Vec::new();
    for item in text.split([',', '|', '/']).flat_map(|it| it.split(" or ")).flat_map(|it| it.split(" and ")) {
        let item = item.trim();
        let item = item.strip_prefix("or ").or(item.strip_prefix("and ")).unwrap_or(item).trim();
        match value(item) {
            Some(value) => values.push(value),
            None if item.is_empty() => {}
            None => return Vec::new(),
        }
    }
    values
}

/// Quoted words with nothing but `,`, `/`, `|` and "or" between, that stand for themselves: `('asc' or 'desc')`.
fn quoted(text: &str) -> Option<Vec<&str>> {
    for (at, quote) in text.match_indices(['\'', '"', '`']) {
        if !leads_to_values(&text[..at]) {
            continue;
        }
        let mut values = Vec::new();
        let mut rest = &text[at..];
        while let Some((inside, after)) = rest.strip_prefix(quote).and_then(|it| it.split_once(quote)) {
            let Some(value) = value(inside) else { break };
            values.push(value);
            rest = after;
            let next = after.trim_start_matches([' ', ',', '/', '|']);
            let next = next.strip_prefix("or ").unwrap_or(next).trim_start();
            if !next.starts_with(quote) {
                break;
            }
            rest = next;
        }
        let is_whole = rest.is_empty() || rest.starts_with(['.', ')', ';', '\n']);
        if values.len() >= 2 && is_whole && !rest.starts_with("..") {
            return Some(values);
        }
    }
    None
}

/// Whether values may begin after `text`, and not examples or names of other things.
fn leads_to_values(text: &str) -> bool {
    let text = text.trim_end();
    text.is_empty()
        || text.ends_with(['(', ':'])
        || [" be", " is", " are", " either"].iter().any(|it| text.ends_with(it))
}

/// A single word, of which a program could have a list.
fn value(text: &str) -> Option<&str> {
    let value = text.trim_matches(['\'', '"', '`', '*', ' ']);
    let is_value = (1..=40).contains(&value.len())
        && value.chars().all(|it| it.is_alphanumeric() || matches!(it, '_' | '-' | '.' | ':' | '+'))
        && value.contains(char::is_alphanumeric);
    is_value.then_some(value)
}

/// After so many phrases that may lead to a list.
const MOST_LEADS: usize = 8;
/// A list is read so far, in characters.
const LONGEST: usize = 500;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closed_list_is_known_by_what_leads_to_it_or_by_its_quotes() {
        let three = Some(vec!["open", "closed", "all"]);
        for text in [
            "One of: open, closed, all",
            "The state; one of `open`, `closed`, or `all`.",
            "Filter (one of the following: open|closed|all)",
            "Allowed values are 'open', 'closed' and 'all'",
            "By state ('open', 'closed', or 'all'). More text",
        ] {
            assert_eq!(of(text), three, "{text}");
        }
        assert_eq!(of("Sort order: \"asc\" or \"desc\""), Some(vec!["asc", "desc"]));
        assert_eq!(of("Either json or csv"), Some(vec!["json", "csv"]));
    }

    #[test]
    fn examples_and_open_lists_are_no_choice() {
        for text in [
            "A country, e.g. 'de', 'fr'",
            "A city (for example `Rome` or `Oslo`)",
            "Any of the user's own notes, or a shared one",
            "One of: a, b, etc.",
            "One of the labels that list_labels gives",
            "The day as `YYYY-MM-DD`",
            "don't use 'this'",
        ] {
            assert_eq!(of(text), None, "{text}");
        }
    }
}
