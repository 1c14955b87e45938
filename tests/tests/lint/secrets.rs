//! Secrets among the arguments, what headers repeat, and handles.

use serde_json::{Value, json};
use tollgate::lint::Rule;

use super::kit::{Case, tool, with_all, with_schema};

pub(super) fn cases() -> Vec<Case> {
    let header = |name: &str, schema: Value| with_all(json!({name: schema}));
    let text = |header: &str| json!({"type": "string", "maxLength": 9, "description": "Where.", "x-mcp-header": header});
    let parameter = |name: &str, description: &str| {
        with_all(json!({name: {"type": "string", "maxLength": 9, "description": description}}))
    };
    vec![
        Case::of(Rule::HeaderSecret)
            .fires("/inputSchema/properties/api_key/x-mcp-header", header("api_key", text("Key")))
            .fires("/inputSchema/properties/accessToken/x-mcp-header", header("accessToken", text("Token")))
            .fires(
                "/inputSchema/properties/x/x-mcp-header",
                header("x", json!({"type": "string", "format": "password", "x-mcp-header": "X"})),
            )
            .quiet(header("region", text("Region")))
            .quiet(parameter("password", "What opens it.")),
        Case::of(Rule::HeaderInvalid)
            .fires("/inputSchema/properties/x/x-mcp-header", header("x", text("")))
            .fires("/inputSchema/properties/x/x-mcp-header", header("x", text("a b")))
            .fires(
                "/inputSchema/properties/y/x-mcp-header",
                with_all(json!({"x": text("Region"), "y": text("region")})),
            )
            .fires(
                "/inputSchema/properties/x/x-mcp-header",
                header("x", json!({"type": "number", "x-mcp-header": "X"})),
            )
            .fires(
                "/inputSchema/properties/x/x-mcp-header",
                header("x", json!({"type": "string", "x-mcp-header": 1})),
            )
            .fires("/inputSchema/$defs/x/x-mcp-header", with_schema(json!({"$defs": {"x": text("X")}})))
            .quiet(with_all(json!({"x": text("Region"), "y": text("Zone")}))),
        Case::of(Rule::SecretParameter)
            .fires("/inputSchema/properties/password", parameter("password", "What opens it."))
            .fires("/inputSchema/properties/apiKey", parameter("apiKey", "From the settings."))
            .fires("/inputSchema/properties/github_token", parameter("github_token", "Of the user."))
            .fires("/inputSchema/properties/auth", parameter("auth", "Your API key."))
            .fires(
                "/inputSchema/properties/x",
                with_all(json!({"x": {"type": "string", "format": "password"}})),
            )
            .quiet(parameter("page_token", "Where the next page begins."))
            .quiet(parameter("token", "The next page token."))
            .quiet(parameter("secret_name", "The name of a secret."))
            .quiet(parameter("user", "Whose password is set anew."))
            .quiet(parameter("key", "The key of the setting."))
            .quiet(with_all(json!({"max_tokens": {"type": "integer", "description": "How many."}})))
            .quiet(with_all(json!({"reset_password": {"type": "boolean", "description": "Whether to."}}))),
        Case::of(Rule::HandleLifetime)
            .fires(
                "/outputSchema/properties/note",
                gives("find_note", "", "note", json!({"x-handle": "note"})),
            )
            .fires("/outputSchema/properties/cart_handle", gives("open_cart", "", "cart_handle", json!({})))
            .fires(
                "/outputSchema/properties/session_id",
                gives("start_session", "A temporary session.", "session_id", json!({})),
            )
            .fires(
                "/outputSchema/properties/basket_id",
                [
                    tool(json!({"name": "add_item", "inputSchema": {"type": "object", "properties":
                    {"basket_id": {"type": "string", "description": "May have expired."}}}})),
                    gives("create_basket", "", "basket_id", json!({})),
                ],
            )
            .quiet(gives("find_note", "A note expires after 24 hours.", "note", json!({"x-handle": "note"})))
            .quiet(gives("open_cart", "Carts are kept for 3 days.", "cart_handle", json!({})))
            .quiet(gives("open_cart", "", "cart_handle", json!({"description": "Valid until it is paid."})))
            .quiet(tool(
                json!({"outputSchema": {"type": "object", "properties": {"note": {"x-handle": "note"}}}}),
            ))
            .quiet(gives("create_issue", "", "issue_id", json!({}))),
    ]
}

/// A tool that gives something out.
fn gives(name: &str, sentence: &str, member: &str, schema: Value) -> Value {
    tool(json!({
        "name": name,
        "description": format!("Makes something. Use when asked. Do not use twice. {sentence}"),
        "outputSchema": {"type": "object", "properties": {member: schema}},
        "annotations": {"destructiveHint": false},
    }))
}

#[test]
fn each_rule_of_secrets_and_handles_fires_where_it_should_and_nowhere_else() {
    cases().iter().for_each(Case::hold);
}
