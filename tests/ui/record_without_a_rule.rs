//! A record of which nobody said who may use it.

use serde::{Deserialize, Serialize};
use tollgate::prelude::*;

#[derive(Record, Serialize, Deserialize)]
struct Note {
    body: String,
}

/// Reads a note.
///
/// Use when it is to be read.
/// Do not use when it is known.
#[tool(read_only)]
async fn read_note(note: Held<Note>) -> Result<String> {
    Ok(note.load().await?.body)
}

fn main() {
    let _ = tools![read_note] as ToolSet<()>;
}
