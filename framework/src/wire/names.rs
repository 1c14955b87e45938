//! The fixed words of the protocol.

pub(crate) const PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
pub(crate) const CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
pub(crate) const CLIENT_INFO: &str = "io.modelcontextprotocol/clientInfo";
pub(crate) const LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";
pub(crate) const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";
/// The extension that tells whether tools are ready.
pub(crate) const REQUIRED_TOOLS: &str = "app.mcpproxy/required-tools";
pub(crate) const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";

/// The methods that a client may call, those called most first.
pub(crate) const METHODS: [&str; 14] = [
    "tools/call",
    "tools/list",
    "resources/read",
    "prompts/get",
    "server/discover",
    "resources/list",
    "resources/templates/list",
    "prompts/list",
    "completion/complete",
    "subscriptions/listen",
    "initialize",
    "notifications/initialized",
    "notifications/cancelled",
    "ping",
];

/// Header names, in the lower case in which `http` keeps them.
pub(crate) mod header {
    use http::HeaderName;

    pub(crate) const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
    pub(crate) const PARAM_PREFIX: &str = "mcp-param-";
}

/// JSON-RPC error codes (basic/index#error-codes).
pub(crate) mod code {
    pub(crate) const PARSE_ERROR: i32 = -32700;
    pub(crate) const INVALID_REQUEST: i32 = -32600;
    pub(crate) const METHOD_NOT_FOUND: i32 = -32601;
    pub(crate) const INVALID_PARAMS: i32 = -32602;
    pub(crate) const INTERNAL_ERROR: i32 = -32603;
    pub(crate) const HEADER_MISMATCH: i32 = -32020;
    pub(crate) const MISSING_CAPABILITY: i32 = -32021;
    pub(crate) const UNSUPPORTED_VERSION: i32 = -32022;
    /// Only ever sent to clients of 2025-11-25 and before.
    pub(crate) const LEGACY_RESOURCE_NOT_FOUND: i32 = -32002;
}
