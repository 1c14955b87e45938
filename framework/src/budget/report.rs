//! What a list costs, what is over, and what has changed, as a text.

use std::fmt;

use super::{
    baseline::Baseline,
    costs::{Costs, ToolCost},
    drift::Drift,
    field::Field,
    form::Form,
    limits::{Budget, Finding},
};

/// What a list costs, held against a budget and a baseline. Its text is what a failed test shows: what is wrong, then a
/// table of all tools.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// What each tool costs.
    pub costs: Costs,
    /// What may be spent.
    pub budget: Budget,
    /// What has changed since the baseline, if there is one.
    pub drift: Option<Drift>,
}

impl Report {
    /// Holds costs against a budget.
    #[must_use]
    pub const fn new(costs: Costs, budget: Budget) -> Self {
        Self { costs, budget, drift: None }
    }

    /// Compares with a baseline as well. Its limits are not looked at.
    #[must_use]
    pub fn since(self, baseline: &Baseline) -> Self {
        Self { drift: Some(baseline.drift(&self.costs)), ..self }
    }

    /// What is over its limit.
    #[must_use]
    pub fn over(&self) -> Vec<Finding> {
        self.budget.over(&self.costs)
    }

    /// What is near its limit.
    #[must_use]
    pub fn near(&self) -> Vec<Finding> {
        self.budget.near(&self.costs)
    }

    /// Whether nothing is over its limit, and nothing has to be agreed to.
    #[must_use]
    pub fn passes(&self) -> bool {
        self.over().is_empty() && !self.drift.as_ref().is_some_and(Drift::must_be_agreed_to)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for it in self.over() {
            writeln!(f, "over: {it}")?;
        }
        for it in self.near() {
            writeln!(f, "near: {it}")?;
        }
        if let Some(drift) = self.drift.as_ref().filter(|it| !it.is_none()) {
            writeln!(f, "{drift}")?;
            writeln!(f, "tokens since the baseline: {:+}", drift.tokens())?;
        }
        write_table(f, &self.costs)
    }
}

/// A row for each tool: what counts, then each form, then the fields of the dearer form.
fn write_table(f: &mut fmt::Formatter<'_>, costs: &Costs) -> fmt::Result {
    let titles = Form::ALL.iter().map(Form::to_string).chain(Field::ALL.iter().map(Field::to_string));
    let titles: Vec<_> = std::iter::once("tokens".into()).chain(titles).collect();
    let mut sums = vec![0; titles.len()];
    let mut rows = vec![("", titles)];
    for tool in costs.tools() {
        let cells = cells(tool);
        sums.iter_mut().zip(&cells).for_each(|(sum, it)| *sum += it);
        rows.push((tool.name(), cells.iter().map(usize::to_string).collect()));
    }
    rows.push(("total", sums.iter().map(usize::to_string).collect()));

    let names = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or_default();
    for (name, cells) in &rows {
        write!(f, "{name:names$}")?;
        for (title, cell) in rows[0].1.iter().zip(cells) {
            write!(f, "  {cell:>0$}", title.len().max(6))?;
        }
        writeln!(f)?;
    }
    Ok(())
}

fn cells(tool: &ToolCost) -> Vec<usize> {
    let forms = Form::ALL.map(|it| tool.tokens_in(it));
    let fields = tool.fields().iter().map(|(_, tokens)| tokens);
    [tool.tokens()].into_iter().chain(forms).chain(fields).collect()
}
