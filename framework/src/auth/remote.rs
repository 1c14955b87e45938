//! Keys over the network, through the guarded fetcher.

use std::error::Error;

use serde_json::{Map, Value};

use super::keys::{KeyDocument, LoadKeys};
use crate::{
    fetch::{Demand, Fetcher},
    oauth::metadata_urls,
};

/// Where the keys of an issuer are, or where it says so.
pub(super) enum Remote {
    Url(Fetcher, String),
    Issuer(Fetcher, String, Vec<String>),
}

impl Remote {
    /// Keys at a URL.
    pub(super) fn url(fetcher: Fetcher, url: &str) -> Result<Self, String> {
        let judged = fetcher.target(url, &Demand::keys());
        judged.map_err(|_| {
            format!("keys are not fetched from `{url}`: write `https://login.example.com/jwks`")
        })?;
        Ok(Self::Url(fetcher, url.to_owned()))
    }

    /// The keys that the metadata of an issuer names (RFC 8414, OpenID Connect Discovery 1.0).
    pub(super) fn discovered(fetcher: Fetcher, issuer: &str) -> Result<Self, String> {
        let urls = metadata_urls(issuer).map_err(str::to_owned)?;
        if urls.iter().any(|it| fetcher.target(it, &Demand::metadata()).is_err()) {
            return Err("its metadata is not fetched from there: see `Jwt::fetch_policy`".into());
        }
        Ok(Self::Issuer(fetcher, issuer.to_owned(), urls))
    }
}

impl LoadKeys for Remote {
    async fn load(&self) -> Result<KeyDocument, Box<dyn Error + Send + Sync>> {
        let (fetcher, url) = match self {
            Self::Url(fetcher, url) => (fetcher, url.clone()),
            Self::Issuer(fetcher, issuer, urls) => (fetcher, keys_of(fetcher, issuer, urls).await?),
        };
        let document = fetcher.get(&url, &Demand::keys()).await?;
        Ok(KeyDocument { bytes: document.bytes.into(), fresh_for: document.fresh_for })
    }
}

/// Where the keys are, as the first document says that is there.
async fn keys_of(
    fetcher: &Fetcher,
    issuer: &str,
    urls: &[String],
) -> Result<String, Box<dyn Error + Send + Sync>> {
    for url in urls {
        let Ok(document) = fetcher.get(url, &Demand::metadata()).await else { continue };
        let metadata: Map<String, Value> = serde_json::from_slice(&document.bytes)?;
        // What another issuer says of its keys says nothing about this one's (RFC 8414, section 3.3).
        if metadata.get("issuer").and_then(Value::as_str) != Some(issuer) {
            return Err(format!("the metadata at {url} is not that of the issuer").into());
        }
        let keys = metadata.get("jwks_uri").and_then(Value::as_str);
        return keys.map(str::to_owned).ok_or_else(|| format!("the metadata at {url} names no keys").into());
    }
    Err("the issuer has no metadata".into())
}
