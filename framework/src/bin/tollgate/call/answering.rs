//! What a server asks and tells while a call runs, on the terminal.

use std::{collections::VecDeque, io::IsTerminal, path::Path};

use console::style;
use dialoguer::{Confirm, Input, MultiSelect, Select};
use serde_json::{Map, Value, json};

use super::form::{self, Field, Kind};
use crate::{
    client::{Connection, Listener, RpcError, Silent},
    out::Failure,
    screen::Screen,
    text,
};

/// Answers from the command line first, from the terminal otherwise, and declines where there is neither.
#[derive(Debug)]
pub(crate) struct Answering {
    screen: Screen,
    answers: VecDeque<Value>,
    roots: Vec<Value>,
}

/// The least important message that is shown.
pub(crate) const LOG_LEVEL: &str = "info";

impl Answering {
    pub(crate) const fn new(screen: Screen, answers: VecDeque<Value>, roots: Vec<Value>) -> Self {
        Self { screen, answers, roots }
    }

    /// Asks an older server for its log; in the modern era each request says it.
    pub(crate) fn hear_log(&self, connection: &mut Connection) {
        if !connection.is_modern() && connection.about.capabilities.get("logging").is_some() {
            let _ = connection.request("logging/setLevel", json!({"level": LOG_LEVEL}), &mut Silent);
        }
    }

    fn elicited(&mut self, params: &Value) -> Value {
        let message = text::clean(params["message"].as_str().unwrap_or_default());
        self.screen.say(&format!("{} {message}", style("the server asks:").for_stderr().bold()));
        if let Some(answer) = self.answers.pop_front() {
            self.screen.note("answered from the command line");
            return answer;
        }
        if !(std::io::stdin().is_terminal() && std::io::stderr().is_terminal()) {
            self.screen.say("declined: there is no terminal to answer on; `--answer` answers without one");
            return json!({"action": "decline"});
        }
        let screen = self.screen.clone();
        let answered = screen.aside(|| match params["mode"].as_str() {
            Some("url") => visited(params),
            _ => filled(params),
        });
        screen.wait("waiting for the server");
        // Who closes the question instead of answering it has cancelled it.
        answered.ok().flatten().unwrap_or_else(|| json!({"action": "cancel"}))
    }
}

impl Listener for Answering {
    fn told(&mut self, method: &str, params: &Value) {
        let message =
            |it: &Value| text::short(&it.as_str().map_or_else(|| it.to_string(), str::to_owned), 1000);
        match method {
            "notifications/progress" => {
                let said = params.get("message").map(message).unwrap_or_default();
                self.screen.progress(
                    params["progress"].as_f64().unwrap_or_default(),
                    params["total"].as_f64(),
                    &said,
                );
            }
            "notifications/message" => {
                let level = message(&params["level"]);
                let logger =
                    params["logger"].as_str().map(|it| format!("{}: ", text::line(it))).unwrap_or_default();
                self.screen.note(&format!("[{level}] {logger}{}", message(&params["data"])));
            }
            _ => {}
        }
    }

    fn asked(&mut self, method: &str, params: &Value) -> Result<Value, RpcError> {
        match method {
            "elicitation/create" => Ok(self.elicited(params)),
            "roots/list" if !self.roots.is_empty() => Ok(json!({"roots": self.roots})),
            _ => {
                let method = text::short(method, 60);
                self.screen.say(&format!("the server asks for `{method}`, which this command does not do"));
                Err(RpcError::new(-32601, "this client did not declare that it can do this"))
            }
        }
    }
}

/// An answer from the command line: what fills the form, or a word.
pub(crate) fn scripted(text: &str) -> Result<Value, Failure> {
    match text {
        "decline" | "cancel" => Ok(json!({"action": text})),
        _ => match serde_json::from_str(text) {
            Ok(Value::Object(content)) => Ok(json!({"action": "accept", "content": content})),
            _ => Err(format!("`{text}` is no answer: write a JSON object, or `decline` or `cancel`").into()),
        },
    }
}

/// A folder as a server names it.
pub(crate) fn root(folder: &Path) -> Result<Value, Failure> {
    let whole =
        folder.canonicalize().map_err(|error| format!("`{}` is no folder: {error}", folder.display()))?;
    let escaped = |it: u8| match it {
        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => {
            char::from(it).to_string()
        }
        other => format!("%{other:02X}"),
    };
    let path: String = whole.as_os_str().as_encoded_bytes().iter().copied().map(escaped).collect();
    let name = whole.file_name().map(|it| it.to_string_lossy().into_owned());
    Ok(json!({"uri": format!("file://{path}"), "name": name}))
}

type Asked<T> = Result<Option<T>, dialoguer::Error>;

