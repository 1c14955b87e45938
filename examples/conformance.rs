//! The server that the official conformance suite asks for: every feature once, under the names it expects.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use tokio::time::sleep;
use tollgate::{
    CatalogHandle, Form, ResourceLink, Role, Sampling, SamplingMessage,
    prelude::*,
    serde_json::{Map, Value, json},
};

/// A picture of one pixel.
const PNG: &[u8] = &[
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1, 0, 0,
    0, 1, 8, 2, 0, 0, 0, 0x90, 0x77, 0x53, 0xde, 0, 0, 0, 0x0c, 0x49, 0x44, 0x41, 0x54, 0x08, 0xd7, 0x63,
    0xf8, 0xcf, 0xc0, 0, 0, 3, 1, 1, 0, 0x18, 0xdd, 0x8d, 0xb0, 0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae,
    0x42, 0x60, 0x82,
];

/// A sound of one sample.
const WAV: &[u8] =
    b"RIFF\x26\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x80\x3e\0\0\x02\0\x10\0data\x02\0\0\0\0\0";

// --- what tools can return ---

/// Returns a simple text.
///
/// Use when a text result has to be seen.
/// Do not use when an image or a sound is wanted.
#[tool(read_only)]
async fn test_simple_text() -> &'static str {
    "This is a simple text response for testing."
}

/// Returns an image.
///
/// Use when an image result has to be seen.
/// Do not use when a text is wanted.
#[tool(read_only)]
async fn test_image_content() -> Content {
    Content::image(PNG, "image/png")
}

/// Returns a sound.
///
/// Use when an audio result has to be heard.
/// Do not use when a text is wanted.
#[tool(read_only)]
async fn test_audio_content() -> Content {
    Content::audio(WAV, "audio/wav")
}

/// Returns a resource, whole.
///
/// Use when an embedded resource has to be seen.
/// Do not use when a link to it is enough.
#[tool(read_only)]
async fn test_embedded_resource() -> Content {
    Content::resource(ResourceContents::text(
        "test://embedded-resource",
        "text/plain",
        "This is an embedded resource content.",
    ))
}

/// Returns content of several kinds.
///
/// Use when a mixed result has to be seen.
/// Do not use when one kind is enough.
#[tool(read_only)]
async fn test_multiple_content_types() -> Contents {
    [
        Content::text("Multiple content types test:"),
        Content::image(PNG, "image/png"),
        Content::resource(ResourceContents::text(
            "test://mixed-content-resource",
            "application/json",
            r#"{"test":"data","value":123}"#,
        )),
    ]
    .into()
}

/// Returns a link to a resource.
///
/// Use when a link has to be seen.
/// Do not use when the resource itself is wanted.
#[tool(read_only)]
async fn test_resource_link() -> Content {
    Content::link(ResourceLink::new("test://static-text", "static-text"))
}

/// The weather, as numbers.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Weather {
    /// Degrees Celsius.
    temperature: f64,
    /// In a word.
    conditions: String,
}

/// Returns structured output.
///
/// Use when structured content has to be seen.
/// Do not use when a text is enough.
#[tool(read_only)]
async fn test_structured_content() -> Weather {
    Weather { temperature: 21.5, conditions: "sunny".into() }
}

/// Fails.
///
/// Use when an error has to be seen.
/// Do not use when anything has to work.
#[tool(read_only)]
async fn test_error_handling() -> Result<String> {
    fail!("This tool intentionally returns an error for testing");
}

/// Reports progress three times.
///
/// Use when progress has to be seen.
/// Do not use when the result is wanted at once.
#[tool(read_only)]
async fn test_tool_with_progress(cx: &Cx) -> String {
    cx.progress_of(0.0, 100.0, "started").await;
    sleep(Duration::from_millis(50)).await;
    cx.progress_of(50.0, 100.0, "half").await;
    sleep(Duration::from_millis(50)).await;
    cx.progress_of(100.0, 100.0, "done").await;
    "Progress reported".into()
}

