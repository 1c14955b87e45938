//! The bytes of a connection: its last request head is kept, a client that does not send one is given up, and so is a
//! reader that has stopped reading.

use std::{
    cell::RefCell,
    future::Future,
    io,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll},
    time::Duration,
};

use hyper::rt::{Read, ReadBufCursor, Write};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
    time::{Instant, Sleep, sleep_until},
};

use crate::limits::Limits;

/// A connection.
pub(crate) struct Socket {
    stream: TcpStream,
    exchange: Exchange,
    head_time: Duration,
    head_timer: Option<Pin<Box<Sleep>>>,
    write_time: Duration,
    write_timer: Option<Pin<Box<Sleep>>>,
}

/// Where a connection is between a request and its answer, told by whoever answers and read by its socket.
#[derive(Clone, Debug, Default)]
pub(crate) struct Exchange(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    /// The bytes that came in since the last that went out: the head of the request that is being read, as it was
    /// sent. hyper drops the length of a request that is chunked as well, and two readers of such a request may see
    /// two of them.
    head: Vec<u8>,
    /// From the end of a request's head to the end of its answer.
    is_answering: bool,
    /// When the next head has to be there, once it is waited for.
    head_due: Option<Instant>,
}

/// What a connection is read for.
enum Awaited {
    /// The head of the next request, which has to be there by then.
    Head(Instant),
    /// The rest of a request, or its answer.
    Body,
    /// An answer has begun and takes long, as that of a listener: it may hold no more memory than it needs.
    Nothing,
}

impl Exchange {
    /// A request's head is there.
    pub(crate) fn begin(&self) {
        let mut state = self.lock();
        state.is_answering = true;
        state.head_due = None;
    }

    /// Its answer is sent, or nobody wants it any more.
    pub(crate) fn end(&self) {
        self.lock().is_answering = false;
    }

    /// Whether the request has a length, or what it has is not known: requests that came in before the answer to the
    /// one before went out are not kept.
    pub(crate) fn may_have_length(&self) -> bool {
        let state = self.lock();
        let Some(end) = memchr::memmem::find(&state.head, b"\r\n\r\n") else { return true };
        state.head[..end].split(|it| *it == b'\n').any(|line| {
            const NAME: &[u8] = b"content-length";
            line.get(..NAME.len()).is_some_and(|it| it.eq_ignore_ascii_case(NAME))
        })
    }

    fn note(&self, bytes: &[u8]) {
        let head = &mut self.lock().head;
        let room = HEAD_BYTES.saturating_sub(head.len());
        head.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    fn forget_head(&self) {
        self.lock().head.clear();
    }

    /// What there is to read for.
    fn awaited(&self, now: Instant, time: Duration) -> Awaited {
        let mut state = self.lock();
        if !state.is_answering {
            return Awaited::Head(*state.head_due.get_or_insert_with(|| now + time));
        }
        if !state.head.is_empty() {
            return Awaited::Body;
        }
        state.head = Vec::new();
        Awaited::Nothing
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Bytes that are kept of what came in. A longer head is one whose length is not known.
const HEAD_BYTES: usize = 4 * 1024;

impl Socket {
    pub(crate) fn new(stream: TcpStream, limits: &Limits) -> (Self, Exchange) {
        let exchange = Exchange::default();
        let socket = Self {
            stream,
            exchange: exchange.clone(),
            head_time: limits.head_time,
            head_timer: None,
            write_time: limits.write_stall,
            write_timer: None,
        };
        (socket, exchange)
    }

    /// Waits for a head, from the end of the answer before it on. hyper would set a timer for each request; this one
    /// is set when it has run out, and looks then whether it was meant.
    fn wait_for_head(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let now = Instant::now();
        let due = match self.exchange.awaited(now, self.head_time) {
            Awaited::Head(due) => due,
            Awaited::Body => return Poll::Pending,
            Awaited::Nothing => {
                self.head_timer = None;
                return Poll::Pending;
            }
        };
        if now >= due {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        match &mut self.head_timer {
            Some(timer) if !timer.is_elapsed() => return Poll::Pending,
            Some(timer) => timer.as_mut().reset(due),
            None => self.head_timer = Some(Box::pin(sleep_until(due))),
        }
        match self.head_timer.as_mut().map(|it| it.as_mut().poll(cx)) {
            Some(Poll::Ready(())) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Some(Poll::Pending) | None => Poll::Pending,
        }
    }

    /// Starts the clock when writing gets stuck, and stops it when it goes on.
    fn watch<R>(&mut self, written: Poll<io::Result<R>>, cx: &mut Context<'_>) -> Poll<io::Result<R>> {
        if written.is_ready() {
            self.write_timer = None;
            return written;
        }
        let time = self.write_time;
        let timer = self.write_timer.get_or_insert_with(|| Box::pin(sleep_until(Instant::now() + time)));
        match timer.as_mut().poll(cx) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

thread_local! {
    /// What is read goes through here, so that it can be looked at on its way.
    static PASSAGE: RefCell<Vec<u8>> = RefCell::new(vec![0; 64 * 1024]);
}

impl Read for Socket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        mut buffer: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        let read = PASSAGE.with_borrow_mut(|passage| {
            let room = passage.len().min(buffer.remaining());
            let mut piece = ReadBuf::new(&mut passage[..room]);
            let read = Pin::new(&mut self.stream).poll_read(cx, &mut piece);
            if !piece.filled().is_empty() {
                self.exchange.note(piece.filled());
                buffer.put_slice(piece.filled());
            }
            read
        });
        if read.is_pending() { self.wait_for_head(cx) } else { read }
    }
}

impl Write for Socket {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.exchange.forget_head();
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.watch(written, cx)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(cx);
        self.watch(flushed, cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let shut = Pin::new(&mut self.stream).poll_shutdown(cx);
        self.watch(shut, cx)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.exchange.forget_head();
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, pieces);
        self.watch(written, cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn may_have_length(bytes: &[u8]) -> bool {
        let head = Exchange::default();
        head.note(bytes);
        head.may_have_length()
    }

    #[test]
    fn a_length_is_found_however_it_is_written() {
        for head in ["Content-Length: 1", "content-length:1", "A: b\r\nCONTENT-LENGTH : 1"] {
            assert!(may_have_length(format!("POST / HTTP/1.1\r\n{head}\r\n\r\n").as_bytes()), "{head}");
        }
        assert!(!may_have_length(
            b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nContent-Length: 1\r\n\r\n"
        ));
    }

    #[test]
    fn a_head_that_was_not_kept_whole_may_have_one() {
        assert!(may_have_length(b""));
        assert!(may_have_length(&[b'a'; 2 * HEAD_BYTES]));
    }
}
