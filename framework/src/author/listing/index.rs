//! The tools that one caller may see, for whoever asks about them by name.

use std::sync::Arc;

use hashbrown::HashMap;

use super::Listing;
use crate::{
    author::{access::Protected, registered::RegisteredTool},
    caller::Caller,
    ready::{Corpus, Index, Indexed, Names},
};

/// The tools of a listing that a caller's scopes let it see. What lies behind this server is judged by its gateway.
pub(crate) struct Visible<'a> {
    pub(crate) listing: &'a Listing,
    pub(crate) caller: &'a Caller,
}

impl Index for Visible<'_> {
    fn served(&self, name: &str) -> Option<Indexed<'_>> {
        self.seen(self.listing.tools.find(name)?)
    }

    fn upstream(&self, server: &str, tool: &str) -> Option<Indexed<'_>> {
        let at = self.listing.upstream.get(&key(server, tool))?;
        self.seen(&self.listing.tools.all()[*at])
    }

    fn names(&self) -> &Names {
        self.listing.names.get_or_init(|| names(self.listing.tools.all()))
    }

    fn sees(&self, at: usize) -> bool {
        self.listing.tools.all()[at].access.lets_in(self.caller)
    }
}

impl Visible<'_> {
    fn seen<'a>(&'a self, tool: &'a RegisteredTool) -> Option<Indexed<'a>> {
        tool.access().lets_in(self.caller).then(|| tool.indexed())
    }
}

impl RegisteredTool {
    /// What a question is told of it.
    pub(crate) fn indexed(&self) -> Indexed<'_> {
        Indexed {
            upstream: self.source(),
            annotations: self.annotations,
            fingerprint: self.definition,
            unready: self.ready.as_ref().and_then(|it| it().err()),
        }
    }

    fn source(&self) -> Option<(&str, &str)> {
        self.upstream.as_ref().map(|(server, tool)| (server.as_str(), tool.as_str()))
    }
}

/// Where each tool of a server behind this one stands; of two that say they are the same, the first.
pub(super) fn upstream(tools: &[Arc<RegisteredTool>]) -> HashMap<String, usize> {
    let mut all = HashMap::new();
    for (at, tool) in tools.iter().enumerate() {
        if let Some((server, name)) = tool.source() {
            all.entry(key(server, name)).or_insert(at);
        }
    }
    all
}

fn names(tools: &[Arc<RegisteredTool>]) -> Names {
    let mut servers: Vec<String> = Vec::new();
    let server_of = tools.iter().map(|tool| {
        let (server, _) = tool.source()?;
        Some(servers.iter().position(|it| it == server).unwrap_or_else(|| {
            servers.push(server.to_owned());
            servers.len() - 1
        }))
    });
    let server_of = server_of.collect();
    let upstream = |(at, tool): (usize, &Arc<RegisteredTool>)| {
        tool.source().map(|(server, name)| (key(server, name), at))
    };
    Names {
        served: Corpus::new(tools.iter().enumerate().map(|(at, it)| (it.name.clone(), at))),
        upstream: Corpus::new(tools.iter().enumerate().filter_map(upstream)),
        server_of,
        servers,
    }
}

fn key(server: &str, tool: &str) -> String {
    format!("{server}:{tool}")
}
