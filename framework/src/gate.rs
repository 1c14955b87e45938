//! A gate proves one thing about a request, and how a gate becomes a Tower layer.
//!
//! What a gate has proved is the type that it hands on. Each gate takes the type of the one before it, so a row with
//! two lines swapped does not compile, and nothing behind a gate can run without its proof.

use std::{
    future::Future,
    marker::PhantomData,
    pin::Pin,
    task::{Context, Poll},
};

use tower::{Layer, Service};

use crate::gates::refusal::Refusal;

/// Judges at once, without waiting and without allocating.
pub(crate) trait Gate {
    /// What the gate before has proved.
    type In;
    /// What this gate has proved.
    type Out;

    /// Lets a request on or refuses it.
    fn pass(it: Self::In) -> Result<Self::Out, Refusal>;
}

/// May have to wait before it can judge.
pub(crate) trait WaitingGate {
    /// What the gate before has proved.
    type In;
    /// What this gate has proved.
    type Out;

    /// Lets a request on, refuses it, or waits.
    fn pass(
        it: Self::In,
    ) -> Passing<Self::Out, impl Future<Output = Result<Self::Out, Refusal>> + Send + 'static>;
}

/// What a waiting gate knows now.
pub(crate) enum Passing<T, F> {
    /// It did not have to wait.
    Now(Result<T, Refusal>),
    /// It waits.
    Later(F),
}

/// Makes a gate a layer.
pub(crate) const fn gate<G: Gate>() -> Gated<G> {
    Gated(PhantomData)
}

/// Makes a waiting gate a layer.
pub(crate) const fn wait<G: WaitingGate>() -> Waiting<G> {
    Waiting(PhantomData)
}

pub(crate) struct Gated<G>(PhantomData<fn() -> G>);
pub(crate) struct Waiting<G>(PhantomData<fn() -> G>);

impl<G, S> Layer<S> for Gated<G> {
    type Service = Passed<G, S>;

    fn layer(&self, rest: S) -> Passed<G, S> {
        Passed { rest, gate: PhantomData }
    }
}

impl<G, S> Layer<S> for Waiting<G> {
    type Service = Waited<G, S>;

    fn layer(&self, rest: S) -> Waited<G, S> {
        Waited { rest, gate: PhantomData }
    }
}

/// A gate with the rest of the row behind it.
pub(crate) struct Passed<G, S> {
    rest: S,
    gate: PhantomData<fn() -> G>,
}

/// A waiting gate with the rest of the row behind it.
pub(crate) struct Waited<G, S> {
    rest: S,
    gate: PhantomData<fn() -> G>,
}

impl<G, S: Clone> Clone for Passed<G, S> {
    fn clone(&self) -> Self {
        Self { rest: self.rest.clone(), gate: PhantomData }
    }
}

impl<G, S: Clone> Clone for Waited<G, S> {
    fn clone(&self) -> Self {
        Self { rest: self.rest.clone(), gate: PhantomData }
    }
}

impl<G, S> Service<G::In> for Passed<G, S>
where
    G: Gate,
    S: Service<G::Out, Error = Refusal>,
    S::Future: Unpin,
{
    type Response = S::Response;
    type Error = Refusal;
    type Future = Way<S::Future, S::Response>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Refusal>> {
        self.rest.poll_ready(cx)
    }

    fn call(&mut self, it: G::In) -> Self::Future {
        match G::pass(it) {
            Ok(out) => Way::On(self.rest.call(out)),
            Err(refusal) => Way::Refused(Some(Box::new(refusal))),
        }
    }
}

impl<G, S> Service<G::In> for Waited<G, S>
where
    G: WaitingGate,
    G::Out: Send + 'static,
    S: Service<G::Out, Error = Refusal> + Clone + Send + 'static,
    S::Future: Unpin + Send,
    S::Response: Send + 'static,
{
    type Response = S::Response;
    type Error = Refusal;
    type Future = Way<S::Future, S::Response>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Refusal>> {
        self.rest.poll_ready(cx)
    }

    fn call(&mut self, it: G::In) -> Self::Future {
        match G::pass(it) {
            Passing::Now(Ok(out)) => Way::On(self.rest.call(out)),
            Passing::Now(Err(refusal)) => Way::Refused(Some(Box::new(refusal))),
            Passing::Later(passing) => {
                let mut rest = self.rest.clone();
                Way::Later(Box::pin(async move { rest.call(passing.await?).await }))
            }
        }
    }
}

/// Where a request is: refused, with the rest of the row, or still waiting at this gate.
pub(crate) enum Way<F, T> {
    /// Boxed, since every request carries the room for it and few need it.
    Refused(Option<Box<Refusal>>),
    On(F),
    Later(Pin<Box<dyn Future<Output = Result<T, Refusal>> + Send>>),
}

impl<F, T> Unpin for Way<F, T> {}

impl<F, T> Future for Way<F, T>
where
    F: Future<Output = Result<T, Refusal>> + Unpin,
{
    type Output = Result<T, Refusal>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        match self.get_mut() {
            Self::Refused(refusal) => match refusal.take() {
                Some(refusal) => Poll::Ready(Err(*refusal)),
                None => Poll::Pending,
            },
            Self::On(rest) => Pin::new(rest).poll(cx),
            Self::Later(later) => later.as_mut().poll(cx),
        }
    }
}
