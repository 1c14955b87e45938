//! What was found, for the person who can change it.

use std::{borrow::Cow, fmt};

/// What [`check_authorization_server`](super::check_authorization_server) found. Its `Display` is made for a terminal.
#[derive(Clone, Debug)]
pub struct Report {
    pub(super) issuer: String,
    pub(super) metadata_url: Option<String>,
    pub(super) findings: Vec<Finding>,
}

impl Report {
    /// The issuer that was checked.
    #[must_use]
    pub fn issuer(&self) -> &str {
        &self.issuer
    }

    /// Where the metadata was found, if it was.
    #[must_use]
    pub fn metadata_url(&self) -> Option<&str> {
        self.metadata_url.as_deref()
    }

    /// What was found, in the order of the checks. Empty when there is nothing to do.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Whether an MCP client cannot or must not use this authorization server.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.findings.iter().any(|it| it.severity == Severity::Error)
    }
}

/// One thing to do something about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub(super) rule: &'static str,
    pub(super) severity: Severity,
    pub(super) text: Cow<'static, str>,
}

impl Finding {
    /// The name of the rule. It stays the same from version to version.
    #[must_use]
    pub fn rule(&self) -> &'static str {
        self.rule
    }

    /// How bad it is.
    #[must_use]
    pub fn severity(&self) -> Severity {
        self.severity
    }

    /// What is wrong and what to do.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Severity {
    /// It works, but worse or less safely than it could.
    Warning,
    /// MCP clients fail, or must refuse.
    Error,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Warning => "warning",
            Self::Error => "error",
        })
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]: {}", self.severity, self.rule, self.text)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "authorization server {}", self.issuer)?;
        if let Some(url) = &self.metadata_url {
            write!(f, "\n  metadata: {url}")?;
        }
        if self.findings.is_empty() {
            write!(f, "\n  nothing to do")?;
        }
        self.findings.iter().try_for_each(|it| write!(f, "\n  {it}"))
    }
}
