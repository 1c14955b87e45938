//! `#[prompt]`: a message that a person picks, with arguments that a client fills in.

#[cfg(test)]
mod tests;

use proc_macro2::TokenStream;
use quote::quote;
use syn::ItemFn;

use crate::{
    errors::{self, Errors},
    function::{self, Function, Kind, expand::conditions},
    options::Options,
};

pub(crate) fn expand(options: TokenStream, item: &TokenStream) -> TokenStream {
    let item = match function::parse(item, Kind::Prompt) {
        Ok(item) => item,
        Err(unchanged) => return unchanged,
    };
    match errors::collect(|errors| parse(options, &item, errors)) {
        Ok(function) => prompt(&function),
        Err(error) => function::expand::fallback(&item, Kind::Prompt, &error),
    }
}

fn parse(options: TokenStream, item: &ItemFn, errors: &mut Errors) -> Function {
    Options::parse(options, errors).finish("a prompt");
    Function::read(item, Kind::Prompt, errors)
}

fn prompt(function: &Function) -> TokenStream {
    let item = &function.item;
    let request_struct = function.request();
    let request = request(function);
    let conversion = function.conversion(Kind::Prompt, &body(function));
    quote! {
        #item
        #request_struct
        #request
        #conversion
    }
}

fn request(function: &Function) -> TokenStream {
    let Function { item, name, .. } = function;
    let ident = function.ident();
    let conditions = conditions(&item.attrs);
    let arguments = function.arguments();
    quote! {
        #(#conditions)*
        impl ::tollgate::PromptRequest for #ident {
            const NAME: &'static str = #name;
            #arguments
        }
    }
}

fn body(function: &Function) -> TokenStream {
    let Function { name, doc, output, .. } = function;
    let output = &output.ty;
    let defaults = function.defaults();
    let schema = function.schema();
    let run = function.run();
    let completions = function.completions();
    quote! {
        #defaults
        ::tollgate::private::prompt::<#output, __S, _, _>(#name, #doc, #schema, #run) #completions
    }
}
