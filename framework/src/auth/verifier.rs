//! Tokens of other kinds, which the app checks itself.

use std::{fmt, future::Future, time::Duration};

use super::Principal;
use crate::store::BoxFuture;

/// Tells whom a token stands for.
///
/// What it says yes to is remembered for a minute, or until [`Principal::expires`] if that comes first, for at most
/// 10 000 tokens: so long a token that was withdrawn still works. A no is not remembered. A check that takes 15 s is
/// given up, with 503.
///
/// ```
/// use std::collections::HashMap;
/// use tollgate::{Server, auth::{Principal, TokenError, TokenVerifier}};
///
/// /// The SHA-256 of each key, so that whoever reads the table cannot call.
/// struct ApiKeys(HashMap<[u8; 32], String>);
/// # fn sha256(_: &str) -> [u8; 32] { [0; 32] }
///
/// impl TokenVerifier for ApiKeys {
///     async fn verify(&self, token: &str) -> Result<Principal, TokenError> {
///         let name = self.0.get(&sha256(token)).ok_or(TokenError::Invalid)?;
///         Ok(Principal::new("api keys", name).with_scopes(["notes:read"]))
///     }
/// }
///
/// let keys = ApiKeys(HashMap::from([([0; 32], "ann".to_owned())]));
/// let server = Server::new("notes", "1.0.0").auth(keys);
/// # server.check().assert();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not check tokens",
    label = "neither a `Jwt` nor a `TokenVerifier`",
    note = "call `.auth(Jwt::issuer(..).audience(..))`, or implement `TokenVerifier` for tokens of another kind"
)]
pub trait TokenVerifier: Send + Sync + 'static {
    /// Checks a token. It is 1 to 8 192 bytes of visible ASCII, and comes from anybody.
    ///
    /// # Errors
    /// [`TokenError::Invalid`] for every token that is no good, whatever the reason; [`TokenError::Unavailable`] when
    /// nobody can tell now, so that the client keeps its token and comes again.
    fn verify(&self, token: &str) -> impl Future<Output = Result<Principal, TokenError>> + Send;
}

/// Why a token opened nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TokenError {
    /// It is no good: 401.
    Invalid,
    /// Nobody can tell now: 503.
    #[non_exhaustive]
    Unavailable {
        /// When to come again; whole seconds, from 1 to 255.
        retry_after: Duration,
    },
}

impl TokenError {
    /// Nobody can tell now; come again after so long.
    #[must_use]
    pub const fn unavailable(retry_after: Duration) -> Self {
        Self::Unavailable { retry_after }
    }
}

impl fmt::Display for TokenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Invalid => "the token is no good",
            Self::Unavailable { .. } => "the token cannot be checked now",
        })
    }
}

impl std::error::Error for TokenError {}

/// The same for one copy of the code that calls it.
pub(super) trait AnyVerifier: Send + Sync {
    fn verify<'a>(&'a self, token: &'a str) -> BoxFuture<'a, Result<Principal, TokenError>>;
}

impl<V: TokenVerifier> AnyVerifier for V {
    fn verify<'a>(&'a self, token: &'a str) -> BoxFuture<'a, Result<Principal, TokenError>> {
        Box::pin(TokenVerifier::verify(self, token))
    }
}
