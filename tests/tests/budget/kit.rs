//! Tools that cost something.

use tollgate::{Tool, serde_json::json};

/// One that costs as much as any other whose name has as many tokens.
pub(super) fn tool(name: &str) -> Tool {
    let description = format!("Does what `{name}` says, once. Use when it has to be done.");
    let schema = json!({"type": "object", "properties": {"what": {"type": "string", "maxLength": 20}}});
    Tool::new(name, description, schema, async |_cx, _| Ok("done")).read_only(true)
}
