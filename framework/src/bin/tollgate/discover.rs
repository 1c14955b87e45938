//! `tollgate discover`: who a server says that it is.

use serde_json::{Value, json};

use crate::{
    args::{Format, Target},
    client::{About, Connection, Era},
    out::{self, Exit, Failure},
    text,
};

/// Show which era a server speaks, what it can do, and what it tells models.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Discover {
    /// How to show it.
    #[arg(short, long, value_enum, default_value_t = Format::Text)]
    output: Format,
    #[command(flatten)]
    target: Target,
}

const EXAMPLES: &str = "Examples:
  tollgate discover -u http://127.0.0.1:8000/mcp
  tollgate discover -o json -- npx -y @modelcontextprotocol/server-everything";

impl Discover {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        let screen = self.target.screen();
        let connection = self.target.connect(&screen)?;
        screen.done();
        match self.output {
            Format::Text => out::print(&shown(&connection))?,
            Format::Json => out::print_json(&written(&connection))?,
        }
        Ok(Exit::Fine)
    }
}

fn shown(it: &Connection) -> String {
    let about = &it.about;
    let (era, version) = era(it);
    let mut rows = vec![
        ("Server", format!("{} {}", text::line(&about.name), text::line(&about.version)).trim().to_owned()),
        ("Era", format!("{era}, revision {version}")),
        ("Speaks", about.versions.iter().map(|it| text::line(it)).collect::<Vec<_>>().join(", ")),
        ("Offers", names(&about.capabilities).join(", ")),
    ];
    if let Some(extensions) = extensions(about) {
        rows.push(("Extensions", names(extensions).join(", ")));
    }
    if let Some(instructions) = &about.instructions {
        rows.push(("Tells models", text::clean(instructions)));
    }
    let line = |(name, value): (&str, String)| {
        let value = if value.is_empty() { "-".into() } else { value.replace('\n', "\n              ") };
        format!("{}  {value}\n", console::style(format!("{name:<12}")).bold())
    };
    rows.into_iter().map(line).collect()
}

fn written(it: &Connection) -> Value {
    let about = &it.about;
    let (era, version) = era(it);
    json!({
        "era": era,
        "protocolVersion": version,
        "supportedVersions": about.versions,
        "serverInfo": {"name": about.name, "version": about.version},
        "capabilities": about.capabilities,
        "extensions": extensions(about).cloned().unwrap_or_else(|| json!({})),
        "instructions": about.instructions,
        "answer": about.raw,
    })
}

fn era(it: &Connection) -> (&'static str, String) {
    match &it.era {
        Some(Era::Modern(version)) => ("modern", version.clone()),
        Some(Era::Legacy(version)) => ("legacy", text::line(version)),
        None => ("unknown", String::new()),
    }
}

/// What the modern era calls extensions was experimental before.
fn extensions(about: &About) -> Option<&Value> {
    about.capabilities.get("extensions").or_else(|| about.capabilities.get("experimental"))
}

/// The members of an object, with what is switched on inside of each.
fn names(object: &Value) -> Vec<String> {
    let inside = |value: &Value| {
        let on = value.as_object().into_iter().flatten().filter(|(_, it)| **it == Value::Bool(true));
        on.map(|(name, _)| text::line(name)).collect::<Vec<_>>().join(", ")
    };
    let named = |(name, value): (&String, &Value)| match inside(value) {
        inside if inside.is_empty() => text::line(name),
        inside => format!("{} ({inside})", text::line(name)),
    };
    let is_own = |name: &String| !matches!(name.as_str(), "extensions" | "experimental");
    object.as_object().into_iter().flatten().filter(|(name, _)| is_own(name)).map(named).collect()
}
