//! One JSON-RPC message, read with bounds and scanned before anything looks at what it means.

use std::{
    borrow::Cow,
    future::{Future, poll_fn},
    pin::{Pin, pin},
    sync::{Arc, atomic::Ordering},
    task::Poll,
};

use bytes::{Buf, Bytes, BytesMut};
use http_body::Body;
use serde_json::Value;
use tokio::time::{Instant, Sleep, sleep_until};

use super::{
    caller::{Handshake, Known},
    door::Verb,
    headers::Headers,
    refusal::{Reason, Refusal},
    room::Room,
};
use crate::{
    caller::Caller,
    engine::Engine,
    gate::{Passing, WaitingGate},
    limits::Limits,
    wire::{
        id::Id,
        names,
        scan::{self, Bounds, Kind, Outline, Slot, Span},
    },
};

/// A request whose message was read.
pub(crate) struct Read {
    pub(crate) engine: Arc<Engine>,
    pub(crate) caller: Caller,
    /// Set by the next gate.
    pub(crate) room: Option<Room>,
    pub(crate) verb: Verb,
    pub(crate) headers: Option<Box<Headers>>,
    pub(crate) handshake: Option<Handshake>,
    pub(crate) message: Message,
}

/// One JSON-RPC message. It has one meaning: no key stands twice in it, at any depth.
pub(crate) struct Message {
    pub(crate) body: Bytes,
    outline: Outline,
    pub(crate) id: Option<Id>,
    pub(crate) sort: Sort,
    method: Cow<'static, str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    Request,
    Notification,
    /// The answer to a question; only legacy clients send one.
    Response,
    /// A verb without a body.
    Verb,
}

pub(crate) struct Receive<B>(std::marker::PhantomData<B>);

impl<B> WaitingGate for Receive<B>
where
    B: Body<Data: Send, Error: Into<Box<dyn std::error::Error + Send + Sync>>> + Send + 'static,
{
    type In = Known<B>;
    /// Boxed once, so that the gates behind move a pointer.
    type Out = Box<Read>;

    fn pass(
        it: Known<B>,
    ) -> Passing<Box<Read>, impl Future<Output = Result<Box<Read>, Refusal>> + Send + 'static> {
        let Known { engine, verb, headers, body, caller, handshake } = it;
        if verb != Verb::Post {
            let message = Message::of_verb();
            return Passing::Now(Ok(Box::new(Read {
                engine,
                caller,
                room: None,
                verb,
                headers,
                handshake,
                message,
            })));
        }
        // A declared length comes in the hint: what is too long is not read.
        if body.size_hint().lower() > engine.limits.body_bytes as u64 {
            return Passing::Now(Err(Reason::BodyTooLarge(engine.limits.body_bytes).of(None)));
        }
        Passing::Later(async move {
            let most = engine.limits.body_bytes;
            let bytes = read_whole(body, &engine, most).await.map_err(|reason| reason.of(None))?;
            let message = Message::parse(bytes, &engine.limits)?;
            Ok(Box::new(Read { engine, caller, room: None, verb, headers, handshake, message }))
        })
    }
}

/// The whole body. A body that came in one piece is not copied.
pub(crate) async fn read_whole<B: Body<Error: Into<Box<dyn std::error::Error + Send + Sync>>>>(
    body: B,
    engine: &Engine,
    most: usize,
) -> Result<Bytes, Reason> {
    let limits = &engine.limits;
    let mut body = pin!(body);
    let mut reserved = Reserved { engine, bytes: 0 };
    let mut end = None;
    let mut first = Bytes::new();
    let mut all = BytesMut::new();
    let mut is_first = true;
    loop {
        let frame = within(limits, &mut end, poll_fn(|cx| body.as_mut().poll_frame(cx))).await;
        let Some(frame) = frame.ok_or(Reason::BodySlow)? else { break };
        let Ok(mut data) = frame.map_err(|_| Reason::BodyBroken)?.into_data() else { continue };
        reserved.add(data.remaining())?;
        if reserved.bytes > most {
            return Err(Reason::BodyTooLarge(most));
        }
        let piece = data.copy_to_bytes(data.remaining());
        match std::mem::take(&mut is_first) {
            true => first = piece,
            false => {
                if all.is_empty() {
                    all.extend_from_slice(&first);
                }
                all.extend_from_slice(&piece);
            }
        }
        if body.is_end_stream() {
            break;
        }
    }
    Ok(if all.is_empty() { first } else { all.freeze() })
}

/// Waits for one piece. Clocks and timers are only looked at when there is something to wait for.
async fn within<T>(limits: &Limits, end: &mut Option<Instant>, piece: impl Future<Output = T>) -> Option<T> {
    let mut piece = pin!(piece);
    let mut timer: Option<Pin<Box<Sleep>>> = None;
    poll_fn(|cx| {
        if let Poll::Ready(piece) = piece.as_mut().poll(cx) {
            return Poll::Ready(Some(piece));
        }
        let timer = timer.get_or_insert_with(|| {
            let now = Instant::now();
            let end = *end.get_or_insert(now + limits.body_time);
            Box::pin(sleep_until(end.min(now + limits.body_gap)))
        });
        timer.as_mut().poll(cx).map(|()| None)
    })
    .await
}

