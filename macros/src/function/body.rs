//! The body of `into_tool` and its like: it describes the parameters and runs the function.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{ReturnType, spanned::Spanned};

use super::{Context, Function, Parameter, default};

impl Function {
    /// An expression: the description of every parameter.
    pub(crate) fn schema(&self) -> TokenStream {
        if self.parameters.is_empty() {
            return quote!(::tollgate::private::Parameters::new());
        }
        let parameters = local("parameters");
        let adds = self.parameters.iter().map(|it| {
            let Parameter { name, doc, ty, options, .. } = it;
            let header = options.header.as_ref().map(|it| quote!(.header(#it)));
            let function = default::function(it);
            let default = options.default.as_ref().map(|_| quote!(.default::<#ty>(&#function())));
            // The first line names the bound as the request does: the compiler merges the two errors.
            quote_spanned! {at(ty)=>
                ::tollgate::private::argument::<#ty>();
                #parameters.add::<#ty>(#name, #doc) #header #default;
            }
        });
        quote! {{
            let mut #parameters = ::tollgate::private::Parameters::new();
            #(#adds)*
            #parameters
        }}
    }

    /// An expression: the closure that reads the arguments and runs the function.
    pub(crate) fn run(&self) -> TokenStream {
        let (cx, arguments) = (local("cx"), local("arguments"));
        let cx_pattern = if self.takes_cx() { cx.to_token_stream() } else { quote!(_) };
        let arguments_pattern = if self.parameters.is_empty() { quote!(_) } else { quote!(mut #arguments) };
        let context = self.context(&cx);
        let takes = self.parameters.iter().map(|it| {
            let Parameter { name, ty, options, .. } = it;
            let function = default::function(it);
            match options.default {
                Some(_) => quote_spanned!(at(ty)=> #arguments.take_or::<#ty>(#name, #function)?),
                None => quote_spanned!(at(ty)=> #arguments.take::<#ty>(#name)?),
            }
        });
        let ident = self.ident();
        let result = self.wrap(&quote!(#ident(#context #(#takes),*).await));
        quote! {
            |#cx_pattern: ::tollgate::Cx<__S>, #arguments_pattern: ::tollgate::private::Arguments| async move {
                #result
            }
        }
    }

    /// The calls that tell the framework how to complete the parameters.
    pub(crate) fn completions(&self) -> TokenStream {
        let (cx, typed) = (local("cx"), local("typed"));
        let narrow = match &self.cx {
            Context::State(state) => quote!(#cx.narrow::<#state>()),
            Context::None | Context::Stateless => quote!(#cx.detach()),
        };
        let calls = self.parameters.iter().filter_map(|it| {
            let (name, path) = (&it.name, it.options.complete.as_ref()?);
            Some(quote_spanned! {at(path)=>
                .complete(#name, |#cx: ::tollgate::Cx<__S>, #typed: ::std::string::String| async move {
                    ::core::result::Result::Ok(::tollgate::private::completed(#path(&#narrow, &#typed).await))
                })
            })
        });
        quote!(#(#calls)*)
    }

    fn takes_cx(&self) -> bool {
        !matches!(self.cx, Context::None)
    }

    fn context(&self, cx: &Ident) -> TokenStream {
        match &self.cx {
            Context::None => TokenStream::new(),
            Context::Stateless => quote!(&#cx.detach(),),
            Context::State(state) => quote!(&#cx.narrow::<#state>(),),
        }
    }

    fn wrap(&self, call: &TokenStream) -> TokenStream {
        match &self.item.sig.output {
            ReturnType::Type(_, ty) if self.output.fallible => {
                quote_spanned!(at(ty)=> #call.map_err(::tollgate::private::failed))
            }
            _ => quote!(::core::result::Result::Ok(#call)),
        }
    }
}

/// A local variable that the user's expressions cannot see.
pub(crate) fn local(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

/// The tokens' place for error messages, without their scope: the names and lints stay the macro's own.
pub(crate) fn at(tokens: &impl Spanned) -> Span {
    Span::mixed_site().located_at(tokens.span())
}
