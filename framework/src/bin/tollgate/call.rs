//! `tollgate call`: calls a tool, and answers what it asks.

mod answering;
mod arguments;
mod form;
mod result;

use std::{collections::VecDeque, path::PathBuf};

use clap::ValueEnum;
use serde_json::{Value, json};

use crate::{
    args::{self, Target},
    client::{ClientError, Connection, List, Listener, RpcError, mirror},
    out::{Exit, Failure},
    text,
};
use answering::Answering;

/// Call a tool, and answer what it asks on the terminal.
///
/// Values are read as the tool's schema wants them: numbers, `true` and `false`, JSON for lists and objects.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Call {
    /// The tool.
    name: String,
    /// `key=value`; `key:=json` for a value that is JSON as it stands; `key=@file` for what a file holds.
    #[arg(value_name = "KEY=VALUE")]
    values: Vec<String>,
    /// All arguments at once, as a JSON object; `key=value` comes on top.
    #[arg(long, value_name = "JSON")]
    json: Option<String>,
    /// How to show the result.
    #[arg(short, long, value_enum, default_value_t = Shape::Text)]
    output: Shape,
    /// The answer to a question, as a JSON object, or `decline` or `cancel`. Repeat it for further questions.
    #[arg(long = "answer", value_name = "JSON")]
    answers: Vec<String>,
    /// A folder that the server may ask for. Repeat it for more.
    #[arg(long = "root", value_name = "DIR")]
    roots: Vec<PathBuf>,
    #[command(flatten)]
    target: Target,
}

const EXAMPLES: &str = "Examples:
  tollgate call greet name=Ann -u http://127.0.0.1:8000/mcp
  tollgate call book_table day=2026-09-01 guests=4 --answer '{\"hold\": true}' -u http://127.0.0.1:8000/mcp
  tollgate call search query=@question.txt tags:='[\"a\", \"b\"]' -o json -- python3 server.py

Exit codes: 0 the tool gave a result; 1 there is none; 2 the tool says that it failed.";

/// What of a result is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Shape {
    /// Its content, for people.
    Text,
    /// Its structured content; of a tool without, the list of its content.
    Json,
    /// All of it, as it came.
    Raw,
}

impl Call {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        let mut given = arguments::Given::read(&self.values, self.json.as_deref())?;
        let answers =
            self.answers.iter().map(|it| answering::scripted(it)).collect::<Result<VecDeque<_>, _>>()?;
        let roots = self.roots.iter().map(|it| answering::root(it)).collect::<Result<Vec<_>, _>>()?;
        let screen = self.target.screen();
        let mut connection = self.target.connect_with(&screen, capabilities(&roots))?;
        screen.wait("reading the tools");
        let tool = self.tool(&mut connection)?;
        let schema = &tool["inputSchema"];
        let arguments = given.typed(schema)?;
        let mirrored = if connection.is_stdio() { Vec::new() } else { mirror::headers(schema, &arguments)? };
        let mut listener = Answering::new(screen.clone(), answers, roots);
        connection.listen();
        listener.hear_log(&mut connection);
        screen.wait(&format!("calling {}", text::line(&self.name)));
        let mut rounds = Rounds { connection: &mut connection, listener: &mut listener };
        let result = rounds
            .call(&self.name, &arguments, &mirrored)
            .map_err(|error| to_visit(&error).unwrap_or(error.into()))?;
        screen.done();
        result::print(&result, self.output)?;
        match result["isError"] == true {
            true => {
                screen.say("the tool says that it failed");
                Ok(Exit::Found(2))
            }
            false => Ok(Exit::Fine),
        }
    }

    fn tool(&self, connection: &mut Connection) -> Result<Value, Failure> {
        let tools = connection.list(List::Tools)?.items;
        if let Some(tool) = tools.iter().find(|it| it["name"] == self.name.as_str()) {
            return Ok(tool.clone());
        }
        let names = tools.iter().filter_map(|it| it["name"].as_str());
        let near = text::did_you_mean(&self.name, names);
        Err(format!(
            "there is no tool `{}`.{near} `tollgate list` shows all of them.",
            text::line(&self.name)
        )
        .into())
    }
}

/// Places that an older server wants visited before it does anything (client/elicitation of 2025-11-25).
fn to_visit(error: &ClientError) -> Option<Failure> {
    const URLS_NEEDED: i64 = -32042;
    let ClientError::Rpc(RpcError { code: URLS_NEEDED, data: Some(data), .. }) = error else { return None };
    let urls = data["elicitations"].as_array()?.iter().filter_map(|it| it["url"].as_str());
    let urls: Vec<String> = urls.map(|it| format!("\n  {}", text::line(it))).collect();
    Some(format!("the server wants this visited first, and then the call again:{}", urls.concat()).into())
}

fn capabilities(roots: &[Value]) -> Value {
    let mut capabilities = args::capabilities();
    if !roots.is_empty() {
        capabilities["roots"] = json!({});
    }
    capabilities
}

/// A call, and the rounds of questions before its result (basic/patterns/mrtr).
struct Rounds<'a> {
    connection: &'a mut Connection,
    listener: &'a mut Answering,
}

impl Rounds<'_> {
    fn call(
        &mut self,
        name: &str,
        arguments: &Value,
        mirrored: &[(String, String)],
    ) -> Result<Value, ClientError> {
        let mut answered = json!({});
        for _ in 0..MOST_ROUNDS {
            let mut params = json!({"name": name, "arguments": arguments, "_meta": self.meta()});
            if let (Some(params), Value::Object(answered)) = (params.as_object_mut(), answered) {
                params.extend(answered);
            }
            let result =
                self.connection.request_with("tools/call", params, mirrored.to_vec(), self.listener)?;
            match result["resultType"].as_str() {
                Some("input_required") => answered = self.answers(&result),
                // Older servers know one kind of result, and do not say so.
                None | Some("complete") => return Ok(result),
                Some(other) => {
                    let other = text::short(other, 60);
                    return Err(ClientError::NotMcp(format!(
                        "its result is `{other}`, which is not known here"
                    )));
                }
            }
        }
        Err(ClientError::Closed(format!("the server asked {MOST_ROUNDS} times and gave no result")))
    }

    fn meta(&self) -> Value {
        let mut meta = json!({"progressToken": "call"});
        if self.connection.is_modern() {
            meta["io.modelcontextprotocol/logLevel"] = answering::LOG_LEVEL.into();
        }
        meta
    }

    /// The answers to all questions of a round. One that cannot be answered is left out, and the server sees that.
    fn answers(&mut self, result: &Value) -> Value {
        let mut responses = json!({});
        for (key, question) in result["inputRequests"].as_object().into_iter().flatten() {
            let method = question["method"].as_str().unwrap_or_default();
            if let Ok(answer) = self.listener.asked(method, &question["params"]) {
                responses[key] = answer;
            }
        }
        let mut answered = json!({"inputResponses": responses});
        if let Some(state) = result.get("requestState") {
            answered["requestState"] = state.clone();
        }
        answered
    }
}

const MOST_ROUNDS: usize = 20;
