//! An error of another server, fit to be shown to an operator.

/// Characters of an error that are shown.
const MOST: usize = 200;
/// Characters from which on a word with letters and digits mixed looks like a key.
const KEY: usize = 20;
/// What a secret stands behind.
const BEFORE: [&str; 8] =
    ["authorization", "bearer", "token", "secret", "password", "passwd", "api_key", "apikey"];

/// The error on one line, shortened, without control characters, and without what looks like a secret: what stands
/// behind words such as `token`, the user and the query of a URL, and long words that look like keys.
pub(super) fn scrub(error: &str) -> String {
    let mut shown = String::new();
    let mut hides_next = false;
    for word in error.split(|it: char| it.is_whitespace() || it.is_control()).filter(|it| !it.is_empty()) {
        if !shown.is_empty() {
            shown.push(' ');
        }
        let name = word.trim_end_matches([':', '=']).to_ascii_lowercase();
        let is_name = !name.contains(['=', ':']) && BEFORE.iter().any(|it| name.ends_with(it));
        match () {
            () if is_name => shown.push_str(word),
            () if hides_next => shown.push_str(HIDDEN),
            () => shown.push_str(&scrubbed(word)),
        }
        hides_next = is_name;
    }
    let mut short: String = shown.chars().filter(|it| !is_invisible(*it)).take(MOST).collect();
    if shown.chars().nth(MOST).is_some() {
        short.push('…');
    }
    short
}

const HIDDEN: &str = "[hidden]";

fn scrubbed(word: &str) -> String {
    if let Some((scheme, rest)) = word.split_once("://") {
        let place = rest.split(['?', '#']).next().unwrap_or_default();
        let (authority, path) = place.split_once('/').map_or((place, ""), |it| it);
        let host = authority.rsplit('@').next().unwrap_or_default();
        let path: Vec<_> = path.split('/').map(|it| if looks_like_a_key(it) { HIDDEN } else { it }).collect();
        let slash = if place.contains('/') { "/" } else { "" };
        return format!("{scheme}://{host}{slash}{}", path.join("/"));
    }
    if let Some((name, _)) = word.split_once(['=', ':'])
        && BEFORE.iter().any(|it| name.to_ascii_lowercase().trim_matches('"').ends_with(it))
    {
        return format!("{name}={HIDDEN}");
    }
    if looks_like_a_key(word) { HIDDEN.to_owned() } else { word.to_owned() }
}

fn looks_like_a_key(word: &str) -> bool {
    let has = |is: fn(&char) -> bool| word.chars().any(|it| is(&it));
    word.chars().count() >= KEY && has(char::is_ascii_digit) && has(char::is_ascii_alphabetic)
}

/// What a terminal would obey, or turn around.
fn is_invisible(it: char) -> bool {
    it.is_control()
        || matches!(it, '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_like_a_secret_is_not_shown() {
        for (error, shown) in [
            ("connection refused", "connection refused"),
            ("GET https://ann:pw@gh.example/api?key=1 failed", "GET https://gh.example/api failed"),
            ("hook https://h.example/T0/aB3dE5fG7hI9jK1lM3nO5", "hook https://h.example/T0/[hidden]"),
            ("Authorization: Bearer abc.def", "Authorization: Bearer [hidden]"),
            ("bad token abc", "bad token [hidden]"),
            ("password=hunter2 wrong", "password=[hidden] wrong"),
            ("x: token=my-token", "x: token=[hidden]"),
            (r#"{"api_key":"x"}"#, r#"{"api_key"=[hidden]"#),
            ("sk-proj-0123456789abcdefghij rejected", "[hidden] rejected"),
            ("a\u{1b}[31mred\nline\u{202e}", "a [31mred line"),
        ] {
            assert_eq!(scrub(error), shown);
        }
    }

    #[test]
    fn an_error_is_short() {
        assert_eq!(scrub(&"ab ".repeat(500)).chars().count(), MOST + 1);
    }
}
