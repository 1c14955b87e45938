//! The one evaluation behind every question: what is asked and what is known go in, the verdict comes out.
//!
//! It is a plain function. It is given nothing that waits and nothing that leads anywhere, so it can change nothing,
//! and cannot reach another server.

use std::{borrow::Cow, cell::OnceCell};

use super::{
    facet::ToolStatus,
    filter::{Filter, Filters},
    fingerprint::{BadPin, Fingerprint},
    id::ToolId,
    known::{Connection, Detail, Gateway, Index, Indexed, Scope, ServerPolicy, Standing, Unreadable},
    reason::{Action, Reason, Verdict},
    scrub::scrub,
};

/// What is asked, each tool once, in the order in which it was first named.
pub(crate) struct Asked {
    pub(crate) tools: Vec<Wanted>,
    /// The ids as they were sent.
    pub(crate) raw: Vec<String>,
    pub(crate) filters: Filters,
}

impl Asked {
    /// About one tool, without filters.
    #[cfg(feature = "resolve")]
    pub(crate) fn one(id: &str) -> Self {
        let wanted = Wanted { id: id.to_owned(), pin: None };
        Self { tools: vec![wanted], raw: vec![id.to_owned()], filters: Filters::default() }
    }
}

/// One tool that is asked about.
pub(crate) struct Wanted {
    /// Without blanks around it.
    pub(crate) id: String,
    /// The definition that it is expected to have. Only HTTP asks so.
    pub(crate) pin: Option<Result<Fingerprint, BadPin>>,
}

/// How much whoever asks may learn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tier {
    Operator,
    /// Nothing of what it may not use, and no hashes.
    Agent,
}

/// Everything that an evaluation looks at.
pub(crate) struct View<'a> {
    pub(crate) index: &'a dyn Index,
    /// `None` where no servers stand behind this one.
    pub(crate) gateway: Option<&'a dyn Gateway>,
    pub(crate) scope: &'a Scope,
    pub(crate) tier: Tier,
}

/// What came out.
pub(crate) struct Evaluation {
    pub(crate) verdict: Verdict,
    pub(crate) tools: Vec<ToolStatus>,
}

/// # Errors
/// When something cannot be read. There is no verdict then, not even of a part.
pub(crate) fn evaluate(asked: &Asked, view: &View<'_>) -> Result<Evaluation, Unreadable> {
    let evaluator = Evaluator { view, filters: asked.filters, admitted: OnceCell::new() };
    let mut tools = Vec::with_capacity(asked.tools.len());
    for wanted in &asked.tools {
        let judged = evaluator.judge(wanted)?;
        tools.push(evaluator.told(wanted, judged)?);
    }
    Ok(Evaluation { verdict: Verdict::of(tools.iter().filter_map(|it| it.reason)), tools })
}

/// Why a call of a tool is refused, whatever its server would say of it. Questions ask the same functions.
///
/// # Errors
/// When something cannot be read.
pub(crate) fn held_back(view: &View<'_>, tool: &Indexed<'_>) -> Result<Option<Reason>, Unreadable> {
    if let (Some(gateway), Some((server, name))) = (view.gateway, tool.upstream) {
        let policy = match admitted(view, gateway, server)? {
            Ok(policy) => policy,
            Err(reason) => return Ok(Some(reason)),
        };
        if let Some(reason) = barred(gateway, policy, server, name, Some(tool.fingerprint))? {
            return Ok(Some(reason));
        }
    }
    Ok(tool.unready.filter(|it| it.holds_back()).map(Reason::from))
}

/// Whether a server's tools may be used at all.
fn admitted(
    view: &View<'_>,
    gateway: &dyn Gateway,
    server: &str,
) -> Result<Result<ServerPolicy, Reason>, Unreadable> {
    let Some(policy) = gateway.server(server)? else { return Ok(Err(Reason::ServerNotConfigured)) };
    Ok(match policy {
        _ if !view.scope.contains(server) => Err(Reason::ServerNotInScope),
        it if it.quarantined => Err(Reason::ServerQuarantined),
        it if !it.enabled => Err(Reason::ServerDisabled),
        it => Ok(it),
    })
}

