//! The items that stand beside the function: its struct and what the struct implements.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{Attribute, ItemFn, Visibility, ext::IdentExt};

use super::{
    Context, Function, Kind, Parameter,
    body::{at, local},
    plain,
};

/// The errors, the user's function, and a stub that can be listed, so that a mistake is reported once.
pub(crate) fn fallback(item: &ItemFn, kind: Kind, error: &syn::Error) -> TokenStream {
    let errors = error.to_compile_error();
    let function = plain(item);
    if item.sig.receiver().is_some() {
        // It stands in an `impl` block, where no struct can.
        return quote!(#errors #function);
    }
    let ident = &item.sig.ident;
    let name = ident.unraw().to_string();
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
            // `self` keeps the scope of the method that declares it.
            let value = quote!(&self.#ident);
            quote_spanned! {at(request_type)=>
                ::tollgate::private::argument::<#request_type>();
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
