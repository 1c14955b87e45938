//! The options in an attribute: `read_only, title = "…"`.

mod access;

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{
    Attribute, Expr, ExprLit, Lit, LitInt, LitStr, Meta, Path, Token,
    parse::{Parse, Parser},
    punctuated::Punctuated,
};

pub(crate) use self::access::Access;
use crate::errors::Errors;

/// Options that wait to be asked for by name; [`Options::finish`] reports those that nobody asked for.
pub(crate) struct Options<'a> {
    left: Vec<Meta>,
    known: Vec<&'static str>,
    errors: &'a mut Errors,
}

impl<'a> Options<'a> {
    /// Reads what stands between the parentheses of one attribute.
    pub(crate) fn parse(tokens: TokenStream, errors: &'a mut Errors) -> Self {
        Self::new([list.parse2(tokens)], errors)
    }

    /// Reads every attribute of this name; they add up.
    pub(crate) fn named(name: &str, attributes: &[Attribute], errors: &'a mut Errors) -> Self {
        let attributes = attributes.iter().filter(|it| it.path().is_ident(name));
        Self::new(attributes.map(|it| it.parse_args_with(list)), errors)
    }

    fn new(lists: impl IntoIterator<Item = syn::Result<Vec<Meta>>>, errors: &'a mut Errors) -> Self {
        let mut left = Vec::new();
        for list in lists {
            match list {
                Ok(options) => left.extend(options),
                Err(error) => errors.add(error),
            }
        }
        Self { left, known: Vec::new(), errors }
    }

    /// `name`, `name = true` or `name = false`.
    pub(crate) fn flag(&mut self, name: &'static str) -> Option<bool> {
        match self.once(name)? {
            Meta::Path(_) => Some(true),
            meta => match literal(&meta) {
                Some(Lit::Bool(value)) => Some(value.value),
                _ => self.wrong(&meta, format!("`{name}` is a flag: write `{name}` or `{name} = false`")),
            },
        }
    }

    /// `name = "text"`.
    pub(crate) fn text(&mut self, name: &'static str) -> Option<LitStr> {
        let meta = self.once(name)?;
        self.as_text(name, &meta)
    }

    /// `name = "text"`, whose absence is reported at `place`.
    pub(crate) fn needed_text(&mut self, name: &'static str, place: &impl ToTokens) -> Option<LitStr> {
        if !self.left.iter().any(|it| it.path().is_ident(name)) {
            self.errors.at(place, format_args!("an option is missing here: `{name} = \"…\"`"));
        }
        self.text(name)
    }

    /// `icon = "https://…"`, as often as one likes; one that a client would not fetch is reported.
    pub(crate) fn icons(&mut self) -> Vec<LitStr> {
        let icons: Vec<LitStr> =
            self.all("icon").iter().filter_map(|meta| self.as_text("icon", meta)).collect();
        for icon in icons.iter().filter(|it| !is_fetched(it)) {
            self.errors.at(icon, "an icon is an `https://` or a `data:` address");
        }
        icons
    }

    /// `name = 1024`, a number of bytes, with its place for further errors.
    pub(crate) fn bytes(&mut self, name: &'static str) -> Option<(u64, LitInt)> {
        let meta = self.once(name)?;
        let number = match literal(&meta) {
            Some(Lit::Int(number)) => number.base10_parse().ok().map(|it| (it, number.clone())),
            _ => None,
        };
        number.or_else(|| self.wrong(&meta, format!("`{name}` is a number of bytes: write `{name} = 1024`")))
    }

    /// `name = 120`, a whole number of seconds and at least one.
    pub(crate) fn seconds(&mut self, name: &'static str) -> Option<u64> {
        let meta = self.once(name)?;
        let number = match literal(&meta) {
            Some(Lit::Int(number)) => positive(number),
            _ => None,
        };
        number.or_else(|| self.wrong(&meta, format!("`{name}` is a number of seconds: write `{name} = 120`")))
    }

    /// `name = 4`, a number of calls and at least one.
    pub(crate) fn calls(&mut self, name: &'static str) -> Option<u32> {
        self.count(name, "calls", 4)
    }

    /// `name = 2000`, a number of tokens and at least one.
    pub(crate) fn tokens(&mut self, name: &'static str) -> Option<u32> {
        self.count(name, "tokens", 2000)
    }

    fn count(&mut self, name: &'static str, of: &str, example: u32) -> Option<u32> {
        let meta = self.once(name)?;
        let number = match literal(&meta) {
            Some(Lit::Int(number)) => positive(number).and_then(|it| u32::try_from(it).ok()),
            _ => None,
        };
        number.or_else(|| {
            self.wrong(&meta, format!("`{name}` is a number of {of}: write `{name} = {example}`"))
        })
    }

    /// `name = expression`.
    pub(crate) fn expression(&mut self, name: &'static str) -> Option<Expr> {
        match self.once(name)? {
            Meta::NameValue(pair) => Some(pair.value),
            meta => self.wrong(&meta, format!("`{name}` needs a value: write `{name} = …`")),
        }
    }

    /// `name = path`.
    pub(crate) fn path(&mut self, name: &'static str) -> Option<Path> {
        match self.once(name)? {
            Meta::NameValue(syn::MetaNameValue { value: Expr::Path(path), .. }) => Some(path.path),
            meta => self.wrong(&meta, format!("`{name}` is a function: write `{name} = its_name`")),
        }
    }

    /// Reports options that do not go together.
    pub(crate) fn mistake(&mut self, place: &impl ToTokens, message: &str) {
        self.errors.at(place, message);
    }

    /// Reports the options that nobody asked for; `owner` is who would have had to know them.
    pub(crate) fn finish(self, owner: &str) {
        let known = self.known.iter().map(|it| format!("`{it}`")).collect::<Vec<_>>().join(", ");
        for option in &self.left {
            let name = option.path().to_token_stream();
            self.errors.at(option.path(), format_args!("unknown option `{name}`: {owner} knows {known}"));
        }
    }

    fn once(&mut self, name: &'static str) -> Option<Meta> {
        let mut found = self.all(name).into_iter();
        let first = found.next();
        for again in found {
            self.errors.at(again.path(), format_args!("`{name}` is given twice"));
        }
        first
    }

    fn all(&mut self, name: &'static str) -> Vec<Meta> {
        self.known.push(name);
        self.left.extract_if(.., |it| it.path().is_ident(name)).collect()
    }

    fn as_text(&mut self, name: &str, meta: &Meta) -> Option<LitStr> {
        match literal(meta) {
            Some(Lit::Str(text)) => Some(text.clone()),
            _ => self.wrong(meta, format!("`{name}` is text: write `{name} = \"…\"`")),
        }
    }

    fn wrong<T>(&mut self, meta: &Meta, message: String) -> Option<T> {
        self.errors.at(meta, message);
        None
    }
}

fn list(input: syn::parse::ParseStream<'_>) -> syn::Result<Vec<Meta>> {
    let list = Punctuated::<Meta, Token![,]>::parse_terminated_with(input, Meta::parse)?;
    Ok(list.into_iter().collect())
}

fn literal(meta: &Meta) -> Option<&Lit> {
    match meta {
        Meta::NameValue(syn::MetaNameValue { value: Expr::Lit(ExprLit { lit, .. }), .. }) => Some(lit),
        _ => None,
    }
}

fn positive(number: &LitInt) -> Option<u64> {
    number.base10_parse().ok().filter(|&it| it > 0)
}

// schema: `Icon.src`
fn is_fetched(icon: &LitStr) -> bool {
    let address = icon.value();
    address.starts_with("https://") || address.starts_with("data:")
}
