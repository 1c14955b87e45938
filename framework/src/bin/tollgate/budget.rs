//! `tollgate budget`: what a list of tools costs a model, held to a limit and to what was agreed.

mod show;

use std::path::{Path, PathBuf};

use tollgate::budget::{BASELINE_FILE, Baseline, Budget, Change, Costs, Drift, Report};

use crate::{
    out::{self, Exit, Failure},
    report::{self, Format, Loudness},
    source::Source,
    text,
};

/// Count what a server's tools cost in tokens, and hold them to a budget.
///
/// A model reads the whole list with every request. Each tool is counted in two forms, as it travels and as hosts put
/// it before a model, and the dearer one counts.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct BudgetCommand {
    /// Tokens that the whole list may cost.
    #[arg(long, value_name = "TOKENS")]
    max: Option<usize>,
    /// Tokens that each tool may cost.
    #[arg(long, value_name = "TOKENS")]
    each: Option<usize>,
    /// Tokens that each description may cost.
    #[arg(long, value_name = "TOKENS")]
    description: Option<usize>,
    /// What was agreed to. Its limits hold where no others are named.
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Agree to the list as it is: write the baseline, `mcp-tools.budget.json` unless `--baseline` names another.
    #[arg(long)]
    bless: bool,
    /// How to show it.
    #[arg(short, long, value_enum, default_value_t = Format::Text)]
    format: Format,
    #[command(flatten)]
    source: Source,
}

const EXAMPLES: &str = "Examples:
  tollgate budget -u http://127.0.0.1:8000/mcp
  tollgate budget --max 4000 --each 500 -- python3 server.py
  tollgate budget --bless --max 4000 -- python3 server.py      # once, and after a change that is meant
  tollgate budget --baseline mcp-tools.budget.json --format github -- python3 server.py
  tollgate budget --tools tools.json

Without a limit and without a baseline, the limits are 8000 for the list, 700 for a tool and 150 for a description.

Exit codes: 0 within the budget; 1 nothing could be counted; 2 over the budget; 3 another list than was agreed to. Tools
that only became smaller pass.";

impl BudgetCommand {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        let screen = self.source.screen();
        // A file that cannot be read is said before a server is asked.
        let agreed = self.agreed()?;
        let tools = self.source.read(&screen)?;
        screen.wait("counting");
        let costs = Costs::of(&tools);
        screen.done();
        let limits = self.limits(agreed.as_ref());
        let mut report = Report::new(costs, limits);
        if let Some(agreed) = &agreed {
            report = report.since(agreed);
        }
        if self.bless {
            let path = self.path();
            Baseline::new(&report.costs, limits).write(path).map_err(|error| error.to_string())?;
            screen.say(&format!("agreed: `{}` was written; commit it", path.display()));
        }
        self.show(&report)?;
        Ok(self.exit(&report))
    }

    fn path(&self) -> &Path {
        self.baseline.as_deref().unwrap_or(Path::new(BASELINE_FILE))
    }

    /// What was agreed to. Where it is to be agreed to now, there need not be anything yet.
    fn agreed(&self) -> Result<Option<Baseline>, Failure> {
        if self.baseline.is_none() && !self.bless {
            return Ok(None);
        }
        match Baseline::read(self.path()) {
            Ok(baseline) => Ok(Some(baseline)),
            Err(error) if self.bless && (error.is_missing() || error.is_outdated()) => Ok(None),
            Err(error) => {
                let hint = if error.is_missing() { " (`--bless` writes it)" } else { "" };
                Err(format!("{error}{hint}").into())
            }
        }
    }

    fn limits(&self, agreed: Option<&Baseline>) -> Budget {
        let mut limits = Budget::unlimited();
        limits.total = self.max;
        limits.each = self.each;
        limits.description = self.description;
        match (limits == Budget::unlimited(), agreed) {
            (false, _) => limits,
            (true, Some(agreed)) => agreed.budget(),
            (true, None) => Budget::default(),
        }
    }

    fn show(&self, report: &Report) -> Result<(), Failure> {
        match self.format {
            Format::Text => out::print(&show::text(report, self.bless)),
            Format::Json => out::print_json(&show::json(report)),
            Format::Markdown => out::print(&show::markdown(report)),
            Format::Github => {
                out::print(&self.notes(report).join("\n"))?;
                report::add_to_summary(&show::markdown(report))
            }
        }
    }

    fn notes(&self, report: &Report) -> Vec<String> {
        let over =
            report.over().into_iter().map(|it| (Loudness::Error, "over the token budget", it.to_string()));
        let near =
            report.near().into_iter().map(|it| (Loudness::Warning, "near the token budget", it.to_string()));
        let drift = report.drift.iter().filter(|_| !self.bless).flat_map(|it| &it.changes);
        let drift = drift.map(|it| match it.is_smaller() {
            true => (Loudness::Notice, "smaller than agreed", it.to_string()),
            false => (Loudness::Error, "not agreed to", it.to_string()),
        });
        let mut notes: Vec<String> = over
            .chain(near)
            .chain(drift)
            .map(|(loudness, title, it)| report::note(loudness, title, &it))
            .collect();
        let tools = text::counted(report.costs.tools().len(), "tool");
        notes.push(text::line(&format!("{}: {tools}, {} tokens", self.source.label(), report.costs.total())));
        notes
    }

    fn exit(&self, report: &Report) -> Exit {
        let is_agreed = self.bless || !report.drift.as_ref().is_some_and(Drift::must_be_agreed_to);
        match (report.over().is_empty(), is_agreed) {
            (false, _) => Exit::Found(2),
            (true, false) => Exit::Found(3),
            (true, true) => Exit::Fine,
        }
    }
}

/// A change in one line, with what to do about it left to whoever shows it.
fn changed(change: &Change) -> String {
    text::line(&change.to_string())
}
