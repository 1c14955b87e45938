//! The tools that one caller may see, for whoever asks about them by name.

use std::sync::Arc;

use hashbrown::HashMap;

use super::Listing;
use crate::{
    author::{access::Protected, registered::RegisteredTool},
    caller::Caller,
    ready::{Index, Indexed},
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

    fn each<'a>(&'a self, take: &mut dyn FnMut(&'a str, Option<(&'a str, &'a str)>)) {
        for tool in self.listing.tools.all().iter().filter(|it| it.access.lets_in(self.caller)) {
            take(&tool.name, tool.source());
        }
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

fn key(server: &str, tool: &str) -> String {
    format!("{server}:{tool}")
}
