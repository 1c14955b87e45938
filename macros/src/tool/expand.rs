//! From a tool to the code that stands in its place.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Path, spanned::Spanned};

use super::model::{Tool, ToolOptions};
use crate::function::{Context, Function, Kind, body::local, expand::conditions};

pub(crate) fn tool(tool: &Tool) -> TokenStream {
    let Tool { function, options } = tool;
    let item = &function.item;
    let request_struct = function.request();
    let request = request(function);
    let conversion = function.conversion(Kind::Tool, &body(function, options));
    quote! {
        #item
        #request_struct
        #request
        #conversion
    }
}

fn request(function: &Function) -> TokenStream {
    let Function { item, name, output, .. } = function;
    let ident = function.ident();
    let conditions = conditions(&item.attrs);
    let output = &output.ty;
    let arguments = function.arguments();
    quote! {
        #(#conditions)*
        impl ::tollgate::Request for #ident {
            const NAME: &'static str = #name;
            type Output = #output;
            #arguments
        }
    }
}

fn body(function: &Function, options: &ToolOptions) -> TokenStream {
    let Function { name, doc, output, .. } = function;
    let output = &output.ty;
    let defaults = function.defaults();
    let schema = function.schema();
    let run = function.run();
    let ready = options.ready.as_ref().map(|it| ready(it, &function.cx));
    let options = calls(options);
    quote! {
        #defaults
        ::tollgate::private::tool::<#output, __S, _, _>(#name, #doc, #schema, #run) #options #ready
    }
}

/// The function gets the state that the tool looks at, or nothing where it looks at none.
fn ready(function: &Path, cx: &Context) -> TokenStream {
    let state = local("state");
    let call = match cx {
        Context::State(of) => {
            quote_spanned!(function.span()=> #function(&<#of as ::tollgate::FromRef<__S>>::from_ref(#state)))
        }
        Context::None | Context::Stateless => quote_spanned!(function.span()=> #function()),
    };
    let state = matches!(cx, Context::State(_)).then(|| quote!(#state)).unwrap_or_else(|| quote!(_));
    quote!(.ready(|#state: &__S| -> ::core::result::Result<(), ::tollgate::Unready> { #call }))
}

fn calls(options: &ToolOptions) -> TokenStream {
    let read_only = options.read_only.map(|it| quote!(.read_only(#it)));
    let destructive = options.destructive.map(|it| quote!(.destructive(#it)));
    let idempotent = options.idempotent.map(|it| quote!(.idempotent(#it)));
    let open_world = options.open_world.map(|it| quote!(.open_world(#it)));
    let title = options.title.as_ref().map(|it| quote!(.title(#it)));
    let icons = &options.icons;
    let allow_unknown = options.allow_unknown.then(|| quote!(.allow_unknown()));
    let deadline = options.max_seconds.map(|it| quote!(.deadline(::core::time::Duration::from_secs(#it))));
    let calls = options.calls.map(|it| quote!(.calls(#it as usize)));
    let per_second = options.calls_per_second.map(|it| quote!(.calls_per_second(#it)));
    let result_tokens = options.result_tokens.map(|it| quote!(.result_tokens(#it as usize)));
    let access = options.access.calls();
    quote! {
        #read_only #destructive #idempotent #open_world #title #(.icon(#icons))*
        #allow_unknown #deadline #calls #per_second #result_tokens #access
    }
}
