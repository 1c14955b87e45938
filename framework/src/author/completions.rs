//! What completes the arguments of a prompt, or the variables of a template (server/utilities/completion).

use std::{collections::HashMap, future::Future, sync::Arc};

use super::{call::Call, cx::Cx, error::Result, kinds::Place, tool::BoxFuture};
use crate::handles::Kind;

type Complete<S> = dyn Fn(Cx<S>, String) -> BoxFuture<Result<Vec<String>>> + Send + Sync;

/// By the name of what is completed.
pub(crate) struct Completions<S>(HashMap<String, Arc<Complete<S>>>);

/// The same, with the app's state.
pub(crate) type Bound =
    HashMap<String, Box<dyn Fn(Arc<Call>, String) -> BoxFuture<Result<Vec<String>>> + Send + Sync>>;

impl<S> Completions<S> {
    pub(crate) fn new() -> Self {
        Self(HashMap::new())
    }

    pub(crate) fn add<F, Fut>(&mut self, name: &str, complete: F)
    where
        F: Fn(Cx<S>, String) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Vec<String>>> + Send + 'static,
    {
        self.0.insert(name.into(), Arc::new(move |cx, typed| Box::pin(complete(cx, typed))));
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}

impl Completions<()> {
    /// The same for a server with a state that they do not look at.
    pub(crate) fn lift<S: 'static>(self) -> Completions<S> {
        let lifted = self.0.into_iter().map(|(name, complete)| {
            let lifted: Arc<Complete<S>> = Arc::new(move |cx: Cx<S>, typed| complete(cx.detach(), typed));
            (name, lifted)
        });
        Completions(lifted.collect())
    }
}

impl<S: Clone + Send + Sync + 'static> Completions<S> {
    /// Handles are completed from those that the caller holds, unless the author does.
    pub(crate) fn bind(self, state: &S, places: &[Place]) -> Bound {
        let mut all = Bound::new();
        for (name, kind) in places.iter().filter_map(|it| Some((it.argument()?, it.kind))) {
            all.insert(name.into(), Box::new(move |call, typed| Box::pin(handles(call, kind, typed))));
        }
        for (name, complete) in self.0 {
            let state = state.clone();
            all.insert(name, Box::new(move |call, typed| complete(Cx::new(state.clone(), call), typed)));
        }
        all
    }
}

async fn handles(call: Arc<Call>, kind: &'static Kind, typed: String) -> Result<Vec<String>> {
    let mut all = call.backing.handles.list(&call.caller, kind).await?;
    all.retain(|it| it.starts_with(&typed));
    Ok(all)
}
