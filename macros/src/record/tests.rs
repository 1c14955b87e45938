//! What `#[derive(Record)]` writes, and what it refuses.

use proc_macro2::TokenStream;
use quote::quote;

use super::expand;
use crate::testing::{assert_snapshot, formatted, messages};

fn mistakes(item: TokenStream) -> Vec<String> {
    messages(&expand(item))
}

#[test]
fn a_record_is_written_like_this() {
    let expansion = expand(quote! {
        #[record(shareable, idle_seconds = 60, max_seconds = 600)]
        pub struct ShoppingList {
            pub items: Vec<String>,
        }
    });

    assert_snapshot("record", &expansion);
}

#[test]
fn who_may_use_a_record_is_said_once() {
    let told = "say who may use a record, once: `#[record(owner_only)]`, `#[record(shareable)]` or `#[record(authorize = function)]`";

    assert_eq!(
        mistakes(quote!(
            struct Note;
        )),
        [told]
    );
    assert_eq!(
        mistakes(quote!(
            #[record(owner_only, shareable)]
            struct Note;
        )),
        [told]
    );
}

#[test]
fn a_rule_of_the_authors_own_sees_the_record() {
    let expansion = expand(quote!(
        #[record(authorize = rules::may_use)]
        struct Note;
    ));

    assert!(formatted(&expansion).contains("rules::may_use(caller, record, access)"));
}

#[test]
fn a_kind_is_short_and_plain() {
    for kind in ["", "Note", "1st", "a-b", "abcdefghijklmnopqrstuvwxy"] {
        let told = mistakes(quote!(
            #[record(owner_only, kind = #kind)]
            struct Note;
        ));
        assert_eq!(told, ["a kind is up to 24 of `a-z 0-9 _`, a letter first"], "{kind}");
    }
}

#[test]
fn a_sealed_record_is_not_shared() {
    let told = mistakes(quote!(
        #[record(shareable, sealed)]
        struct Note;
    ));

    assert_eq!(told, ["a sealed record cannot be shared: it is bound to who made it"]);
}

#[test]
fn a_sealed_record_is_not_stored() {
    let expansion = expand(quote!(
        #[record(owner_only, sealed)]
        struct Note;
    ));

    assert!(!formatted(&expansion).contains("Stored"));
}

#[test]
fn a_record_is_not_generic() {
    let told = mistakes(quote!(
        #[record(owner_only)]
        struct Note<T>(T);
    ));

    assert_eq!(told, ["a record is not generic: it is one kind of data"]);
}
