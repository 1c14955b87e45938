//! What `#[resource]` writes, and what it refuses.

use proc_macro2::TokenStream;
use quote::quote;

use super::expand;
use crate::testing::{assert_snapshot, formatted, messages};

/// The mistakes in a resource with these options.
fn mistakes(options: TokenStream, function: &TokenStream) -> Vec<String> {
    messages(&expand(options, &quote!(#[doc = "A file."] #function)))
}

#[test]
fn a_resource_is_written_like_this() {
    let function = quote! {
        /// How to use this server.
        pub async fn manual() -> String {
            MANUAL.to_owned()
        }
    };

    assert_snapshot("resource", &expand(quote!(uri = "project://manual"), &function));
}

#[test]
fn a_resource_with_every_option_is_written_like_this() {
    let function = quote! {
        /// How to use this server.
        async fn manual() -> String {
            MANUAL.to_owned()
        }
    };
    let options = quote! {
        uri = "project://manual",
        title = "Manual",
        icon = "https://example.com/light.png",
        icon = "https://example.com/dark.png",
        mime = "text/markdown",
        size = 1_024,
        cache_seconds = 60,
        shared,
    };

    assert_snapshot("resource_with_every_option", &expand(options, &function));
}

#[test]
fn a_resource_with_a_scope_is_written_like_this() {
    let function = quote! {
        /// Who was where, and when.
        async fn audit() -> String {
            AUDIT.to_owned()
        }
    };

    let options = quote!(uri = "project://audit", hidden, scope = "audit:read");

    assert_snapshot("resource_with_a_scope", &expand(options, &function));
}

#[test]
fn what_is_shared_has_no_scope() {
    let function = quote! {
        /// Who was where, and when.
        async fn audit() -> String {
            AUDIT.to_owned()
        }
    };

    let told = messages(&expand(quote!(uri = "project://audit", shared, scope = "audit:read"), &function));

    assert_eq!(told, ["it is `shared`: a cache would give it to those who lack the scope"]);
}

#[test]
fn a_resource_template_is_written_like_this() {
    let function = quote! {
        /// A file of the project.
        pub async fn file(cx: &Cx, #[arg(complete = files)] path: Text<200>) -> Result<String> {
            read(&path).await
        }
    };

    assert_snapshot("resource_template", &expand(quote!(uri = "project://files/{+path}"), &function));
}

#[test]
fn a_resource_has_an_address() {
    let told = mistakes(
        TokenStream::new(),
        &quote!(
            async fn file() {}
        ),
    );

    assert_eq!(told, ["an option is missing here: `uri = \"…\"`"]);
}

#[test]
fn an_address_that_is_no_text_is_one_mistake() {
    let told = mistakes(
        quote!(uri),
        &quote!(
            async fn file() {}
        ),
    );

    assert_eq!(told, ["`uri` is text: write `uri = \"…\"`"]);
}

#[test]
fn an_address_has_a_scheme() {
    let told = mistakes(
        quote!(uri = "/files"),
        &quote!(
            async fn file() {}
        ),
    );

    assert_eq!(told, ["a `uri` starts with its scheme, as in `notes://{id}`"]);
}

#[test]
fn variables_and_parameters_have_the_same_names() {
    let told = mistakes(
        quote!(uri = "notes://{id}"),
        &quote!(
            async fn file(ident: u8) {}
        ),
    );

    assert_eq!(
        told,
        [
            "nothing fills this in: the `uri` has no `{ident}`",
            "`{id}` goes nowhere: the function has no parameter `id`",
        ]
    );
}

#[test]
fn a_variable_has_no_default() {
    let told = mistakes(
        quote!(uri = "notes://{id}"),
        &quote!(
            async fn file(#[arg(default = 1)] id: u8) {}
        ),
    );

    assert_eq!(told, ["unknown option `default`: an argument of a resource knows `complete`"]);
}

#[test]
fn a_resource_is_not_shared_when_it_says_so() {
    let function = quote!(
        #[doc = "A file."]
        async fn file() {}
    );

    let expansion = formatted(&expand(quote!(uri = "notes://all", shared = false), &function));

    assert!(!expansion.contains("shared"));
}

#[test]
fn a_size_is_a_number() {
    let told = mistakes(
        quote!(uri = "notes://all", size = "1 KiB"),
        &quote!(
            async fn file() {}
        ),
    );

    assert_eq!(told, ["`size` is a number of bytes: write `size = 1024`"]);
}

#[test]
fn a_template_has_no_size() {
    let told = mistakes(
        quote!(uri = "notes://{id}", size = 1024),
        &quote!(
            async fn file(id: u8) {}
        ),
    );

    assert_eq!(told, ["a template has no size: its `uri` stands for many resources"]);
}

#[test]
fn an_icon_is_fetched_safely() {
    let told = mistakes(
        quote!(uri = "notes://all", icon = "http://example.com/icon.png"),
        &quote!(
            async fn file() {}
        ),
    );

    assert_eq!(told, ["an icon is an `https://` or a `data:` address"]);
}

#[test]
fn an_unknown_option_lists_the_known_ones() {
    let told = mistakes(
        quote!(uri = "notes://all", public),
        &quote!(
            async fn file() {}
        ),
    );

    let message = "unknown option `public`: a resource knows `uri`, `title`, `icon`, `mime`, `size`, \
                   `cache_seconds`, `shared`, `scope`, `hidden`";
    assert_eq!(told, [message]);
}
