//! Streamable HTTP: each message is a POST, each answer JSON or a stream of events
//! (basic/transports/streamable-http).

use std::{
    io::{self, BufReader, Read},
    sync::{Arc, Mutex, PoisonError, mpsc::Sender},
    thread,
    time::Duration,
};

use http::{HeaderName, HeaderValue, Method, Request, Response, Uri, header};
use serde_json::Value;
use ureq::{
    Agent, Body,
    tls::{Certificate, RootCerts, TlsConfig},
};

use super::{
    error::{ClientError, Refused},
    event::{Events, LONGEST},
    wire::{Heard, Place},
};
use crate::text;

pub(crate) type Headers = Vec<(String, String)>;

/// A way to one endpoint. Each exchange has a thread, and all of them tell one channel what they heard.
#[derive(Clone, Debug)]
pub(crate) struct Http {
    agent: Agent,
    place: Arc<Place>,
    session: Arc<Mutex<Option<String>>>,
    heard: Sender<Heard>,
}

impl Http {
    pub(crate) fn new(place: Place, wait: Duration, heard: Sender<Heard>) -> Self {
        let agent = agent(wait, None);
        Self { agent, place: Arc::new(place), session: Arc::default(), heard }
    }

    /// Sends a request; what it brings is heard.
    pub(crate) fn send(&self, id: u64, message: String, headers: Headers) {
        let it = self.clone();
        thread::spawn(move || {
            let why = it.exchange(Some(id), message, &headers).err();
            // Nobody listens any more when the command is about to end.
            let _ = it.heard.send(Heard::Over { id: Some(id), why });
        });
    }

    /// Opens the stream on which an older server speaks without being asked. A server without one is as good.
    pub(crate) fn listen(&self, headers: Headers) {
        let it = self.clone();
        thread::spawn(move || {
            if let Ok(response) = it.get(&headers, None)
                && is_stream(&response)
            {
                let _ = it.events(None, response);
            }
        });
    }

    /// Ends the session, where there is one. Servers may refuse that.
    pub(crate) fn end(&self, headers: &Headers) {
        if self.session().is_some()
            && let Ok(request) = self.request(Method::DELETE, headers).and_then(|it| built(it.body(())))
        {
            let _ = self.agent.run(request);
        }
    }

    /// Sends a message and waits until all was heard that it brings; without an id, until it was taken.
    pub(crate) fn exchange(
        &self,
        id: Option<u64>,
        message: String,
        headers: &Headers,
    ) -> Result<(), ClientError> {
        let request = self.request(Method::POST, headers)?.header(header::CONTENT_TYPE, "application/json");
        let response = self.agent.run(built(request.body(message))?).map_err(unreachable)?;
        if let Some(session) = text_of(&response, "mcp-session-id") {
            *self.session.lock().unwrap_or_else(PoisonError::into_inner) = Some(session);
        }
        if !response.status().is_success() {
            return self.refused(id, response);
        }
        if is_stream(&response) {
            return self.stream(id, response, headers);
        }
        let media = text_of(&response, "content-type").unwrap_or_default();
        let body = read(response)?;
        match id {
            // A notification or an answer is taken with 202 and no body.
            None => Ok(()),
            Some(_) => self.say(parse(&body, &media)?),
        }
    }

    /// A status that says no may carry the answer all the same.
    fn refused(&self, id: Option<u64>, response: Response<Body>) -> Result<(), ClientError> {
        let refused = refused(response);
        let is_judged_by_status = matches!(refused.status, 401 | 403 | 408 | 429 | 500..);
        if let (Some(id), false) = (id, is_judged_by_status)
            && let Ok(mut answer) = serde_json::from_str::<Value>(&refused.body)
            && answer.pointer("/error/code").is_some_and(Value::is_i64)
        {
            answer["id"] = id.into();
            return self.say(answer);
        }
        Err(ClientError::Refused(refused))
    }

    /// Reads a stream to its end, and comes back to it where the server ended it before it had answered.
    fn stream(&self, id: Option<u64>, first: Response<Body>, headers: &Headers) -> Result<(), ClientError> {
        let mut response = first;
        loop {
            let left = self.events(id, response)?;
            let (Left { last: Some(last), retry, .. }, Some(_)) = (left, id) else { return Ok(()) };
            thread::sleep(retry);
            response = self.get(headers, Some(&last))?;
            if !response.status().is_success() {
                return Err(ClientError::Refused(refused(response)));
            }
        }
    }

    fn events(&self, id: Option<u64>, response: Response<Body>) -> Result<Left, ClientError> {
        let mut events = Events::new(BufReader::new(reader(response)));
        let mut left = Left { last: None, retry: Duration::from_secs(1) };
        while let Some(event) = events.next().map_err(|it| broken(&it))? {
            left.last = event.id.or(left.last);
            left.retry = event.retry.map_or(left.retry, |it| Duration::from_millis(it.min(MOST_RETRY)));
            if event.data.is_empty() {
                continue;
            }
            let message = parse(&event.data, "text/event-stream")?;
            let is_answer = id.is_some() && message.get("method").is_none() && message["id"].as_u64() == id;
            self.say(message)?;
            if is_answer {
                return Ok(Left { last: None, ..left });
            }
        }
        Ok(left)
    }

    fn get(&self, headers: &Headers, last: Option<&str>) -> Result<Response<Body>, ClientError> {
        let mut request = self.request(Method::GET, headers)?;
        if let Some(last) = last {
            request = request.header("last-event-id", last);
        }
        self.agent.run(built(request.body(()))?).map_err(unreachable)
    }