/// What was decided against one tool of a server that is admitted.
fn barred(
    gateway: &dyn Gateway,
    policy: ServerPolicy,
    server: &str,
    tool: &str,
    now: Option<Fingerprint>,
) -> Result<Option<Reason>, Unreadable> {
    if gateway.denies(server, tool)? {
        return Ok(Some(Reason::ToolDeniedByConfig));
    }
    let Some(approval) = gateway.approval(server, tool)? else { return Ok(None) };
    let is_other = approval.approved.is_some_and(|approved| now.is_some_and(|now| now != approved));
    Ok(match approval.standing {
        _ if approval.is_blocked => Some(Reason::ToolBlockedByUser),
        _ if !policy.needs_approval => None,
        Standing::Changed => Some(Reason::ToolChanged),
        Standing::Approved if is_other => Some(Reason::ToolChanged),
        Standing::Pending => Some(Reason::ToolPendingApproval),
        Standing::Approved => None,
    })
}

struct Evaluator<'a> {
    view: &'a View<'a>,
    filters: Filters,
    /// Whether each server behind this one may be used, looked up when a name is first missed.
    admitted: OnceCell<Vec<bool>>,
}

/// What one tool came to.
enum Judged<'a> {
    Ready(Indexed<'a>),
    Not(Why),
    /// There is no such tool for this caller, and why an operator hears.
    Missing(Reason),
}

struct Why {
    reason: Reason,
    action: Option<Action>,
    detail: Detail,
}

impl From<Reason> for Why {
    fn from(reason: Reason) -> Self {
        Self { reason, action: reason.action(), detail: Cow::Borrowed(reason.detail()) }
    }
}