/// Sends three log messages.
///
/// Use when log messages have to be seen.
/// Do not use when the result is wanted at once.
#[tool(read_only)]
async fn test_tool_with_logging(cx: &Cx) -> String {
    cx.log(Level::Info, "Tool execution started").await;
    sleep(Duration::from_millis(50)).await;
    cx.log(Level::Info, "Tool processing data").await;
    sleep(Duration::from_millis(50)).await;
    cx.log(Level::Info, "Tool execution completed").await;
    "Logged".into()
}

/// Sends a log message, if the request asked for any.
///
/// Use when it has to be seen that nothing is logged unasked.
/// Do not use when three messages are wanted.
#[tool(read_only)]
async fn test_logging_tool(cx: &Cx) -> String {
    cx.log(Level::Info, "This is only sent when the request names a level").await;
    "Done".into()
}

// --- what tools can take ---

/// Takes an argument that is mirrored into a header.
///
/// Use when header mirroring has to be seen.
/// Do not use when there is no header layer.
#[tool(read_only)]
async fn test_x_mcp_header(
    /// Where to run.
    #[arg(header = "Region")]
    region: Option<String>,
    /// How many.
    #[arg(header = "Count")]
    count: Option<i64>,
) -> String {
    format!("region: {region:?}, count: {count:?}")
}

fn json_schema_2020_12_tool() -> Tool {
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {
            "address": {
                "$anchor": "addressDef",
                "type": "object",
                "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
            },
        },
        "properties": {
            "name": {"type": "string"},
            "address": {"$ref": "#/$defs/address"},
            "contactMethod": {"type": "string", "enum": ["phone", "email"]},
            "phone": {"type": "string"},
            "email": {"type": "string"},
        },
        "additionalProperties": false,
        "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}, {"required": ["name"]}]}],
        "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
        "then": {"required": ["phone"]},
        "else": {},
    });
    Tool::new(
        "json_schema_2020_12_tool",
        "Takes arguments of a rich schema.",
        schema,
        async |_cx: Cx, arguments: Map<String, Value>| Ok(format!("{} arguments", arguments.len())),
    )
    .read_only(true)
}

// --- asking ---

/// Asks the client's model.
///
/// Use when sampling has to be seen.
/// Do not use when no model is at hand.
#[tool]
async fn test_sampling(
    cx: &Cx,
    /// What to ask it.
    prompt: String,
) -> Result<String> {
    Ok(format!("LLM response: {}", cx.sample(Sampling::new(prompt, 100)).await?.text()))
}

fn contact() -> Value {
    json!({
        "type": "object",
        "properties": {
            "username": {"type": "string", "description": "User's response"},
            "email": {"type": "string", "description": "User's email address"},
        },
        "required": ["username", "email"],
    })
}

/// Asks the user for a name and an address.
///
/// Use when elicitation has to be seen.
/// Do not use when nobody is there to answer.
#[tool]
async fn test_elicitation(
    cx: &Cx,
    /// What to ask.
    message: String,
) -> Result<String> {
    Ok(format!("User response: {:?}", cx.ask_form(Form::new("contact", message, contact())).await?))
}

/// Asks with defaults of every type.
///
/// Use when the defaults of a form have to be seen.
/// Do not use when nobody is there to answer.
#[tool]
async fn test_elicitation_sep1034_defaults(cx: &Cx) -> Result<String> {
    let schema = json!({
        "type": "object",
        "properties": {
            "name": {"type": "string", "default": "John Doe"},
            "age": {"type": "integer", "default": 30},
            "score": {"type": "number", "default": 95.5},
            "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
            "verified": {"type": "boolean", "default": true},
        },
        "required": [],
    });
    let answer = cx.ask_form(Form::new("defaults", "Check the defaults", schema)).await?;
    Ok(format!("Elicitation completed: {answer:?}"))
}

