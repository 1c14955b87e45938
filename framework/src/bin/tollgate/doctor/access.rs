//! Who may come in, and whether the others are told where to get a token (basic/authorization).

use std::time::Duration;

use http::{Method, Uri};
use serde_json::Value;

use super::{
    checkup::Checkup,
    refusals::{Raw, send},
};
use crate::{
    client::{
        Place,
        http::{agent, read},
    },
    out::Failure,
    text,
};

/// Knocks without a token.
pub(crate) fn check(place: &Place, wait: Duration, checkup: &mut Checkup) -> Result<(), Failure> {
    let stranger = Place { url: place.url.clone(), headers: Vec::new() };
    let knock = stranger
        .request(Method::POST)
        .header("mcp-protocol-version", crate::client::era::MODERN)
        .header("mcp-method", "server/discover");
    // Nobody there is said where the eras are looked at.
    let Ok(answer) = send(knock, "server/discover", wait) else { return Ok(()) };
    match answer {
        Raw { status: 401, challenge: Some(challenge), .. } => told(place, &challenge, wait, checkup),
        Raw { status: 401, .. } => checkup.fail(
            "challenge",
            "HTTP 401 without `WWW-Authenticate`",
            "name the metadata: `WWW-Authenticate: Bearer resource_metadata=\"…\"`",
        ),
        _ if is_loopback(&place.url) => checkup.skip("access", "no token is needed, on this machine"),
        _ => checkup.warn("access", "no token is needed", "whoever reaches it may call: is that meant?"),
    }
}

fn told(place: &Place, challenge: &str, wait: Duration, checkup: &mut Checkup) -> Result<(), Failure> {
    let Some(url) = parameter(challenge, "resource_metadata") else {
        return checkup.fail(
            "challenge",
            &format!("`{challenge}` names no `resource_metadata`"),
            "name it, so that a client finds out where to get a token",
        );
    };
    checkup.ok("challenge", &format!("HTTP 401 points to {url}"))?;
    match metadata(place, &url, wait) {
        Ok(servers) => checkup.ok("metadata", &format!("tokens come from {}", servers.join(", "))),
        Err(why) => checkup.fail(
            "metadata",
            &why,
            "serve Protected Resource Metadata (RFC 9728) there, with `authorization_servers`",
        ),
    }
}

/// The authorization servers that the metadata names.
fn metadata(place: &Place, url: &str, wait: Duration) -> Result<Vec<String>, String> {
    let uri: Uri = url.parse().map_err(|_| format!("`{url}` is no URL"))?;
    // What a stranger names may be anywhere; only the server's own origin is asked.
    if uri.authority() != place.url.authority() {
        return Err(format!("`{url}` is at another origin than the server"));
    }
    let request = http::Request::get(uri).body(()).map_err(|error| error.to_string())?;
    let response = agent(wait, Some(wait)).run(request).map_err(|error| error.to_string())?;
    let status = response.status();
    if !status.is_success() {
        return Err(format!("`{url}` answers with HTTP {}", status.as_u16()));
    }
    let body = read(response).map_err(|error| error.to_string())?;
    let metadata: Value = serde_json::from_str(&body).map_err(|_| format!("`{url}` holds no JSON"))?;
    if metadata["resource"].as_str().is_none() {
        return Err(format!("`{url}` names no `resource`"));
    }
    let servers = metadata["authorization_servers"].as_array().into_iter().flatten();
    let servers: Vec<String> = servers.filter_map(Value::as_str).map(text::line).collect();
    if servers.is_empty() { Err(format!("`{url}` names no `authorization_servers`")) } else { Ok(servers) }
}

/// A parameter of a challenge, with or without quotes.
fn parameter(challenge: &str, name: &str) -> Option<String> {
    let (_, rest) = challenge.split_once(&format!("{name}="))?;
    match rest.strip_prefix('"') {
        Some(quoted) => quoted.split_once('"').map(|it| it.0.to_owned()),
        None => Some(rest.split([',', ' ']).next()?.to_owned()),
    }
}

fn is_loopback(url: &Uri) -> bool {
    let host = url.host().unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|it| it.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_challenge_is_read_with_and_without_quotes() {
        let quoted =
            "Bearer error=\"invalid_token\", resource_metadata=\"https://a.example/x\", scope=\"a b\"";

        assert_eq!(parameter(quoted, "resource_metadata").as_deref(), Some("https://a.example/x"));
        assert_eq!(
            parameter("Bearer resource_metadata=https://a/x, b=c", "resource_metadata").as_deref(),
            Some("https://a/x")
        );
        assert_eq!(parameter("Bearer", "resource_metadata"), None);
    }

    #[test]
    fn this_machine_is_told_by_its_name_or_address() {
        for here in ["http://localhost:1/mcp", "http://127.0.0.1/mcp", "http://[::1]:80/mcp"] {
            assert!(is_loopback(&here.parse().unwrap()), "{here}");
        }
        assert!(!is_loopback(&"https://example.com/mcp".parse().unwrap()));
    }
}
