//! What `#[tool]` writes, and what it refuses.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use super::expand;
use crate::testing::{assert_snapshot, messages};

/// The mistakes in these options.
fn mistakes(options: TokenStream) -> Vec<String> {
    messages(&expand(
        options,
        &documented(&quote!(
            async fn open() {}
        )),
    ))
}

fn documented(function: &TokenStream) -> TokenStream {
    quote! {
        /// Opens.
        ///
        /// Use when asked.
        /// Do not use when not asked.
        #function
    }
}

#[test]
fn the_smallest_tool_is_written_like_this() {
    let expansion = expand(
        TokenStream::new(),
        &documented(&quote!(
            async fn open() {}
        )),
    );

    assert_snapshot("smallest_tool", &expansion);
}

#[test]
fn a_tool_with_arguments_is_written_like_this() {
    let function = documented(&quote! {
        #[cfg(feature = "greetings")]
        pub async fn greet(
            /// What the person likes to be called.
            #[arg(header = "Name")]
            name: Text<80>,
            #[arg(default = 1)]
            mut times: Int<1, 3>,
            r#type: Option<String>,
        ) -> String {
            format!("Hello, {name}!")
        }
    });

    assert_snapshot("tool_with_arguments", &expand(quote!(read_only), &function));
}

#[test]
fn a_tool_with_state_is_written_like_this() {
    let function = documented(&quote! {
        pub(crate) async fn append(cx: &Cx<Notes>, note: Option<Held<Note>>) -> tollgate::Result<Note> {
            cx.state().append(note).await
        }
    });

    assert_snapshot("tool_with_state", &expand(TokenStream::new(), &function));
}

#[test]
fn a_tool_with_every_option_is_written_like_this() {
    let options = quote! {
        read_only = false,
        destructive,
        idempotent = true,
        open_world = false,
        title = "Open",
        icon = "https://example.com/light.png",
        icon = "https://example.com/dark.png",
        allow_unknown,
        max_seconds = 120,
        calls = 4,
        calls_per_second = 10,
        result_tokens = 2000,
        scope = "doors:open doors:see",
        hidden,
        ready = doors::oiled,
    };

    let expansion = expand(
        options,
        &documented(&quote!(
            async fn open(cx: &Cx) -> Result {}
        )),
    );

    assert_snapshot("tool_with_every_option", &expansion);
}

#[test]
fn a_tool_says_when_to_use_it_and_when_not() {
    let expansion = expand(
        TokenStream::new(),
        &quote!(
            #[doc = "Opens. Use when asked."]
            async fn open() {}
        ),
    );

    assert_eq!(
        messages(&expansion),
        [
            "no line of this tool's doc comment starts with `Use when `",
            "no line of this tool's doc comment starts with `Do not use when `",
        ]
    );
}

#[test]
fn an_unknown_option_lists_the_known_ones() {
    let message = "unknown option `scop`: a tool knows `read_only`, `destructive`, `idempotent`, `open_world`, \
                   `title`, `icon`, `allow_unknown`, `max_seconds`, `calls`, `calls_per_second`, `result_tokens`, \
                   `scope`, `hidden`, `ready`";
    assert_eq!(mistakes(quote!(scop = "x")), [message]);
}

#[test]
fn an_option_is_given_once() {
    assert_eq!(mistakes(quote!(read_only, read_only = true)), ["`read_only` is given twice"]);
}

#[test]
fn a_flag_is_a_boolean() {
    let message = "`read_only` is a flag: write `read_only` or `read_only = false`";
    assert_eq!(mistakes(quote!(read_only = "yes")), [message]);
}

#[test]
fn a_title_is_text() {
    assert_eq!(mistakes(quote!(title)), ["`title` is text: write `title = \"…\"`"]);
}

#[test]
fn a_deadline_is_at_least_a_second() {
    let message = "`max_seconds` is a number of seconds: write `max_seconds = 120`";
    assert_eq!(mistakes(quote!(max_seconds = 0)), [message]);
}

#[test]
fn a_number_of_calls_is_at_least_one() {
    assert_eq!(mistakes(quote!(calls = 0)), ["`calls` is a number of calls: write `calls = 4`"]);
    assert_eq!(
        mistakes(quote!(calls_per_second)),
        ["`calls_per_second` is a number of calls: write `calls_per_second = 4`"]
    );
}

#[test]
fn a_number_of_tokens_is_at_least_one() {
    let message = "`result_tokens` is a number of tokens: write `result_tokens = 2000`";
    assert_eq!(mistakes(quote!(result_tokens = 0)), [message]);
}

#[test]
fn an_icon_is_fetched_safely() {
    let message = "an icon is an `https://` or a `data:` address";
    assert_eq!(mistakes(quote!(icon = "http://example.com/icon.png")), [message]);
}

#[test]
fn a_scope_is_one_or_several() {
    let told = |scope: &str| mistakes(quote!(scope = #scope));
    let no_scope = |it: &str| {
        format!(
            "`{it}` is no scope: it is printable ASCII without `\"` and `\\`, and several stand with one blank between"
        )
    };

    assert_eq!(told("a:b/c.d"), [""; 0]);
    assert_eq!(told("a b"), [""; 0]);
    for (wrong, part) in
        [("", ""), ("a  b", ""), ("a\tb", "a\tb"), ("a\"", "a\""), ("b a\\", "a\\"), ("ä", "ä")]
    {
        assert_eq!(told(wrong), [no_scope(part)]);
    }
    assert_eq!(told("a b a"), ["`a` stands twice"]);
    assert_eq!(
        told("a offline_access"),
        ["`offline_access` is between a client and its authorization server: leave it out"]
    );
    assert_eq!(mistakes(quote!(scope = ["a"])), ["`scope` is text: write `scope = \"…\"`"]);
}

#[test]
fn what_is_hidden_has_a_scope() {
    let message = "what needs no scope is hidden from nobody: add `scope = \"…\"`";

    assert_eq!(mistakes(quote!(hidden)), [message]);
    assert_eq!(mistakes(quote!(hidden = true)), [message]);
    assert_eq!(mistakes(quote!(hidden = false)), [""; 0]);
    assert_eq!(mistakes(quote!(hidden, scope = 1)).len(), 1);
}

#[test]
fn all_options_are_read_after_a_mistake() {
    assert_eq!(mistakes(quote!(one, read_only = 1, two)).len(), 3);
}

#[test]
fn a_name_of_129_characters_is_too_long() {
    let name = Ident::new(&"n".repeat(129), Span::call_site());

    let expansion = expand(TokenStream::new(), &documented(&quote!(async fn #name() {})));

    assert_eq!(messages(&expansion), ["this name has 129 characters, and a tool's may have 128"]);
}

#[test]
fn a_name_is_ascii() {
    let expansion = expand(
        TokenStream::new(),
        &documented(&quote!(
            async fn öffne() {}
        )),
    );

    assert_eq!(messages(&expansion), ["the name of a tool is made of ASCII letters, digits and `_`"]);
}

#[test]
fn a_header_is_a_token() {
    let function = documented(&quote!(
        async fn open(#[arg(header = "a b")] a: u8) {}
    ));

    let told = messages(&expand(TokenStream::new(), &function));

    assert_eq!(told, ["a header's name is made of ASCII letters, digits and ``!#$%&'*+-.^_`|~``"]);
}

#[test]
fn two_arguments_have_two_headers() {
    let function = documented(&quote!(
        async fn open(#[arg(header = "A")] a: u8, #[arg(header = "a")] b: u8) {}
    ));

    let told = messages(&expand(TokenStream::new(), &function));

    assert_eq!(told, ["another argument has this header already"]);
}
