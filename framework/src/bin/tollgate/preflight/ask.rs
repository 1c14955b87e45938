//! The two ways to ask.

use std::time::Duration;

use http::{Method, StatusCode, Uri, header, uri::PathAndQuery};
use serde_json::{Value, json};
use tollgate::ready::EXTENSION;

use crate::{
    client::{
        ClientError, Connection, Place, Silent,
        http::{agent, read, refused, unreachable},
    },
    out::Failure,
    text,
};

/// Asks with `tools/list`; the verdict travels beside the list.
pub(crate) fn in_band(connection: &mut Connection, rider: &Value) -> Result<Value, Failure> {
    let params = json!({"_meta": {EXTENSION: rider}});
    let result = connection.request("tools/list", params, &mut Silent)?;
    result["_meta"].get(EXTENSION).cloned().ok_or_else(|| {
        format!("the server does not know `{EXTENSION}`: leave out `--in-band`, or look with `tollgate list`")
            .into()
    })
}

/// Asks the REST surface.
pub(crate) fn rest(place: &Place, path: &str, body: &Value, wait: Duration) -> Result<Value, Failure> {
    let request = place
        .request_to(&at(&place.url, path)?, Method::POST)
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::ACCEPT, "application/json")
        .body(body.to_string())
        .map_err(|error| error.to_string())?;
    let response = agent(wait, Some(wait)).run(request).map_err(unreachable)?;
    if response.status() == StatusCode::NOT_FOUND {
        let path = text::line(path);
        return Err(format!(
            "nothing answers at `{path}`: add `--in-band`, or say where it is by `--rest-path`"
        )
        .into());
    }
    if !response.status().is_success() {
        return Err(ClientError::Refused(refused(response)).into());
    }
    let answer: Value = serde_json::from_str(&read(response)?)
        .map_err(|error| format!("`{}` answered with no JSON: {error}", text::line(path)))?;
    answer.get("data").cloned().ok_or_else(|| "the answer has no `data`: is that a preflight surface?".into())
}

/// The same origin, another path.
fn at(url: &Uri, path: &str) -> Result<Uri, Failure> {
    let mut parts = url.clone().into_parts();
    let wrong = || Failure::from(format!("`{path}` is no path: it begins with `/`"));
    parts.path_and_query =
        Some(path.parse::<PathAndQuery>().ok().filter(|_| path.starts_with('/')).ok_or_else(wrong)?);
    Uri::from_parts(parts).map_err(|_| wrong())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_surface_is_at_the_origin() {
        let url: Uri = "https://example.com:8443/mcp?x=1".parse().unwrap();

        assert_eq!(at(&url, "/api/v1/preflight").unwrap(), "https://example.com:8443/api/v1/preflight");
        assert!(at(&url, "api").is_err());
    }
}