/// Asks for choices of every kind.
///
/// Use when the choices of a form have to be seen.
/// Do not use when nobody is there to answer.
#[tool]
async fn test_elicitation_sep1330_enums(cx: &Cx) -> Result<String> {
    let titled = json!([
        {"const": "value1", "title": "First Option"},
        {"const": "value2", "title": "Second Option"},
        {"const": "value3", "title": "Third Option"},
    ]);
    let schema = json!({
        "type": "object",
        "properties": {
            "untitledSingle": {"type": "string", "enum": ["option1", "option2", "option3"]},
            "titledSingle": {"type": "string", "oneOf": titled},
            "legacyEnum": {
                "type": "string",
                "enum": ["opt1", "opt2", "opt3"],
                "enumNames": ["Option One", "Option Two", "Option Three"],
            },
            "untitledMulti": {"type": "array", "items": {"type": "string", "enum": ["option1", "option2", "option3"]}},
            "titledMulti": {"type": "array", "items": {"anyOf": titled}},
        },
        "required": [],
    });
    let answer = cx.ask_form(Form::new("choices", "Choose", schema)).await?;
    Ok(format!("Elicitation completed: {answer:?}"))
}

/// Finishes at once, whatever becomes of the stream.
///
/// Use when a lost connection has to be tried.
/// Do not use when work has to be done.
#[tool(read_only)]
async fn test_reconnection() -> &'static str {
    "Done"
}

/// Needs a client that can sample.
///
/// Use when a missing capability has to be seen.
/// Do not use when the client can sample.
#[tool]
async fn test_missing_capability(cx: &Cx) -> Result<String> {
    Ok(cx.sample(Sampling::new("Are you there?", 10)).await?.text())
}

/// Asks while it runs.
///
/// Use when elicitation on a stream has to be seen.
/// Do not use when nobody is there to answer.
#[tool]
async fn test_streaming_elicitation(cx: &Cx) -> Result<String> {
    Ok(format!("{:?}", cx.ask_form(Form::new("contact", "Who are you?", contact())).await?))
}

#[derive(Elicit, Serialize, Deserialize, JsonSchema)]
#[elicit(key = "user_name")]
struct UserName {
    /// What to call you.
    name: String,
}

#[derive(Elicit, Serialize, Deserialize, JsonSchema)]
struct Color {
    /// The one you like best.
    color: String,
}

#[derive(Elicit, Serialize, Deserialize, JsonSchema)]
struct Confirm {
    /// Go on?
    ok: bool,
}

/// Asks for a name and greets.
///
/// Use when a question on the modern wire has to be seen.
/// Do not use when nobody is there to answer.
#[tool]
async fn test_input_required_result_elicitation(cx: &Cx) -> Result<String> {
    let user: UserName = cx.ask("What is your name?").await?;
    Ok(format!("Hello, {}!", user.name))
}

/// Asks the client's model for a capital.
///
/// Use when sampling on the modern wire has to be seen.
/// Do not use when no model is at hand.
#[tool]
async fn test_input_required_result_sampling(cx: &Cx) -> Result<String> {
    let sampling = Sampling::new("What is the capital of France?", 100).key("capital_question");
    Ok(cx.sample(sampling).await?.text())
}

/// Asks for the client's folders.
///
/// Use when roots on the modern wire have to be seen.
/// Do not use when the client has none.
#[tool]
async fn test_input_required_result_list_roots(cx: &Cx) -> Result<String> {
    let roots = cx.roots().await?;
    Ok(format!(
        "{} roots: {}",
        roots.len(),
        roots.iter().map(|it| it.uri.as_str()).collect::<Vec<_>>().join(", ")
    ))
}

/// Asks for a yes, with state.
///
/// Use when the state of a question has to be seen.
/// Do not use when nobody is there to answer.
#[tool]
async fn test_input_required_result_request_state(cx: &Cx) -> Result<String> {
    let confirm: Confirm = cx.ask("Please confirm").await?;
    Ok(format!("state-ok: {}", confirm.ok))
}

