//! Stateless MCP servers.
