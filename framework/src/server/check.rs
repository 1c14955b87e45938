//! What a server is held to before anybody calls it.

#[cfg(feature = "lint")]
mod definitions;
#[cfg(feature = "budget")]
mod tokens;

use std::{fmt, sync::Arc};

use super::{AuthDecided, Server, StartError};
#[cfg(feature = "budget")]
use crate::budget::Report;
use crate::engine::Engine;
#[cfg(feature = "lint")]
use crate::lint::{Finding, Lint};

impl<S: Clone + Send + Sync + 'static, A: AuthDecided> Server<S, A> {
    /// Looks for everything that is wrong with the server, for a test or for the start of a program. It finds all faults
    /// of the configuration at once: tools whose schemas cannot be enforced, names that stand twice, limits of 0, and so
    /// on. With the feature `budget` it also says what the tools cost, and with `lint` what would lead a model astray.
    ///
    /// ```
    /// # use tollgate::Server;
    /// let server = Server::new("notes", "1.0.0").without_auth();
    /// server.check().assert();
    /// ```
    pub fn check(&self) -> Check {
        Check {
            engine: self.engine(),
            #[cfg(feature = "budget")]
            asked: tokens::Asked::default(),
            #[cfg(feature = "lint")]
            lint: None,
        }
    }
}

/// Everything that a server is held to. [`Server::check`] makes one; nothing is looked at until [`run`](Self::run) or
/// [`assert`](Self::assert).
#[must_use = "nothing is looked at until it is run"]
pub struct Check {
    engine: Result<Arc<Engine>, StartError>,
    #[cfg(feature = "budget")]
    asked: tokens::Asked,
    #[cfg(feature = "lint")]
    lint: Option<Lint>,
}

impl Check {
    /// Looks at all of it.
    ///
    /// # Errors
    /// Everything that is wrong.
    pub fn run(self) -> Result<CheckReport, CheckError> {
        let engine = self.engine.map_err(|it| CheckError(Repr::Start(it)))?;
        #[cfg_attr(
            not(any(feature = "budget", feature = "lint")),
            expect(unused_variables, unused_mut, reason = "nothing more is looked at")
        )]
        let (listing, mut found) = (engine.catalog.current(), Found::default());
        #[cfg(feature = "budget")]
        self.asked.run(&listing, &mut found);
        #[cfg(feature = "lint")]
        definitions::check(self.lint.as_ref(), &listing, &mut found);
        found.into_result()
    }

    /// The same, for a test.
    ///
    /// # Panics
    /// With everything that is wrong.
    #[track_caller]
    pub fn assert(self) {
        if let Err(error) = self.run() {
            panic!("{error}");
        }
    }
}

impl fmt::Debug for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Check").finish_non_exhaustive()
    }
}

/// What was found on a server that passed. Its text says it to people.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CheckReport {
    /// What the tools cost, if anybody has asked.
    #[cfg(feature = "budget")]
    pub tools: Option<Report>,
    /// What the lists of the named callers cost.
    #[cfg(feature = "budget")]
    pub profiles: Vec<(String, Report)>,
    /// What would lead a model astray, if anybody has asked.
    #[cfg(feature = "lint")]
    pub findings: Vec<Finding>,
}

impl fmt::Display for CheckReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        #[cfg(feature = "budget")]
        {
            if let Some(tools) = &self.tools {
                write!(f, "{tools}")?;
            }
            self.profiles.iter().try_for_each(|(name, report)| write!(f, "\n`{name}`:\n{report}"))?;
        }
        #[cfg(feature = "lint")]
        self.findings.iter().try_for_each(|it| write!(f, "\n{it}"))?;
        let _ = f;
        Ok(())
    }
}

/// Everything that is wrong with a server.
#[derive(Clone, PartialEq, Eq)]
pub struct CheckError(Repr);

#[derive(Clone, PartialEq, Eq)]
enum Repr {
    Start(StartError),
    Found(Box<Found>),
}

/// What was found on a server that starts.
#[derive(Clone, Default, PartialEq, Eq)]
struct Found {
    faults: Vec<String>,
    /// What to do about them.
    hint: Option<String>,
    report: CheckReport,
}

impl Found {
    fn into_result(self) -> Result<CheckReport, CheckError> {
        if self.faults.is_empty() { Ok(self.report) } else { Err(CheckError(Repr::Found(Box::new(self)))) }
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the server does not pass:")?;
        self.faults.iter().try_for_each(|it| write!(f, "\n- {it}"))?;
        if let Some(hint) = &self.hint {
            write!(f, "\n{hint}")?;
        }
        write!(f, "\n\n{}", self.report)
    }
}

impl CheckError {
    /// One sentence for each fault.
    #[must_use]
    pub fn faults(&self) -> &[String] {
        match &self.0 {
            Repr::Start(error) => error.faults(),
            Repr::Found(found) => &found.faults,
        }
    }

    /// What was found all the same; `None` where the server would not even start.
    #[must_use]
    pub const fn report(&self) -> Option<&CheckReport> {
        match &self.0 {
            Repr::Start(_) => None,
            Repr::Found(found) => Some(&found.report),
        }
    }
}

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Start(error) => error.fmt(f),
            Repr::Found(found) => found.fmt(f),
        }
    }
}

/// The same sentences: a `main` that returns an error prints its `Debug` form.
impl fmt::Debug for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for CheckError {}

#[cfg(test)]
mod tests {
    #[cfg(not(feature = "budget"))]
    #[test]
    fn where_nothing_counts_tokens_results_cannot_be_limited() {
        use crate::{Server, Tool, serde_json::json};

        let tool = Tool::new("say", "Says it.", json!({"type": "object"}), async |_cx, _| Ok("it"));
        let server =
            Server::new("counts", "1").tools(vec![tool.result_tokens(9)]).result_tokens(9).without_auth();

        let error = server.check().run().unwrap_err();

        let faults = [
            "the tokens of results are limited, which needs the feature `budget`",
            "the tool `say`: it limits the tokens of its results, which needs the feature `budget`",
        ];
        assert_eq!(error.faults(), faults);
    }
}
