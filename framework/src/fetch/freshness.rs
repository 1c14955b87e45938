//! How long a response may be used again, by what it says itself (RFC 9111).

use std::time::Duration;

use http::{HeaderMap, HeaderName, header};

/// What a response says about keeping it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Freshness {
    pub(super) fresh_for: Option<Duration>,
    pub(super) no_store: bool,
}

impl Freshness {
    /// Reads `Cache-Control`, else `Expires` against `Date`. What is malformed is stale.
    pub(super) fn of(headers: &HeaderMap) -> Self {
        let mut fresh_for: Option<Duration> = None;
        let mut no_store = false;
        let values = headers.get_all(header::CACHE_CONTROL).iter();
        for directive in values.flat_map(|it| it.as_bytes().split(|&it| it == b',')) {
            let directive = String::from_utf8_lossy(directive).trim().to_ascii_lowercase();
            let (name, value) = directive.split_once('=').unwrap_or((&directive, ""));
            let limit = match name.trim() {
                "no-store" => {
                    no_store = true;
                    0
                }
                "no-cache" => 0,
                "max-age" => seconds(value).unwrap_or_default().saturating_sub(age(headers)),
                _ => continue,
            };
            let limit = Duration::from_secs(limit);
            fresh_for = Some(fresh_for.map_or(limit, |it| it.min(limit)));
        }
        Self { fresh_for: fresh_for.or_else(|| until_expires(headers)), no_store }
    }
}

fn until_expires(headers: &HeaderMap) -> Option<Duration> {
    let date = |name: HeaderName| {
        let text = headers.get(name)?.to_str().unwrap_or_default();
        Some(httpdate::parse_http_date(text).ok())
    };
    let expires = date(header::EXPIRES)?;
    // Without a date there is nothing to count from.
    let from = date(header::DATE)??;
    Some(expires.and_then(|it| it.duration_since(from).ok()).unwrap_or_default())
}

fn age(headers: &HeaderMap) -> u64 {
    let text = headers.get(header::AGE).and_then(|it| it.to_str().ok());
    text.and_then(seconds).unwrap_or_default()
}

fn seconds(text: &str) -> Option<u64> {
    let digits = text.trim().trim_matches('"');
    if digits.is_empty() || !digits.bytes().all(|it| it.is_ascii_digit()) {
        return None;
    }
    // More digits than fit are a very long time.
    Some(digits.parse().unwrap_or(u64::from(u32::MAX)).min(u64::from(u32::MAX)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(fields: &[(&'static str, &str)]) -> Freshness {
        let mut headers = HeaderMap::new();
        for (name, value) in fields {
            headers.append(*name, value.parse().unwrap());
        }
        Freshness::of(&headers)
    }

    fn fresh(seconds: u64) -> Freshness {
        Freshness { fresh_for: Some(Duration::from_secs(seconds)), no_store: false }
    }

    #[test]
    fn a_response_is_fresh_as_long_as_its_cache_control_says() {
        assert_eq!(of(&[("cache-control", "public, Max-Age=600")]), fresh(600));
        assert_eq!(of(&[("cache-control", "max-age=\"600\"")]), fresh(600));
        assert_eq!(of(&[("cache-control", "max-age=600"), ("age", "100")]), fresh(500));
        assert_eq!(of(&[("cache-control", "max-age=600"), ("cache-control", "max-age=60")]), fresh(60));
        assert_eq!(of(&[("cache-control", "max-age=600, no-cache")]), fresh(0));
        assert_eq!(of(&[("cache-control", "max-age=99999999999999999999999")]), fresh(u64::from(u32::MAX)));
    }

    #[test]
    fn what_is_malformed_is_stale() {
        assert_eq!(of(&[("cache-control", "max-age=soon")]), fresh(0));
        assert_eq!(of(&[("cache-control", "max-age=-5")]), fresh(0));
        let date = ("date", "Sun, 06 Nov 1994 08:49:37 GMT");
        assert_eq!(of(&[date, ("expires", "0")]), fresh(0));
        assert_eq!(of(&[date, ("expires", "Sun, 06 Nov 1994 08:49:36 GMT")]), fresh(0));
    }

    #[test]
    fn expires_counts_from_the_date_of_the_response() {
        let date = ("date", "Sun, 06 Nov 1994 08:49:37 GMT");
        let expires = ("expires", "Sun, 06 Nov 1994 09:49:37 GMT");

        assert_eq!(of(&[date, expires]), fresh(3_600));
        assert_eq!(of(&[date, expires, ("cache-control", "max-age=60")]), fresh(60));
        assert_eq!(of(&[expires]).fresh_for, None);
    }

    #[test]
    fn no_store_is_told_apart_from_stale() {
        let freshness = of(&[("cache-control", "no-store, max-age=600")]);

        assert_eq!(freshness, Freshness { fresh_for: Some(Duration::ZERO), no_store: true });
        assert_eq!(of(&[]), Freshness { fresh_for: None, no_store: false });
    }
}
