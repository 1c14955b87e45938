//! `tollgate preflight`: are the tools there that something is about to need?

mod ask;
mod local;
mod show;
mod verdict;

use std::time::Duration;

use clap::ValueEnum;
use serde_json::{Map, Value, json};

use crate::{
    args::Target,
    client::Peer,
    duration,
    out::{self, Exit, Failure},
    text,
};
use local::Pin;
use verdict::Answered;

/// Ask whether tools are ready, before anything is built on them.
///
/// By default it asks the REST surface at the URL's origin. With `--in-band` it asks by the extension
/// `app.mcpproxy/required-tools` of `tools/list`, over HTTP or stdio, in either era.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Preflight {
    /// The tools that are needed: names, or `server:tool` at a gateway.
    #[arg(required = true, value_name = "ID")]
    ids: Vec<String>,
    /// Ask as an extension of `tools/list`, instead of by REST.
    #[arg(long)]
    in_band: bool,
    /// Where the REST surface is, at the origin of the URL.
    #[arg(long, value_name = "PATH", default_value = "/api/v1/preflight", conflicts_with = "in_band")]
    rest_path: String,
    /// Only tools count that say that they read and change nothing.
    #[arg(long)]
    read_only_only: bool,
    /// Tools do not count that may destroy something.
    #[arg(long)]
    exclude_destructive: bool,
    /// Tools do not count that reach an open world.
    #[arg(long)]
    exclude_open_world: bool,
    /// The profile of a gateway to ask about.
    #[arg(long, conflicts_with = "in_band")]
    profile: Option<String>,
    /// What a tool has to be still, as `id=sha256/v1:hex`. Repeat it for more.
    #[arg(long = "pin", value_name = "ID=HASH", conflicts_with = "in_band")]
    pins: Vec<String>,
    /// How long to wait for what may become ready, at most `10s`.
    #[arg(long, value_name = "DURATION", value_parser = duration::parse, conflicts_with = "in_band")]
    wait: Option<Duration>,
    /// How to show it.
    #[arg(short, long, value_enum, ignore_case = true, default_value_t = Shape::Table, env = "TOLLGATE_OUTPUT")]
    output: Shape,
    #[command(flatten)]
    target: Target,
}

const EXAMPLES: &str = "Examples:
  tollgate preflight github:create_issue github:list_issues -u http://127.0.0.1:8080/mcp
  tollgate preflight book_table --in-band --exclude-destructive -u http://127.0.0.1:8000/mcp
  tollgate preflight search --in-band -- python3 server.py

Exit codes: 0 all are ready; 10 some are not, and may be in a moment; 11 some are not, and somebody has to do
something; 12 some are unknown; 1 nobody could say. The worse counts of what the server says and what follows from
its results.";

/// How to show the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Shape {
    /// For people.
    Table,
    /// For programs, with the names that travel.
    Json,
    /// The same as YAML.
    Yaml,
}

impl Preflight {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        let ids = local::ids(&self.ids)?;
        let pins = local::pins(&self.pins, &ids)?;
        let wait_ms = self.wait.map(local::wait).transpose()?;
        let screen = self.target.screen();
        let answer = match self.in_band {
            true => {
                let mut connection = self.target.connect(&screen)?;
                screen.wait("asking for a verdict");
                ask::in_band(&mut connection, &self.rider(&ids))?
            }
            false => {
                let Peer::Url(place) = self.target.peer()? else {
                    return Err("a command on stdio has no REST surface: add `--in-band`".into());
                };
                screen.wait("asking for a verdict");
                ask::rest(&place, &self.rest_path, &self.body(&ids, &pins, wait_ms), self.target.timeout)?
            }
        };
        screen.done();
        let answered = Answered::read(&answer, &ids)?;
        match self.output {
            Shape::Table => out::print(&show::table(&answered))?,
            Shape::Json => out::print_json(&answer)?,
            Shape::Yaml => out::print(&serde_norway::to_string(&answer).map_err(|error| error.to_string())?)?,
        }
        if let Some(summary) = show::summary(&answered) {
            screen.say(&text::line(&summary));
        }
        Ok(match answered.code() {
            0 => Exit::Fine,
            code => Exit::Found(code),
        })
    }

    fn rider(&self, ids: &[String]) -> Value {
        let tools: Vec<Value> = ids.iter().map(|id| json!({"id": id})).collect();
        let mut rider = json!({"tools": tools});
        self.add_policy(&mut rider);
        rider
    }

    fn body(&self, ids: &[String], pins: &[Pin], wait_ms: Option<u64>) -> Value {
        let tool = |id: &String| match pins.iter().find(|it| it.id == id.trim()) {
            Some(pin) => json!({"id": id, "pin_hash": pin.hash}),
            None => json!({"id": id}),
        };
        let mut body = json!({"tools": ids.iter().map(tool).collect::<Vec<_>>()});
        if let Some(profile) = &self.profile {
            body["profile"] = profile.as_str().into();
        }
        if let Some(wait_ms) = wait_ms {
            body["wait_ms"] = wait_ms.into();
        }
        self.add_policy(&mut body);
        body
    }

    fn add_policy(&self, to: &mut Value) {
        let filters = [
            ("read_only_only", self.read_only_only),
            ("exclude_destructive", self.exclude_destructive),
            ("exclude_open_world", self.exclude_open_world),
        ];
        let on: Map<String, Value> =
            filters.iter().filter(|(_, it)| *it).map(|(name, _)| ((*name).to_owned(), true.into())).collect();
        if !on.is_empty() {
            to["policy"] = on.into();
        }
    }
}
