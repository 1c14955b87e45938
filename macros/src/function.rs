//! What a tool, a prompt and a resource share: an `async fn` whose parameters are filled in by a client.

pub(crate) mod body;
mod default;
pub(crate) mod expand;
mod parameter;
mod signature;
#[cfg(test)]
mod tests;

use std::fmt;

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{FnArg, Item, ItemFn, Type, ext::IdentExt};

pub(crate) use self::parameter::Parameter;
use crate::{doc, errors::Errors, types::Output};

/// A function that was read, as far as it could be.
pub(crate) struct Function {
    /// The user's function without the attributes that only the macro understands.
    pub(crate) item: ItemFn,
    /// The name under which clients know it.
    pub(crate) name: String,
    pub(crate) doc: String,
    pub(crate) cx: Context,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) output: Output,
}

/// Which context the function takes as its first parameter.
#[derive(Clone)]
pub(crate) enum Context {
    None,
    /// `cx: &Cx`.
    Stateless,
    /// `cx: &Cx<S>`.
    State(Box<Type>),
}

/// Which of the three macros stands above the function.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    Tool,
    Prompt,
    Resource,
}

impl Function {
    /// Reads all of the function, whatever is wrong with it.
    pub(crate) fn read(item: &ItemFn, kind: Kind, errors: &mut Errors) -> Self {
        let doc = doc::text(&item.attrs, errors);
        doc::require(&doc, &item.sig.ident, kind, errors);
        signature::check(&item.sig, kind, errors);
        let (cx, parameters) = signature::inputs(&item.sig, kind, errors);
        Self {
            item: plain(item),
            name: item.sig.ident.unraw().to_string(),
            doc,
            cx,
            parameters,
            output: Output::read(&item.sig.output, errors),
        }
    }

    pub(crate) fn ident(&self) -> &Ident {
        &self.item.sig.ident
    }
}

/// Parses the function, or gives back what was there with an error before it.
pub(crate) fn parse(tokens: &TokenStream, kind: Kind) -> Result<ItemFn, TokenStream> {
    let error = match syn::parse2(tokens.clone()) {
        Ok(Item::Fn(item)) => return Ok(item),
        Ok(other) => {
            syn::Error::new_spanned(other, format_args!("`#[{kind}]` stands above a free `async fn`"))
        }
        Err(error) => error,
    };
    let error = error.to_compile_error();
    Err(quote!(#error #tokens))
}

/// The function without the attributes that only the macro understands.
pub(crate) fn plain(item: &ItemFn) -> ItemFn {
    let mut item = item.clone();
    for input in &mut item.sig.inputs {
        if let FnArg::Typed(parameter) = input {
            parameter.attrs.retain(|it| !doc::is_doc(it) && !it.path().is_ident("arg"));
        }
    }
    item
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Tool => "tool",
            Self::Prompt => "prompt",
            Self::Resource => "resource",
        })
    }
}
