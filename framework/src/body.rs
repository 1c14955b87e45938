//! The body of an answer. It holds what the call takes until the last byte is gone.
//!
//! The server takes a whole piece at once and may be long in sending it, so a large one holds the place of its call
//! itself.

use std::{
    convert::Infallible,
    fmt,
    future::Future,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use bytes::Bytes;
use http_body::{Frame, SizeHint};
use tokio::time::{Instant, Sleep, sleep_until};

use crate::{answer::Messages, gates::room::Room};

/// The body of an answer: nothing, JSON, or a stream of server-sent events.
///
/// The call runs inside it. Dropping the body ends the call, and gives its place back.
pub struct Body {
    kind: Kind,
    place: Place,
}

/// The place of the call that the body answers.
enum Place {
    Nobodys,
    /// Held until the body is dropped.
    Bodys(Room),
    /// Held until the last large piece is sent as well.
    Shared(Arc<Room>),
}

enum Kind {
    Bytes([Bytes; 2]),
    Events(Events),
}

/// Messages as server-sent events, with a comment now and then while nothing is said.
struct Events {
    messages: Box<dyn Messages>,
    quiet: Option<Pin<Box<Sleep>>>,
    keep_alive: Duration,
    is_over: bool,
}

impl Body {
    pub(crate) const fn empty() -> Self {
        Self { kind: Kind::Bytes([Bytes::new(), Bytes::new()]), place: Place::Nobodys }
    }

    /// Up to two pieces, one after the other.
    pub(crate) fn bytes(pieces: [Bytes; 2], room: Option<Room>) -> Self {
        Self { kind: Kind::Bytes(pieces), place: Place::of(room) }
    }

    pub(crate) fn events(messages: Box<dyn Messages>, keep_alive: Duration, room: Option<Room>) -> Self {
        let events = Events { messages, quiet: None, keep_alive, is_over: false };
        Self { kind: Kind::Events(events), place: Place::of(room) }
    }

    /// A piece that holds the place of its call until it is sent.
    fn held(&mut self, piece: Bytes) -> Bytes {
        if piece.len() <= PIECE {
            return piece;
        }
        match self.place.share() {
            Some(room) => Bytes::from_owner(Held { piece, _room: room }),
            None => piece,
        }
    }
}

impl Place {
    fn of(room: Option<Room>) -> Self {
        room.map_or(Self::Nobodys, Self::Bodys)
    }

    fn share(&mut self) -> Option<Arc<Room>> {
        let room = match std::mem::replace(self, Self::Nobodys) {
            Self::Nobodys => return None,
            Self::Bodys(room) => Arc::new(room),
            Self::Shared(room) => room,
        };
        *self = Self::Shared(room.clone());
        Some(room)
    }
}

struct Held {
    piece: Bytes,
    _room: Arc<Room>,
}

impl AsRef<[u8]> for Held {
    fn as_ref(&self) -> &[u8] {
        &self.piece
    }
}

impl http_body::Body for Body {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let next = match &mut self.kind {
            Kind::Bytes(pieces) => {
                Poll::Ready(pieces.iter_mut().find(|it| !it.is_empty()).map(std::mem::take))
            }
            Kind::Events(events) => events.poll_bytes(cx),
        };
        next.map(|it| it.map(|piece| Ok(Frame::data(self.held(piece)))))
    }

    fn is_end_stream(&self) -> bool {
        match &self.kind {
            Kind::Bytes(pieces) => pieces.iter().all(Bytes::is_empty),
            Kind::Events(events) => events.is_over,
        }
    }

    fn size_hint(&self) -> SizeHint {
        match &self.kind {
            Kind::Bytes(pieces) => SizeHint::with_exact(pieces.iter().map(|it| it.len() as u64).sum()),
            Kind::Events(_) => SizeHint::new(),
        }
    }
}

/// Bytes of events that go out as one piece, and what a socket takes at once.
const PIECE: usize = 16 * 1024;

impl Events {
    /// All that is there to say now, or a sign of life.
    fn poll_bytes(&mut self, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        if self.is_over {
            return Poll::Ready(None);
        }
        let mut piece = Vec::new();
        while piece.len() < PIECE {
            match self.messages.poll_message(cx) {
                Poll::Ready(Some(message)) => {
                    piece.reserve(message.len() + 8);
                    piece.extend_from_slice(b"data: ");
                    piece.extend_from_slice(&message);
                    piece.extend_from_slice(b"\n\n");
                }
                Poll::Ready(None) => {
                    self.is_over = true;
                    break;
                }
                Poll::Pending => break,
            }
        }
        if !piece.is_empty() {
            self.quiet = None;
            return Poll::Ready(Some(piece.into()));
        }
        if self.is_over {
            return Poll::Ready(None);
        }
        let keep_alive = self.keep_alive;
        let quiet = self.quiet.get_or_insert_with(|| Box::pin(sleep_until(Instant::now() + keep_alive)));
        std::task::ready!(quiet.as_mut().poll(cx));
        quiet.as_mut().reset(Instant::now() + keep_alive);
        // The next poll registers the timer that was just set.
        cx.waker().wake_by_ref();
        Poll::Ready(Some(Bytes::from_static(b":\n\n")))
    }
}

impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Body")
    }
}