/// What this body takes of the bytes that all bodies share.
struct Reserved<'a> {
    engine: &'a Engine,
    bytes: usize,
}

impl Reserved<'_> {
    fn add(&mut self, bytes: usize) -> Result<(), Reason> {
        self.bytes += bytes;
        let before = self.engine.reading.fetch_add(bytes, Ordering::AcqRel);
        if before + bytes > self.engine.limits.bodies_bytes { Err(Reason::ProcessFull) } else { Ok(()) }
    }
}

impl Drop for Reserved<'_> {
    fn drop(&mut self) {
        self.engine.reading.fetch_sub(self.bytes, Ordering::AcqRel);
    }
}

impl Message {
    fn of_verb() -> Self {
        let outline = Outline::default();
        Self { body: Bytes::new(), outline, id: None, sort: Sort::Verb, method: Cow::Borrowed("") }
    }

    /// Reads one message. Refusals carry the id wherever it could be read.
    pub(crate) fn parse(body: Bytes, limits: &Limits) -> Result<Self, Refusal> {
        let outline = scan::scan(&body, &bounds(limits)).map_err(|fault| Reason::Scan(fault).of(None))?;
        let top = |slot| outline.get(slot);
        let wrong = |text| Err(Reason::Envelope(text));
        let id = match top(Slot::Id) {
            None => None,
            Some(span) => match Id::parse(body.slice(range(span))) {
                Some(id) => Some(id),
                None => return Err(Reason::Envelope(ID).of(None)),
            },
        };
        let method = top(Slot::Method);
        let sort = match (method, top(Slot::Result).or(top(Slot::Error))) {
            _ if top(Slot::Jsonrpc).is_none_or(|it| &body[range(it)] != b"\"2.0\"") => {
                wrong("`jsonrpc` has to be \"2.0\"")
            }
            (Some(_), Some(_)) => wrong("a message has a `method`, or a `result` or `error`, not both"),
            (Some(it), None) if scan::kind(&body, it) != Kind::String => wrong("`method` has to be a string"),
            (Some(_), None) if id.is_some() => Ok(Sort::Request),
            (Some(_), None) => Ok(Sort::Notification),
            (None, Some(_)) if id.is_some() => Ok(Sort::Response),
            (None, _) => wrong("a message needs a `method`"),
        };
        let params = top(Slot::Params).map(|it| scan::kind(&body, it));
        let sort = match params {
            Some(kind) if sort.is_ok() && kind != Kind::Object => wrong("`params` has to be an object"),
            _ => sort,
        };
        let sort = sort.map_err(|reason| reason.of(id.as_ref()))?;
        let method = method.map_or(Cow::Borrowed(""), |it| method_name(&body, it));
        Ok(Self { outline, id, sort, method, body })
    }

    pub(crate) fn method(&self) -> &str {
        &self.method
    }

    /// Where a member stands.
    pub(crate) fn at(&self, slot: Slot) -> Option<Span> {
        self.outline.get(slot)
    }

    /// Whether a member is a string that says this.
    pub(crate) fn says(&self, span: Span, expected: &str) -> bool {
        scan::says(&self.body, span, expected)
    }

    pub(crate) fn raw(&self, span: Span) -> &[u8] {
        &self.body[range(span)]
    }

    pub(crate) fn slice(&self, span: Span) -> Bytes {
        self.body.slice(range(span))
    }

    pub(crate) fn kind(&self, span: Span) -> Kind {
        scan::kind(&self.body, span)
    }

    pub(crate) fn text(&self, span: Span) -> Option<Cow<'_, str>> {
        scan::text(&self.body, span)
    }

    /// The value at a span. What was scanned is JSON.
    pub(crate) fn value(&self, span: Span) -> Value {
        serde_json::from_slice(self.raw(span)).unwrap_or_default()
    }
}

const ID: &str = "`id` has to be a string of 1 to 256 bytes, or a whole number within 2^53";

/// Methods that are served, and written without escapes, are not copied.
fn method_name(body: &[u8], span: Span) -> Cow<'static, str> {
    let written = scan::inside(body, span);
    match names::METHODS.iter().find(|it| written == Some(it.as_bytes())) {
        Some(known) => Cow::Borrowed(known),
        None => Cow::Owned(scan::text(body, span).unwrap_or_default().into_owned()),
    }
}

fn range(span: Span) -> std::ops::Range<usize> {
    span.start as usize..span.end as usize
}

pub(crate) fn bounds(limits: &Limits) -> Bounds {
    Bounds {
        depth: limits.json_depth,
        values: limits.json_values,
        keys: limits.json_keys,
        key_bytes: limits.json_key_bytes,
        number_bytes: limits.json_number_bytes,
    }
}
