//! How a tool says no.

use std::fmt;

/// What tools return: a value, or an error that the model or the log gets to see.
pub type Result<T = (), E = ToolError> = std::result::Result<T, E>;

/// Why a tool did not do its work.
///
/// Made by [`fail!`](crate::fail) and [`.or_fail(..)`](OrFail::or_fail) it speaks to the model: the call answers with
/// `isError` and this text. Made by `?` from any other error it says nothing: the model reads "internal error" with a
/// reference, and the log has the whole story under the same reference.
///
/// It is not itself a [`std::error::Error`], which is what lets `?` take every error there is.
pub struct ToolError(Repr);

pub(crate) enum Repr {
    Told(String),
    Internal(Box<dyn std::error::Error + Send + Sync>),
}

impl ToolError {
    /// An error whose text the model reads: what happened, and what to do next.
    pub fn told(message: impl Into<String>) -> Self {
        Self(Repr::Told(message.into()))
    }

    /// What the model reads.
    #[must_use]
    pub fn text(&self) -> &str {
        match &self.0 {
            Repr::Told(message) => message,
            Repr::Internal(_) => "internal error",
        }
    }

    /// Whether the model gets to read why.
    #[must_use]
    pub const fn is_told(&self) -> bool {
        matches!(self.0, Repr::Told(_))
    }

    pub(crate) fn into_repr(self) -> Repr {
        self.0
    }
}

impl fmt::Debug for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Told(message) => write!(f, "told: {message}"),
            Repr::Internal(error) => write!(f, "internal: {error}"),
        }
    }
}

#[diagnostic::do_not_recommend]
impl<E: std::error::Error + Send + Sync + 'static> From<E> for ToolError {
    fn from(error: E) -> Self {
        Self(Repr::Internal(Box::new(error)))
    }
}

/// Ends the tool with a text for the model: what happened, and what to do next.
///
/// ```
/// # use tollgate::prelude::*;
/// fn seats(free: u32) -> Result<u32> {
///     if free == 0 {
///         fail!("No seat is free. Offer another day.");
///     }
///     Ok(free)
/// }
/// assert_eq!(seats(0).unwrap_err().text(), "No seat is free. Offer another day.");
/// ```
#[macro_export]
macro_rules! fail {
    ($($text:tt)*) => {
        return ::core::result::Result::Err($crate::ToolError::told(::std::format!($($text)*)))
    };
}

/// Turns a missing value or an error into a text for the model.
pub trait OrFail<T>: Sized {
    /// The value, or an error with this text. The error that was there before goes to the log alone.
    ///
    /// # Errors
    /// When there is no value.
    fn or_fail(self, message: impl fmt::Display) -> Result<T>;
}

impl<T, E: fmt::Debug> OrFail<T> for std::result::Result<T, E> {
    fn or_fail(self, message: impl fmt::Display) -> Result<T> {
        self.map_err(|error| {
            tracing::debug!(?error, %message, "a tool failed");
            ToolError::told(message.to_string())
        })
    }
}

impl<T> OrFail<T> for Option<T> {
    fn or_fail(self, message: impl fmt::Display) -> Result<T> {
        self.ok_or_else(|| ToolError::told(message.to_string()))
    }
}
