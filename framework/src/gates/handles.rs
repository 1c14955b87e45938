//! Every handle that a call brings is one that its caller may use.
//!
//! All of them are looked up before any of the author's code runs, all or nothing. What is somebody else's and what was
//! never there are one answer, byte for byte, and the same work.

use std::future::Future;

use serde_json::Value;

use super::{
    call::{Filter, Resolved, Target, variables_of},
    params::Matched,
    refusal::{Reason, Refusal},
};
use crate::{
    author::{
        held::{AnyHeld, Grants, told},
        kinds::Place,
        listing::Listing,
    },
    caller::Caller,
    engine::Engine,
    gate::{Passing, WaitingGate},
    handles::{Action, Denied, Kind, read},
    store::HandleName,
};

/// A request whose handles are its caller's.
pub(crate) struct Granted {
    pub(crate) resolved: Resolved,
    pub(crate) grants: Grants,
}

pub(crate) struct LookUp;

impl WaitingGate for LookUp {
    type In = Matched;
    type Out = Granted;

    fn pass(
        it: Matched,
    ) -> Passing<Granted, impl Future<Output = Result<Granted, Refusal>> + Send + 'static> {
        let mut resolved = it.0;
        let wishes = wishes(&resolved);
        if wishes.is_empty() && !watches(&resolved) {
            return Passing::Now(Ok(Granted { resolved, grants: Grants::default() }));
        }
        Passing::Later(async move {
            let engine = resolved.dated.read.engine.clone();
            let caller = resolved.dated.read.caller.clone();
            let found = look_up(&engine, &caller, wishes).await;
            watched(&engine, &caller, &mut resolved).await;
            match found {
                Ok(grants) => Ok(Granted { resolved, grants }),
                Err(refused) => Err(refused.reason(&resolved).of(resolved.dated.read.message.id.as_ref())),
            }
        })
    }
}

/// A handle that a request brings, and what for.
struct Wish {
    kind: &'static Kind,
    action: Action,
    argument: String,
    handle: String,
    name: HandleName,
}

/// The handles among the arguments. One that is not written as handles are is left to the check of the arguments.
fn wishes(it: &Resolved) -> Vec<Wish> {
    match &it.target {
        Target::Tool { tool, arguments } => among(arguments, &tool.places, tool.action),
        Target::Prompt { prompt, arguments } => among(arguments, &prompt.places, Action::Read),
        Target::Resource { resource, arguments, .. } => among(arguments, &resource.places, Action::Read),
        _ => Vec::new(),
    }
}

fn among(arguments: &Value, places: &[Place], action: Action) -> Vec<Wish> {
    let mut all: Vec<Wish> = Vec::new();
    for place in places {
        place.each(arguments, |argument, handle| {
            let is_new = !all.iter().any(|it| it.kind.is(place.kind) && it.handle == handle);
            if is_new && let Some(name) = read(place.kind, handle) {
                let (argument, handle) = (argument.to_owned(), handle.to_owned());
                all.push(Wish { kind: place.kind, action, argument, handle, name });
            }
        });
    }
    all
}

/// Why the handles were not found: the first of them that was not.
enum Refused {
    TooMany(usize),
    Handle { argument: String, kind: &'static Kind, denied: Denied },
}

async fn look_up(engine: &Engine, caller: &Caller, wishes: Vec<Wish>) -> Result<Grants, Refused> {
    let most = engine.limits.handles_per_call;
    if wishes.len() > most {
        return Err(Refused::TooMany(most));
    }
    let handles = &engine.backing.handles;
    let mut all = Vec::with_capacity(wishes.len());
    let mut refused = None;
    // The rest is looked up even so: how long it takes tells nothing about which one it was.
    for Wish { kind, action, argument, handle, name } in wishes {
        match handles.find(caller, kind, &handle, name, action).await {
            Ok(right) => {
                let (handles, caller) = (handles.clone(), caller.clone());
                all.push(AnyHeld { handles, caller, kind, argument, handle, right });
            }
            Err(denied) => {
                note(caller, kind, name, &denied);
                refused.get_or_insert(Refused::Handle { argument, kind, denied });
            }
        }
    }
    match refused {
        Some(refused) => Err(refused),
        None => Ok(Grants(all.into())),
    }
}

/// The log learns which handle it was by the first bytes of its hash: the handle itself may still work.
fn note(caller: &Caller, kind: &Kind, name: HandleName, denied: &Denied) {
    let [a, b, c, d, ..] = name.hashed();
    let kind = kind.name;
    tracing::info!(
        ?caller,
        kind,
        handle = format_args!("{a:02x}{b:02x}{c:02x}{d:02x}"),
        ?denied,
        "a handle was refused"
    );
}

impl Refused {
    /// A tool tells the model. Prompts and resources have only the protocol to speak through.
    fn reason(self, resolved: &Resolved) -> Reason {
        let (argument, kind, denied) = match self {
            Self::TooMany(most) => {
                return tell(resolved, format!("A call brings at most {most} handles. Make several calls."));
            }
            Self::Handle { argument, kind, denied } => (argument, kind, denied),
        };
        match told(&denied, &argument, kind) {
            Some(text) => tell(resolved, text),
            None => {
                Reason::internal(&resolved.dated.read.engine, &"the store of the handles cannot be reached")
            }
        }
    }
}

fn tell(resolved: &Resolved, text: String) -> Reason {
    match &resolved.target {
        Target::Tool { .. } => Reason::ToldTheModel(resolved.tool_error(&text)),
        Target::Resource { uri, .. } => Reason::Told { message: text, uri: Some(uri.clone()) },
        _ => Reason::Params(text),
    }
}

// --- resources that are watched ---

/// Whether it names resources to watch, and there are some with handles in their URIs.
fn watches(it: &Resolved) -> bool {
    let has_places = || it.listing.templates.iter().any(|it| !it.places.is_empty());
    match &it.target {
        Target::Listen(Filter { uris, .. }) => !uris.is_empty() && has_places(),
        Target::Subscribe(_) => has_places(),
        _ => false,
    }
}

/// A listener hears only of what its caller may read. That it may not is not said: nothing comes, as of a resource that
/// is not there.
async fn watched(engine: &Engine, caller: &Caller, it: &mut Resolved) {
    match &mut it.target {
        Target::Listen(filter) => {
            for uri in &filter.uris {
                if !may_hear_of(engine, caller, &it.listing, uri).await {
                    filter.unheard.push(uri.clone());
                }
            }
        }
        Target::Subscribe(uri) if !may_hear_of(engine, caller, &it.listing, uri).await => {
            it.target = Target::Unsubscribe(std::mem::take(uri));
        }
        _ => {}
    }
}

/// Whether a change of that resource is for this caller, now.
pub(crate) async fn may_hear_of(engine: &Engine, caller: &Caller, listing: &Listing, uri: &str) -> bool {
    let Some((resource, variables)) = listing.resource(uri) else { return true };
    if resource.places.is_empty() {
        return true;
    }
    let arguments = variables_of(resource, variables);
    // Here nothing checks the arguments later: what is not written as a handle is none.
    let is_written = resource.input.as_ref().is_none_or(|it| it.checker.is_valid(&arguments));
    is_written && look_up(engine, caller, among(&arguments, &resource.places, Action::Read)).await.is_ok()
}
