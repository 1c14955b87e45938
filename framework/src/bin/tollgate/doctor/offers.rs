//! What a server's tools cost, what is wrong with them, and whether it can be asked for them beforehand.

use serde_json::json;
use tollgate::{
    budget::{Budget, Costs},
    lint::{Level, lint},
    ready::EXTENSION,
};

use super::checkup::Checkup;
use crate::{
    client::{Connection, List, Silent},
    out::Failure,
    text,
};

pub(crate) fn check(connection: &mut Connection, checkup: &mut Checkup) -> Result<(), Failure> {
    // What went wrong with the list was said before.
    let Ok(tools) = connection.list(List::Tools) else { return Ok(()) };
    let tools = tools.items;
    required_tools(connection, tools.first().and_then(|it| it["name"].as_str()), checkup)?;
    if tools.is_empty() {
        return Ok(());
    }
    let costs = Costs::of(&tools);
    let over = Budget::default().over(&costs);
    let total = format!("{} tokens for {}", costs.total(), text::counted(tools.len(), "tool"));
    match over.first() {
        None => checkup.ok("budget", &total)?,
        Some(first) => {
            let more = if over.len() > 1 { format!(" and {} more", over.len() - 1) } else { String::new() };
            let how = format!("{total}; over the usual limits: {first}{more}");
            checkup.warn("budget", &how, "`tollgate budget` shows which tools cost what")?;
        }
    }
    let found = lint(&tools);
    let count = |level| found.iter().filter(|it| it.level == level).count();
    let (errors, warnings, notes) = (count(Level::Error), count(Level::Warning), count(Level::Note));
    let how = [(errors, "error"), (warnings, "warning"), (notes, "note")];
    let how = how.map(|(count, one)| text::counted(count, one)).join(", ");
    match (errors, warnings) {
        (0, 0) => checkup.ok("definitions", &how),
        (0, _) => checkup.warn("definitions", &how, "`tollgate lint` says what to write instead"),
        _ => checkup.fail("definitions", &how, "`tollgate lint` says what to write instead"),
    }
}

fn required_tools(
    connection: &mut Connection,
    tool: Option<&str>,
    checkup: &mut Checkup,
) -> Result<(), Failure> {
    let capabilities = &connection.about.capabilities;
    let declared = ["extensions", "experimental"].iter().any(|it| capabilities[it].get(EXTENSION).is_some());
    let (true, Some(tool)) = (declared, tool) else {
        return checkup.skip("required tools", "`tollgate preflight --in-band` is not supported");
    };
    let rider = json!({"_meta": {EXTENSION: {"tools": [{"id": tool}]}}});
    match connection.request("tools/list", rider, &mut Silent) {
        Ok(result) if result["_meta"][EXTENSION]["verdict"].is_string() => {
            checkup.ok("required tools", "`tollgate preflight --in-band` is supported")
        }
        Ok(_) => checkup.fail(
            "required tools",
            "are declared, and no verdict came",
            "answer the rider of `tools/list`",
        ),
        Err(error) => checkup.fail("required tools", &error.to_string(), "answer the rider of `tools/list`"),
    }
}
