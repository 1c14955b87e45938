//! `#[derive(Elicit)]`: a struct is a form that a person fills in.

#[cfg(test)]
mod tests;

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Data, DataStruct, DeriveInput, Fields, FieldsNamed, Ident, LitStr, Type, ext::IdentExt};

use crate::{
    errors::{self, Errors},
    function::body::at,
    options::Options,
};

struct Form {
    ident: Ident,
    key: String,
    fields: Vec<Type>,
}

pub(crate) fn expand(input: TokenStream) -> TokenStream {
    let input: DeriveInput = match syn::parse2(input) {
        Ok(input) => input,
        Err(error) => return error.to_compile_error(),
    };
    match errors::collect(|errors| parse(&input, errors)) {
        Ok(form) => self::form(&form),
        Err(error) => fallback(&input, &error),
    }
}

fn parse(input: &DeriveInput, errors: &mut Errors) -> Form {
    let key = key(input, errors);
    if !input.generics.params.is_empty() {
        errors.at(&input.generics.params, "a form is not generic: it is one fixed set of questions");
    }
    let fields = match &input.data {
        Data::Struct(DataStruct { fields: Fields::Named(fields), .. }) => types(fields, errors),
        Data::Struct(_) | Data::Enum(_) | Data::Union(_) => {
            errors.at(&input.ident, "a form is a struct with named fields: each one is a question");
            Vec::new()
        }
    };
    Form { ident: input.ident.clone(), key, fields }
}

fn key(input: &DeriveInput, errors: &mut Errors) -> String {
    let mut options = Options::named("elicit", &input.attrs, errors);
    let key = options.text("key");
    options.finish("a form");
    key.inspect(|it| check_key(it, errors)).map_or_else(|| snake_case(&input.ident), |it| it.value())
}

fn check_key(key: &LitStr, errors: &mut Errors) {
    if key.value().is_empty() {
        errors.at(key, "the key of a form is not empty: it is the name of its answer");
    }
}

fn types(fields: &FieldsNamed, errors: &mut Errors) -> Vec<Type> {
    for attribute in fields.named.iter().flat_map(|it| &it.attrs).filter(|it| it.path().is_ident("elicit")) {
        errors.at(attribute, "`#[elicit]` stands above the struct, not above a field");
    }
    fields.named.iter().map(|it| it.ty.clone()).collect()
}

/// `shipping_address` for `ShippingAddress`, `http_form` for `HTTPForm`.
pub(crate) fn snake_case(ident: &Ident) -> String {
    let name: Vec<char> = ident.unraw().to_string().chars().collect();
    let mut key = String::new();
    for (position, letter) in name.iter().enumerate() {
        let before = position.checked_sub(1).map(|it| name[it]);
        let after_small = before.is_some_and(|it| it.is_lowercase() || it.is_numeric());
        let before_small = name.get(position + 1).is_some_and(|it| it.is_lowercase());
        let after_big = before.is_some_and(char::is_uppercase);
        if letter.is_uppercase() && (after_small || after_big && before_small) {
            key.push('_');
        }
        key.extend(letter.to_lowercase());
    }
    key
}

fn form(form: &Form) -> TokenStream {
    let Form { ident, key, fields } = form;
    let checks = fields.iter().map(|ty| quote_spanned!(at(ty)=> ::tollgate::private::form_field::<#ty>();));
    quote! {
        const _: fn() = || { #(#checks)* };

        #[automatically_derived]
        impl ::tollgate::Elicit for #ident
        where
            #ident: ::tollgate::private::Fields,
        {
            const KEY: &'static str = #key;
        }
    }
}

/// The errors, and a stub that can be asked for, so that a mistake is reported once.
fn fallback(input: &DeriveInput, error: &syn::Error) -> TokenStream {
    let errors = error.to_compile_error();
    if !input.generics.params.is_empty() {
        // Nobody knows whether its parameters are what a form needs.
        return errors;
    }
    let ident = &input.ident;
    quote! {
        #errors

        #[automatically_derived]
        impl ::tollgate::Elicit for #ident
        where
            #ident: ::tollgate::private::Fields,
        {
            const KEY: &'static str = "";
        }
    }
}