impl<'a> Evaluator<'a> {
    fn judge(&self, wanted: &Wanted) -> Result<Judged<'a>, Unreadable> {
        let malformed = || Why { detail: Cow::Borrowed(FORMAT), ..Reason::NotFound.into() };
        let id = ToolId::read(&wanted.id, self.view.gateway.is_some());
        match (id, self.view.gateway) {
            (ToolId::Upstream { server, tool }, Some(gateway)) => {
                self.upstream(gateway, server, tool, wanted)
            }
            (ToolId::Served(name), gateway) => match (self.view.index.served(name), gateway) {
                (Some(Indexed { upstream: Some((server, tool)), .. }), Some(gateway)) => {
                    self.upstream(gateway, server, tool, wanted)
                }
                (Some(tool), _) => Ok(self.listed(tool, None, wanted)),
                (None, None) => Ok(Judged::Missing(Reason::NotFound)),
                (None, Some(_)) => Ok(Judged::Not(malformed())),
            },
            (ToolId::Malformed | ToolId::Upstream { .. }, _) => Ok(Judged::Not(malformed())),
        }
    }

    /// The order is part of the extension: the first that holds is told.
    fn upstream(
        &self,
        gateway: &dyn Gateway,
        server: &str,
        tool: &str,
        wanted: &Wanted,
    ) -> Result<Judged<'a>, Unreadable> {
        let policy = match admitted(self.view, gateway, server)? {
            Ok(policy) => policy,
            Err(reason @ (Reason::ServerNotConfigured | Reason::ServerNotInScope)) => {
                return Ok(Judged::Missing(reason));
            }
            Err(reason) => return Ok(Judged::Not(reason.into())),
        };
        let indexed = self.view.index.upstream(server, tool);
        let connection = gateway.connection(server)?;
        // A tool that was blocked or changed may be in no list, and is known by its approval.
        if indexed.is_none() && gateway.approval(server, tool)?.is_none() {
            return Ok(self.unlisted(connection.as_ref()));
        }
        let now = indexed.as_ref().map(|it| it.fingerprint);
        if let Some(reason) = barred(gateway, policy, server, tool, now)? {
            return Ok(Judged::Not(reason.into()));
        }
        match indexed {
            Some(indexed) => Ok(self.listed(indexed, Some(connection.as_ref()), wanted)),
            // It is approved, and its server does not list it, or not yet.
            None => Ok(self.unlisted(connection.as_ref())),
        }
    }

    /// A tool that no list names, which may still come where its server is not connected.
    fn unlisted(&self, connection: Option<&Connection>) -> Judged<'a> {
        self.unconnected(connection).map_or(Judged::Missing(Reason::NotFound), Judged::Not)
    }

    /// A tool that nobody decided against.
    fn listed(
        &self,
        tool: Indexed<'a>,
        connection: Option<Option<&Connection>>,
        wanted: &Wanted,
    ) -> Judged<'a> {
        if let Some(unready) = tool.unready.filter(|it| it.holds_back()) {
            return Judged::Not(unready.reason().into());
        }
        if let Some(why) = unpinned(&tool, wanted) {
            return Judged::Not(why);
        }
        if let Some(why) = connection.and_then(|it| self.unconnected(it)) {
            return Judged::Not(why);
        }
        if let Some(unready) = tool.unready {
            return Judged::Not(unready.reason().into());
        }
        match self.filters.leave_out(tool.annotations) {
            Some((filter, reason)) => Judged::Not(left_out(filter, reason)),
            None => Judged::Ready(tool),
        }
    }

    /// Why a connection is not up. Its own words are for operators.
    fn unconnected(&self, connection: Option<&Connection>) -> Option<Why> {
        match connection {
            Some(Connection::Ready) => None,
            Some(Connection::LoginNeeded) => Some(Reason::OauthRequired.into()),
            Some(Connection::Starting) | None => Some(Reason::ServerInitializing.into()),
            Some(Connection::Down { error, action }) => {
                let mut why = Why::from(Reason::ServerUnhealthy);
                if let Some(it @ (Action::Restart | Action::Login | Action::ViewLogs)) = action {
                    why.action = Some(*it);
                }
                if let (Some(error), Tier::Operator) = (error, self.view.tier) {
                    why.detail = Cow::Owned(scrub(error));
                }
                Some(why)
            }
        }
    }

    fn told(&self, wanted: &Wanted, judged: Judged<'a>) -> Result<ToolStatus, Unreadable> {
        let id = &wanted.id;
        Ok(match judged {
            Judged::Ready(tool) => {
                let hash = (self.view.tier == Tier::Operator).then_some(tool.fingerprint);
                ToolStatus::ready(id, hash)
            }
            Judged::Not(why) => ToolStatus::unavailable(id, why.reason, why.action, why.detail),
            Judged::Missing(reason) => self.missing(id, reason)?,
        })
    }

    /// The one place that says that a tool is not there: whoever may not know why gets the same bytes, after the same
    /// work.
    fn missing(&self, id: &str, reason: Reason) -> Result<ToolStatus, Unreadable> {
        let nearest = self.nearest(id)?;
        let reason = if self.view.tier == Tier::Operator { reason } else { Reason::NotFound };
        let told = ToolStatus::unavailable(id, reason, reason.action(), Cow::Borrowed(reason.detail()));
        Ok(if reason == Reason::NotFound { told.with_suggestions(nearest) } else { told })
    }

    /// Names that the caller's own list shows, of servers that nobody switched off or set apart.
    fn nearest(&self, id: &str) -> Result<Vec<String>, Unreadable> {
        let names = self.view.index.names();
        let admitted = self.admitted(&names.servers)?;
        let is_shown =
            |at: usize| self.view.index.sees(at) && names.server_of[at].is_none_or(|it| admitted[it]);
        let by_server = id.contains(':') && self.view.gateway.is_some();
        Ok(if by_server { &names.upstream } else { &names.served }.nearest(id, is_shown))
    }

    /// Which servers may be used, looked up once for all names that are missed.
    fn admitted(&self, servers: &[String]) -> Result<&[bool], Unreadable> {
        if let Some(known) = self.admitted.get() {
            return Ok(known);
        }
        let is_admitted = |server: &String| match self.view.gateway {
            Some(gateway) => Ok(admitted(self.view, gateway, server)?.is_ok()),
            None => Ok(true),
        };
        let looked_up = servers.iter().map(is_admitted).collect::<Result<Vec<_>, _>>()?;
        Ok(self.admitted.get_or_init(|| looked_up))
    }
}

/// A pin that does not fit; one that cannot be read fits nothing.
fn unpinned(tool: &Indexed<'_>, wanted: &Wanted) -> Option<Why> {
    let detail = match wanted.pin? {
        Ok(pin) if pin == tool.fingerprint => return None,
        Ok(_) => Cow::Borrowed(Reason::HashMismatch.detail()),
        Err(bad) => Cow::Owned(bad.to_string()),
    };
    Some(Why { detail, ..Reason::HashMismatch.into() })
}

fn left_out(filter: Filter, reason: Reason) -> Why {
    let (filter, hint) = (filter.name(), filter.hint());
    let detail = match reason {
        Reason::MissingAnnotation => format!("it declares no {hint}, and the filter {filter} needs to know"),
        _ => format!("the filter {filter} leaves it out, by its {hint}"),
    };
    Why { detail: Cow::Owned(detail), ..reason.into() }
}

const FORMAT: &str = "an id is written server:tool, or is the name of a tool in tools/list";
