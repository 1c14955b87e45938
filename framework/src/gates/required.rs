//! The tools that a job needs: a question about them is well formed, and what is called is not held back.
//!
//! Both are answered from what is known already (the extension required-tools).

use serde_json::Value;

use super::{
    call::{Resolved, Target},
    refusal::{Reason, Refusal},
};
use crate::{
    author::{
        listing::{Kind as List, Visible},
        registered::RegisteredTool,
    },
    gate::Gate,
    ready::{self, EXTENSION, Tier, View, rider},
    wire::scan::Slot,
};

/// A request that asks well, or calls what nobody holds back.
pub(crate) struct Cleared(pub(crate) Resolved);

pub(crate) struct Required;

impl Gate for Required {
    type In = Resolved;
    type Out = Cleared;

    fn pass(mut it: Resolved) -> Result<Cleared, Refusal> {
        let cleared = match &it.target {
            Target::Tool { tool, .. } if tool.may_be_held_back() => let_through(&it, tool),
            // It says what holds it back.
            #[cfg(feature = "resolve")]
            Target::Resolve { tool } => held_back(&it, tool).map(drop),
            Target::List { kind: List::Tools, .. } if it.dated.era.capabilities.required_tools => {
                ask(&mut it)
            }
            _ => Ok(()),
        };
        match cleared {
            Ok(()) => Ok(Cleared(it)),
            Err(reason) => Err(reason.of(it.dated.read.message.id.as_ref())),
        }
    }
}

/// Reads what rides on the list. A client that has not declared the extension may send what it likes there.
fn ask(it: &mut Resolved) -> Result<(), Reason> {
    let message = &it.dated.read.message;
    let Some(Value::Object(mut meta)) = message.at(Slot::Meta).map(|it| message.value(it)) else {
        return Ok(());
    };
    let Some(question) = meta.remove(EXTENSION) else { return Ok(()) };
    let read = rider::read(&question, &rider::RIDER).map_err(Reason::Rider)?;
    if let Target::List { asked, .. } = &mut it.target {
        *asked = Some(Box::new(read));
    }
    Ok(())
}

/// Refuses a call as a question would be answered, by the same function.
fn let_through(it: &Resolved, tool: &RegisteredTool) -> Result<(), Reason> {
    let Some(reason) = held_back(it, tool)? else { return Ok(()) };
    let (name, detail, remediation) = (&tool.name, reason.detail(), reason.remediation());
    let text = format!("`{name}` cannot be called now: {detail}. {remediation}");
    Err(Reason::ToldTheModel(it.tool_error(&text)))
}

/// What was decided against a tool. One that is not the caller's at all is unknown.
fn held_back(it: &Resolved, tool: &RegisteredTool) -> Result<Option<ready::Reason>, Reason> {
    let (engine, caller) = (&it.dated.read.engine, &it.dated.read.caller);
    let held_back = engine.readiness.scope(caller).and_then(|scope| {
        let index = Visible { listing: &it.listing, caller };
        let gateway = engine.readiness.gateway();
        let view = View { index: &index, gateway, scope: &scope, tier: Tier::Agent };
        ready::held_back(&view, &tool.indexed())
    });
    match held_back {
        Ok(Some(ready::Reason::ServerNotConfigured | ready::Reason::ServerNotInScope)) => {
            Err(Reason::ToolUnknown(tool.name.clone()))
        }
        Ok(held_back) => Ok(held_back),
        Err(error) => Err(Reason::internal(engine, &error)),
    }
}
