//! What `#[derive(Elicit)]` writes, and what it refuses.

use proc_macro2::TokenStream;
use quote::quote;
use syn::parse_quote;

use super::{expand, snake_case};
use crate::testing::{assert_snapshot, formatted, messages};

fn mistakes(item: TokenStream) -> Vec<String> {
    messages(&expand(item))
}

#[test]
fn a_form_is_written_like_this() {
    let expansion = expand(quote! {
        pub struct TableHold {
            pub hold: bool,
            pub allergies: Option<Text<200>>,
        }
    });

    assert_snapshot("form", &expansion);
}

#[test]
fn a_key_can_be_given() {
    let expansion = expand(quote!(
        #[elicit(key = "table")]
        struct Hold {
            hold: bool,
        }
    ));

    assert!(formatted(&expansion).contains(r#"const KEY: &'static str = "table";"#));
}

#[test]
fn a_key_is_not_empty() {
    let told = mistakes(quote!(
        #[elicit(key = "")]
        struct Hold {
            hold: bool,
        }
    ));

    assert_eq!(told, ["the key of a form is not empty: it is the name of its answer"]);
}

#[test]
fn an_unknown_option_lists_the_known_ones() {
    let told = mistakes(quote!(
        #[elicit(name = "a")]
        struct Hold {
            hold: bool,
        }
    ));

    assert_eq!(told, ["unknown option `name`: a form knows `key`"]);
}

#[test]
fn an_option_stands_above_the_struct() {
    let told = mistakes(quote!(
        struct Hold {
            #[elicit(key = "a")]
            hold: bool,
        }
    ));

    assert_eq!(told, ["`#[elicit]` stands above the struct, not above a field"]);
}

#[test]
fn an_enum_is_no_form() {
    let message = "a form is a struct with named fields: each one is a question";
    assert_eq!(
        mistakes(quote!(
            enum Hold {
                Yes,
            }
        )),
        [message]
    );
}

#[test]
fn a_tuple_is_no_form() {
    let message = "a form is a struct with named fields: each one is a question";
    assert_eq!(
        mistakes(quote!(
            struct Hold(bool);
        )),
        [message]
    );
}

#[test]
fn a_union_is_no_form() {
    let message = "a form is a struct with named fields: each one is a question";
    assert_eq!(mistakes(quote!(union Hold { hold: bool })), [message]);
}

#[test]
fn a_generic_struct_is_no_form() {
    let message = "a form is not generic: it is one fixed set of questions";
    assert_eq!(
        mistakes(quote!(
            struct Hold<T> {
                hold: T,
            }
        )),
        [message]
    );
}

#[test]
fn after_a_mistake_the_form_can_still_be_asked() {
    let expansion = formatted(&expand(quote!(
        enum Hold {
            Yes,
        }
    )));

    assert!(expansion.contains("impl ::tollgate::Elicit for Hold"));
}

#[test]
fn words_are_parted_by_underscores() {
    assert_eq!(snake_case(&parse_quote!(ShippingAddress)), "shipping_address");
}

#[test]
fn an_abbreviation_is_one_word() {
    assert_eq!(snake_case(&parse_quote!(HTTPForm2Send)), "http_form2_send");
}
