//! Where an authorization server may send a user back to.

use url::Url;

use crate::fetch::is_loopback_host;

/// A redirect URI that a client document may list: `https`, this machine, or a scheme that the operator allows.
#[derive(Clone, Debug)]
pub(super) struct Redirect {
    pub(super) uri: String,
    host: Option<String>,
}

/// Whether a redirect to this machine may come with another port than the document says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ports {
    AsListed,
    AnyOnLoopback,
}

impl Redirect {
    /// Refuses what a browser could read in another way than the comparison of two texts does.
    pub(super) fn parse(text: &str, schemes: &[String]) -> Result<Self, &'static str> {
        if !text.bytes().all(|it| it.is_ascii_graphic() && it != b'\\') {
            return Err("has characters that do not belong in a URI");
        }
        let url = Url::parse(text).map_err(|_| "is no absolute URI")?;
        if url.fragment().is_some() {
            return Err("has a fragment");
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err("has a user name or password");
        }
        match url.scheme() {
            "https" => {}
            "http" if Local::parse(text).is_some() => {}
            "http" => return Err("is `http`, but not on `localhost`, `127.0.0.1` or `[::1]`"),
            scheme if schemes.iter().any(|it| it == scheme) => {}
            _ => return Err("has a scheme that is not accepted"),
        }
        Ok(Self { uri: text.to_owned(), host: url.host_str().map(ToOwned::to_owned) })
    }

    pub(super) fn allows(&self, uri: &str, ports: Ports) -> bool {
        self.uri == uri || (ports == Ports::AnyOnLoopback && self.is_same_but_for_the_port(uri))
    }

    /// RFC 8252, section 7.3: a native app listens on a port that it gets at run time.
    fn is_same_but_for_the_port(&self, uri: &str) -> bool {
        let (Some(listed), Some(asked)) = (Local::parse(&self.uri), Local::parse(uri)) else { return false };
        listed == asked && uri.bytes().all(|it| it.is_ascii_graphic() && it != b'\\' && it != b'#')
    }

    /// Whether it leads to this machine, where any program may listen.
    pub(super) fn is_loopback(&self) -> bool {
        self.host.as_deref().is_some_and(is_loopback_host)
    }

    /// What to show of it: the host, or the scheme of an app.
    pub(super) fn shown(&self) -> &str {
        let scheme = || self.uri.split(':').next().unwrap_or_default();
        self.host.as_deref().filter(|it| !it.is_empty()).unwrap_or_else(scheme)
    }
}

/// A URI of this machine without its port, by its text alone.
#[derive(PartialEq, Eq)]
struct Local<'a> {
    host: &'a str,
    rest: &'a str,
}

impl<'a> Local<'a> {
    fn parse(text: &'a str) -> Option<Self> {
        let text = text.strip_prefix("http://")?;
        let (authority, rest) = text.split_at(text.find(['/', '?', '#']).unwrap_or(text.len()));
        let (host, port) = match authority.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => (host, Some(port)),
            _ => (authority, None),
        };
        let is_port =
            |it: &str| it.bytes().all(|it| it.is_ascii_digit()) && it.parse::<u16>().is_ok_and(|it| it > 0);
        (is_loopback_host(host) && port.is_none_or(is_port)).then_some(Self { host, rest })
    }
}
