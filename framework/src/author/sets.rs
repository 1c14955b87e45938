//! The tables of contents of a server: `tools![..]`, `prompts![..]`, `resources![..]`.

use std::fmt;

use super::{prompt::Prompt, resource::Resource, tool::Tool};

/// Something that a macro made under a name.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither a tool, nor a prompt, nor a resource",
    note = "put `#[tool]`, `#[prompt]` or `#[resource]` on an `async fn`"
)]
#[doc(hidden)]
pub trait Named {
    const NAME: &'static str;
}

#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tool for a server whose state is `{S}`",
    note = "put `#[tool]` on an `async fn`, and call `.state(..)` with the type in its `cx: &Cx<..>`"
)]
#[doc(hidden)]
pub trait IntoTool<S>: Named {
    fn into_tool() -> Tool<S>;
}

#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a prompt for a server whose state is `{S}`",
    note = "put `#[prompt]` on an `async fn`, and call `.state(..)` with the type in its `cx: &Cx<..>`"
)]
#[doc(hidden)]
pub trait IntoPrompt<S>: Named {
    fn into_prompt() -> Prompt<S>;
}

#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a resource for a server whose state is `{S}`",
    note = "put `#[resource]` on an `async fn`, and call `.state(..)` with the type in its `cx: &Cx<..>`"
)]
#[doc(hidden)]
pub trait IntoResource<S>: Named {
    fn into_resource() -> Resource<S>;
}

/// Tools, prompts or resources that a server of some state takes: a set of them, or a `Vec` of its items.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not fit this server, which takes a `{Set}`",
    label = "made for another state, or no set",
    note = "call `.state(..)` before, with the type in `cx: &Cx<..>`, or implement `FromRef` for that type",
    note = "a set is written `tools![..]`, `prompts![..]` or `resources![..]`"
)]
pub trait IntoSet<Set> {
    #[doc(hidden)]
    fn into_set(self) -> Set;
}

macro_rules! set {
    ($(#[$doc:meta])* $Set:ident of $Item:ident) => {
        $(#[$doc])*
        pub struct $Set<S = ()>(pub(crate) Vec<$Item<S>>);

        impl<S> $Set<S> {
            #[doc(hidden)]
            #[must_use]
            pub const fn empty() -> Self {
                Self(Vec::new())
            }

            #[doc(hidden)]
            #[must_use]
            pub fn with(mut self, item: $Item<S>) -> Self {
                self.0.push(item);
                self
            }
        }

        impl<S> IntoSet<$Set<S>> for $Set<S> {
            fn into_set(self) -> Self {
                self
            }
        }

        impl<S> IntoSet<$Set<S>> for Vec<$Item<S>> {
            fn into_set(self) -> $Set<S> {
                $Set(self)
            }
        }

        impl<S> From<Vec<$Item<S>>> for $Set<S> {
            fn from(all: Vec<$Item<S>>) -> Self {
                Self(all)
            }
        }

        impl<S> FromIterator<$Item<S>> for $Set<S> {
            fn from_iter<I: IntoIterator<Item = $Item<S>>>(all: I) -> Self {
                Self(all.into_iter().collect())
            }
        }

        impl<S> fmt::Debug for $Set<S> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_list().entries(&self.0).finish()
            }
        }
    };
}

set! {
    /// The tools of a server, in the order in which they are listed.
    ToolSet of Tool
}
set! {
    /// The prompts of a server, in the order in which they are listed.
    PromptSet of Prompt
}
set! {
    /// The resources of a server, in the order in which they are listed.
    ResourceSet of Resource
}

/// Names the tools of a server. Their order is the order of `tools/list`; a name that stands twice does not compile.
#[macro_export]
macro_rules! tools {
    ($($tool:path),* $(,)?) => {{
        const _: () = $crate::private::assert_unique("tools", &[$(<$tool as $crate::private::Named>::NAME),*]);
        $crate::ToolSet::empty()$(.with(<$tool as $crate::private::IntoTool<_>>::into_tool()))*
    }};
}

/// Names the prompts of a server. Their order is the order of `prompts/list`; a name that stands twice does not
/// compile.
#[macro_export]
macro_rules! prompts {
    ($($prompt:path),* $(,)?) => {{
        const _: () = $crate::private::assert_unique("prompts", &[$(<$prompt as $crate::private::Named>::NAME),*]);
        $crate::PromptSet::empty()$(.with(<$prompt as $crate::private::IntoPrompt<_>>::into_prompt()))*
    }};
}

/// Names the resources of a server. Their order is the order of `resources/list`; a name that stands twice does not
/// compile.
#[macro_export]
macro_rules! resources {
    ($($resource:path),* $(,)?) => {{
        const _: () =
            $crate::private::assert_unique("resources", &[$(<$resource as $crate::private::Named>::NAME),*]);
        $crate::ResourceSet::empty()$(.with(<$resource as $crate::private::IntoResource<_>>::into_resource()))*
    }};
}

/// Stops the compiler where two names are equal, and says which.
#[doc(hidden)]
pub const fn assert_unique(what: &str, names: &[&str]) {
    let mut i = 0;
    while i < names.len() {
        let mut j = i + 1;
        while j < names.len() {
            if same(names[i].as_bytes(), names[j].as_bytes()) {
                twice(what, names[i]);
            }
            j += 1;
        }
        i += 1;
    }
}

const fn same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}

/// A panic in a const can show one text only, so the sentence is put together first.
const fn twice(what: &str, name: &str) {
    let mut text = [0; 256];
    let mut at = 0;
    let parts = ["two ", what, " are named `", name, "`"];
    let mut part = 0;
    while part < parts.len() {
        let bytes = parts[part].as_bytes();
        let mut i = 0;
        while i < bytes.len() && at < text.len() {
            text[at] = bytes[i];
            at += 1;
            i += 1;
        }
        part += 1;
    }
    match std::str::from_utf8(text.split_at(at).0) {
        Ok(sentence) => panic!("{}", sentence),
        Err(_) => panic!("two share a name"),
    }
}
