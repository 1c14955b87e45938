//! Where a relative `$id` or `$ref` points (RFC 3986, section 5.2). Nothing is ever fetched.

/// The absolute URI of `reference` as seen from `base`, without its fragment.
pub(super) fn resolve(base: &str, reference: &str) -> String {
    let reference = reference.split('#').next().unwrap_or_default();
    if reference.is_empty() {
        return base.to_owned();
    }
    if scheme(reference).is_some() {
        return reference.to_owned();
    }
    let (origin, path) = split(base);
    if let Some(rest) = reference.strip_prefix("//") {
        return format!("{}://{rest}", scheme(base).unwrap_or("https"));
    }
    let (way, query) = reference.split_at(reference.find('?').unwrap_or(reference.len()));
    let directory = &path[..path.rfind('/').map_or(0, |at| at + 1)];
    match way {
        "" => format!("{origin}{path}{query}"),
        way if way.starts_with('/') => format!("{origin}{}{query}", without_dots(way)),
        way => format!("{origin}{}{query}", without_dots(&format!("{directory}{way}"))),
    }
}

/// The scheme of an absolute URI.
pub(super) fn scheme(uri: &str) -> Option<&str> {
    let (scheme, _) = uri.split_once(':')?;
    let letters = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    let first = scheme.bytes().next()?;
    (first.is_ascii_alphabetic() && scheme.bytes().all(letters)).then_some(scheme)
}

/// The scheme and authority of `uri`, and its path without the query.
fn split(uri: &str) -> (&str, &str) {
    let uri = uri.split('?').next().unwrap_or_default();
    let after_scheme = scheme(uri).map_or(0, |it| it.len() + 1);
    let start = match uri[after_scheme..].strip_prefix("//") {
        Some(rest) => after_scheme + 2 + rest.find('/').unwrap_or(rest.len()),
        None => after_scheme,
    };
    uri.split_at(start)
}

fn without_dots(path: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let mut segments = path.split('/').peekable();
    while let Some(segment) = segments.next() {
        let last = segments.peek().is_none();
        match segment {
            "." => {}
            ".." => {
                if kept.len() > 1 {
                    kept.pop();
                }
            }
            _ => {
                kept.push(segment);
                continue;
            }
        }
        if last {
            kept.push("");
        }
    }
    kept.join("/")
}

/// The text with its `%xx` decoded; `None` when that is malformed.
pub(super) fn decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        rest = tail;
        if *first == b'%' {
            let digits = std::str::from_utf8(rest.get(..2)?).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = &rest[2..];
        } else {
            bytes.push(*first);
        }
    }
    String::from_utf8(bytes).ok()
}
