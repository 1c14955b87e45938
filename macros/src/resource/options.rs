//! What stands in `#[resource(…)]` beside the address.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{LitInt, LitStr};

use crate::options::{Access, Options};

/// The options of a resource; what does not stand there is left to the framework.
pub(super) struct ResourceOptions {
    title: Option<LitStr>,
    icons: Vec<LitStr>,
    mime: Option<LitStr>,
    /// The number, and where it stands.
    pub(super) size: Option<(u64, LitInt)>,
    cache_seconds: Option<u64>,
    shared: bool,
    access: Access,
}

impl ResourceOptions {
    pub(super) fn read(options: &mut Options<'_>) -> Self {
        let read = Self {
            title: options.text("title"),
            icons: options.icons(),
            mime: options.text("mime"),
            size: options.bytes("size"),
            cache_seconds: options.seconds("cache_seconds"),
            shared: options.flag("shared").unwrap_or(false),
            access: options.access(),
        };
        if let Some(scope) = read.access.scope.as_ref().filter(|_| read.shared) {
            options.mistake(scope, "it is `shared`: a cache would give it to those who lack the scope");
        }
        read
    }

    /// The calls that tell the framework.
    pub(super) fn calls(&self) -> TokenStream {
        let title = self.title.as_ref().map(|it| quote!(.title(#it)));
        let icons = &self.icons;
        let mime = self.mime.as_ref().map(|it| quote!(.mime_type(#it)));
        let size = self.size.as_ref().map(|(bytes, _)| quote!(.size(#bytes)));
        let cache = self.cache_seconds.map(|it| quote!(.cache(::core::time::Duration::from_secs(#it))));
        let shared = self.shared.then(|| quote!(.shared()));
        let access = self.access.calls();
        quote!(#title #(.icon(#icons))* #mime #size #cache #shared #access)
    }
}
