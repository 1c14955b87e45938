//! What is wrong with a function, whichever macro stands above it.

use proc_macro2::TokenStream;
use quote::quote;

use crate::{
    prompt,
    testing::{formatted, messages},
    tool,
};

/// The mistakes in a prompt, whose doc comment has no rules of its own.
fn mistakes(function: &TokenStream) -> Vec<String> {
    messages(&prompt::expand(TokenStream::new(), &quote!(#[doc = "Asks."] #function)))
}

#[test]
fn a_prompt_is_async() {
    assert_eq!(
        mistakes(&quote!(
            fn ask() {}
        )),
        ["a prompt is an `async fn`"]
    );
}

#[test]
fn a_missing_doc_comment_is_one_mistake() {
    let expansion = tool::expand(
        TokenStream::new(),
        &quote!(
            async fn ask() {}
        ),
    );

    let message = "this tool has no doc comment: say what it is for, with a line that starts with `Use when ` and \
                   one with `Do not use when `";
    assert_eq!(messages(&expansion), [message]);
}

#[test]
fn a_computed_doc_comment_cannot_be_read() {
    let expansion = prompt::expand(
        TokenStream::new(),
        &quote!(
            #[doc = include_str!("ask.md")]
            async fn ask() {}
        ),
    );

    let message = "write the doc comment out: a macro sees the call here, not the text it gives";
    assert_eq!(messages(&expansion)[0], message);
}

#[test]
fn a_method_is_no_prompt() {
    let message = "a prompt is a free function: take `cx: &Cx<State>` in place of `self`";
    assert_eq!(
        mistakes(&quote!(
            async fn ask(&self) {}
        )),
        [message]
    );
}

#[test]
fn an_unsafe_function_is_no_prompt() {
    let message = "a prompt is a safe function: anybody may call it";
    assert_eq!(
        mistakes(&quote!(
            async unsafe fn ask() {}
        )),
        [message]
    );
}

#[test]
fn a_foreign_function_is_no_prompt() {
    let message = "a prompt is a Rust function: remove the `extern`";
    assert_eq!(
        mistakes(&quote!(
            async extern "C" fn ask() {}
        )),
        [message]
    );
}

#[test]
fn an_argument_has_a_name() {
    let message = "give this argument a name: it is the one that a client sends";
    assert_eq!(
        mistakes(&quote!(
            async fn ask((a, b): (u8, u8), _: u8) {}
        )),
        [message, message]
    );
}

#[test]
fn an_argument_is_owned() {
    let message = "the arguments are owned: take `String` or `Text<80>` in place of a reference";
    assert_eq!(
        mistakes(&quote!(
            async fn ask(a: &str, b: Vec<&'static str>, c: Cow<'_, str>) {}
        )),
        [message; 3]
    );
}

#[test]
fn a_handle_is_no_argument() {
    let message = "a `Handle` is only a name, nobody has checked who sent it: take `Held<_>`";
    assert_eq!(
        mistakes(&quote!(
            async fn ask(a: Handle<Note>, b: Vec<tollgate::Handle<Note>>) {}
        )),
        [message; 2]
    );
}

#[test]
fn an_argument_has_a_named_type() {
    let message = "name the type in place of `impl …`: its schema is part of the contract";
    assert_eq!(
        mistakes(&quote!(
            async fn ask(a: impl Into<String>) {}
        )),
        [message]
    );
}

#[test]
fn an_output_is_owned() {
    let message = "the output is owned: return `String` in place of a reference";
    assert_eq!(
        mistakes(&quote!(
            async fn ask(cx: &Cx) -> Result<&str> {}
        )),
        [message]
    );
}

#[test]
fn an_output_may_be_a_constant_text() {
    assert!(
        mistakes(&quote!(
            async fn ask() -> &'static str {}
        ))
        .is_empty()
    );
}

#[test]
fn a_generic_function_is_no_prompt() {
    let told = mistakes(&quote!(
        async fn ask<'a, T, const N: usize>()
        where
            T: Clone,
        {
        }
    ));

    assert_eq!(
        told,
        [
            "a prompt has no lifetimes: its arguments are owned",
            "a prompt is not generic: its schema is made of these types",
            "a prompt is not generic: its schema is made of these types",
            "a prompt has no `where` clause: it is not generic",
        ]
    );
}

#[test]
fn the_context_comes_first() {
    let message = "the context comes first, before the arguments";
    assert_eq!(
        mistakes(&quote!(
            async fn ask(a: u8, cx: &Cx) {}
        )),
        [message]
    );
}

#[test]
fn the_context_is_borrowed() {
    let message = "the context is borrowed: take `&Cx<App>`";
    assert_eq!(
        mistakes(&quote!(
            async fn ask(cx: Cx<App>) {}
        )),
        [message]
    );
}

#[test]
fn the_context_is_shared() {
    let message = "the context is shared: take `&Cx`";
    assert_eq!(
        mistakes(&quote!(
            async fn ask(cx: &mut Cx) {}
        )),
        [message]
    );
}

#[test]
fn the_context_has_no_options() {
    let message = "`#[arg]` is for arguments, and the context is none";
    assert_eq!(
        mistakes(&quote!(
            async fn ask(#[arg(default = 1)] cx: &Cx) {}
        )),
        [message]
    );
}

#[test]
fn an_unknown_option_of_an_argument_lists_the_known_ones() {
    let message = "unknown option `header`: an argument of a prompt knows `complete`, `default`";
    assert_eq!(
        mistakes(&quote!(
            async fn ask(#[arg(header = "A")] a: u8) {}
        )),
        [message]
    );
}

#[test]
fn several_arg_attributes_are_read_as_one() {
    let message = "`default` is given twice";
    assert_eq!(
        mistakes(&quote!(
            async fn ask(
                #[arg(default = 1)]
                #[arg(default = 2)]
                a: u8,
            ) {
            }
        )),
        [message]
    );
}

#[test]
fn a_completion_is_a_path() {
    let message = "`complete` is a function: write `complete = its_name`";
    assert_eq!(
        mistakes(&quote!(
            async fn ask(#[arg(complete = |cx| cx)] a: u8) {}
        )),
        [message]
    );
}

#[test]
fn all_mistakes_are_told_at_once() {
    let told = mistakes(&quote!(
        fn ask<T>(self, (a, b): (u8, u8), c: &str) {}
    ));

    assert_eq!(told.len(), 5);
}

#[test]
fn a_struct_is_no_prompt_and_stays_there() {
    let expansion = prompt::expand(
        TokenStream::new(),
        &quote!(
            struct Ask;
        ),
    );

    assert_eq!(messages(&expansion), ["`#[prompt]` stands above a free `async fn`"]);
    assert!(formatted(&expansion).contains("struct Ask;"));
}

#[test]
fn after_a_mistake_the_function_is_still_there() {
    let expansion = prompt::expand(
        TokenStream::new(),
        &quote!(
            fn ask(
                #[doc = "A."]
                #[arg(default = 1)]
                a: u8,
            ) {
            }
        ),
    );

    assert!(formatted(&expansion).contains("fn ask(a: u8) {}"));
}

#[test]
fn after_a_mistake_the_name_can_still_be_listed() {
    let expansion = formatted(&tool::expand(
        TokenStream::new(),
        &quote!(
            fn ask() {}
        ),
    ));

    assert!(expansion.contains("impl<__S> ::tollgate::private::IntoTool<__S> for ask"));
}

#[test]
fn after_a_mistake_in_a_method_nothing_is_added_to_its_block() {
    let expansion = formatted(&tool::expand(
        TokenStream::new(),
        &quote!(
            async fn ask(self) {}
        ),
    ));

    assert!(!expansion.contains("struct"));
}
