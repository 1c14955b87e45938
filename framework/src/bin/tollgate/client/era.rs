//! Finding out which era a server speaks (basic/versioning).

use std::time::Duration;

use serde_json::{Value, json};

use super::{
    connection::{Connection, Silent},
    error::{ClientError, Refused, RpcError},
    wire::Peer,
};
use crate::{screen::Screen, text};

/// Which revision is spoken, and with it the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Era {
    /// Each request stands alone.
    Modern(String),
    /// A handshake first.
    Legacy(String),
}

/// Which era the user wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Preference {
    /// The modern one where the server speaks it, the older one otherwise.
    Auto,
    /// 2026-07-28, and no other.
    Modern,
    /// The handshake of 2025-11-25 and before.
    Legacy,
}

/// What a server says of itself.
#[derive(Clone, Debug, Default)]
pub(crate) struct About {
    pub(crate) name: String,
    pub(crate) version: String,
    /// Those it names in `server/discover`; of an older server, the one that was agreed on.
    pub(crate) versions: Vec<String>,
    pub(crate) capabilities: Value,
    pub(crate) instructions: Option<String>,
    /// The whole answer.
    pub(crate) raw: Value,
}

/// How to speak with a server.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub(crate) era: Preference,
    pub(crate) wait: Duration,
    pub(crate) capabilities: Value,
}

pub(crate) const MODERN: &str = "2026-07-28";
pub(crate) const LEGACY: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/// Connects, in the era that the user wants and the server speaks.
pub(crate) fn open(peer: &Peer, settings: &Settings, screen: &Screen) -> Result<Connection, ClientError> {
    match settings.era {
        Preference::Legacy => handshake(peer, settings, screen),
        Preference::Modern => discover(peer, settings, settings.wait, screen),
        Preference::Auto => {
            let is_stdio = matches!(peer, Peer::Command(_));
            // A server that has never heard of the question may keep silent.
            let wait = if is_stdio { settings.wait.min(PROBE) } else { settings.wait };
            match discover(peer, settings, wait, screen) {
                Ok(connection) => Ok(connection),
                // The child that was asked has gone: some end, and others are confused by what they do not know.
                Err(error) => match is_legacy(&error, is_stdio) {
                    true => handshake(peer, settings, screen),
                    false => Err(error),
                },
            }
        }
    }
}

/// How long a child may be silent before it counts as one of the older revisions.
pub(crate) const PROBE: Duration = Duration::from_secs(10);

/// Asks for what the modern era has to answer.
fn discover(
    peer: &Peer,
    settings: &Settings,
    wait: Duration,
    screen: &Screen,
) -> Result<Connection, ClientError> {
    let mut connection = Connection::start(peer, settings.capabilities.clone(), wait, screen)?;
    connection.era = Some(Era::Modern(MODERN.into()));
    let result = connection.request("server/discover", json!({}), &mut Silent)?;
    let versions: Vec<String> =
        strings(&result["supportedVersions"]).filter(|it| !it.is_empty()).ok_or_else(|| {
            ClientError::NotMcp("its answer to `server/discover` names no `supportedVersions`".into())
        })?;
    if !versions.iter().any(|it| it == MODERN) {
        let data = json!({"supported": versions});
        return Err(ClientError::Rpc(RpcError { data: Some(data), ..RpcError::new(UNSUPPORTED, NO_COMMON) }));
    }
    let info = result.pointer("/_meta/io.modelcontextprotocol~1serverInfo").cloned().unwrap_or_default();
    connection.about = About { versions, ..about(&info, result) };
    connection.wait_for(settings.wait);
    Ok(connection)
}

/// Whether an answer to the first question is what a server of an older revision gives. What it says in the modern
/// era's own words, and what says nothing about it, is not.
fn is_legacy(error: &ClientError, is_stdio: bool) -> bool {
    match error {
        ClientError::Rpc(error) if error.code == UNSUPPORTED => names_a_legacy_version(error),
        ClientError::Rpc(error) => !matches!(error.code, -32020 | -32021),
        ClientError::Refused(Refused { status, .. }) => {
            matches!(status, 400..=499) && !matches!(status, 401 | 403 | 408 | 429)
        }
        ClientError::Silent(_) | ClientError::Closed(_) => is_stdio,
        ClientError::Unreachable(_) | ClientError::NotMcp(_) | ClientError::Unsendable(_) => false,
    }
}