    fn request(&self, method: Method, headers: &Headers) -> Result<http::request::Builder, ClientError> {
        let accept = match method {
            Method::GET => "text/event-stream",
            _ => "application/json, text/event-stream",
        };
        let mut request = self.place.request(method).header(header::ACCEPT, accept);
        for (name, value) in headers {
            request = request.header(name, value);
        }
        if let Some(session) = self.session() {
            request = request.header("mcp-session-id", session);
        }
        Ok(request)
    }

    fn session(&self) -> Option<String> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn say(&self, message: Value) -> Result<(), ClientError> {
        self.heard.send(Heard::Message(message)).map_err(|_| ClientError::Closed("nobody listens".into()))
    }
}

/// What is known of a stream that has ended.
struct Left {
    /// The event to come back after, unless all was said.
    last: Option<String>,
    retry: Duration,
}

/// Milliseconds that a server may make us wait before we come back to a stream.
const MOST_RETRY: u64 = 30_000;

impl Place {
    /// A request to this place, with what the user wants on each.
    pub(crate) fn request(&self, method: Method) -> http::request::Builder {
        self.request_to(&self.url, method)
    }

    /// The same to another place of the same origin.
    pub(crate) fn request_to(&self, url: &Uri, method: Method) -> http::request::Builder {
        let mut request = Request::builder().method(method).uri(url);
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        request
    }
}

/// Headers as the user writes them: `Name: value`.
pub(crate) fn header_line(line: &str) -> Result<(HeaderName, HeaderValue), String> {
    let (name, value) = line.split_once(':').ok_or("write a header as 'Name: value'")?;
    let name = name.trim().parse().map_err(|_| format!("`{}` is no name of a header", name.trim()))?;
    // What the value is, is nobody's business: it may be a key.
    let value = value.trim().parse().map_err(|_| "this value does not fit into a header".to_owned())?;
    Ok((name, value))
}

/// A client that checks certificates against those of the system. `whole` bounds an exchange from end to end.
pub(crate) fn agent(wait: Duration, whole: Option<Duration>) -> Agent {
    let roots = rustls_native_certs::load_native_certs().certs;
    let roots = roots.iter().map(|it| Certificate::from_der(it).to_owned()).collect();
    let tls = TlsConfig::builder()
        .root_certs(RootCerts::Specific(Arc::new(roots)))
        .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::aws_lc_rs::default_provider()))
        .build();
    Agent::config_builder()
        .tls_config(tls)
        .user_agent(concat!("tollgate/", env!("CARGO_PKG_VERSION")))
        .http_status_as_error(false)
        // A redirect could carry the token to somebody else.
        .max_redirects(0)
        .timeout_connect(Some(wait))
        .timeout_recv_response(Some(wait))
        .timeout_global(whole)
        .build()
        .new_agent()
}

pub(crate) fn unreachable(error: ureq::Error) -> ClientError {
    ClientError::Unreachable(match error {
        ureq::Error::Timeout(_) => "it took too long; wait longer with `--timeout`".into(),
        ureq::Error::HostNotFound => "no such host".into(),
        other => other.to_string(),
    })
}

fn built<T>(request: http::Result<Request<T>>) -> Result<Request<T>, ClientError> {
    request.map_err(|error| ClientError::Unsendable(format!("that cannot be sent: {error}")))
}

pub(crate) fn refused(response: Response<Body>) -> Refused {
    let location = text_of(&response, "location").filter(|_| response.status().is_redirection());
    let status = response.status().as_u16();
    let body = location.or_else(|| read(response).ok()).unwrap_or_default();
    Refused { status, body }
}

fn reader(response: Response<Body>) -> impl Read {
    response.into_body().into_with_config().limit(u64::MAX).reader()
}

/// A whole body, within a limit.
pub(crate) fn read(response: Response<Body>) -> Result<String, ClientError> {
    let mut body = Vec::new();
    reader(response).take(LONGEST + 1).read_to_end(&mut body).map_err(|it| broken(&it))?;
    if body.len() as u64 > LONGEST {
        return Err(ClientError::NotMcp("its answer is larger than 16 MiB".into()));
    }
    String::from_utf8(body).map_err(|_| ClientError::NotMcp("its answer is not UTF-8".into()))
}

fn broken(error: &io::Error) -> ClientError {
    ClientError::Closed(format!("the server broke off its answer: {error}"))
}

fn is_stream(response: &Response<Body>) -> bool {
    text_of(response, "content-type").is_some_and(|it| it.starts_with("text/event-stream"))
}

pub(crate) fn text_of(response: &Response<Body>, name: &str) -> Option<String> {
    response.headers().get(name).and_then(|it| it.to_str().ok()).map(str::to_owned)
}

fn parse(body: &str, media: &str) -> Result<Value, ClientError> {
    serde_json::from_str(body).map_err(|_| {
        let shown = text::short(body.trim(), 80);
        ClientError::NotMcp(format!("it answered with {}: `{shown}`", text::short(media, 60)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_a_name_and_a_value() {
        let (name, value) = header_line("X-Api-Key:  secret ").unwrap();

        assert_eq!((name.as_str(), value.to_str().unwrap()), ("x-api-key", "secret"));
    }

    #[test]
    fn a_value_that_is_refused_is_not_repeated() {
        for bad in ["no colon secret", "bad name: secret", "X-Key: secret\n"] {
            let told = header_line(&format!("{bad}\u{1}")).unwrap_err();

            assert!(!told.contains("secret"), "{told}");
        }
    }
}
