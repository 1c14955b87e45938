//! What can be said on the command line, and what is the same for every command.

use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use http::{HeaderValue, Uri, header};
use serde_json::{Value, json};
use tollgate::ready::{EXTENSION, VERSION};

use crate::{
    client::{Connection, Peer, Place, Preference, era, http::header_line},
    duration,
    out::Failure,
    screen::Screen,
};

/// Looks at any MCP server from outside: what it offers, what it costs, and what is wrong with it.
///
/// A server is named by its URL, or by the command that starts it on stdio, after `--`.
#[derive(Debug, Parser)]
#[command(name = "tollgate", version, max_term_width = 100, after_help = EXIT_CODES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXIT_CODES: &str = "Every command ends with 0 when all is well and with 1 when it could not do its work. Its \
                          help names the others.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Discover(crate::discover::Discover),
    List(crate::list::ListCommand),
    Call(crate::call::Call),
    Budget(crate::budget::BudgetCommand),
    Lint(crate::lint::LintCommand),
    Preflight(crate::preflight::Preflight),
    Doctor(crate::doctor::Doctor),
    New(crate::new::New),
}

/// Which server, and how to speak with it.
#[derive(Args, Debug)]
#[command(next_help_heading = "Server")]
pub(crate) struct Target {
    /// The endpoint, as `https://example.com/mcp`. Without it, the one in TOLLGATE_URL.
    #[arg(short, long, value_name = "URL")]
    url: Option<String>,
    /// A header for every request, as 'Name: value'. A bearer token comes from TOLLGATE_TOKEN alone.
    #[arg(short = 'H', long = "header", value_name = "HEADER")]
    headers: Vec<String>,
    /// Which era of the protocol to speak.
    #[arg(long, value_enum, default_value_t = Preference::Auto)]
    era: Preference,
    /// How long the server may be silent, as `90s` or `5m`.
    #[arg(long, value_name = "DURATION", default_value = "60s", value_parser = duration::parse)]
    pub(crate) timeout: Duration,
    /// Show no progress, and nothing of what a child writes to standard error.
    #[arg(short, long)]
    quiet: bool,
    /// The command that starts a server on stdio, after `--`.
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<String>,
}

/// How to show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people.
    Text,
    /// For programs.
    Json,
}

impl Target {
    pub(crate) fn screen(&self) -> Screen {
        Screen::new(self.quiet)
    }

    /// Whether the command line names a server.
    pub(crate) fn is_named(&self) -> bool {
        self.url.is_some() || !self.command.is_empty()
    }

    pub(crate) fn peer(&self) -> Result<Peer, Failure> {
        match (&self.url, self.command.is_empty()) {
            (Some(_), false) => {
                Err("name the server by `--url` or by a command after `--`, not by both".into())
            }
            (None, false) => Ok(Peer::Command(self.command.clone())),
            (Some(url), true) => self.place(url).map(Peer::Url),
            (None, true) => match std::env::var("TOLLGATE_URL") {
                Ok(url) if !url.is_empty() => self.place(&url).map(Peer::Url),
                _ => Err("name a server: `--url https://example.com/mcp`, or `-- command arguments`".into()),
            },
        }
    }

    fn place(&self, url: &str) -> Result<Place, Failure> {
        let url = endpoint(url)?;
        let mut headers = self.headers.iter().map(|it| header_line(it)).collect::<Result<Vec<_>, _>>()?;
        if let Some(token) = std::env::var("TOLLGATE_TOKEN").ok().filter(|it| !it.is_empty()) {
            if headers.iter().any(|(name, _)| name == header::AUTHORIZATION) {
                return Err(
                    "there is a token in TOLLGATE_TOKEN and a header `Authorization`: keep one".into()
                );
            }
            let value: Result<HeaderValue, _> = format!("Bearer {}", token.trim()).parse();
            let mut value = value.map_err(|_| "what TOLLGATE_TOKEN holds does not fit into a header")?;
            value.set_sensitive(true);
            headers.push((header::AUTHORIZATION, value));
        }
        Ok(Place { url, headers })
    }

    pub(crate) fn settings(&self, capabilities: Value) -> era::Settings {
        era::Settings { era: self.era, wait: self.timeout, capabilities }
    }

    /// Connects, declaring what this command can do.
    pub(crate) fn connect(&self, screen: &Screen) -> Result<Connection, Failure> {
        self.connect_with(screen, capabilities())
    }

    pub(crate) fn connect_with(&self, screen: &Screen, capabilities: Value) -> Result<Connection, Failure> {
        let peer = self.peer()?;
        screen.wait("connecting");
        Ok(era::open(&peer, &self.settings(capabilities), screen)?)
    }
}

/// What the command can do for a server. Servers may offer less to a client that declares less.
pub(crate) fn capabilities() -> Value {
    json!({"elicitation": {"form": {}, "url": {}}, "extensions": {EXTENSION: {"version": VERSION}}})
}

fn endpoint(text: &str) -> Result<Uri, Failure> {
    let wrong =
        || Failure::from(format!("`{text}` is no URL of a server: write it as https://example.com/mcp"));
    let url: Uri = text.parse().map_err(|_| wrong())?;
    if !matches!(url.scheme_str(), Some("http" | "https")) || url.host().is_none() {
        return Err(wrong());
    }
    if url.authority().is_some_and(|it| it.as_str().contains('@')) {
        return Err("a URL with a password in it is shown in lists of processes: use TOLLGATE_TOKEN".into());
    }
    Ok(url)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn clap_finds_nothing_wrong_with_the_definitions() {
        Cli::command().debug_assert();
    }

    #[test]
    fn an_endpoint_is_an_http_url_without_a_password() {
        for good in ["http://127.0.0.1:8000/mcp", "https://example.com"] {
            assert!(endpoint(good).is_ok(), "{good}");
        }
        for bad in ["example.com/mcp", "ftp://example.com", "/mcp", "", "https://me:secret@example.com/mcp"] {
            assert!(endpoint(bad).is_err(), "{bad}");
        }
        assert!(!endpoint("https://me:secret@example.com/mcp").unwrap_err().to_string().contains("secret"));
    }
}
