//! The question whether tools are ready, by HTTP and JSON beside the endpoint, for whoever starts agents.

use std::{sync::Arc, time::Duration};

use bytes::{Buf, Bytes};
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode, header};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use crate::{
    answer::checked::Question,
    body::Body,
    caller::Caller,
    engine::Engine,
    gates::{
        caller::identify_by,
        door::vet_json,
        headers::{Headers, bearer},
        message::{bounds, read_whole},
        refusal::Reason,
        room::Room,
    },
    ready::{Facet, RestQuestion, Scope, Surface, Tier, Verdict, rest},
    wire::scan,
};

/// Bytes of a question.
const BODY_BYTES: usize = 1024 * 1024;
/// From one look to the next while a question waits.
const PAUSE: Duration = Duration::from_millis(250);
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Whether a request is for this place.
pub(super) fn is_for<B>(engine: &Engine, request: &Request<B>) -> bool {
    engine.readiness.api.as_deref().is_some_and(|it| request.uri().path() == it)
}

pub(super) async fn answer<B>(engine: Arc<Engine>, request: Request<B>) -> Response<Body>
where
    B: http_body::Body<Data: Buf + Send, Error: Into<Box<dyn std::error::Error + Send + Sync>>>,
{
    match answered(&engine, request).await {
        Ok((facet, waited)) => {
            let id = facet.request_id.clone().unwrap_or_default();
            let mut data = json!(facet);
            if let Some(waited) = waited {
                data["waited_ms"] = u64::try_from(waited.as_millis()).unwrap_or(u64::MAX).into();
            }
            let mut response = json_response(StatusCode::OK, &json!({"success": true, "data": data}));
            if let Ok(id) = HeaderValue::try_from(id) {
                response.headers_mut().insert(REQUEST_ID, id);
            }
            response
        }
        Err(refused) => refused.response(&engine),
    }
}

/// Why there is no verdict.
enum Refused {
    /// A gate of the endpoint would say the same.
    Gate(Reason),
    /// The question is wrong.
    Question {
        text: String,
        data: Option<Value>,
    },
    NotPost,
    /// What is needed for an answer cannot be had now.
    Unavailable(Reason),
}

async fn answered<B>(engine: &Arc<Engine>, request: Request<B>) -> Result<(Facet, Option<Duration>), Refused>
where
    B: http_body::Body<Data: Buf + Send, Error: Into<Box<dyn std::error::Error + Send + Sync>>>,
{
    let (head, body) = request.into_parts();
    let is_operator = is_operator(engine, &head.headers);
    let headers = Headers::take(head.headers);
    vet_json(&headers, &head.uri, head.version, &engine.doors).map_err(Refused::Gate)?;
    if head.method != Method::POST {
        return Err(Refused::NotPost);
    }
    let (tier, caller) = match is_operator {
        true => (Tier::Operator, Caller::named("operator")),
        false => {
            let caller = identify_by(engine, &headers, &head.uri).map_err(Refused::Gate)?;
            (Tier::Agent, caller.wait().await.map_err(Refused::Gate)?)
        }
    };
    let _room = Room::take(engine, &caller).map_err(Refused::Gate)?;
    let body = read_whole(body, engine, BODY_BYTES).await.map_err(|reason| match reason {
        Reason::BodyTooLarge(most) => wrong(format!("the body is larger than {most} bytes")),
        other => Refused::Gate(other),
    })?;
    let question = read(&body, engine)?;
    let scope = scope(engine, &caller, tier, &question)?;
    look(engine, &caller, tier, &scope, question).await
}

/// Only the key that was configured makes an operator.
fn is_operator(engine: &Engine, headers: &HeaderMap) -> bool {
    let Some(key) = &engine.readiness.operator else { return false };
    let mut all = headers.get_all(header::AUTHORIZATION).iter();
    let (Some(only), None) = (all.next(), all.next()) else { return false };
    bearer(only.as_bytes()).is_some_and(|it| key.is(it))
}

