//! The file that remembers what a list was agreed to cost.

use std::{
    fmt, fs, io,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    FORM_VERSION, TOKENIZER,
    costs::{Costs, ToolCost},
    drift::Drift,
    field::Fields,
    limits::Budget,
};

/// What somebody agreed that a list may cost, to be committed beside the code: every change of a tool then stands in a
/// review, with its price.
///
/// The file is JSON, with a version of its own, the tokenizer, the version of the forms, the limits, and for each tool
/// its tokens and the hash of its definition. Tools are sorted by name, so that their order in the list is no change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    version: u32,
    tokenizer: String,
    form: u32,
    limits: Budget,
    total: usize,
    tools: Vec<Agreed>,
}

/// What was agreed to of one tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Agreed {
    /// Which tool.
    pub name: String,
    /// What it costs.
    pub tokens: usize,
    /// The same, field by field.
    pub fields: Fields,
    /// The hash of its definition.
    pub hash: String,
}

/// The layout of the file.
const VERSION: u32 = 1;

impl Baseline {
    /// Agrees to what a list costs, with these limits.
    #[must_use]
    pub fn new(costs: &Costs, limits: Budget) -> Self {
        let mut tools: Vec<_> = costs.tools().iter().map(Agreed::of).collect();
        tools.sort_by(|one, other| one.name.cmp(&other.name));
        Self {
            version: VERSION,
            tokenizer: TOKENIZER.into(),
            form: FORM_VERSION,
            limits,
            total: costs.total(),
            tools,
        }
    }

    /// Reads a file.
    ///
    /// # Errors
    /// When it is not there, cannot be read, or is none that this version can compare with.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, BaselineError> {
        let path = path.as_ref();
        let text = fs::read_to_string(path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => Fault::Missing,
            _ => Fault::Unreadable(error.to_string()),
        });
        let read = text.and_then(|it| Self::parse(&it));
        read.map_err(|fault| BaselineError { path: path.into(), fault })
    }

    fn parse(text: &str) -> Result<Self, Fault> {
        let json: Value = serde_json::from_str(text).map_err(|it| Fault::NotJson(it.to_string()))?;
        let version = json.get("version").ok_or(Fault::NoBaseline("it has no `version`".into()))?;
        if *version != VERSION {
            return Err(Fault::Version(version.to_string()));
        }
        let baseline: Self = serde_json::from_value(json).map_err(|it| Fault::NoBaseline(it.to_string()))?;
        if baseline.tokenizer != TOKENIZER {
            return Err(Fault::Tokenizer(baseline.tokenizer));
        }
        if baseline.form != FORM_VERSION {
            return Err(Fault::Form(baseline.form));
        }
        Ok(baseline)
    }

    /// Writes the file, and folders on the way to it. The same list always gives the same bytes.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<(), BaselineError> {
        let path = path.as_ref();
        let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
        let written = folder.and_then(|()| fs::write(path, self.to_string()));
        written
            .map_err(|error| BaselineError { path: path.into(), fault: Fault::Unwritable(error.to_string()) })
    }

    /// What has changed since.
    #[must_use]
    pub fn drift(&self, costs: &Costs) -> Drift {
        Drift::between(&self.tools, costs)
    }

    /// The limits that stand in it.
    #[must_use]
    pub const fn budget(&self) -> Budget {
        self.limits
    }

    /// What the list costs.
    #[must_use]
    pub const fn total(&self) -> usize {
        self.total
    }

    /// What each tool costs, sorted by name.
    #[must_use]
    pub fn tools(&self) -> &[Agreed] {
        &self.tools
    }
}

impl Agreed {
    fn of(tool: &ToolCost) -> Self {
        Self {
            name: tool.name().into(),
            tokens: tool.tokens(),
            fields: *tool.fields(),
            hash: tool.hash().into(),
        }
    }
}

/// The text of the file.
impl fmt::Display for Baseline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = serde_json::to_string_pretty(self).map_err(|_| fmt::Error)?;
        writeln!(f, "{text}")
    }
}

/// Why a baseline could not be read or written. It names the file, and says what to do.
#[derive(Clone, PartialEq, Eq)]
pub struct BaselineError {
    path: PathBuf,
    fault: Fault,
}

#[derive(Clone, PartialEq, Eq)]
enum Fault {
    Missing,
    Unreadable(String),
    Unwritable(String),
    NotJson(String),
    NoBaseline(String),
    Version(String),
    Tokenizer(String),
    Form(u32),
}

impl BaselineError {
    /// Which file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether it is just not there yet.
    #[must_use]
    pub const fn is_missing(&self) -> bool {
        matches!(self.fault, Fault::Missing)
    }

    /// Whether it is a baseline of another version, tokenizer or form, to be written again.
    #[must_use]
    pub const fn is_outdated(&self) -> bool {
        matches!(self.fault, Fault::Version(_) | Fault::Tokenizer(_) | Fault::Form(_))
    }
}

impl fmt::Display for BaselineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` ", self.path.display())?;
        match &self.fault {
            Fault::Missing => f.write_str("is not there: write it once, and commit it"),
            Fault::Unreadable(why) => write!(f, "cannot be read: {why}"),
            Fault::Unwritable(why) => write!(f, "cannot be written: {why}"),
            Fault::NotJson(why) => write!(f, "is not JSON: {why}"),
            Fault::NoBaseline(why) => write!(f, "is no baseline of tools: {why}"),
            Fault::Version(it) => {
                write!(f, "has version {it}, and this build reads {VERSION}: write it again with this one")
            }
            Fault::Tokenizer(it) => write!(
                f,
                "was counted with `{it}`, and this build counts with `{TOKENIZER}`: write it again with this one"
            ),
            Fault::Form(it) => write!(
                f,
                "was counted over forms of version {it}, and this build knows {FORM_VERSION}: write it again with \
                 this one"
            ),
        }
    }
}

/// The same sentence: a `main` that returns an error prints its `Debug` form.
impl fmt::Debug for BaselineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for BaselineError {}
