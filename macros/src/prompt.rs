//! `#[prompt]`: a message that a person picks, with arguments that a client fills in.

#[cfg(test)]
mod tests;

use proc_macro2::TokenStream;
use quote::quote;
use syn::{ItemFn, LitStr};

use crate::{
    errors::{self, Errors},
    function::{self, Function, Kind, expand::conditions},
    options::{Access, Options},
};

struct Prompt {
    title: Option<LitStr>,
    icons: Vec<LitStr>,
    access: Access,
    function: Function,
}

pub(crate) fn expand(options: TokenStream, item: &TokenStream) -> TokenStream {
    let item = match function::parse(item, Kind::Prompt) {
        Ok(item) => item,
        Err(unchanged) => return unchanged,
    };
    match errors::collect(|errors| parse(options, &item, errors)) {
        Ok(prompt) => self::prompt(&prompt),
        Err(error) => function::expand::fallback(&item, Kind::Prompt, &error),
    }
}

fn parse(options: TokenStream, item: &ItemFn, errors: &mut Errors) -> Prompt {
    let mut options = Options::parse(options, errors);
    let title = options.text("title");
    let icons = options.icons();
    let access = options.access();
    options.finish("a prompt");
    Prompt { title, icons, access, function: Function::read(item, Kind::Prompt, errors) }
}

fn prompt(prompt: &Prompt) -> TokenStream {
    let function = &prompt.function;
    let item = &function.item;
    let request_struct = function.request();
    let request = request(function);
    let conversion = function.conversion(Kind::Prompt, &body(prompt));
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

fn body(prompt: &Prompt) -> TokenStream {
    let Prompt { title, icons, access, function } = prompt;
    let Function { name, doc, output, .. } = function;
    let output = &output.ty;
    let defaults = function.defaults();
    let schema = function.schema();
    let run = function.run();
    let title = title.as_ref().map(|it| quote!(.title(#it)));
    let access = access.calls();
    let completions = function.completions();
    quote! {
        #defaults
        ::tollgate::private::prompt::<#output, __S, _, _>(#name, #doc, #schema, #run)
            #title #(.icon(#icons))* #access #completions
    }
}
