//! `#[tool]`: read the attribute and the function, check both, write the code.

mod expand;
mod model;
mod parse;
#[cfg(test)]
mod tests;

use proc_macro2::TokenStream;

use crate::{
    errors,
    function::{self, Kind},
};

pub(crate) fn expand(options: TokenStream, item: &TokenStream) -> TokenStream {
    let item = match function::parse(item, Kind::Tool) {
        Ok(item) => item,
        Err(unchanged) => return unchanged,
    };
    match errors::collect(|errors| parse::tool(options, &item, errors)) {
        Ok(tool) => expand::tool(&tool),
        Err(error) => function::expand::fallback(&item, Kind::Tool, &error),
    }
}
