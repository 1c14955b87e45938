//! The URL of this server, which tokens are made for (RFC 8707, RFC 9728).

/// A URL that can stand for a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Resource {
    url: String,
    /// Where its path starts.
    path: usize,
}

impl Resource {
    pub(super) fn parse(url: &str) -> Result<Self, String> {
        let path = server(url).map_err(|fault| {
            format!("the audience `{url}` {fault}: write `https://notes.example.com/mcp`")
        })?;
        Ok(Self { url: url.to_owned(), path })
    }

    pub(super) fn url(&self) -> &str {
        &self.url
    }

    /// Where the metadata is (RFC 9728, section 3.1).
    pub(super) fn metadata_path(&self) -> String {
        let path = &self.url[self.path..];
        format!("{WELL_KNOWN}{}", if path == "/" { "" } else { path })
    }

    pub(super) fn metadata_url(&self) -> String {
        format!("{}{}", &self.url[..self.path], self.metadata_path())
    }
}

pub(super) const WELL_KNOWN: &str = "/.well-known/oauth-protected-resource";

/// Where the path of an absolute URL starts that names a server, or what is wrong with it.
pub(super) fn server(url: &str) -> Result<usize, &'static str> {
    let is_plain = |it: u8| {
        it.is_ascii_graphic() && !matches!(it, b'"' | b'\\' | b'<' | b'>' | b'^' | b'`' | b'{' | b'}')
    };
    if !url.bytes().all(is_plain) {
        return Err("holds characters that no URL may hold");
    }
    if url.contains(['#', '?']) {
        return Err("has a query or a fragment");
    }
    let (rest, is_plaintext) = match (url.strip_prefix("https://"), url.strip_prefix("http://")) {
        (Some(rest), _) => (rest, false),
        (None, Some(rest)) => (rest, true),
        (None, None) => return Err("does not start with `https://`"),
    };
    let end = rest.find('/').unwrap_or(rest.len());
    let (host, path) = rest.split_at(end);
    if host.is_empty() || host.contains('@') || host.starts_with(':') {
        return Err("names no host, or a user");
    }
    if host.bytes().any(|it| it.is_ascii_uppercase()) || host.ends_with(":443") {
        return Err("has a host in capitals, or names the port that it has anyway");
    }
    let name = host.rsplit_once(':').filter(|it| !it.1.contains(']')).map_or(host, |it| it.0);
    if is_plaintext && !["localhost", "127.0.0.1", "[::1]"].contains(&name) {
        return Err("is not `https:` and not on this machine");
    }
    if path.split('/').any(|it| it == "." || it == "..") {
        return Err("has a path with `.` or `..`");
    }
    Ok(url.len() - path.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_metadata_is_at_the_root_of_the_host_followed_by_the_path() {
        for (url, expected) in [
            ("https://a.example/mcp", "https://a.example/.well-known/oauth-protected-resource/mcp"),
            ("https://a.example:8443/x/y", "https://a.example:8443/.well-known/oauth-protected-resource/x/y"),
            ("https://a.example", "https://a.example/.well-known/oauth-protected-resource"),
            ("https://a.example/", "https://a.example/.well-known/oauth-protected-resource"),
            ("http://localhost:8000/mcp", "http://localhost:8000/.well-known/oauth-protected-resource/mcp"),
            ("http://[::1]:1/m", "http://[::1]:1/.well-known/oauth-protected-resource/m"),
        ] {
            assert_eq!(Resource::parse(url).unwrap().metadata_url(), expected);
        }
    }

    #[test]
    fn what_could_stand_for_another_server_is_no_audience() {
        for url in [
            "",
            "notes",
            "urn:notes",
            "ftp://a.example/mcp",
            "http://a.example/mcp",
            "https:///mcp",
            "https://ann@a.example/mcp",
            "https://A.example/mcp",
            "https://a.example:443/mcp",
            "https://a.example/mcp#x",
            "https://a.example/mcp?x",
            "https://a.example/m cp",
            "https://a.example/\"",
            "https://a.example/x/../mcp",
            "https://ä.example/mcp",
            "http://localhost.evil.example/mcp",
        ] {
            assert!(Resource::parse(url).is_err(), "{url}");
        }
    }
}
