//! What a model reads of the tools: what it costs, and whether it leads astray.

use server::server;
use tollgate::lint::Lint;

#[test]
fn the_tools_cost_what_was_agreed_to() {
    server().check().baseline("mcp-tools.budget.json").assert();
}

#[test]
fn the_tools_read_well() {
    server().check().lint(Lint::new().strict()).assert();
}
