//! `#[derive(Record)]`: a type is data that lives on the server.

#[cfg(test)]
mod tests;

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{DeriveInput, LitStr, Path};

use crate::{
    elicit::snake_case,
    errors::{self, Errors},
    options::Options,
};

struct Record {
    ident: Ident,
    kind: String,
    rule: Rule,
    idle: u64,
    lifetime: u64,
    is_sealed: bool,
}

/// Who may use one.
enum Rule {
    OwnerOnly,
    Shareable,
    Says(Path),
}

const HOUR: u64 = 3_600;
const DAY: u64 = 24 * HOUR;

pub(crate) fn expand(input: TokenStream) -> TokenStream {
    let input: DeriveInput = match syn::parse2(input) {
        Ok(input) => input,
        Err(error) => return error.to_compile_error(),
    };
    match errors::collect(|errors| parse(&input, errors)) {
        Ok(record) => self::record(&record),
        Err(error) => fallback(&input, &error),
    }
}

fn parse(input: &DeriveInput, errors: &mut Errors) -> Record {
    if !input.generics.params.is_empty() {
        errors.at(&input.generics.params, "a record is not generic: it is one kind of data");
    }
    let mut options = Options::named("record", &input.attrs, errors);
    let owner_only = options.flag("owner_only").unwrap_or_default();
    let shareable = options.flag("shareable").unwrap_or_default();
    let says = options.path("authorize");
    let kind = options.text("kind");
    let idle = options.seconds("idle_seconds");
    let lifetime = options.seconds("max_seconds");
    let is_sealed = options.flag("sealed").unwrap_or_default();
    options.finish("a record");
    let rule = match (owner_only, shareable, says) {
        (true, false, None) => Rule::OwnerOnly,
        (false, true, None) => Rule::Shareable,
        (false, false, Some(path)) => Rule::Says(path),
        _ => {
            errors.at(
                &input.ident,
                "say who may use a record, once: `#[record(owner_only)]`, `#[record(shareable)]` or \
                 `#[record(authorize = function)]`",
            );
            Rule::OwnerOnly
        }
    };
    if is_sealed && matches!(rule, Rule::Shareable) {
        errors.at(&input.ident, "a sealed record cannot be shared: it is bound to who made it");
    }
    let kind =
        kind.inspect(|it| check_kind(it, errors)).map_or_else(|| snake_case(&input.ident), |it| it.value());
    Record {
        ident: input.ident.clone(),
        kind,
        rule,
        idle: idle.unwrap_or(HOUR).min(lifetime.unwrap_or(DAY)),
        lifetime: lifetime.unwrap_or(DAY),
        is_sealed,
    }
}

fn check_kind(kind: &LitStr, errors: &mut Errors) {
    let text = kind.value();
    let legal = |it: char| it.is_ascii_lowercase() || it.is_ascii_digit() || it == '_';
    if text.len() > 24 || !text.starts_with(|it: char| it.is_ascii_lowercase()) || !text.chars().all(legal) {
        errors.at(kind, "a kind is up to 24 of `a-z 0-9 _`, a letter first");
    }
}

fn record(record: &Record) -> TokenStream {
    let Record { ident, kind, rule, idle, lifetime, is_sealed } = record;
    let rule = self::rule(rule);
    let stored = (!is_sealed).then(|| {
        quote! {
            #[automatically_derived]
            impl ::tollgate::Stored for #ident {}
        }
    });
    quote! {
        #[automatically_derived]
        impl ::tollgate::Record for #ident {
            const KIND: &'static str = #kind;
            const IDLE: ::core::time::Duration = ::core::time::Duration::from_secs(#idle);
            const LIFETIME: ::core::time::Duration = ::core::time::Duration::from_secs(#lifetime);
            const SEALED: bool = #is_sealed;
            #rule
        }
        #stored
    }
}

/// A rule that does not look at the record does not have it read either.
fn rule(rule: &Rule) -> TokenStream {
    let unread = |says: TokenStream| {
        quote! {
            fn authorize(_: &::tollgate::Caller, _: &Self, access: ::tollgate::Access) -> bool {
                #says
            }

            fn judge(_: &::tollgate::Caller, _: &[u8], access: ::tollgate::Access) -> bool {
                #says
            }
        }
    };
    match rule {
        Rule::OwnerOnly => unread(quote!(access.is_owner)),
        Rule::Shareable => unread(quote! {
            let _ = access;
            true
        }),
        Rule::Says(path) => quote! {
            fn authorize(caller: &::tollgate::Caller, record: &Self, access: ::tollgate::Access) -> bool {
                #path(caller, record, access)
            }
        },
    }
}

/// The errors, and a stub that can be taken, so that a mistake is reported once.
fn fallback(input: &DeriveInput, error: &syn::Error) -> TokenStream {
    let errors = error.to_compile_error();
    if !input.generics.params.is_empty() {
        return errors;
    }
    let stub = record(&Record {
        ident: input.ident.clone(),
        kind: "stub".into(),
        rule: Rule::OwnerOnly,
        idle: HOUR,
        lifetime: DAY,
        is_sealed: false,
    });
    quote! {
        #errors
        #stub
    }
}
