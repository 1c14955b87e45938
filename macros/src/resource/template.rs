//! The address of a resource: a URI, or a template of RFC 6570 with `{name}` and `{+name}`.

/// The names of a template's variables, in order; a plain URI has none.
///
/// # Errors
///
/// Says what is wrong with the address.
pub(super) fn variables(uri: &str) -> Result<Vec<String>, String> {
    check_scheme(uri)?;
    let mut names = Vec::new();
    let mut rest = uri;
    while let Some(brace) = rest.find(['{', '}']) {
        let (literal, expression) = rest.split_at(brace);
        check_literal(literal)?;
        let (inside, after) = expression
            .strip_prefix('{')
            .and_then(|it| it.split_once('}'))
            .ok_or("a brace of this `uri` has no partner")?;
        let name = name(inside)?;
        if names.contains(&name) {
            return Err(format!("`{name}` stands in this `uri` twice"));
        }
        names.push(name);
        rest = after;
    }
    check_literal(rest)?;
    Ok(names)
}

/// RFC 3986, section 3.1.
fn check_scheme(uri: &str) -> Result<(), String> {
    let scheme = uri.split_once(':').map_or("", |(scheme, _)| scheme);
    let rest_fits = || scheme.bytes().all(|it| it.is_ascii_alphanumeric() || b"+-.".contains(&it));
    if scheme.starts_with(|it: char| it.is_ascii_alphabetic()) && rest_fits() {
        return Ok(());
    }
    Err("a `uri` starts with its scheme, as in `notes://{id}`".to_owned())
}

fn check_literal(literal: &str) -> Result<(), String> {
    match literal.chars().find(|it| it.is_whitespace() || it.is_control() || "\"<>\\^`|".contains(*it)) {
        Some(character) => Err(format!("a `uri` cannot hold {character:?}: write it percent-encoded")),
        None => Ok(()),
    }
}

fn name(expression: &str) -> Result<String, String> {
    let name = expression.strip_prefix('+').unwrap_or(expression);
    if syn::parse_str::<syn::Ident>(&format!("r#{name}")).is_err() {
        return Err(format!(
            "`{{{expression}}}` is no variable here: write `{{name}}`, or `{{+name}}` where it may hold `/`"
        ));
    }
    Ok(name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_uri_has_no_variables() {
        assert_eq!(variables("notes://all"), Ok(vec![]));
    }

    #[test]
    fn variables_stand_in_order() {
        let names = variables("files://{host}/{+path}").unwrap();

        assert_eq!(names, ["host", "path"]);
    }

    #[test]
    fn a_keyword_can_be_a_variable() {
        assert_eq!(variables("notes://{type}").unwrap(), ["type"]);
    }

    #[test]
    fn a_uri_without_a_scheme_is_refused() {
        let problem = variables("{host}:80/notes").unwrap_err();

        assert_eq!(problem, "a `uri` starts with its scheme, as in `notes://{id}`");
    }

    #[test]
    fn a_scheme_starts_with_a_letter() {
        assert!(variables("9p://notes").is_err());
    }

    #[test]
    fn an_open_brace_is_refused() {
        assert_eq!(variables("notes://{id").unwrap_err(), "a brace of this `uri` has no partner");
    }

    #[test]
    fn a_closing_brace_alone_is_refused() {
        assert_eq!(variables("notes://id}").unwrap_err(), "a brace of this `uri` has no partner");
    }

    #[test]
    fn a_query_expression_is_refused() {
        let problem = variables("notes://all{?page}").unwrap_err();

        assert!(problem.starts_with("`{?page}` is no variable here"), "{problem}");
    }

    #[test]
    fn a_list_of_variables_is_refused() {
        assert!(variables("notes://{x,y}").is_err());
    }

    #[test]
    fn a_variable_twice_is_refused() {
        assert_eq!(variables("notes://{id}/{id}").unwrap_err(), "`id` stands in this `uri` twice");
    }

    #[test]
    fn a_space_is_refused() {
        let problem = variables("notes://my notes").unwrap_err();

        assert_eq!(problem, "a `uri` cannot hold ' ': write it percent-encoded");
    }
}
