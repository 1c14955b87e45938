//! Under which names a server is reached, and whose pages may call it.

/// Who may come in.
#[derive(Clone, Debug)]
pub(crate) struct Doors {
    pub(crate) hosts: Allowed,
    pub(crate) origins: Allowed,
    pub(crate) legacy: bool,
}

/// Names of hosts, with or without a port, or of origins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Allowed {
    Any,
    /// This machine, by the names that cannot be rebound.
    Loopback,
    These(Vec<String>),
}

impl Allowed {
    pub(crate) fn lets_in(&self, host: &[u8]) -> bool {
        match self {
            Self::Any => true,
            Self::Loopback => is_loopback(host_name(host)),
            Self::These(all) => {
                let name = host_name(host);
                all.iter()
                    .map(String::as_bytes)
                    .any(|it| it.eq_ignore_ascii_case(host) || it.eq_ignore_ascii_case(name))
            }
        }
    }

    pub(crate) fn lets_origin_in(&self, origin: &str) -> bool {
        match self {
            Self::Any => true,
            Self::Loopback => origin
                .strip_prefix("http://")
                .or_else(|| origin.strip_prefix("https://"))
                .is_some_and(|it| is_loopback(host_name(it.as_bytes()))),
            Self::These(all) => {
                all.iter().any(|it| without_port(it).eq_ignore_ascii_case(without_port(origin)))
            }
        }
    }
}

/// `localhost:8000` and `[::1]:8000` without the port; whatever is no host stays as it is, and matches nothing.
fn host_name(host: &[u8]) -> &[u8] {
    let digits = host.iter().rev().take_while(|it| it.is_ascii_digit()).count();
    let Some(colon) = host.len().checked_sub(digits + 1) else { return host };
    let name = &host[..colon];
    let is_port = (1..=5).contains(&digits) && host[colon] == b':';
    if is_port && (name.ends_with(b"]") || !name.contains(&b':')) { name } else { host }
}

fn is_loopback(name: &[u8]) -> bool {
    name == b"127.0.0.1" || name == b"[::1]" || name.eq_ignore_ascii_case(b"localhost")
}

/// An origin without the port that its scheme implies.
fn without_port(origin: &str) -> &str {
    let implied = if origin.starts_with("https://") { ":443" } else { ":80" };
    origin.strip_suffix(implied).unwrap_or(origin)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_has_three_names_with_any_port() {
        for good in ["localhost", "LOCALHOST:80", "127.0.0.1", "127.0.0.1:8000", "[::1]", "[::1]:65535"] {
            assert!(Allowed::Loopback.lets_in(good.as_bytes()), "{good}");
        }
        for bad in [
            "",
            "localhost.",
            "evil.example",
            "127.0.0.1.evil",
            "localhost:",
            "localhost:x",
            "::1",
            "[::1",
            "a@localhost",
        ] {
            assert!(!Allowed::Loopback.lets_in(bad.as_bytes()), "{bad}");
        }
    }

    #[test]
    fn an_origin_is_a_scheme_and_a_host() {
        for good in ["http://localhost", "https://127.0.0.1:8443", "http://[::1]:3000"] {
            assert!(Allowed::Loopback.lets_origin_in(good), "{good}");
        }
        for bad in [
            "null",
            "",
            "localhost",
            "file://localhost",
            "http://localhost.evil.example",
            "http://localhost/x",
        ] {
            assert!(!Allowed::Loopback.lets_origin_in(bad), "{bad}");
        }
    }

    #[test]
    fn the_port_that_a_scheme_implies_may_be_written_or_not() {
        let these =
            Allowed::These(vec!["https://app.example.com".into(), "http://dev.example.com:80".into()]);

        assert!(these.lets_origin_in("https://app.example.com:443"));
        assert!(these.lets_origin_in("http://dev.example.com"));
        assert!(!these.lets_origin_in("http://app.example.com"));
        assert!(!these.lets_origin_in("https://app.example.com:8443"));
    }

    #[test]
    fn a_host_is_allowed_with_any_port_unless_one_is_named() {
        let these = Allowed::These(vec!["mcp.example.com".into(), "other.example.com:8000".into()]);

        assert!(these.lets_in(b"mcp.example.com") && these.lets_in(b"MCP.example.com:8080"));
        assert!(these.lets_in(b"other.example.com:8000") && !these.lets_in(b"other.example.com:8001"));
    }
}