/// Asks three questions at once.
///
/// Use when several questions have to be seen together.
/// Do not use when one is enough.
#[tool]
async fn test_input_required_result_multiple_inputs(cx: &Cx) -> Result<String> {
    let mut greeting = Sampling::new("Write a greeting", 50).key("greeting");
    greeting.messages.push(SamplingMessage::text(Role::User, "Keep it short"));
    let (user, greeting, roots) =
        tokio::try_join!(cx.ask::<UserName>("What is your name?"), cx.sample(greeting), cx.roots())?;
    Ok(format!("{} {} ({} roots)", greeting.text(), user.name, roots.len()))
}

/// Asks twice, one after the other.
///
/// Use when several rounds have to be seen.
/// Do not use when one round is enough.
#[tool]
async fn test_input_required_result_multi_round(cx: &Cx) -> Result<String> {
    let user: UserName = cx.ask("What is your name?").await?;
    let color: Color = cx.ask(format!("{}, what is your favourite color?", user.name)).await?;
    Ok(format!("{} likes {}", user.name, color.color))
}

/// Asks for a yes, and notices state that was tampered with.
///
/// Use when tampering has to be seen.
/// Do not use when nobody is there to answer.
#[tool]
async fn test_input_required_result_tampered_state(cx: &Cx) -> Result<String> {
    let confirm: Confirm = cx.ask("Please confirm").await?;
    Ok(format!("Confirmed: {}", confirm.ok))
}

/// Asks whatever the client can answer.
///
/// Use when capabilities have to be respected.
/// Do not use when a certain question has to be asked.
#[tool]
async fn test_input_required_result_capabilities(cx: &Cx) -> Result<String> {
    match cx.capabilities() {
        it if it.sampling => Ok(cx.sample(Sampling::new("Say something", 50)).await?.text()),
        it if it.forms => Ok(format!("Hello, {}!", cx.ask::<UserName>("What is your name?").await?.name)),
        _ => Ok("There is nothing that this client could be asked.".into()),
    }
}

// --- changes while serving ---

/// Changes the list of tools.
///
/// Use when a change of the tools has to be seen.
/// Do not use when the list has to stay.
#[tool]
async fn test_trigger_tool_change(cx: &Cx) -> Result<String> {
    let catalog: CatalogHandle = cx.catalog();
    catalog.add_tool(Tool::new(
        "test_passing",
        "Is there for a moment.",
        json!({"type": "object"}),
        async |_, _| Ok(()),
    ))?;
    catalog.remove_tool("test_passing");
    Ok("The tools have changed".into())
}

/// Changes the list of prompts.
///
/// Use when a change of the prompts has to be seen.
/// Do not use when the list has to stay.
#[tool]
async fn test_trigger_prompt_change(cx: &Cx) -> Result<String> {
    let catalog: CatalogHandle = cx.catalog();
    catalog.add_prompt(Prompt::new("test_passing", "Is there for a moment.", async |_, _| Ok("Hello")))?;
    catalog.remove_prompt("test_passing");
    Ok("The prompts have changed".into())
}

/// Says that the watched resource has changed.
///
/// Use when an update of a resource has to be seen.
/// Do not use when nobody watches it.
#[tool]
async fn test_trigger_resource_update(cx: &Cx) -> String {
    cx.catalog().resource_updated("test://watched-resource");
    "The resource has changed".into()
}

// --- prompts ---

/// A prompt without arguments.
#[prompt]
async fn test_simple_prompt() -> &'static str {
    "This is a simple prompt for testing."
}

/// A prompt with two arguments.
#[prompt]
async fn test_prompt_with_arguments(
    /// The first.
    #[arg(complete = suggestions)]
    arg1: String,
    /// The second.
    arg2: String,
) -> String {
    format!("Prompt with arguments: arg1='{arg1}', arg2='{arg2}'")
}

async fn suggestions(_cx: &Cx, typed: &str) -> Vec<String> {
    ["test1", "test2", "testing", "paris"]
        .into_iter()
        .filter(|it| it.starts_with(typed))
        .map(Into::into)
        .collect()
}

