//! The code that a tool, a prompt and a resource are turned into, as far as it is the same.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Attribute, ItemFn, LitStr, ReturnType, Visibility, spanned::Spanned};

use super::{Context, Function, Kind, Parameter, plain};

/// The errors, the user's function, and a stub that can be listed, so that a mistake is reported once.
pub(crate) fn fallback(item: &ItemFn, kind: Kind, error: &syn::Error) -> TokenStream {
    let errors = error.to_compile_error();
    let function = plain(item);
    if item.sig.receiver().is_some() {
        // It stands in an `impl` block, where no struct can.
        return quote!(#errors #function);
    }
    let ident = &item.sig.ident;
    let name = ident.to_string();
    let doc = format!(" Stands for [`{ident}`](fn@{ident}), which has a mistake.");
    let request = structure(&item.attrs, &item.vis, ident, &doc, &TokenStream::new());
    let named = named(&item.attrs, ident, &name);
    let stub = conversion(kind, &item.attrs, ident, &TokenStream::new(), &quote!(::core::unreachable!()));
    quote! {
        #errors
        #function
        #request
        #named
        #stub
    }
}

/// The tokens' place for error messages, without their scope: the names and lints stay the macro's own.
pub(crate) fn at(tokens: &impl Spanned) -> Span {
    Span::mixed_site().located_at(tokens.span())
}

impl Function {
    /// `struct greet { name: Text<80> }` and its name; a braced struct leaves the function's name free.
    pub(crate) fn request(&self) -> TokenStream {
        let vis = &self.item.vis;
        let fields = self.parameters.iter().map(|it| {
            let Parameter { ident, name, request_type, doc_attributes, .. } = it;
            let doc = match &doc_attributes[..] {
                [] => {
                    let doc = format!(" The argument `{name}`.");
                    quote!(#[doc = #doc])
                }
                written => quote!(#(#written)*),
            };
            quote!(#doc #vis #ident: #request_type,)
        });
        let ident = self.ident();
        self.structure(&format!(" A request for [`{ident}`](fn@{ident})."), &quote!(#(#fields)*))
    }

    /// `struct note {}`, for what has no typed request.
    pub(crate) fn marker(&self) -> TokenStream {
        let ident = self.ident();
        self.structure(
            &format!(" Stands for [`{ident}`](fn@{ident}) where it is listed."),
            &TokenStream::new(),
        )
    }

    fn structure(&self, doc: &str, fields: &TokenStream) -> TokenStream {
        let request = structure(&self.item.attrs, &self.item.vis, self.ident(), doc, fields);
        let named = named(&self.item.attrs, self.ident(), &self.name);
        quote!(#request #named)
    }

    /// The method that writes the request's fields down as arguments.
    pub(crate) fn arguments(&self) -> TokenStream {
        let map = local("map");
        let puts = self.parameters.iter().map(|it| {
            let Parameter { ident, name, request_type, .. } = it;
            // `self` keeps the scope of the method that declares it. The line before `put` names the bound that
            // a type which is no argument breaks in `schema` too: the compiler merges the two errors.
            let value = quote!(&self.#ident);
            quote_spanned! {at(request_type)=>
                let _ = ::tollgate::private::Parameters::add::<#request_type>;
                ::tollgate::private::put::<#request_type>(&mut #map, #name, #value);
            }
        });
        let mutable = (!self.parameters.is_empty()).then(|| quote!(mut));
        quote! {
            fn arguments(
                &self,
            ) -> ::tollgate::private::Map<::std::string::String, ::tollgate::private::Value> {
                let #mutable #map = ::tollgate::private::Map::new();
                #(#puts)*
                #map
            }
        }
    }

    /// `IntoTool`, `IntoPrompt` or `IntoResource` with this body, for every state that has the function's.
    pub(crate) fn conversion(&self, kind: Kind, body: &TokenStream) -> TokenStream {
        let bound = match &self.cx {
            Context::State(state) => quote!(#state: ::tollgate::FromRef<__S>,),
            Context::None | Context::Stateless => TokenStream::new(),
        };
        conversion(kind, &self.item.attrs, self.ident(), &bound, body)
    }

    /// The functions that make the defaults: one place for each, so that a wrong default is one message.
    pub(crate) fn defaults(&self) -> TokenStream {
        let functions = self.parameters.iter().filter_map(|it| {
            let (ty, value) = (&it.ty, it.options.default.as_ref()?);
            let function = default_function(it);
            Some(quote_spanned! {at(value)=>
                fn #function() -> #ty {
                    #value
                }
            })
        });
        quote!(#(#functions)*)
    }

    /// An expression: the description of every parameter.
    pub(crate) fn schema(&self) -> TokenStream {
        if self.parameters.is_empty() {
            return quote!(::tollgate::private::Parameters::new());
        }
        let parameters = local("parameters");
        let adds = self.parameters.iter().map(|it| {
            let Parameter { name, doc, ty, options, .. } = it;
            let header = options.header.as_ref().map(|it| quote!(.header(#it)));
            let function = default_function(it);
            let default = options.default.as_ref().map(|_| quote!(.default::<#ty>(#function())));
            quote_spanned!(at(ty)=> #parameters.add::<#ty>(#name, #doc) #header #default;)
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
            let function = default_function(it);
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
                    ::core::result::Result::Ok(#path(&#narrow, &#typed).await)
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
                quote_spanned!(at(ty)=> #call.map_err(::core::convert::Into::into))
            }
            _ => quote!(::core::result::Result::Ok(#call)),
        }
    }
}

fn default_function(parameter: &Parameter) -> Ident {
    format_ident!("__default_of_{}", parameter.name)
}

fn structure(
    attributes: &[Attribute],
    vis: &Visibility,
    ident: &Ident,
    doc: &str,
    fields: &TokenStream,
) -> TokenStream {
    let conditions = conditions(attributes);
    quote! {
        #(#conditions)*
        #[doc = #doc]
        #[allow(
            missing_debug_implementations,
            non_camel_case_types,
            unreachable_pub,
            clippy::exhaustive_structs,
            reason = "it is named and shaped by the function"
        )]
        #vis struct #ident { #fields }
    }
}

fn named(attributes: &[Attribute], ident: &Ident, name: &str) -> TokenStream {
    let conditions = conditions(attributes);
    quote! {
        #(#conditions)*
        impl ::tollgate::private::Named for #ident {
            const NAME: &'static str = #name;
        }
    }
}

fn conversion(
    kind: Kind,
    attributes: &[Attribute],
    ident: &Ident,
    bound: &TokenStream,
    body: &TokenStream,
) -> TokenStream {
    let conditions = conditions(attributes);
    let (target, function) = match kind {
        Kind::Tool => ("Tool", "into_tool"),
        Kind::Prompt => ("Prompt", "into_prompt"),
        Kind::Resource => ("Resource", "into_resource"),
    };
    let (conversion, target, function) =
        (format_ident!("Into{target}"), format_ident!("{target}"), format_ident!("{function}"));
    quote! {
        #(#conditions)*
        impl<__S> ::tollgate::private::#conversion<__S> for #ident
        where
            #bound
            __S: ::core::marker::Send + ::core::marker::Sync + 'static,
        {
            fn #function() -> ::tollgate::#target<__S> {
                #body
            }
        }
    }
}

/// The `#[cfg(…)]` of the function: what is made for it goes when it goes.
pub(crate) fn conditions(attributes: &[Attribute]) -> impl Iterator<Item = &Attribute> {
    attributes.iter().filter(|it| it.path().is_ident("cfg"))
}

/// A local variable that the user's expressions cannot see.
fn local(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

/// The calls that set the icons.
pub(crate) fn icons(icons: &[LitStr]) -> TokenStream {
    quote!(#(.icon(#icons))*)
}
