//! Questions whether tools are ready: evaluated, recorded, and only then answered. Every way to ask comes through here.

use tokio::time::timeout;

use super::{Answering, Payload, Reply};
use crate::{
    author::listing::{Listing, Visible, Wanted},
    caller::Caller,
    clock::rfc3339,
    engine::Engine,
    gates::{
        call::{Resolved, Target},
        refusal::Reason,
        session::STORE_TIME,
    },
    ready::{ActivityRecord, Asked, Facet, Scope, Surface, Tier, Unreadable, View, evaluate},
    wire::write,
};

/// One question, with everything that it is judged by.
pub(crate) struct Question<'a> {
    pub(crate) engine: &'a Engine,
    pub(crate) listing: &'a Listing,
    pub(crate) caller: &'a Caller,
    pub(crate) asked: &'a Asked,
    pub(crate) scope: &'a Scope,
    pub(crate) tier: Tier,
    pub(crate) surface: Surface,
}

impl Question<'_> {
    /// Looks once, and keeps nothing.
    ///
    /// # Errors
    /// When something cannot be read.
    pub(crate) fn look(&self) -> Result<Looked, Unreadable> {
        let time = rfc3339(self.engine.now());
        let index = Visible { listing: self.listing, caller: self.caller };
        let gateway = self.engine.readiness.gateway();
        let found =
            evaluate(self.asked, &View { index: &index, gateway, scope: self.scope, tier: self.tier })?;
        let request_id = format!("req_{}{}", self.engine.reference(), self.engine.reference());
        let record = ActivityRecord::new(&request_id, &time, self.surface, self.caller, self.asked, &found);
        let facet = Facet {
            verdict: found.verdict,
            checked_at: time,
            request_id: Some(request_id),
            tools: found.tools,
        };
        Ok(Looked { facet, record })
    }
}

/// What came out, not yet recorded.
pub(crate) struct Looked {
    pub(crate) facet: Facet,
    record: ActivityRecord,
}

impl Looked {
    /// The answer, once its record is kept.
    ///
    /// # Errors
    /// When it cannot be kept.
    pub(crate) async fn recorded(self, engine: &Engine) -> Result<Facet, Reason> {
        match timeout(STORE_TIME, engine.readiness.activity.keep(&self.record)).await {
            Ok(Ok(())) => Ok(self.facet),
            Ok(Err(error)) => Err(Reason::internal(engine, &error)),
            Err(elapsed) => Err(Reason::internal(engine, &elapsed)),
        }
    }
}

/// A list of tools with what is told about those that a client needs.
pub(super) fn list(resolved: Resolved, scope: &Scope) -> Result<Answering, Reason> {
    let read = &resolved.dated.read;
    let Target::List { kind, cursor, asked: Some(asked) } = &resolved.target else {
        unreachable!("the caller has looked")
    };
    let wanted = Wanted {
        kind: *kind,
        caller: &read.caller,
        servers: scope,
        version: resolved.dated.era.version,
        cursor: cursor.as_deref(),
    };
    // Nothing is recorded for a page that there is not.
    let page =
        resolved.listing.open_page(&read.engine.catalog.frame, &wanted).ok_or(Reason::CursorUnknown)?;
    let looked = look(&resolved, asked, scope, Surface::Rider)?;
    Ok(Answering::Waiting(Box::pin(async move {
        let read = resolved.dated.read;
        let id = read.message.id.as_ref();
        let facet = looked.recorded(&read.engine).await.map_err(|reason| reason.of(id))?;
        let mut facet_json = Vec::with_capacity(256);
        write::json(&mut facet_json, &facet);
        let mut out = page.with_facet(&facet_json);
        out.extend_from_slice(id.map_or(b"null", |it| it.json()));
        out.push(b'}');
        Ok(Reply::of(Payload::Message(out.into()), read.room))
    })))
}

/// In band nobody learns more than a caller may, whatever its token is worth.
fn look(resolved: &Resolved, asked: &Asked, scope: &Scope, surface: Surface) -> Result<Looked, Reason> {
    let read = &resolved.dated.read;
    let question = Question {
        engine: &read.engine,
        listing: &resolved.listing,
        caller: &read.caller,
        asked,
        scope,
        tier: Tier::Agent,
        surface,
    };
    question.look().map_err(|error| Reason::internal(&read.engine, &error))
}

/// One tool with what is told about it (SEP-1862, which was never made part of the protocol).
#[cfg(feature = "resolve")]
pub(super) fn resolve(resolved: Resolved, scope: &Scope) -> Result<Answering, Reason> {
    use crate::ready::EXTENSION;

    let Target::Resolve { tool } = &resolved.target else { unreachable!("the caller has looked") };
    let (json, legacy_json) = (tool.json.clone(), tool.legacy_json.clone());
    let looked = look(&resolved, &Asked::one(&tool.name), scope, Surface::Resolve)?;
    Ok(Answering::Waiting(Box::pin(async move {
        let read = resolved.dated.read;
        let is_modern = resolved.dated.era.version.is_modern();
        let id = read.message.id.as_ref();
        let facet = looked.recorded(&read.engine).await.map_err(|reason| reason.of(id))?;
        let definition = if is_modern { json } else { legacy_json };
        let mut tool: serde_json::Value = serde_json::from_str(&definition).unwrap_or_default();
        let told = facet.tools.into_iter().next().map(crate::ready::ToolStatus::without_id);
        tool["_meta"][EXTENSION] = serde_json::json!(told);
        let mut out = Vec::with_capacity(definition.len() + 512);
        write::result(&mut out, id.map_or(b"null", |it| it.json()));
        out.push(b'{');
        if is_modern {
            out.extend_from_slice(br#""resultType":"complete","#);
        }
        out.extend_from_slice(br#""tool":"#);
        write::json(&mut out, &tool);
        if is_modern {
            out.extend_from_slice(&resolved.listing.result_end);
        } else {
            out.push(b'}');
        }
        out.push(b'}');
        Ok(Reply::of(Payload::Message(out.into()), read.room))
    })))
}

/// Everybody's servers, where there are none behind this one.
pub(super) fn scope_of(resolved: &Resolved) -> Result<Scope, Reason> {
    let read = &resolved.dated.read;
    read.engine.readiness.scope(&read.caller).map_err(|error| Reason::internal(&read.engine, &error))
}
