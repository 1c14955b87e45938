//! One parameter that a client fills in.

use proc_macro2::Ident;
use syn::{Attribute, Expr, LitStr, Pat, PatIdent, PatType, Path, Type, ext::IdentExt};

use super::Kind;
use crate::{doc, errors::Errors, options::Options, types};

/// A parameter and what its `#[arg(…)]` says of it.
pub(crate) struct Parameter {
    pub(crate) ident: Ident,
    /// The name on the wire: `type` for `r#type`.
    pub(crate) name: String,
    pub(crate) doc: String,
    pub(crate) doc_attributes: Vec<Attribute>,
    /// What the function takes.
    pub(crate) ty: Type,
    /// What a client sends.
    pub(crate) request_type: Type,
    pub(crate) options: ArgOptions,
}

/// What stands in `#[arg(…)]`.
#[derive(Default)]
pub(crate) struct ArgOptions {
    pub(crate) header: Option<LitStr>,
    pub(crate) default: Option<Expr>,
    pub(crate) complete: Option<Path>,
}

impl Parameter {
    /// Reads one parameter; one that has no name is reported and left out.
    pub(crate) fn read(parameter: &PatType, kind: Kind, errors: &mut Errors) -> Option<Self> {
        let doc = doc::text(&parameter.attrs, errors);
        let request_type = types::request_type(&parameter.ty, errors);
        let options = options(&parameter.attrs, kind, errors);
        let ident = name(&parameter.pat, errors)?;
        Some(Self {
            name: ident.unraw().to_string(),
            ident,
            doc,
            doc_attributes: parameter.attrs.iter().filter(|it| doc::is_doc(it)).cloned().collect(),
            ty: Type::clone(&parameter.ty),
            request_type,
            options,
        })
    }
}

fn options(attributes: &[Attribute], kind: Kind, errors: &mut Errors) -> ArgOptions {
    let mut options = Options::named("arg", attributes, errors);
    let mut read = ArgOptions::default();
    if kind == Kind::Tool {
        read.header = options.text("header");
    } else {
        read.complete = options.path("complete");
    }
    // A template that lacks a variable is another address.
    if kind != Kind::Resource {
        read.default = options.expression("default");
    }
    options.finish(&format!("an argument of a {kind}"));
    read
}

fn name(pattern: &Pat, errors: &mut Errors) -> Option<Ident> {
    match pattern {
        Pat::Ident(PatIdent { by_ref: None, subpat: None, ident, .. }) => Some(ident.clone()),
        _ => {
            errors.at(pattern, "give this argument a name: it is the one that a client sends");
            None
        }
    }
}
