//! `tollgate list`: what a server offers.

use comfy_table::Table;
use serde_json::Value;

use crate::{
    args::{Format, Target},
    client::List,
    out::{self, Exit, Failure},
    text,
};

/// List what a server offers, through all pages.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ListCommand {
    /// What to list.
    #[arg(value_enum, default_value_t = List::Tools)]
    what: List,
    /// How to show it. JSON has the items as the server sent them.
    #[arg(short, long, value_enum, default_value_t = Format::Text)]
    output: Format,
    #[command(flatten)]
    target: Target,
}

const EXAMPLES: &str = "Examples:
  tollgate list -u http://127.0.0.1:8000/mcp
  tollgate list prompts -o json -- python3 server.py
  tollgate list tools -o json -u $URL > tools.json    # for `tollgate budget --tools tools.json`";

impl ListCommand {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        let screen = self.target.screen();
        let mut connection = self.target.connect(&screen)?;
        screen.wait(&format!("reading the {}", self.what.member()));
        let listed = connection.list(self.what)?;
        screen.done();
        match self.output {
            Format::Json => out::print_json(&serde_json::json!({self.what.member(): listed.items}))?,
            Format::Text if listed.items.is_empty() => out::print("Nothing is offered.")?,
            Format::Text => out::print(&shown(self.what, &listed.items).to_string())?,
        }
        Ok(Exit::Fine)
    }
}

fn shown(what: List, items: &[Value]) -> Table {
    let heads: [&str; 3] = match what {
        List::Tools => ["Tool", "Hints", "Description"],
        List::Prompts => ["Prompt", "Arguments", "Description"],
        List::Resources => ["URI", "Name", "Description"],
        List::Templates => ["Template", "Name", "Description"],
    };
    let mut table = out::table(&heads);
    for item in items {
        let said = |member: &str| text::line(item[member].as_str().unwrap_or_default());
        let (first, second) = match what {
            List::Tools => (said("name"), hints(&item["annotations"])),
            List::Prompts => (said("name"), arguments(&item["arguments"])),
            List::Resources => (said("uri"), said("name")),
            List::Templates => (said("uriTemplate"), said("name")),
        };
        table.add_row([first, second, text::short(item["description"].as_str().unwrap_or("-"), MOST)]);
    }
    out::keep_names(&mut table, 40);
    table
}

/// Characters of a description in a table.
const MOST: usize = 400;

fn hints(annotations: &Value) -> String {
    let words = [
        ("readOnlyHint", true, "read-only"),
        ("destructiveHint", true, "destructive"),
        ("destructiveHint", false, "not destructive"),
        ("idempotentHint", true, "idempotent"),
        ("openWorldHint", true, "open world"),
    ];
    // What only reads destroys nothing, and can be repeated.
    let most = if annotations["readOnlyHint"] == true { &["read-only", "open world"][..] } else { &[][..] };
    let said = words.iter().filter(|(name, value, _)| annotations[name] == Value::Bool(*value));
    let said: Vec<_> = said.map(|it| it.2).filter(|it| most.is_empty() || most.contains(it)).collect();
    if said.is_empty() { "-".into() } else { said.join(", ") }
}

fn arguments(arguments: &Value) -> String {
    let named = |it: &Value| {
        let name = text::line(it["name"].as_str().unwrap_or_default());
        if it["required"] == true { name } else { format!("[{name}]") }
    };
    let all: Vec<_> = arguments.as_array().into_iter().flatten().map(named).collect();
    if all.is_empty() { "-".into() } else { all.join(", ") }
}
