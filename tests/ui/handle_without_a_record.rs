//! A handle of what is no record.

use tollgate::prelude::*;

struct Note;

/// Reads a note.
///
/// Use when it is to be read.
/// Do not use when it is known.
#[tool(read_only)]
async fn read_note(note: Held<Note>) -> String {
    drop(note);
    String::new()
}

fn main() {
    let _ = tools![read_note] as ToolSet<()>;
}
