//! The tokenizer.

use super::{
    field::{Field, Fields},
    form::Part,
};

/// What splits texts into tokens: the vocabulary, and what was built with it. A [`Baseline`](super::Baseline) says it,
/// so that no budget moves because a tokenizer did.
pub const TOKENIZER: &str = "o200k_base (bpe-openai 0.3.2)";

/// How many tokens a text has. It never has more than bytes.
///
/// The vocabulary is loaded at the first call of a process, which takes some tenths of a second.
///
/// ```
/// assert_eq!(tollgate::budget::count("Says a text back."), 6);
/// ```
#[must_use]
pub fn count(text: &str) -> usize {
    bpe_openai::o200k_base().count(text)
}

/// The same, but no further than a number: `None` where a text has more.
pub(crate) fn count_within(text: &str, most: usize) -> Option<usize> {
    let tokenizer = bpe_openai::o200k_base();
    tokenizer.split(text).try_fold(0, |tokens, piece| {
        Some(tokens + tokenizer.bpe.count_till_limit(piece.as_bytes(), most - tokens)?)
    })
}

/// The tokens of each field, with a text cut as a whole: what spans two fields belongs to the one where it starts, so
/// that the fields together have as many tokens as the text.
pub(super) fn count_fields(parts: &[Part]) -> Fields {
    let tokenizer = bpe_openai::o200k_base();
    let text: String = parts.iter().map(|it| it.text.as_str()).collect();
    let mut fields = Fields::default();
    let mut ends = parts.iter().scan(0, |end, it| {
        *end += it.text.len();
        Some((*end, it.field))
    });
    let (mut end, mut field) = (0, Field::Rest);
    let mut start = 0;
    for piece in tokenizer.split(&text) {
        while start >= end {
            (end, field) = ends.next().expect("a piece starts inside the text");
        }
        fields.add(field, tokenizer.bpe.count(piece.as_bytes()));
        start += piece.len();
    }
    fields
}
