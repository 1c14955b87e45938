//! The mistakes in one use of a macro: all of them at once, each at its token.

use std::fmt::Display;

use quote::ToTokens;

/// Where a reader reports what is wrong and then reads on.
pub(crate) struct Errors {
    first: Option<syn::Error>,
}

/// Runs a reader; what it read is given out only when it reported nothing.
///
/// Errors live nowhere else, so none can be collected and then forgotten.
pub(crate) fn collect<T>(read: impl FnOnce(&mut Errors) -> T) -> syn::Result<T> {
    let mut errors = Errors { first: None };
    let value = read(&mut errors);
    errors.first.map_or(Ok(value), Err)
}

impl Errors {
    /// Reports a mistake at these tokens.
    pub(crate) fn at(&mut self, tokens: &impl ToTokens, message: impl Display) {
        self.add(syn::Error::new_spanned(tokens, message));
    }

    /// Reports a mistake that the parser found.
    pub(crate) fn add(&mut self, error: syn::Error) {
        match &mut self.first {
            Some(first) => first.combine(error),
            None => self.first = Some(error),
        }
    }
}
