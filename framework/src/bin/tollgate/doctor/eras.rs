//! Which eras are spoken, and what a server says of itself in them.

use serde_json::Value;

use super::checkup::Checkup;
use crate::{
    args::{Target, capabilities},
    client::{ClientError, Connection, Era, List, Peer, Preference, era},
    out::Failure,
    screen::Screen,
    text,
};

/// A server that could be spoken with, in the best of its eras.
#[derive(Debug)]
pub(crate) struct Spoken {
    pub(crate) connection: Connection,
    pub(crate) is_modern: bool,
}

pub(crate) fn check(
    peer: &Peer,
    target: &Target,
    screen: &Screen,
    checkup: &mut Checkup,
) -> Result<Option<Spoken>, Failure> {
    let settings = target.settings(capabilities());
    let wants = |era| settings.era == Preference::Auto || settings.era == era;
    let open = |era| {
        screen.wait("connecting");
        // A child that has never heard of the modern era may keep silent.
        let is_probe = era == Preference::Modern && matches!(peer, Peer::Command(_));
        let wait = if is_probe { settings.wait.min(era::PROBE) } else { settings.wait };
        era::open(peer, &era::Settings { era, wait, ..settings.clone() }, screen)
    };
    // One after the other: two children may want the same port or file.
    let modern = wants(Preference::Modern).then(|| open(Preference::Modern));
    if let Some(Err(error)) = &modern
        && is_about_access(error)
    {
        checkup.fail(
            "reachable",
            &error.to_string(),
            "put a token into TOLLGATE_TOKEN: the rest was not looked at",
        )?;
        return Ok(None);
    }
    let is_modern = matches!(modern, Some(Ok(_)));
    let (modern, of_modern) = split(modern);
    // The modern one has to go before the other can start.
    let held = modern.filter(|it| !it.is_stdio());
    let legacy = wants(Preference::Legacy).then(|| open(Preference::Legacy));
    let is_legacy = matches!(legacy, Some(Ok(_)));
    let (legacy, of_legacy) = split(legacy);
    let connection = match (is_modern, is_legacy) {
        (false, false) => {
            let why = of_legacy.or(of_modern).map(|it| it.to_string()).unwrap_or_default();
            checkup.fail("reachable", &why, "is it running, and is this its endpoint?")?;
            return Ok(None);
        }
        (true, _) => match held {
            Some(connection) => connection,
            None => {
                drop(legacy);
                open(Preference::Modern)?
            }
        },
        (false, true) => legacy.ok_or("the connection is gone")?,
    };
    let named = format!("{} {}", connection.about.name, connection.about.version);
    checkup.ok("reachable", named.trim())?;
    match (is_modern, is_legacy) {
        (true, true) => checkup.ok("eras", "modern and legacy: every client can connect")?,
        (true, false) if settings.era == Preference::Auto => checkup.warn(
            "eras",
            "modern alone",
            "clients of 2025-11-25 and before cannot connect: answer `initialize` as well, unless that is meant",
        )?,
        (false, true) if settings.era == Preference::Auto => checkup.warn(
            "eras",
            &format!("legacy alone ({})", connection.about.versions.join(", ")),
            "clients of 2026-07-28 have to fall back: answer `server/discover` as well",
        )?,
        _ => checkup.skip("eras", "only one was looked at, as `--era` says")?,
    }
    about(&connection, checkup)?;
    let mut spoken = Spoken { connection, is_modern };
    hints(&mut spoken, checkup)?;
    Ok(Some(spoken))
}

fn split(opened: Option<Result<Connection, ClientError>>) -> (Option<Connection>, Option<ClientError>) {
    match opened {
        None => (None, None),
        Some(Ok(connection)) => (Some(connection), None),
        Some(Err(error)) => (None, Some(error)),
    }
}

fn is_about_access(error: &ClientError) -> bool {
    matches!(error, ClientError::Refused(it) if matches!(it.status, 401 | 403))
}

