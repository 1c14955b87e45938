//! What others wrote, made fit for a terminal.

/// On one line: no control sequences, no characters that turn the direction of text or cannot be seen.
pub(crate) fn line(text: &str) -> String {
    clean(text).replace(['\n', '\t'], " ")
}

/// The same, shortened to so many characters.
pub(crate) fn short(text: &str, most: usize) -> String {
    let line = line(text);
    if line.chars().count() <= most {
        return line;
    }
    let kept: String = line.chars().take(most.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}

/// With its lines and tabs, and nothing else that a terminal would obey.
pub(crate) fn clean(text: &str) -> String {
    let text = console::strip_ansi_codes(text);
    text.chars().filter(|it| matches!(it, '\n' | '\t') || !(it.is_control() || is_unseen(*it))).collect()
}

/// Marks that change the direction of text, and characters without a width.
fn is_unseen(it: char) -> bool {
    matches!(it,
        '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// `1 tool`, `2 tools`.
pub(crate) fn counted(number: usize, one: &str) -> String {
    format!("{number} {one}{}", if number == 1 { "" } else { "s" })
}

/// The names that are nearest to one that does not exist: at most three, the best first.
pub(crate) fn nearest<'a>(wanted: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let rank = |it: &str| strsim::jaro_winkler(&wanted.to_lowercase(), &it.to_lowercase());
    let mut ranked: Vec<(f64, &str)> = known.into_iter().map(|it| (rank(it), it)).collect();
    ranked.retain(|(rank, _)| *rank >= 0.75);
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    ranked.into_iter().take(3).map(|(_, it)| it).collect()
}

/// ` Did you mean …?`, or nothing.
pub(crate) fn did_you_mean<'a>(wanted: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let near: Vec<String> = nearest(wanted, known).into_iter().map(|it| format!("`{}`", line(it))).collect();
    match near.is_empty() {
        true => String::new(),
        false => format!(" Did you mean {}?", near.join(" or ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_a_terminal_obeys_is_left() {
        assert_eq!(line("\u{1b}[2J\u{1b}[31mred\u{1b}[0m\u{7}"), "red");
        assert_eq!(line("\u{1b}]0;title\u{7}text"), "text");
        assert_eq!(line("a\u{202e}b\u{200b}c\u{2066}d\u{9b}1m"), "abcd");
    }

    #[test]
    fn a_line_has_no_ends_and_clean_text_keeps_them() {
        assert_eq!(line("a\r\nb\tc"), "a b c");
        assert_eq!(clean("a\r\nb\tc"), "a\nb\tc");
    }

    #[test]
    fn what_is_too_long_is_cut_by_characters() {
        assert_eq!(short("ääää", 4), "ääää");
        assert_eq!(short("äääää", 4), "äää…");
    }

    #[test]
    fn the_nearest_name_comes_first_and_far_ones_not_at_all() {
        assert_eq!(nearest("book_tabel", ["cancel", "book_table", "zzz"]), ["book_table"]);
        assert_eq!(did_you_mean("qqq", ["book_table"]), "");
        assert_eq!(did_you_mean("gret", ["greet"]), " Did you mean `greet`?");
    }
}
