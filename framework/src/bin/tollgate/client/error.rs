//! Why there is no answer.

use std::{fmt, time::Duration};

use serde_json::Value;

use crate::text;

/// What went wrong between the command and the server. Everything that a server said is shown without what could
/// move a cursor.
#[derive(Debug)]
pub(crate) enum ClientError {
    /// Nothing answers there, or not for long enough.
    Unreachable(String),
    /// An HTTP status that says no, with the start of its body.
    Refused(Refused),
    /// The server's own error.
    Rpc(RpcError),
    /// Nothing was heard for this long.
    Silent(Duration),
    /// The other side has gone.
    Closed(String),
    /// What came is not what the protocol allows.
    NotMcp(String),
    /// What would be sent is not what the protocol allows.
    Unsendable(String),
}

#[derive(Clone, Debug)]
pub(crate) struct Refused {
    pub(crate) status: u16,
    pub(crate) body: String,
}

/// An error of JSON-RPC.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RpcError {
    pub(crate) code: i64,
    pub(crate) message: String,
    pub(crate) data: Option<Value>,
}

impl RpcError {
    pub(crate) fn new(code: i64, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), data: None }
    }

    pub(crate) fn read(error: &Value) -> Option<Self> {
        let code = error.get("code")?.as_i64()?;
        let message = error.get("message").and_then(Value::as_str).unwrap_or_default().to_owned();
        Some(Self { code, message, data: error.get("data").cloned() })
    }

    pub(crate) fn to_json(&self) -> Value {
        let mut error = serde_json::json!({"code": self.code, "message": self.message});
        if let Some(data) = &self.data {
            error["data"] = data.clone();
        }
        error
    }
}

impl fmt::Display for ClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreachable(why) => write!(f, "the server cannot be reached: {}", text::line(why)),
            Self::Refused(it) => it.fmt(f),
            Self::Rpc(error) => error.fmt(f),
            Self::Silent(wait) => {
                write!(f, "the server said nothing for {wait:?}; wait longer with `--timeout`")
            }
            Self::Closed(why) => f.write_str(why),
            Self::NotMcp(why) => write!(f, "that is no MCP server: {why}"),
            Self::Unsendable(why) => f.write_str(why),
        }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the server answered HTTP {}", self.status)?;
        let said = text::short(self.body.trim(), 200);
        if !said.is_empty() {
            write!(f, ": {said}")?;
        }
        match self.status {
            301 | 302 | 303 | 307 | 308 => {
                f.write_str("; redirects are not followed, so name the place that it points to")
            }
            401 => f.write_str("; it wants a token, so put one into TOLLGATE_TOKEN"),
            403 => f.write_str("; the token may lack a scope, or this Host or Origin is not served"),
            404 | 405 => f.write_str("; is this the endpoint? It is often at `/mcp`"),
            _ => Ok(()),
        }
    }
}

impl fmt::Display for RpcError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the server says {}: {}", self.code, text::short(&self.message, 500))
    }
}
