//! What generated code may call. Nothing here is for people, and all of it may change.

pub use serde_json::{Map, Value};

use crate::author::ask::FormField;
pub use crate::author::{
    argument::{Argument, Arguments, Parameter, Parameters},
    ask::Fields,
    output::{Said, Shape},
    prompt::prompt,
    resource::{Origin, resource},
    sets::{IntoPrompt, IntoResource, IntoTool, Named, assert_unique},
    tool::tool,
};

/// Stands at the type of a parameter, so that one that is none gives one error.
pub const fn argument<T: Argument>() {}

/// Stands at the type of a field of a form.
pub const fn form_field<T: FormField>() {}

/// What a function that completes has found. It says the type at its name.
#[must_use]
pub const fn completed(values: Vec<String>) -> Vec<String> {
    values
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
