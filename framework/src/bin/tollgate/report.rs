//! Reports for programs that show them: notes on a run of GitHub Actions, and Markdown.

use std::{env, fs, io::Write};

use clap::ValueEnum;

use crate::{out::Failure, text};

/// How to show a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people.
    Text,
    /// For programs.
    Json,
    /// For a comment or a page.
    Markdown,
    /// Notes on a run of GitHub Actions, and a table in its summary.
    Github,
}

/// How loud a note is. The words are those of GitHub.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Loudness {
    Notice,
    Warning,
    Error,
}

/// A line that GitHub Actions shows as a note.
pub(crate) fn note(loudness: Loudness, title: &str, message: &str) -> String {
    let word = match loudness {
        Loudness::Notice => "notice",
        Loudness::Warning => "warning",
        Loudness::Error => "error",
    };
    let escaped = |it: &str| text::clean(it).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    let title = escaped(title).replace(':', "%3A").replace(',', "%2C");
    format!("::{word} title={title}::{}", escaped(message))
}

/// Adds to the summary of a run of GitHub Actions, where this is one.
pub(crate) fn add_to_summary(markdown: &str) -> Result<(), Failure> {
    let Some(path) = env::var_os("GITHUB_STEP_SUMMARY").filter(|it| !it.is_empty()) else { return Ok(()) };
    let file = fs::OpenOptions::new().append(true).create(true).open(&path);
    file.and_then(|mut it| writeln!(it, "{markdown}"))
        .map_err(|error| format!("the summary at GITHUB_STEP_SUMMARY cannot be written: {error}").into())
}

/// Text in a cell of a Markdown table.
pub(crate) fn cell(said: &str) -> String {
    let mut cell = String::new();
    for it in text::line(said).chars() {
        if matches!(it, '|' | '\\' | '<' | '*' | '_' | '[' | ']') {
            cell.push('\\');
        }
        cell.push(it);
    }
    cell
}

/// A name in a cell, as code.
pub(crate) fn code(name: &str) -> String {
    format!("`{}`", text::line(name).replace('`', "'").replace('|', "\\|"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_cannot_be_left() {
        let note = note(Loudness::Error, "a,b: c", "100 %\n::error::mine\r");

        assert_eq!(note, "::error title=a%2Cb%3A c::100 %25%0A::error::mine");
    }

    #[test]
    fn a_cell_stays_one() {
        assert_eq!(cell("a | b\n<b>*c*"), "a \\| b \\<b>\\*c\\*");
        assert_eq!(code("a`|b"), "`a'\\|b`");
    }
}