const UNSUPPORTED: i64 = -32022;
const NO_COMMON: &str = "it speaks no revision that this command knows";

fn names_a_legacy_version(error: &RpcError) -> bool {
    let supported = error.data.as_ref().and_then(|it| strings(&it["supported"])).unwrap_or_default();
    supported.iter().any(|it| LEGACY.contains(&it.as_str()))
}

/// Shakes hands as the older revisions do (basic/lifecycle of 2025-11-25).
fn handshake(peer: &Peer, settings: &Settings, screen: &Screen) -> Result<Connection, ClientError> {
    let mut connection = Connection::start(peer, settings.capabilities.clone(), settings.wait, screen)?;
    let params = connection.initialize_params(LEGACY[0]);
    let result = connection.request("initialize", params, &mut Silent)?;
    let version = result["protocolVersion"].as_str().unwrap_or_default().to_owned();
    if !LEGACY.contains(&version.as_str()) {
        let shown = text::short(&version, 40);
        return Err(ClientError::NotMcp(format!(
            "it wants revision `{shown}`, which this command does not know"
        )));
    }
    connection.era = Some(Era::Legacy(version.clone()));
    let info = result["serverInfo"].clone();
    connection.about = About { versions: vec![version], ..about(&info, result) };
    connection.notify("notifications/initialized", &json!({}))?;
    Ok(connection)
}

fn about(info: &Value, raw: Value) -> About {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    About {
        name: text(&info["name"]),
        version: text(&info["version"]),
        versions: Vec::new(),
        capabilities: raw["capabilities"].clone(),
        instructions: raw["instructions"].as_str().map(str::to_owned),
        raw,
    }
}

/// A list of texts; `None` where it is anything else.
fn strings(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|it| it.as_str().map(str::to_owned)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rpc(code: i64) -> ClientError {
        ClientError::Rpc(RpcError::new(code, ""))
    }

    fn status(status: u16) -> ClientError {
        ClientError::Refused(Refused { status, body: String::new() })
    }

    #[test]
    fn any_error_that_the_modern_era_does_not_own_means_an_older_server() {
        for code in [-32601, -32602, -32600, -32000, -32001, -32700, 7] {
            assert!(is_legacy(&rpc(code), false), "{code}");
        }
        for code in [-32020, -32021, -32022] {
            assert!(!is_legacy(&rpc(code), false), "{code}");
        }
    }

    #[test]
    fn a_refused_version_means_an_older_server_only_if_it_names_one() {
        let naming = |versions: Value| {
            let data = Some(json!({"supported": versions}));
            is_legacy(&ClientError::Rpc(RpcError { data, ..RpcError::new(-32022, "") }), true)
        };

        assert!(naming(json!(["2025-11-25"])));
        assert!(!naming(json!(["2027-01-01"])));
        assert!(!naming(json!([])));
        assert!(!naming(json!("2025-11-25")));
    }

    #[test]
    fn a_status_that_is_about_the_request_means_an_older_server_and_trouble_does_not() {
        for it in [400, 404, 405, 406, 415, 422] {
            assert!(is_legacy(&status(it), false), "{it}");
        }
        for it in [301, 401, 403, 408, 429, 500, 502, 503] {
            assert!(!is_legacy(&status(it), false), "{it}");
        }
    }

    #[test]
    fn silence_and_an_end_mean_an_older_server_on_stdio_alone() {
        let silent = || ClientError::Silent(Duration::ZERO);
        let closed = || ClientError::Closed(String::new());

        assert!(is_legacy(&silent(), true) && is_legacy(&closed(), true));
        assert!(!is_legacy(&silent(), false) && !is_legacy(&closed(), false));
        assert!(!is_legacy(&ClientError::Unreachable(String::new()), true));
    }
}
