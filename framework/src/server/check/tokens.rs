//! What a check says of tokens: budgets, named callers, and the baseline.

use std::{
    env,
    path::{Path, PathBuf},
};

use super::{Check, CheckReport, Found};
use crate::{
    author::{access::Protected, listing::Listing, registered::RegisteredTool},
    budget::{Baseline, Budget, Costs, Report},
    caller::Caller,
};

/// What somebody wants to know of the tokens.
#[derive(Default)]
pub(super) struct Asked {
    budget: Option<Budget>,
    baseline: Option<PathBuf>,
    profiles: Vec<Profile>,
}

/// A caller who may not see everything.
struct Profile {
    name: String,
    caller: Caller,
    budget: Budget,
}

/// Set to 1, it makes tests write their baselines.
const BLESS: &str = "TOLLGATE_BLESS";

/// Tokens: with the feature `budget`.
///
/// ```
/// # use tollgate::{budget::Budget, prelude::*, serde_json::json};
/// # let ping = Tool::new("ping", "Says pong.", json!({"type": "object"}), async |_cx, _| Ok("pong"));
/// # let shut = Tool::new("shut", "Shuts it.", json!({"type": "object"}), async |_cx, _| Ok("shut")).scope("pings:shut");
/// let server = Server::new("pings", "1.0.0").tools(vec![ping, shut]).without_auth();
///
/// server.check().tokens(900).tokens_each(300).profile("reader", ["pings:read"], Budget::total(40)).assert();
/// ```
impl Check {
    /// Tokens that `tools/list` may cost for a caller who may see all of it, hidden tools too.
    pub fn tokens(self, most: usize) -> Self {
        self.limited(|it| it.total = Some(most))
    }

    /// Tokens that each tool may cost.
    pub fn tokens_each(self, most: usize) -> Self {
        self.limited(|it| it.each = Some(most))
    }

    /// Tokens that the description of each tool may cost.
    pub fn tokens_description(self, most: usize) -> Self {
        self.limited(|it| it.description = Some(most))
    }

    /// Tokens that the list of a caller with these scopes and no others may cost. Where a scope implies another, name
    /// both.
    pub fn profile<T: Into<String>>(
        mut self,
        name: &str,
        scopes: impl IntoIterator<Item = T>,
        budget: Budget,
    ) -> Self {
        let caller = Caller::named_with(name, scopes.into_iter().map(Into::into));
        self.asked.profiles.push(Profile { name: name.into(), caller, budget });
        self
    }

    /// Compares with what was agreed to: a file to be committed, as `mcp-tools.budget.json`, seen from the folder of the
    /// package in a test. A tool that is new, gone, or another and no smaller fails; one that only became smaller passes.
    /// Where nothing else limits tokens, the limits in the file do.
    ///
    /// With `TOLLGATE_BLESS=1` in the environment the file is written instead.
    pub fn baseline(mut self, path: impl Into<PathBuf>) -> Self {
        self.asked.baseline = Some(path.into());
        self
    }

    fn limited(mut self, limit: impl FnOnce(&mut Budget)) -> Self {
        limit(self.asked.budget.get_or_insert(Budget::unlimited()));
        self
    }
}

impl Asked {
    pub(super) fn run(self, listing: &Listing, found: &mut Found) {
        if self.budget.is_none() && self.baseline.is_none() && self.profiles.is_empty() {
            return;
        }
        let costs = costs(listing, |_| true);
        let is_blessed = env::var_os(BLESS).is_some_and(|it| it == "1");
        let Found { faults, .. } = found;
        let mut hint = None;
        let (budget, baseline) = match &self.baseline {
            None => (self.budget.unwrap_or(Budget::unlimited()), None),
            Some(path) => match agreed(path, self.budget, &costs, is_blessed) {
                Ok(baseline) => (self.budget.unwrap_or(baseline.budget()), Some(baseline)),
                Err(fault) => {
                    faults.push(fault);
                    hint = Some(path);
                    (self.budget.unwrap_or_default(), None)
                }
            },
        };
        let report = Report::new(costs, budget);
        let report = match &baseline {
            Some(baseline) => report.since(baseline),
            None => report,
        };
        faults.extend(report.over().iter().map(ToString::to_string));
        if let Some(drift) = report.drift.as_ref().filter(|it| it.must_be_agreed_to()) {
            faults.extend(drift.changes.iter().map(ToString::to_string));
            hint = self.baseline.as_ref();
        }
        let mut profiles = Vec::new();
        for Profile { name, caller, budget } in self.profiles {
            let report = Report::new(self::costs(listing, |it| it.access().lets_in(&caller)), budget);
            faults.extend(report.over().iter().map(|it| format!("for `{name}`: {it}")));
            profiles.push((name, report));
        }
        found.report.tools = Some(report);
        found.report.profiles = profiles;
        found.report.warn();
        found.hint = hint.map(|path| {
            format!("To agree to it, run this again with {BLESS}=1, and commit `{}`.", path.display())
        });
    }
}

impl CheckReport {
    /// Says what passes, and will not for long.
    fn warn(&self) {
        let reports = self.tools.iter().chain(self.profiles.iter().map(|(_, it)| it));
        for it in reports.flat_map(Report::near) {
            tracing::warn!("{it}");
        }
        let drift = self.tools.as_ref().and_then(|it| it.drift.as_ref());
        for it in drift.into_iter().flat_map(|it| &it.changes).filter(|it| it.is_smaller()) {
            tracing::warn!("{it}: run this again with {BLESS}=1 to keep it so small");
        }
    }
}

fn costs(listing: &Listing, is_seen: impl Fn(&RegisteredTool) -> bool) -> Costs {
    listing.tools.all().iter().filter(|it| is_seen(it)).map(|it| it.cost().clone()).collect()
}

/// What was agreed to, or is from now on.
fn agreed(path: &Path, budget: Option<Budget>, costs: &Costs, is_blessed: bool) -> Result<Baseline, String> {
    let before = Baseline::read(path);
    if !is_blessed {
        return before.map_err(|it| it.to_string());
    }
    let limits = match &before {
        Ok(before) => budget.unwrap_or(before.budget()),
        // A file that is something else was not meant.
        Err(error) if !error.is_missing() && !error.is_outdated() => return Err(error.to_string()),
        Err(_) => budget.unwrap_or_default(),
    };
    let baseline = Baseline::new(costs, limits);
    if before.as_ref() != Ok(&baseline) {
        baseline.write(path).map_err(|it| it.to_string())?;
    }
    Ok(baseline)
}