fn about(connection: &Connection, checkup: &mut Checkup) -> Result<(), Failure> {
    let about = &connection.about;
    let answer = match connection.era {
        Some(Era::Modern(_)) => "server/discover",
        _ => "initialize",
    };
    let mut faults = Vec::new();
    if !about.capabilities.is_object() {
        faults.push("it has no `capabilities`");
    }
    if connection.is_modern() && about.raw["resultType"] != "complete" {
        faults.push("its `resultType` is not `complete`");
    }
    let is_named = !about.name.is_empty() && !about.version.is_empty();
    match faults.is_empty() {
        true if !is_named => checkup.warn(
            answer,
            "it does not say the server's name and version",
            "people look for them in logs when something goes wrong",
        ),
        true => checkup.ok(answer, &format!("speaks {}", about.versions.join(", "))),
        false => checkup.fail(answer, &faults.join("; "), "the protocol wants these members in this answer"),
    }
}

/// What the modern era wants in every answer that may be kept (server/utilities/caching), and whether lists keep still.
fn hints(spoken: &mut Spoken, checkup: &mut Checkup) -> Result<(), Failure> {
    let mut without = Vec::new();
    let mut unsteady = Vec::new();
    let mut counts = Vec::new();
    if spoken.is_modern && !has_hints(&spoken.connection.about.raw) {
        without.push("server/discover");
    }
    for list in [List::Tools, List::Prompts, List::Resources, List::Templates] {
        let (first, second) = match (spoken.connection.list(list), spoken.connection.list(list)) {
            (Ok(first), Ok(second)) => (first, second),
            (Err(error), _) | (_, Err(error)) => {
                let to_do = "answer the list, or do not declare the capability";
                checkup.fail(list.method(), &error.to_string(), to_do)?;
                continue;
            }
        };
        if first.items != second.items {
            unsteady.push(list.method());
        }
        if !first.items.is_empty() {
            let one = list.member().trim_end_matches('s').replace("resourceT", "t");
            counts.push(text::counted(first.items.len(), &one));
        }
        let is_answered = first.first.as_object().is_some_and(|it| !it.is_empty());
        if spoken.is_modern && is_answered && !has_hints(&first.first) {
            without.push(list.method());
        }
    }
    match (spoken.is_modern, without.is_empty()) {
        (false, _) => checkup.skip("cache hints", "there are none in the legacy era")?,
        (true, true) => {
            checkup.ok("cache hints", "`ttlMs` and `cacheScope` are in every answer that may be kept")?
        }
        (true, false) => {
            let how = format!("`ttlMs` or `cacheScope` is missing in {}", without.join(", "));
            checkup.fail(
                "cache hints",
                &how,
                "the protocol wants both; without them nobody may keep a list",
            )?;
        }
    }
    match unsteady.is_empty() {
        true => checkup.ok("lists", &format!("the same twice: {}", or_nothing(&counts)))?,
        false => {
            let how = format!("{} differs from one read to the next", unsteady.join(", "));
            checkup.fail(
                "lists",
                &how,
                "keep one order: each change costs a model its cache of the prompt",
            )?;
        }
    }
    Ok(())
}

fn or_nothing(counts: &[String]) -> String {
    if counts.is_empty() { "nothing is offered".into() } else { counts.join(", ") }
}

fn has_hints(answer: &Value) -> bool {
    answer["ttlMs"].is_u64() && matches!(answer["cacheScope"].as_str(), Some("public" | "private"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn hints_are_a_whole_number_and_one_of_two_words() {
        assert!(has_hints(&json!({"ttlMs": 0, "cacheScope": "private"})));
        for bad in [
            json!({}),
            json!({"ttlMs": 1}),
            json!({"ttlMs": -1, "cacheScope": "public"}),
            json!({"ttlMs": 1, "cacheScope": "all"}),
        ] {
            assert!(!has_hints(&bad), "{bad}");
        }
    }
}
