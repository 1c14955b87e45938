//! Where the keys of an issuer come from.

use std::{error::Error, fmt, future::Future, path::PathBuf, sync::Arc, time::Duration};

use super::remote::Remote;
use crate::{fetch::Fetcher, store::BoxFuture};

/// Where the keys come from that an issuer signs with: a JSON Web Key Set (RFC 7517).
#[derive(Clone)]
pub struct Keys(pub(super) Source);

#[derive(Clone)]
pub(super) enum Source {
    Set(Vec<u8>),
    File(PathBuf),
    Url(String),
    Discovered,
    Loader(Arc<dyn AnyLoader>),
}

/// A source that can be asked.
pub(super) struct Opened {
    /// `None` for a set that is what it is.
    pub(super) loader: Option<Arc<dyn AnyLoader>>,
    /// What has to be good at start.
    pub(super) document: Option<Vec<u8>>,
}

impl Keys {
    /// This set and no other. A server whose set has no key that can be used does not start.
    pub fn set(json: impl Into<Vec<u8>>) -> Self {
        Self(Source::Set(json.into()))
    }

    /// The set in a file, which is read at start and again every ten minutes. A server whose file has no key that can
    /// be used does not start.
    pub fn file(path: impl Into<PathBuf>) -> Self {
        Self(Source::File(path.into()))
    }

    /// The set at a URL, fetched when the first token comes. It comes over TLS from a public address, unless
    /// [`Jwt::fetch_policy`](super::Jwt::fetch_policy) makes an exception.
    pub fn url(url: impl Into<String>) -> Self {
        Self(Source::Url(url.into()))
    }

    /// The set that the issuer's own metadata names (RFC 8414, OpenID Connect Discovery 1.0), fetched like one at a URL.
    #[must_use]
    pub const fn discovered() -> Self {
        Self(Source::Discovered)
    }

    /// The set from a source of the app's own.
    pub fn loader(loader: impl LoadKeys) -> Self {
        Self(Source::Loader(Arc::new(loader)))
    }

    /// # Errors
    /// When there is nothing to ask, or the source is not allowed.
    pub(super) fn open(
        &self,
        issuer: &str,
        fetcher: impl FnOnce() -> Result<Fetcher, String>,
    ) -> Result<Opened, String> {
        let (loader, document): (Arc<dyn AnyLoader>, _) = match &self.0 {
            Source::Set(document) => return Ok(Opened { loader: None, document: Some(document.clone()) }),
            Source::File(path) => {
                let document = std::fs::read(path)
                    .map_err(|error| format!("the key set `{}` cannot be read: {error}", path.display()))?;
                (Arc::new(File(path.clone())), Some(document))
            }
            Source::Url(url) => (Arc::new(Remote::url(fetcher()?, url)?), None),
            Source::Discovered => (Arc::new(Remote::discovered(fetcher()?, issuer)?), None),
            Source::Loader(loader) => (loader.clone(), None),
        };
        Ok(Opened { loader: Some(loader), document })
    }
}

impl fmt::Debug for Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Source::Set(_) => "Keys::set",
            Source::File(_) => "Keys::file",
            Source::Url(_) => "Keys::url",
            Source::Discovered => "Keys::discovered",
            Source::Loader(_) => "Keys::loader",
        })
    }
}

/// Brings the keys of an issuer.
///
/// It is called when the keys are needed for the first time, when they are no longer fresh, and when a token names a
/// key that is not there: one call at a time, and none within 30 s of the one before, whatever that one came to. What is
/// dropped while it waits goes on when the next token needs it. Whatever goes wrong, the keys that are there stay good
/// for 24 h from the time they were loaded.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not load keys",
    note = "implement `LoadKeys`, or use `Keys::set(..)` or `Keys::file(..)`"
)]
pub trait LoadKeys: Send + Sync + 'static {
    /// Loads the set. It is given up after 10 s.
    ///
    /// # Errors
    /// Whatever went wrong; the log says it, the client does not hear it.
    fn load(&self) -> impl Future<Output = Result<KeyDocument, Box<dyn Error + Send + Sync>>> + Send;
}

/// A JSON Web Key Set as it came.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct KeyDocument {
    /// Its bytes: at most 256 KiB, and 100 keys.
    pub bytes: Vec<u8>,
    /// How long it is fresh. At least 5 min and at most 24 h count; unsaid it is 10 min.
    pub fresh_for: Option<Duration>,
}

impl KeyDocument {
    /// A set that is fresh for ten minutes.
    pub fn new(bytes: impl Into<Vec<u8>>) -> Self {
        Self { bytes: bytes.into(), fresh_for: None }
    }

    /// The same with another time for which it is fresh.
    #[must_use]
    pub const fn fresh_for(mut self, time: Duration) -> Self {
        self.fresh_for = Some(time);
        self
    }
}

/// The same for one copy of the code that calls it.
pub(super) trait AnyLoader: Send + Sync {
    fn load(self: Arc<Self>) -> BoxFuture<'static, Result<KeyDocument, Box<dyn Error + Send + Sync>>>;
}

impl<L: LoadKeys> AnyLoader for L {
    fn load(self: Arc<Self>) -> BoxFuture<'static, Result<KeyDocument, Box<dyn Error + Send + Sync>>> {
        Box::pin(async move { LoadKeys::load(&*self).await })
    }
}

struct File(PathBuf);

impl LoadKeys for File {
    async fn load(&self) -> Result<KeyDocument, Box<dyn Error + Send + Sync>> {
        Ok(KeyDocument::new(std::fs::read(&self.0)?))
    }
}
