//! The two places where an app's own Tower layers stand: around HTTP, and around an admitted call.

use std::{
    convert::Infallible,
    fmt,
    future::{Future, poll_fn},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use tower::{Layer, Service};

use crate::{
    answer::{Answer, Reply},
    author::{call::Round, held::Grants},
    caller::Caller,
    gates::{
        call::{Resolved, Target},
        refusal::{Reason, Refusal},
    },
    wire::{id::Id, version::Version},
};

/// A request that has passed every gate. Only the row makes one, and only what was admitted runs.
pub struct Admitted {
    pub(crate) resolved: Resolved,
    pub(crate) grants: Grants,
    pub(crate) round: Option<Box<Round>>,
}

impl Admitted {
    /// The JSON-RPC method.
    #[must_use]
    pub fn method(&self) -> String {
        self.resolved.dated.read.message.method().to_owned()
    }

    /// The name of the tool or prompt, or the URI of the resource.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        match &self.resolved.target {
            Target::Tool { tool, .. } => Some(&tool.name),
            Target::Prompt { prompt, .. } => Some(&prompt.name),
            Target::Resource { uri, .. } => Some(uri),
            _ => None,
        }
    }

    /// Who calls.
    #[must_use]
    pub fn caller(&self) -> &Caller {
        &self.resolved.dated.read.caller
    }

    /// The revision of the protocol.
    #[must_use]
    pub fn version(&self) -> Version {
        self.resolved.dated.era.version
    }
}

impl fmt::Debug for Admitted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Admitted")
            .field("method", &self.method())
            .field("name", &self.name())
            .finish_non_exhaustive()
    }
}

type Boxed<T, E> = Pin<Box<dyn Future<Output = Result<T, E>> + Send>>;

/// What an app's call layers wrap.
#[derive(Clone)]
pub struct CallService(Arc<dyn Fn(Admitted) -> Boxed<Reply, Refused> + Send + Sync>);

/// A call that was refused after all. It keeps its own words.
pub struct Refused(pub(crate) Refusal);

impl CallService {
    fn of<S>(service: S) -> Self
    where
        S: Service<Admitted, Response = Reply, Error = Refused> + Clone + Send + Sync + 'static,
        S::Future: Send,
    {
        Self(Arc::new(move |admitted| {
            let mut service = service.clone();
            Box::pin(async move {
                poll_fn(|cx| service.poll_ready(cx)).await?;
                service.call(admitted).await
            })
        }))
    }
}

impl Service<Admitted> for CallService {
    type Response = Reply;
    type Error = Refused;
    type Future = Boxed<Reply, Refused>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Refused>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, admitted: Admitted) -> Self::Future {
        (self.0)(admitted)
    }
}

impl fmt::Debug for CallService {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CallService")
    }
}

impl Refused {
    /// Refuses a call with a text (-32602).
    pub fn told(message: impl Into<String>) -> Self {
        Self(Reason::Told { message: message.into(), uri: None }.of(None))
    }

    /// Refuses a call because there are too many (429).
    #[must_use]
    pub fn busy() -> Self {
        Self(Reason::CallerFull.of(None))
    }
}

impl fmt::Debug for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "refused: {}", self.0)
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Refused {}

/// The app's call layers, or none, which costs nothing.
#[derive(Clone, Default)]
pub(crate) struct CallLayers(Option<CallService>);

impl CallLayers {
    /// Puts a layer around those that are there.
    pub(crate) fn around<L>(self, layer: L) -> Self
    where
        L: Layer<CallService>,
        L::Service: Service<Admitted, Response = Reply, Error = Refused> + Clone + Send + Sync + 'static,
        <L::Service as Service<Admitted>>::Future: Send,
    {
        let innermost =
            || CallService(Arc::new(|it| Box::pin(async move { Answer.call(it).await.map_err(Refused) })));
        Self(Some(CallService::of(layer.layer(self.0.unwrap_or_else(innermost)))))
    }
}

/// Where the app's call layers stand in the row.
#[derive(Clone, Copy)]
pub(crate) struct AppLayers;

impl Layer<Answer> for AppLayers {
    type Service = Layered;

    fn layer(&self, answer: Answer) -> Layered {
        Layered(answer)
    }
}

#[derive(Clone)]
pub(crate) struct Layered(Answer);

/// Straight to the answer, or through the app's layers.
pub(crate) enum Through<F> {
    Direct(F),
    Layered(Option<Id>, Boxed<Reply, Refused>),
}

impl Service<Admitted> for Layered {
    type Response = Reply;
    type Error = Refusal;
    type Future = Through<<Answer as Service<Admitted>>::Future>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Refusal>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, admitted: Admitted) -> Self::Future {
        match &admitted.resolved.dated.read.engine.call_layers.0 {
            None => Through::Direct(self.0.call(admitted)),
            Some(layered) => {
                let id = admitted.resolved.dated.read.message.id.clone();
                Through::Layered(id, layered.0.clone()(admitted))
            }
        }
    }
}

impl<F: Future<Output = Result<Reply, Refusal>> + Unpin> Future for Through<F> {
    type Output = Result<Reply, Refusal>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        match self.get_mut() {
            Self::Direct(answer) => Pin::new(answer).poll(cx),
            // What an app refuses has no id yet.
            Self::Layered(id, layered) => {
                layered.as_mut().poll(cx).map_err(|it| Refusal { id: id.take(), ..it.0 })
            }
        }
    }
}

/// What an app's HTTP layers wrap: a request of the server's own listener, with the body hyper reads.
#[derive(Clone)]
pub struct HttpService(pub(crate) Arc<AnswerHttp>);

type AnswerHttp = dyn Fn(http::Request<hyper::body::Incoming>) -> Boxed<http::Response<crate::Body>, Infallible>
    + Send
    + Sync;

impl HttpService {
    pub(crate) fn of<S>(service: S) -> Self
    where
        S: Service<
                http::Request<hyper::body::Incoming>,
                Response = http::Response<crate::Body>,
                Error = Infallible,
            > + Clone
            + Send
            + Sync
            + 'static,
        S::Future: Send,
    {
        Self(Arc::new(move |request| {
            let mut service = service.clone();
            Box::pin(async move {
                poll_fn(|cx| service.poll_ready(cx)).await?;
                service.call(request).await
            })
        }))
    }
}

impl Service<http::Request<hyper::body::Incoming>> for HttpService {
    type Response = http::Response<crate::Body>;
    type Error = Infallible;
    type Future = Boxed<http::Response<crate::Body>, Infallible>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<hyper::body::Incoming>) -> Self::Future {
        (self.0)(request)
    }
}

impl fmt::Debug for HttpService {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("HttpService")
    }
}