/// A place to go to in a browser. The command opens nothing by itself.
fn visited(params: &Value) -> Asked<Value> {
    eprintln!("open this only if you expect it: {}", text::line(params["url"].as_str().unwrap_or_default()));
    let gone = Confirm::new().with_prompt("Have you been there and agreed?").default(false).interact_opt()?;
    Ok(gone.map(|it| json!({"action": if it { "accept" } else { "decline" }})))
}

fn filled(params: &Value) -> Asked<Value> {
    let ways = ["Answer", "Decline", "Cancel"];
    match Select::new().with_prompt("What do you want?").items(ways).default(0).interact_opt()? {
        Some(0) => {}
        Some(1) => return Ok(Some(json!({"action": "decline"}))),
        _ => return Ok(None),
    }
    let mut content = Map::new();
    for field in form::fields(&params["requestedSchema"]) {
        if let Some(value) = ask(&field)? {
            content.insert(field.name, value);
        }
    }
    Ok(Some(json!({"action": "accept", "content": content})))
}

/// Asks for one field until what is typed fits.
fn ask(field: &Field) -> Asked<Value> {
    let prompt =
        if field.is_required { field.prompt.clone() } else { format!("{} (optional)", field.prompt) };
    match &field.kind {
        Kind::Truth => {
            let default = field.default.as_ref().and_then(Value::as_bool);
            let asked = Confirm::new().with_prompt(prompt);
            let asked = default.map_or_else(|| asked.clone(), |it| asked.clone().default(it));
            Ok(Some(asked.interact()?.into()))
        }
        Kind::One(choices) => {
            let mut titles: Vec<&str> = choices.iter().map(|it| it.title.as_str()).collect();
            if !field.is_required {
                titles.push("(leave it out)");
            }
            let chosen =
                choices.iter().position(|it| field.default.as_ref() == Some(&it.value.as_str().into()));
            let picked =
                Select::new().with_prompt(prompt).items(&titles).default(chosen.unwrap_or(0)).interact()?;
            let picked = Some(picked).filter(|it| *it < choices.len());
            Ok(field.pick(picked.as_slice()).unwrap_or_default())
        }
        Kind::Many { choices, .. } => {
            let is_default = |value: &str| {
                field
                    .default
                    .as_ref()
                    .and_then(Value::as_array)
                    .is_some_and(|it| it.iter().any(|it| it == value))
            };
            let titles: Vec<_> =
                choices.iter().map(|it| (it.title.as_str(), is_default(&it.value))).collect();
            let prompt = format!("{prompt} (space picks, enter goes on)");
            loop {
                let picked =
                    MultiSelect::new().with_prompt(&prompt).items_checked(titles.clone()).interact()?;
                match field.pick(&picked) {
                    Ok(value) => return Ok(value),
                    Err(why) => eprintln!("{why}"),
                }
            }
        }
        Kind::Text { .. } | Kind::Number { .. } => {
            let asked = Input::<String>::new()
                .with_prompt(prompt)
                .allow_empty(!field.is_required)
                .validate_with(|it: &String| field.read(it).map(drop));
            let asked = match &field.default {
                None => asked,
                Some(Value::String(text)) => asked.with_initial_text(text::line(text)),
                Some(other) => asked.with_initial_text(other.to_string()),
            };
            Ok(field.read(&asked.interact_text()?).unwrap_or_default())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answering(answers: &[&str]) -> Answering {
        let answers = answers.iter().map(|it| scripted(it).unwrap()).collect();
        Answering::new(Screen::new(true), answers, Vec::new())
    }

    #[test]
    fn answers_from_the_command_line_are_given_in_their_order() {
        let mut it = answering(&["{\"hold\": true}", "cancel"]);
        let mut ask = || it.asked("elicitation/create", &json!({"message": "?"})).unwrap();

        assert_eq!(ask(), json!({"action": "accept", "content": {"hold": true}}));
        assert_eq!(ask(), json!({"action": "cancel"}));
    }

    #[test]
    fn what_is_no_answer_is_refused_before_anything_is_sent() {
        for bad in ["yes", "[]", "7"] {
            assert!(scripted(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn what_was_not_declared_is_refused() {
        let mut it = answering(&[]);

        for method in ["sampling/createMessage", "roots/list", "other"] {
            assert_eq!(it.asked(method, &json!({})).unwrap_err().code, -32601, "{method}");
        }
    }

    #[test]
    fn a_folder_has_a_uri_without_blanks() {
        let uri = root(Path::new(".")).unwrap()["uri"].as_str().unwrap().to_owned();

        assert!(uri.starts_with("file:///") && !uri.contains(' '), "{uri}");
        assert!(root(Path::new("/no/such/folder")).is_err());
    }
}
