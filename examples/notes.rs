//! Notes that belong to who writes them: records behind handles, scopes, and tokens of an authorization server.
//!
//! Without `ISSUER` there is no auth, and whoever reaches the server on this machine shares one notebook. With it:
//!
//! * `ISSUER`: who makes the tokens, as `https://login.example.com`.
//! * `AUDIENCE`: this server as clients know it, as `https://notes.example.com/mcp`. Default: where it listens.
//! * `JWKS`: the issuer's keys, as a file or a URL. Default: where the issuer's metadata says.
//! * `SECRET`: the name of a file with the key of everything that is sealed. Several copies need the same.
//! * `STORE`: a file for the notes, which several copies share. Default: in memory.
//! * `LOOPBACK=1`: lets the issuer be on this machine, without TLS, to try it.

use std::{io, path::Path, time::Duration};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tollgate::{
    AuthUndecided, Rights,
    auth::{Jwt, Keys},
    oauth::FetchPolicy,
    prelude::*,
    store::SqliteStore,
};

/// Lives on the server; a model only ever holds its handle.
#[derive(Record, Serialize, Deserialize, JsonSchema)]
#[record(shareable, idle_seconds = 2_592_000, max_seconds = 31_536_000)]
struct Note {
    title: String,
    body: String,
}

/// Starts an empty note and returns its handle.
///
/// Use when the user writes down something new.
/// Do not use when the note's handle is known: call `append_to_note`.
#[tool(scope = "notes:write")]
async fn start_note(
    cx: &Cx,
    /// A short title, for people.
    title: Text<80>,
) -> Result<Handle<Note>> {
    cx.mint(Note { title: title.into(), body: String::new() }).await
}

/// Appends a paragraph to a note.
///
/// Use when the user adds to a note.
/// Do not use when the user wants to see it: call `read_note`.
#[tool(scope = "notes:write")]
async fn append_to_note(
    /// The note to add to, as `start_note` or `list_notes` gave it.
    note: Held<Note>,
    /// The paragraph, as plain text.
    text: Text<4_000>,
) -> Result {
    note.update(|it| it.body += &format!("{text}\n\n")).await
}

/// Reads a note back.
///
/// Use when the user asks what a note says.
/// Do not use when its title is enough: call `list_notes`.
#[tool(scope = "notes:read", read_only)]
async fn read_note(
    /// The note to read, as `start_note` or `list_notes` gave it.
    note: Held<Note>,
) -> Result<Note> {
    note.load().await
}

/// Lets somebody else read a note for a week.
///
/// Use when the user names somebody who should see it.
/// Do not use when that person asks for it: only who wrote a note shares it.
#[tool(scope = "notes:write")]
async fn share_note(
    /// The note to share, as `start_note` or `list_notes` gave it.
    note: Held<Note>,
    /// Their name at the authorization server.
    with: Text<200>,
) -> Result {
    note.share(&with, Rights::READ, Duration::from_secs(7 * 86_400)).await
}

/// Lists the notes that the user has, their own and those shared with them.
///
/// Use when the user asks which notes there are.
/// Do not use when the handle is known.
#[tool(scope = "notes:read", read_only)]
async fn list_notes(cx: &Cx) -> Result<Vec<Handle<Note>>> {
    cx.handles().await
}

/// What a note says.
#[resource(uri = "notes://{note}", mime = "text/plain", scope = "notes:read")]
async fn note_text(note: Held<Note>) -> Result<String> {
    Ok(note.load().await?.body)
}

/// Sums a note up.
#[prompt(scope = "notes:read")]
async fn sum_up(note: Held<Note>) -> Result<String> {
    let Note { title, body } = note.load().await?;
    Ok(format!("Sum up this note, `{title}`, in a sentence:\n\n{body}"))
}

#[tokio::main]
async fn main() -> io::Result<()> {
    let mut server = Server::new("notes", "1.0.0")
        .tools(tools![start_note, append_to_note, read_note, share_note, list_notes])
        .resources(resources![note_text])
        .prompts(prompts![sum_up]);
    if let Some(path) = set("SECRET") {
        server = server.secret(Secret::from_file(path).map_err(io::Error::other)?);
    }
    if let Some(path) = set("STORE") {
        let opened = SqliteStore::open(&path);
        server = server.store(opened.map_err(|error| io::Error::other(format!("`{path}`: {error}")))?);
    }
    tollgate_examples::run(decided(server), r#"start_note {"title":"Shopping"}"#).await
}

fn decided(server: Server<(), AuthUndecided>) -> Server {
    let Some(issuer) = set("ISSUER") else { return server.without_auth() };
    let port = set("PORT").unwrap_or_else(|| "8000".into());
    let audience = set("AUDIENCE").unwrap_or_else(|| format!("http://127.0.0.1:{port}/mcp"));
    let mut jwt = Jwt::issuer(issuer).audience(audience);
    if let Some(keys) = set("JWKS") {
        jwt = jwt.keys(if Path::new(&keys).exists() { Keys::file(keys) } else { Keys::url(keys) });
    }
    if set("LOOPBACK").is_some() {
        jwt = jwt.fetch_policy(FetchPolicy::new().allow_loopback());
    }
    server.auth(jwt)
}

fn set(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|it| !it.is_empty())
}
