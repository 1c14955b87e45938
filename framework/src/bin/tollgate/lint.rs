//! `tollgate lint`: what would lead a model astray.

mod show;

use tollgate::lint::{Level, Lint, Rule};

use crate::{
    out::{self, Exit, Failure},
    report::{self, Format, Loudness},
    source::Source,
};

/// Read tool definitions as a model does, and say what would lead it astray.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct LintCommand {
    /// Make an error of every warning.
    #[arg(long)]
    strict: bool,
    /// Leave a rule out. Repeat it for more.
    #[arg(long, value_name = "RULE", value_parser = rule)]
    without: Vec<Rule>,
    /// List the rules, and why there is each of them.
    #[arg(long)]
    rules: bool,
    /// How to show it.
    #[arg(short, long, value_enum, default_value_t = Format::Text)]
    format: Format,
    #[command(flatten)]
    source: Source,
}

const EXAMPLES: &str = "Examples:
  tollgate lint -u http://127.0.0.1:8000/mcp
  tollgate lint --strict --without no-when-not -- python3 server.py
  tollgate lint --tools tools.json --format github
  tollgate lint --rules

Exit codes: 0 no errors; 1 nothing could be read; 2 errors, or with `--strict` warnings. Notes never count.";

fn rule(text: &str) -> Result<Rule, String> {
    text.parse()
        .map_err(|error: tollgate::lint::UnknownRule| format!("{error}; `tollgate lint --rules` lists all"))
}

impl LintCommand {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        if self.rules {
            out::print(&show::rules())?;
            return Ok(Exit::Fine);
        }
        let screen = self.source.screen();
        let tools = self.source.read(&screen)?;
        screen.wait("reading the definitions");
        let mut lint = self.without.iter().fold(Lint::new(), |lint, rule| lint.without(*rule));
        if self.strict {
            lint = lint.strict();
        }
        let found = lint.check(&tools);
        screen.done();
        match self.format {
            Format::Text => out::print(&show::text(&found, tools.len()))?,
            Format::Json => out::print_json(&show::json(&found))?,
            Format::Markdown => out::print(&show::markdown(&found, tools.len()))?,
            Format::Github => {
                let loudness = |level| match level {
                    Level::Error => Loudness::Error,
                    Level::Warning => Loudness::Warning,
                    Level::Note => Loudness::Notice,
                };
                let title = |rule: Rule| format!("tool definition: {rule}");
                let notes =
                    found.iter().map(|it| report::note(loudness(it.level), &title(it.rule), &it.to_string()));
                let notes: Vec<String> = notes.chain([show::summary(&found, tools.len())]).collect();
                out::print(&notes.join("\n"))?;
                report::add_to_summary(&show::markdown(&found, tools.len()))?;
            }
        }
        Ok(match found.iter().any(|it| it.level == Level::Error) {
            true => Exit::Found(2),
            false => Exit::Fine,
        })
    }
}
