//! A tool in which no mistake was found.

use syn::{LitStr, Path};

use crate::{function::Function, options::Access};

pub(crate) struct Tool {
    pub(crate) function: Function,
    pub(crate) options: ToolOptions,
}

/// What stands in `#[tool(…)]`; what does not stand there is left to the framework.
pub(crate) struct ToolOptions {
    pub(crate) read_only: Option<bool>,
    pub(crate) destructive: Option<bool>,
    pub(crate) idempotent: Option<bool>,
    pub(crate) open_world: Option<bool>,
    pub(crate) title: Option<LitStr>,
    pub(crate) icons: Vec<LitStr>,
    pub(crate) allow_unknown: bool,
    pub(crate) max_seconds: Option<u64>,
    pub(crate) calls: Option<u32>,
    pub(crate) calls_per_second: Option<u32>,
    pub(crate) result_tokens: Option<u32>,
    pub(crate) access: Access,
    pub(crate) ready: Option<Path>,
}
