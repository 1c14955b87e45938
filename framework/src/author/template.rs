//! Resource URIs with variables (RFC 6570, levels 1 and 2: `{name}` and `{+name}`).

use std::fmt;

/// A URI template, matched from left to right without going back, so that a match costs one pass over the URI.
#[derive(Clone, Debug)]
pub(crate) struct Template {
    parts: Vec<Part>,
}

#[derive(Clone, Debug)]
enum Part {
    Literal(String),
    /// One segment of a path: no `/`, `?` or `#`, percent-encoded.
    Segment(String),
    /// Anything, also slashes.
    Rest(String),
}

/// Why a text is no template.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TemplateError(&'static str);

impl fmt::Display for TemplateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl Template {
    pub(crate) const fn empty() -> Self {
        Self { parts: Vec::new() }
    }

    pub(crate) fn parse(text: &str) -> Result<Self, TemplateError> {
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some(open) = rest.find('{') {
            if rest[..open].contains('}') {
                return Err(TemplateError("a `}` has no `{`"));
            }
            if open > 0 {
                parts.push(Part::Literal(rest[..open].into()));
            } else if matches!(parts.last(), Some(Part::Segment(_) | Part::Rest(_))) {
                return Err(TemplateError("two variables stand side by side: nothing tells where one ends"));
            }
            let close = rest[open..].find('}').ok_or(TemplateError("a `{` has no `}`"))? + open;
            parts.push(variable(&rest[open + 1..close])?);
            rest = &rest[close + 1..];
        }
        if rest.contains('}') {
            return Err(TemplateError("a `}` has no `{`"));
        }
        if !rest.is_empty() {
            parts.push(Part::Literal(rest.into()));
        }
        Ok(Self { parts })
    }

    /// Whether there is no variable in it.
    pub(crate) fn is_plain(&self) -> bool {
        self.parts.iter().all(|it| matches!(it, Part::Literal(_)))
    }

    pub(crate) fn variables(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|it| match it {
            Part::Segment(name) | Part::Rest(name) => Some(name.as_str()),
            Part::Literal(_) => None,
        })
    }

    /// The variables' values, decoded, when the URI is one of these.
    pub(crate) fn matches(&self, uri: &str) -> Option<Vec<(&str, String)>> {
        let mut values = Vec::new();
        let mut rest = uri;
        let mut parts = self.parts.iter().peekable();
        while let Some(part) = parts.next() {
            let name = match part {
                Part::Literal(literal) => {
                    rest = rest.strip_prefix(literal.as_str())?;
                    continue;
                }
                Part::Segment(name) | Part::Rest(name) => name,
            };
            let end = match parts.peek() {
                Some(Part::Literal(next)) => rest.find(next.as_str())?,
                _ => rest.len(),
            };
            let value = &rest[..end];
            let is_segment = matches!(part, Part::Segment(_));
            if value.is_empty() || (is_segment && value.contains(['/', '?', '#'])) {
                return None;
            }
            let value = percent_decoded(value)?;
            if is_segment && leads_elsewhere(&value) {
                return None;
            }
            values.push((name.as_str(), value));
            rest = &rest[end..];
        }
        rest.is_empty().then_some(values)
    }
}

fn variable(expression: &str) -> Result<Part, TemplateError> {
    let (name, is_rest) = match expression.strip_prefix('+') {
        Some(name) => (name, true),
        None => (expression, false),
    };
    if name.is_empty() || !name.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_') {
        return Err(TemplateError("a variable is `{name}` or `{+name}`, of letters, digits and `_`"));
    }
    Ok(if is_rest { Part::Rest(name.into()) } else { Part::Segment(name.into()) })
}

/// Whether a value that was one segment of a URI would be more than that in a path.
fn leads_elsewhere(value: &str) -> bool {
    value.contains(['/', '\\', '\0']) || value == "." || value == ".."
}

/// `None` for an escape that is none, and for bytes that are no UTF-8.
fn percent_decoded(text: &str) -> Option<String> {
    if !text.contains('%') {
        return Some(text.to_owned());
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let high = char::from(rest.next()?).to_digit(16)?;
                let low = char::from(rest.next()?).to_digit(16)?;
                u8::try_from(high * 16 + low).ok()?
            }
            other => other,
        });
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matched(template: &str, uri: &str) -> Option<Vec<String>> {
        let template = Template::parse(template).unwrap();
        template.matches(uri).map(|all| all.into_iter().map(|it| it.1).collect())
    }

    #[test]
    fn a_variable_is_one_segment() {
        assert_eq!(matched("test://t/{id}/data", "test://t/123/data"), Some(vec!["123".into()]));
        assert_eq!(matched("test://t/{id}/data", "test://t/1/2/data"), None);
        assert_eq!(matched("test://t/{id}/data", "test://t//data"), None);
        assert_eq!(matched("test://t/{id}", "test://t/1?x"), None);
    }

    #[test]
    fn a_reserved_variable_takes_slashes() {
        assert_eq!(matched("file:///{+path}", "file:///a/b.txt"), Some(vec!["a/b.txt".into()]));
    }

    #[test]
    fn values_are_decoded_once_and_broken_escapes_match_nothing() {
        assert_eq!(matched("t://{a}", "t://caf%C3%A9%2525"), Some(vec!["café%25".into()]));
        for broken in ["t://%", "t://%4", "t://%zz", "t://%ff"] {
            assert_eq!(matched("t://{a}", broken), None, "{broken}");
        }
    }

    #[test]
    fn a_broken_template_is_refused() {
        for broken in ["t://{", "t://}", "t://{}", "t://{a}{b}", "t://{a b}", "t://{?q}", "t://}{a}"] {
            assert!(Template::parse(broken).is_err(), "{broken}");
        }
    }

    #[test]
    fn a_long_uri_costs_one_pass() {
        let template = Template::parse("t://{a}-{b}-{c}-{d}").unwrap();
        let uri = format!("t://{}", "-".repeat(64 * 1024));

        assert_eq!(template.matches(&uri), None);
    }
}
