//! The doc comment: what a model reads before it calls.

use proc_macro2::Ident;
use syn::{Attribute, Expr, ExprLit, Lit, Meta};

use crate::{errors::Errors, function::Kind};

/// The text of the doc comment: its lines trimmed, its paragraphs kept, no blank line at either end.
pub(crate) fn text(attributes: &[Attribute], errors: &mut Errors) -> String {
    let comments: Vec<String> =
        attributes.iter().filter(|it| is_doc(it)).filter_map(|it| comment(it, errors)).collect();
    comments.join("\n").trim_matches('\n').to_owned()
}

/// Whether this attribute is a doc comment.
pub(crate) fn is_doc(attribute: &Attribute) -> bool {
    attribute.path().is_ident("doc")
}

/// Reports a function without a doc comment.
pub(crate) fn require(doc: &str, name: &Ident, kind: Kind, errors: &mut Errors) {
    if doc.is_empty() {
        let lines = match kind {
            Kind::Tool => ", with a line that starts with `Use when ` and one with `Do not use when `",
            Kind::Prompt | Kind::Resource => "",
        };
        errors.at(name, format_args!("this {kind} has no doc comment: say what it is for{lines}"));
    }
}

/// Reports each of the two lines that a tool's doc comment lacks.
pub(crate) fn require_whens(doc: &str, name: &Ident, errors: &mut Errors) {
    // One mistake is one message: a missing comment has been reported already.
    if doc.is_empty() {
        return;
    }
    for start in ["Use when ", "Do not use when "] {
        if !doc.lines().any(|line| line.starts_with(start)) {
            errors.at(name, format_args!("no line of this tool's doc comment starts with `{start}`"));
        }
    }
}

fn comment(attribute: &Attribute, errors: &mut Errors) -> Option<String> {
    let Meta::NameValue(doc) = &attribute.meta else {
        // `#[doc(hidden)]` and its like are for rustdoc.
        return None;
    };
    let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = &doc.value else {
        errors.at(&doc.value, "write the doc comment out: a macro sees the call here, not the text it gives");
        return None;
    };
    Some(trim_lines(&text.value()))
}

fn trim_lines(comment: &str) -> String {
    let lines: Vec<&str> = comment.lines().map(str::trim).collect();
    // A block comment may begin each further line with a star, which is decoration.
    let starred = lines.len() > 1 && lines[1..].iter().all(|line| line.is_empty() || line.starts_with('*'));
    let plain =
        lines.iter().map(|line| if starred { line.trim_start_matches('*').trim_start() } else { line });
    plain.collect::<Vec<&str>>().join("\n")
}

#[cfg(test)]
mod tests {
    use syn::parse_quote;

    use super::*;
    use crate::errors::collect;

    #[test]
    fn lines_are_trimmed_and_paragraphs_kept() {
        let attributes: Vec<Attribute> = parse_quote! {
            ///
            ///  Greets a person.
            ///
            /// Use when asked.
            ///
        };

        let doc = collect(|errors| text(&attributes, errors)).unwrap();

        assert_eq!(doc, "Greets a person.\n\nUse when asked.");
    }

    #[test]
    fn the_stars_of_a_block_comment_are_dropped() {
        let attributes: Vec<Attribute> = parse_quote! { #[doc = "*\n * Greets.\n *\n * Use when asked.\n "] };

        let doc = collect(|errors| text(&attributes, errors)).unwrap();

        assert_eq!(doc, "Greets.\n\nUse when asked.");
    }

    #[test]
    fn a_list_in_a_line_comment_keeps_its_stars() {
        let attributes: Vec<Attribute> = parse_quote! {
            /// One of:
            /// * tea
        };

        let doc = collect(|errors| text(&attributes, errors)).unwrap();

        assert_eq!(doc, "One of:\n* tea");
    }

    #[test]
    fn hiding_from_rustdoc_is_no_text() {
        let attributes: Vec<Attribute> = parse_quote! { #[doc(hidden)] };

        let doc = collect(|errors| text(&attributes, errors)).unwrap();

        assert_eq!(doc, "");
    }
}
