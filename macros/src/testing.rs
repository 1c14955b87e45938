//! What the tests of the macros need: the errors in an expansion, and snapshots of expansions.

use proc_macro2::TokenStream;

/// The messages of the `compile_error!` calls in an expansion, in order.
pub(crate) fn messages(expansion: &TokenStream) -> Vec<String> {
    let file: syn::File = syn::parse2(expansion.clone()).unwrap();
    file.items.iter().filter_map(message).collect()
}

fn message(item: &syn::Item) -> Option<String> {
    let syn::Item::Macro(call) = item else { return None };
    let is_error = call.mac.path.segments.last()?.ident == "compile_error";
    is_error.then(|| call.mac.parse_body::<syn::LitStr>().unwrap().value())
}

/// An expansion as readable Rust, which proves that it parses.
pub(crate) fn formatted(expansion: &TokenStream) -> String {
    prettyplease::unparse(&syn::parse2(expansion.clone()).unwrap())
}

/// Compares an expansion with a reviewed file; `UPDATE_SNAPSHOTS=1` rewrites the file.
pub(crate) fn assert_snapshot(name: &str, expansion: &TokenStream) {
    let path = format!("{}/snapshots/{name}.rs", env!("CARGO_MANIFEST_DIR"));
    let actual = formatted(expansion);
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::write(&path, &actual).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(actual, expected, "{path} is stale: look at the difference, then set UPDATE_SNAPSHOTS=1");
}
