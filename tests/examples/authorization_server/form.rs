//! What a request brings, in its query or in its body.

/// Parameters by name.
pub(super) struct Form(Vec<(String, String)>);

impl Form {
    pub(super) fn parse(text: &str) -> Self {
        Self(url::form_urlencoded::parse(text.as_bytes()).into_owned().collect())
    }

    /// The value of a parameter; empty if there is none, or more than one (RFC 6749, section 3.1).
    pub(super) fn one(&self, name: &str) -> &str {
        let mut values = self.0.iter().filter(|it| it.0 == name);
        match (values.next(), values.next()) {
            (Some((_, value)), None) => value,
            _ => "",
        }
    }
}
