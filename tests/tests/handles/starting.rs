//! What is wrong with records is found at start.

use serde::{Deserialize, Serialize};
use tollgate::prelude::*;

mod one {
    use super::*;

    #[derive(Record, Serialize, Deserialize)]
    #[record(owner_only)]
    pub(super) struct Note;
}

mod other {
    use super::*;

    #[derive(Record, Serialize, Deserialize)]
    #[record(owner_only)]
    pub(super) struct Note;
}

/// Starts a note.
///
/// Use when there is none.
/// Do not use when there is one.
#[tool]
async fn start(cx: &Cx) -> Result<Handle<one::Note>> {
    cx.mint(one::Note).await
}

/// Reads a note.
///
/// Use when it is to be read.
/// Do not use when it is not.
#[tool]
async fn read(note: Held<other::Note>) -> Result {
    note.load().await.map(drop)
}

#[test]
fn two_types_are_not_of_one_kind() {
    let server = Server::new("notes", "1").tools(tools![start, read]).without_auth();

    let faults = server.check().run().unwrap_err().faults().to_vec();

    assert_eq!(faults, ["two types of record are of the kind `note`: give one another"]);
}
