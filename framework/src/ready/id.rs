//! How tools are named in a question: `server:tool` behind a gateway, else by the name in `tools/list`.

/// What an id asks about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ToolId<'a> {
    /// The name of a tool in `tools/list`.
    Served(&'a str),
    /// A tool of a server behind this one.
    Upstream { server: &'a str, tool: &'a str },
    /// Neither, where there are servers behind this one.
    Malformed,
}

impl<'a> ToolId<'a> {
    /// Reads an id that has no blanks around it.
    pub(crate) fn read(id: &'a str, has_gateway: bool) -> Self {
        let Some((server, tool)) = id.split_once(':').filter(|_| has_gateway) else {
            return Self::Served(id);
        };
        match (server.trim(), tool.trim()) {
            ("", _) | (_, "") => Self::Malformed,
            (server, tool) => Self::Upstream { server, tool },
        }
    }
}
