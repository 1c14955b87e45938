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

    assert_snapshot("prompt", &expand(TokenStream::new(), &function));
}

#[test]
fn a_prompt_needs_a_doc_comment() {
    let told = messages(&expand(
        TokenStream::new(),
        &quote!(
            async fn review() {}
        ),
    ));

    assert_eq!(told, ["this prompt has no doc comment, and nothing else says what it is for"]);
}

#[test]
fn a_prompt_has_no_options() {
    let told = messages(&expand(
        quote!(read_only),
        &quote!(
            #[doc = "Asks."]
            async fn review() {}
        ),
    ));

    assert_eq!(told, ["unknown option `read_only`: a prompt knows no options"]);
}
