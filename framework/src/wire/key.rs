//! The names of `_meta` members (basic/index#_meta).

/// What is wrong with a key that a server gives to metadata of its own.
pub(crate) fn fault(key: &str) -> Option<&'static str> {
    let (prefix, name) = key.rsplit_once('/').map_or((None, key), |(prefix, name)| (Some(prefix), name));
    let mut labels = prefix.into_iter().flat_map(|it| it.split('.'));
    if !labels.clone().all(is_label) {
        return Some("the part before `/` is labels of letters, digits and `-`, with dots between");
    }
    if labels.nth(1).is_some_and(|it| matches!(it, "modelcontextprotocol" | "mcp")) {
        return Some("its prefix is reserved for the protocol");
    }
    (!is_name(name))
        .then_some("a name is letters, digits, `-`, `_` and `.`, with a letter or digit at both ends")
}

/// A letter, then letters, digits and hyphens, and no hyphen at the end.
fn is_label(label: &str) -> bool {
    label.starts_with(|it: char| it.is_ascii_alphabetic())
        && label.ends_with(|it: char| it.is_ascii_alphanumeric())
        && label.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'-')
}

fn is_name(name: &str) -> bool {
    let is_end = |it: char| it.is_ascii_alphanumeric();
    let is_inside = |it: u8| it.is_ascii_alphanumeric() || matches!(it, b'-' | b'_' | b'.');
    name.is_empty() || (name.starts_with(is_end) && name.ends_with(is_end) && name.bytes().all(is_inside))
}
