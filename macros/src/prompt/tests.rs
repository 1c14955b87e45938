//! What `#[prompt]` writes.

use proc_macro2::TokenStream;
use quote::quote;

use super::expand;
use crate::testing::{assert_snapshot, messages};

#[test]
fn a_prompt_is_written_like_this() {
    let function = quote! {
        /// Asks for a review.
        pub async fn review(
            cx: &Cx<Project>,
            /// The file.
            #[arg(complete = files)]
            path: Text<200>,
            #[arg(default = Text::from("all"))]
            depth: Text<10>,
        ) -> Result<String> {
            cx.state().read(&path).await
        }
    };

    let options = quote! {
        title = "Review",
        icon = "https://example.com/light.png",
        icon = "https://example.com/dark.png",
    };

    assert_snapshot("prompt", &expand(options, &function));
}

#[test]
fn a_prompt_needs_a_doc_comment() {
    let told = messages(&expand(
        TokenStream::new(),
        &quote!(
            async fn review() {}
        ),
    ));

    assert_eq!(told, ["this prompt has no doc comment: say what it is for"]);
}

#[test]
fn an_unknown_option_lists_the_known_ones() {
    let told = messages(&expand(
        quote!(read_only),
        &quote!(
            #[doc = "Asks."]
            async fn review() {}
        ),
    ));

    assert_eq!(told, ["unknown option `read_only`: a prompt knows `title`, `icon`, `scope`, `hidden`"]);
}

#[test]
fn an_icon_is_fetched_safely() {
    let told = messages(&expand(
        quote!(icon = "http://example.com/icon.png"),
        &quote!(
            #[doc = "Asks."]
            async fn review() {}
        ),
    ));

    assert_eq!(told, ["an icon is an `https://` or a `data:` address"]);
}
