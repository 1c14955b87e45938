//! The lines of a checkup, as they are found.

use console::style;

use crate::{
    out::{self, Exit, Failure},
    screen::Screen,
    text,
};

/// What was found so far.
#[derive(Debug)]
pub(crate) struct Checkup {
    screen: Screen,
    warnings: usize,
    failures: usize,
}

impl Checkup {
    pub(crate) const fn new(screen: Screen) -> Self {
        Self { screen, warnings: 0, failures: 0 }
    }

    /// As it should be.
    pub(crate) fn ok(&mut self, what: &str, how: &str) -> Result<(), Failure> {
        self.line(&style("ok  ").green().to_string(), what, how)
    }

    /// Good to know.
    pub(crate) fn skip(&mut self, what: &str, why: &str) -> Result<(), Failure> {
        self.line("-   ", what, why)
    }

    /// It works, and could be better.
    pub(crate) fn warn(&mut self, what: &str, how: &str, to_do: &str) -> Result<(), Failure> {
        self.warnings += 1;
        self.line(&style("warn").color256(166).bold().to_string(), what, how)?;
        self.advice(to_do)
    }

    /// It is wrong.
    pub(crate) fn fail(&mut self, what: &str, how: &str, to_do: &str) -> Result<(), Failure> {
        self.failures += 1;
        self.line(&style("FAIL").red().bold().to_string(), what, how)?;
        self.advice(to_do)
    }

    fn line(&self, mark: &str, what: &str, how: &str) -> Result<(), Failure> {
        self.screen.aside(|| out::print(&format!("{mark}  {what:<20}  {}", text::short(how, 400))))
    }

    fn advice(&self, to_do: &str) -> Result<(), Failure> {
        self.screen.aside(|| out::print(&format!("      {:<20}  → {}", "", text::short(to_do, 400))))
    }

    /// Sums up.
    pub(crate) fn end(self) -> Result<Exit, Failure> {
        self.screen.done();
        let (failures, warnings) =
            (text::counted(self.failures, "failure"), text::counted(self.warnings, "warning"));
        out::print(&format!("\n{failures}, {warnings}"))?;
        Ok(if self.failures == 0 { Exit::Fine } else { Exit::Found(2) })
    }
}