fn read(body: &Bytes, engine: &Engine) -> Result<RestQuestion, Refused> {
    scan::scan(body, &bounds(&engine.limits)).map_err(|fault| wrong(fault.to_string()))?;
    let question: Value = serde_json::from_slice(body).map_err(|error| wrong(error.to_string()))?;
    rest::read(&question).map_err(|fault| Refused::Question { data: Some(fault.data()), text: fault.text })
}

/// What the caller may use, narrowed by the profile that it names. Operators are not narrowed otherwise.
fn scope(engine: &Engine, caller: &Caller, tier: Tier, question: &RestQuestion) -> Result<Scope, Refused> {
    let unreadable = |error| Refused::Unavailable(Reason::internal(engine, &error));
    let scope = match tier {
        Tier::Operator => Scope::Everything,
        Tier::Agent => engine.readiness.scope(caller).map_err(unreadable)?,
    };
    let Some(profile) = &question.profile else { return Ok(scope) };
    let known = engine.readiness.gateway().map(|it| it.profile(profile)).transpose().map_err(unreadable)?;
    let known = known.flatten().ok_or_else(|| wrong("there is no such profile".to_owned()))?;
    Ok(scope.and(&known))
}

/// Looks until nothing is worth waiting for, or the time is over.
async fn look(
    engine: &Engine,
    caller: &Caller,
    tier: Tier,
    scope: &Scope,
    question: RestQuestion,
) -> Result<(Facet, Option<Duration>), Refused> {
    let began = Instant::now();
    let permit = question.wait.filter(|it| !it.is_zero()).and_then(|_| engine.readiness.waiting.take().ok());
    let most = permit.as_ref().and(question.wait).unwrap_or_default();
    loop {
        let listing = engine.catalog.current();
        let asked = &question.asked;
        let surface = Surface::Rest;
        let looking = Question { engine, listing: &listing, caller, asked, scope, tier, surface };
        let looked =
            looking.look().map_err(|error| Refused::Unavailable(Reason::internal(engine, &error)))?;
        let left = most.saturating_sub(began.elapsed());
        if looked.facet.verdict == Verdict::DegradedRetryable && !left.is_zero() {
            sleep(PAUSE.min(left)).await;
            continue;
        }
        let waited = question.wait.map(|_| permit.as_ref().map_or(Duration::ZERO, |_| began.elapsed()));
        let facet = looked.recorded(engine).await.map_err(Refused::Unavailable)?;
        return Ok((facet, waited));
    }
}

fn wrong(text: String) -> Refused {
    Refused::Question { text, data: None }
}

impl Refused {
    fn response(self, engine: &Engine) -> Response<Body> {
        let (status, text, data) = match &self {
            Self::Gate(reason) => {
                let row = reason.row();
                (row.status, row.text.into_owned(), None)
            }
            Self::Question { text, data } => (StatusCode::BAD_REQUEST, text.clone(), data.clone()),
            Self::NotPost => (StatusCode::METHOD_NOT_ALLOWED, "send a POST".to_owned(), None),
            Self::Unavailable(reason) => {
                (StatusCode::SERVICE_UNAVAILABLE, reason.row().text.into_owned(), reason.row().data)
            }
        };
        let mut body = json!({"success": false, "error": text});
        if let Some(data) = data {
            body["data"] = data;
        }
        let mut response = json_response(status, &body);
        let headers = response.headers_mut();
        if let Self::Gate(reason) = &self {
            super::http::add_headers(headers, engine, reason);
        }
        if let Self::NotPost = self {
            headers.insert(header::ALLOW, HeaderValue::from_static("POST"));
        }
        response
    }
}

fn json_response(status: StatusCode, body: &Value) -> Response<Body> {
    let mut response = super::http::json(Body::bytes([body.to_string().into(), Bytes::new()], None));
    *response.status_mut() = status;
    super::http::guarded(response)
}