fn embedded(uri: String) -> Vec<Message> {
    vec![
        Message::user(Content::resource(ResourceContents::text(
            uri,
            "text/plain",
            "Embedded resource content.",
        ))),
        Message::user("Please process the embedded resource above."),
    ]
}

fn test_prompt_with_embedded_resource_prompt() -> Prompt {
    // The suite writes the argument's name as no Rust identifier would be written.
    Prompt::new(
        "test_prompt_with_embedded_resource",
        "A prompt that holds a resource.",
        async |_cx: Cx, arguments: Map<String, Value>| {
            Ok(embedded(arguments["resourceUri"].as_str().unwrap_or_default().to_owned()))
        },
    )
    .argument("resourceUri", "Which one.", true)
}

/// A prompt that holds an image.
#[prompt]
async fn test_prompt_with_image() -> Vec<Message> {
    vec![Message::user(Content::image(PNG, "image/png")), Message::user("Please analyze the image above.")]
}

#[derive(Elicit, Serialize, Deserialize, JsonSchema)]
#[elicit(key = "user_context")]
struct PromptContext {
    /// What the prompt is for.
    context: String,
}

/// A prompt that asks before it answers.
#[prompt]
async fn test_input_required_result_prompt(cx: &Cx) -> Result<String> {
    let context: PromptContext = cx.ask("What is the context?").await?;
    Ok(format!("Use this context: {}", context.context))
}

// --- resources ---

/// A text that does not change.
#[resource(uri = "test://static-text", mime = "text/plain", cache_seconds = 60, shared)]
async fn static_text() -> &'static str {
    "This is the content of the static text resource."
}

/// A picture that does not change.
#[resource(uri = "test://static-binary", mime = "image/png")]
async fn static_binary() -> Vec<u8> {
    PNG.to_vec()
}

/// A resource to watch.
#[resource(uri = "test://watched-resource", mime = "text/plain")]
async fn watched_resource() -> &'static str {
    "Watched resource content"
}

/// Data of any id.
#[resource(uri = "test://template/{id}/data", mime = "application/json")]
async fn template_data(
    /// Which data.
    #[arg(complete = ids)]
    id: String,
) -> String {
    json!({"id": id, "templateTest": true, "data": format!("Data for ID: {id}")}).to_string()
}

async fn ids(_cx: &Cx, typed: &str) -> Vec<String> {
    ["1", "12", "123"].into_iter().filter(|it| it.starts_with(typed)).map(Into::into).collect()
}

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let server = Server::new("tollgate-conformance", "1.0.0")
        .title("Tollgate conformance fixture")
        .instructions("Every feature once, under the names that the official suite expects.")
        .logging()
        .tools(tools![
            test_simple_text,
            test_image_content,
            test_audio_content,
            test_embedded_resource,
            test_multiple_content_types,
            test_resource_link,
            test_structured_content,
            test_error_handling,
            test_tool_with_progress,
            test_tool_with_logging,
            test_logging_tool,
            test_x_mcp_header,
        ])
        .tools(vec![json_schema_2020_12_tool()])
        .tools(tools![
            test_sampling,
            test_elicitation,
            test_elicitation_sep1034_defaults,
            test_elicitation_sep1330_enums,
            test_reconnection,
            test_missing_capability,
            test_streaming_elicitation,
            test_input_required_result_elicitation,
            test_input_required_result_sampling,
            test_input_required_result_list_roots,
            test_input_required_result_request_state,
            test_input_required_result_multiple_inputs,
            test_input_required_result_multi_round,
            test_input_required_result_tampered_state,
            test_input_required_result_capabilities,
            test_trigger_tool_change,
            test_trigger_prompt_change,
            test_trigger_resource_update,
        ])
        .prompts(prompts![test_simple_prompt, test_prompt_with_arguments])
        .prompts(vec![test_prompt_with_embedded_resource_prompt()])
        .prompts(prompts![test_prompt_with_image, test_input_required_result_prompt])
        .resources(resources![static_text, static_binary, watched_resource, template_data])
        .without_auth();
    tollgate_examples::run(server, "test_simple_text").await
}
