//! Whether it was decided who may call, as a state of the builder.

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
    label = "call `.without_auth()` before this"
)]
pub trait AuthDecided: sealed::Sealed {}

impl AuthDecided for Decided {}

mod sealed {
    #[expect(unnameable_types, reason = "so nobody else can say that it is decided")]
    pub trait Sealed {}
    impl Sealed for super::Decided {}
}
