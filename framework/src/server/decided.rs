//! Whether it was decided who may call, as a state of the builder.

use std::marker::PhantomData;

use super::Server;
#[cfg(feature = "auth")]
use crate::auth::Auth;

/// A server that nobody has decided yet who may call.
#[derive(Debug)]
#[expect(clippy::exhaustive_structs, reason = "it is a state of the builder and is never made")]
pub struct AuthUndecided;

/// A server for which it was decided who may call.
#[derive(Debug)]
#[expect(clippy::exhaustive_structs, reason = "it is a state of the builder and is never made")]
pub struct Decided;

/// The one state of the builder in which a server can be used.
#[diagnostic::on_unimplemented(
    message = "nobody has decided who may call this server",
    label = "call `.auth(..)` or `.without_auth()` before this"
)]
pub trait AuthDecided: sealed::Sealed {}

impl AuthDecided for Decided {}

impl<S> Server<S, AuthUndecided> {
    /// Anybody who reaches the server may call. It then listens on this machine only, unless
    /// [`expose_without_auth`](Server::expose_without_auth) says otherwise.
    #[must_use]
    pub fn without_auth(self) -> Server<S> {
        self.decided()
    }

    /// Whoever calls over HTTP shows a token, in the header `Authorization` (basic/authorization). On stdio whoever
    /// started the process is the caller, and needs none.
    #[cfg(feature = "auth")]
    #[must_use]
    pub fn auth(self, auth: impl Into<Auth>) -> Server<S> {
        let auth = auth.into();
        self.config(|it| it.auth = Some(auth)).decided()
    }

    fn decided(self) -> Server<S> {
        Server { shared: self.shared, auth: PhantomData }
    }
}

impl<S: Clone + Send + Sync + 'static> Server<S> {
    /// Lets a server without auth listen on any address. Whoever reaches it may use everything it offers.
    #[must_use]
    pub fn expose_without_auth(self) -> Self {
        self.config(|it| it.exposed = true)
    }
}

mod sealed {
    #[expect(unnameable_types, reason = "so nobody else can say that it is decided")]
    pub trait Sealed {}
    impl Sealed for super::Decided {}
}
