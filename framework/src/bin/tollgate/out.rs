//! How a command ends: what it prints, and its exit code.

use std::{
    fmt,
    io::{self, Write},
    process::ExitCode,
};

use comfy_table::{
    Attribute, Cell, ColumnConstraint, ContentArrangement, ContentLineStyle, LineStyle, Table, TableStyle,
};
use console::Term;
use serde_json::Value;

use crate::client::ClientError;

/// How a command ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// All is well.
    Fine,
    /// The command could not do its work: it was told something wrong, or the server cannot be reached.
    Trouble,
    /// The work was done, and what was found is not good. What that means is each command's own.
    Found(u8),
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        match exit {
            Exit::Fine => Self::SUCCESS,
            Exit::Trouble => Self::from(1),
            Exit::Found(code) => Self::from(code),
        }
    }
}

/// Why a command could not do its work, for people.
#[derive(Debug)]
pub(crate) struct Failure(String);

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<ClientError> for Failure {
    fn from(error: ClientError) -> Self {
        Self(error.to_string())
    }
}

impl From<String> for Failure {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl From<&str> for Failure {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

/// Prints to standard output. Whoever reads it may stop reading.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let text = text.strip_suffix('\n').unwrap_or(text);
    match writeln!(io::stdout(), "{text}").and_then(|()| io::stdout().flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(format!("standard output cannot be written: {error}").into())
        }
        _ => Ok(()),
    }
}

/// Prints JSON for a program.
pub(crate) fn print_json(value: &Value) -> Result<(), Failure> {
    print(&format!("{value:#}"))
}

/// A table as wide as the terminal, or 80 columns.
pub(crate) fn table(heads: &[&str]) -> Table {
    let mut table = Table::new();
    table
        .load_style(LINES)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(width())
        .set_header(heads.iter().map(|it| Cell::new(it).add_attribute(Attribute::Bold)));
    match console::colors_enabled() {
        true => table.enforce_styling(),
        false => table.force_no_tty(),
    };
    table
}

/// Keeps the names in the first column in one piece, where none is longer than this: one in two pieces cannot be copied.
pub(crate) fn keep_names(table: &mut Table, most: u16) {
    let longest = table.column_max_content_widths().first().copied().unwrap_or_default();
    if let (true, Some(column)) = (longest <= most, table.column_mut(0)) {
        column.set_constraint(ColumnConstraint::ContentWidth);
    }
}

/// A line under the heads, and nothing else.
const LINES: TableStyle = TableStyle::new()
    .header_lines(ContentLineStyle::none())
    .header_separator(LineStyle::none().fill('─'))
    .content_lines(ContentLineStyle::none());

/// The columns of the terminal on standard output; 80 where there is none.
pub(crate) fn width() -> u16 {
    Term::stdout().size_checked().map_or(80, |(_, columns)| columns.max(40))
}
