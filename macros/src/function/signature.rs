//! The signature: what a function must be, and what its parameters are.

use quote::ToTokens;
use syn::{FnArg, GenericParam, PatType, Safety, Signature, Type};

use super::{Context, Kind, Parameter};
use crate::{errors::Errors, types};

/// Reports what a signature must not have.
pub(crate) fn check(signature: &Signature, kind: Kind, errors: &mut Errors) {
    if signature.asyncness.is_none() {
        errors.at(&signature.fn_token, format_args!("a {kind} is an `async fn`"));
    }
    if let Safety::Unsafe(token) = &signature.safety {
        errors.at(token, format_args!("a {kind} is a safe function: anybody may call it"));
    }
    if let Some(abi) = &signature.abi {
        errors.at(abi, format_args!("a {kind} is a Rust function: remove the `extern`"));
    }
    if let Some(variadic) = &signature.variadic {
        errors.at(&variadic.dots, format_args!("the arguments of a {kind} have names: take a `Vec<_>`"));
    }
    generics(signature, kind, errors);
}

fn generics(signature: &Signature, kind: Kind, errors: &mut Errors) {
    for parameter in &signature.generics.params {
        match parameter {
            GenericParam::Lifetime(it) => {
                errors.at(it, format_args!("a {kind} has no lifetimes: its arguments are owned"));
            }
            GenericParam::Type(_) | GenericParam::Const(_) => {
                errors.at(
                    parameter,
                    format_args!("a {kind} is not generic: its schema is made of these types"),
                );
            }
        }
    }
    if let Some(clause) = &signature.generics.where_clause {
        errors.at(&clause.where_token, format_args!("a {kind} has no `where` clause: it is not generic"));
    }
}

/// Reads the context, which comes first, and the parameters that a client fills in.
pub(crate) fn inputs(signature: &Signature, kind: Kind, errors: &mut Errors) -> (Context, Vec<Parameter>) {
    let mut cx = Context::None;
    let mut parameters = Vec::new();
    for (position, input) in signature.inputs.iter().enumerate() {
        match input {
            FnArg::Receiver(it) => errors.at(
                &it.self_token,
                format_args!("a {kind} is a free function: take `cx: &Cx<State>` in place of `self`"),
            ),
            FnArg::Typed(it) if mentions_cx(&it.ty) => cx = context(it, position, errors),
            FnArg::Typed(it) => parameters.extend(Parameter::read(it, kind, errors)),
        }
    }
    (cx, parameters)
}

fn mentions_cx(ty: &Type) -> bool {
    match types::bare(ty) {
        Type::Reference(reference) => types::is_cx(&reference.elem),
        other => types::is_cx(other),
    }
}

fn context(parameter: &PatType, position: usize, errors: &mut Errors) -> Context {
    let ty = &*parameter.ty;
    if position > 0 {
        errors.at(parameter, "the context comes first, before the arguments");
        return Context::None;
    }
    if let Some(attribute) = parameter.attrs.iter().find(|it| it.path().is_ident("arg")) {
        errors.at(attribute, "`#[arg]` is for arguments, and the context is none");
    }
    let Type::Reference(reference) = types::bare(ty) else {
        errors.at(ty, format_args!("the context is borrowed: take `&{}`", source(ty)));
        return Context::None;
    };
    if reference.mutability.is_some() {
        errors.at(ty, format_args!("the context is shared: take `&{}`", source(&*reference.elem)));
    }
    match types::first_argument(&reference.elem) {
        Some(state) => Context::State(Box::new(state.clone())),
        None => Context::Stateless,
    }
}

/// The tokens as somebody would type them, near enough for a message.
fn source(tokens: &impl ToTokens) -> String {
    tokens.to_token_stream().to_string().replace(' ', "")
}
