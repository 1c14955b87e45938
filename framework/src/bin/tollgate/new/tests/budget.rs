//! What the tools cost a model, held to what was agreed to.

#[test]
fn the_tools_cost_what_was_agreed_to() {
    server::server()
        .check()
        .baseline("mcp-tools.budget.json")
        .assert();
}
