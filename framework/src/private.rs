//! What generated code may call. Nothing here is for people, and all of it may change.

pub use serde_json::{Map, Value};

pub use crate::author::{
    argument::{Argument, Arguments, Parameter, Parameters},
    ask::Fields,
    output::{Said, Shape},
    prompt::prompt,
    resource::{Origin, resource},
    sets::{IntoPrompt, IntoResource, IntoTool, Named, assert_unique},
    tool::tool,
};
use crate::author::{ask::FormField, error::ToolError};

/// Stands at the type of a parameter, so that one that is none gives one error.
pub const fn argument<T: Argument>() {}

/// Stands at the type of a field of a form.
pub const fn form_field<T: FormField>() {}

/// What a function that completes gives.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be what a completion gives",
    label = "expected a `Vec<String>`",
    note = "return an empty list when there is nothing to offer"
)]
pub trait Completed {
    /// The values that it offers.
    fn into_values(self) -> Vec<String>;
}

impl Completed for Vec<String> {
    fn into_values(self) -> Self {
        self
    }
}

/// Stands at the name of a function that completes, so that one that gives something else gives one error.
pub fn completed(values: impl Completed) -> Vec<String> {
    values.into_values()
}

/// An error that a tool, a prompt or a resource can end with.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the error of a tool, a prompt or a resource",
    label = "it is no `std::error::Error`",
    note = "implement `std::error::Error` for it, or tell the model what happened: \
            return `tollgate::Result` and use `fail!` or `.or_fail(..)`"
)]
pub trait Failure {
    /// What the framework makes of it.
    fn into_error(self) -> ToolError;
}

#[diagnostic::do_not_recommend]
impl<E: Into<ToolError>> Failure for E {
    fn into_error(self) -> ToolError {
        self.into()
    }
}

/// Stands at the type of a fallible output.
pub fn failed(error: impl Failure) -> ToolError {
    error.into_error()
}

/// Writes one argument of a typed request.
pub fn put<T: Argument>(map: &mut Map<String, Value>, name: &str, value: &T) {
    if let Ok(value) = value.to_json()
        && !value.is_null()
    {
        map.insert(name.to_owned(), value);
    }
}

/// The value of a default that was written as a text.
///
/// # Panics
/// When it is no value of the type.
#[must_use]
pub fn text_default<T: Argument>(text: &str) -> T {
    read(text.into())
}

/// The value of a default that was written as a whole number.
///
/// # Panics
/// When it is no value of the type.
#[must_use]
pub fn int_default<T: Argument>(number: i64) -> T {
    read(number.into())
}

fn read<T: Argument>(value: Value) -> T {
    let shown = value.to_string();
    T::from_json(value)
        .unwrap_or_else(|error| panic!("the default {shown} does not fit its argument: {error}"))
}
