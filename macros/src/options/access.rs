//! `scope = "…"` and `hidden`: who may see and use a tool, a prompt or a resource.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{LitStr, Meta};

use super::Options;

/// Who may; without a scope everybody.
pub(crate) struct Access {
    pub(crate) scope: Option<LitStr>,
    is_hidden: bool,
}

impl Access {
    /// The calls that tell the framework.
    pub(crate) fn calls(&self) -> TokenStream {
        let scope = self.scope.as_ref().map(|it| quote!(.scope(#it)));
        let hidden = self.is_hidden.then(|| quote!(.hidden()));
        quote!(#scope #hidden)
    }
}

impl Options<'_> {
    /// `scope = "notes:read notes:write"`, and `hidden`, which needs one.
    pub(crate) fn access(&mut self) -> Access {
        let has_scope = self.left.iter().any(|it| it.path().is_ident("scope"));
        let place = self.left.iter().find(|it| it.path().is_ident("hidden")).map(Meta::path).cloned();
        let scope = self.text("scope");
        if let Some(problem) = scope.as_ref().and_then(|it| fault(&it.value())) {
            self.errors.at(&scope, problem);
        }
        let is_hidden = self.flag("hidden").unwrap_or(false);
        if let Some(place) = place.filter(|_| is_hidden && !has_scope) {
            self.errors.at(&place, "what needs no scope is hidden from nobody: add `scope = \"…\"`");
        }
        Access { scope, is_hidden }
    }
}

/// What is wrong with scopes that stand with one blank between.
fn fault(scopes: &str) -> Option<String> {
    let mut seen = Vec::new();
    for scope in scopes.split(' ') {
        if scope == "offline_access" {
            return Some(
                "`offline_access` is between a client and its authorization server: leave it out".into(),
            );
        }
        if !is_scope(scope) {
            return Some(format!(
                "`{scope}` is no scope: it is printable ASCII without `\"` and `\\`, and several stand with one \
                 blank between"
            ));
        }
        if seen.contains(&scope) {
            return Some(format!("`{scope}` stands twice"));
        }
        seen.push(scope);
    }
    None
}

/// RFC 6749, section 3.3.
fn is_scope(scope: &str) -> bool {
    !scope.is_empty() && scope.bytes().all(|it| it.is_ascii_graphic() && it != b'"' && it != b'\\')
}
