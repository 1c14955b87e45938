//! From tokens to a tool, with everything that is wrong on the way.

use proc_macro2::TokenStream;
use syn::ItemFn;

use super::model::{Tool, ToolOptions};
use crate::{
    doc,
    errors::Errors,
    function::{Function, Kind},
    options::Options,
};

/// The longest name of a tool, in characters.
// server/tools#tool-names
const LONGEST_NAME: usize = 128;

pub(crate) fn tool(tokens: TokenStream, item: &ItemFn, errors: &mut Errors) -> Tool {
    let options = options(tokens, errors);
    let function = Function::read(item, Kind::Tool, errors);
    doc::require_whens(&function.doc, function.ident(), errors);
    name(&function, errors);
    headers(&function, errors);
    Tool { function, options }
}

fn options(tokens: TokenStream, errors: &mut Errors) -> ToolOptions {
    let mut options = Options::parse(tokens, errors);
    let read = ToolOptions {
        read_only: options.flag("read_only"),
        destructive: options.flag("destructive"),
        idempotent: options.flag("idempotent"),
        open_world: options.flag("open_world"),
        title: options.text("title"),
        icons: options.icons(),
        allow_unknown: options.flag("allow_unknown").unwrap_or(false),
        max_seconds: options.seconds("max_seconds"),
        calls: options.calls("calls"),
        calls_per_second: options.calls("calls_per_second"),
        result_tokens: options.tokens("result_tokens"),
        access: options.access(),
        ready: options.path("ready"),
    };
    options.finish("a tool");
    read
}

fn name(function: &Function, errors: &mut Errors) {
    let length = function.name.chars().count();
    if length > LONGEST_NAME {
        errors.at(
            function.ident(),
            format_args!("this name has {length} characters, and a tool's may have {LONGEST_NAME}"),
        );
    }
    if !function.name.is_ascii() {
        errors.at(function.ident(), "the name of a tool is made of ASCII letters, digits and `_`");
    }
}

/// A client leaves out a tool with a header that is no header, or with two of one name.
// server/tools#x-mcp-header
fn headers(function: &Function, errors: &mut Errors) {
    let mut seen: Vec<String> = Vec::new();
    for header in function.parameters.iter().filter_map(|it| it.options.header.as_ref()) {
        let name = header.value().to_ascii_lowercase();
        if !is_token(&name) {
            errors.at(header, "a header's name is made of ASCII letters, digits and ``!#$%&'*+-.^_`|~``");
        } else if seen.contains(&name) {
            errors.at(header, "another argument has this header already");
        }
        seen.push(name);
    }
}

/// RFC 9110, section 5.6.2.
fn is_token(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|it| it.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&it))
}
