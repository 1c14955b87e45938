//! The published JSON Schemas of tools: made small, and enforced exactly as published.
//!
//! A generated schema goes through [`tidy`] once. Whatever is published is then compiled once into a
//! [`Checker`], which accepts an instance if and only if the published text does: JSON Schema 2020-12, with
//! `format` as an annotation. There are two deliberate courtesies, in [`Checker::check`] only: `2.0` becomes `2`
//! where an integer is wanted, and `null` for an optional argument that may not be null counts as absent.

pub(crate) use check::Checker;
pub(crate) use compile::compile;
pub(crate) use faults::Violation;
pub(crate) use headers::{HeaderParam, ParamKind, header_params};
#[cfg(feature = "lint")]
pub(crate) use keywords::{each_child, escape};
pub(crate) use optional::without_null;
pub(crate) use tidy::tidy;

mod tidy;

mod inline;
mod optional;

mod headers;
mod keywords;

mod compile;

mod dialect;
mod index;
mod uri;

mod cycles;
mod pattern;
mod rule;

mod check;

mod equal;
mod number;
mod reach;
mod settle;

mod faults;

mod shorten;
mod words;

#[cfg(test)]
mod tests;

use std::fmt;

/// Why a schema cannot be published or enforced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SchemaError {
    /// Where in the schema, as a JSON pointer; empty for the root.
    pub(crate) pointer: String,
    /// What is wrong there.
    pub(crate) problem: String,
}

impl SchemaError {
    fn new(pointer: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { pointer: pointer.into(), problem: problem.into() }
    }
}

impl fmt::Display for SchemaError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.pointer.as_str() {
            "" => write!(formatter, "at the root of the schema: {}", self.problem),
            pointer => write!(formatter, "at `{pointer}` of the schema: {}", self.problem),
        }
    }
}

impl std::error::Error for SchemaError {}
