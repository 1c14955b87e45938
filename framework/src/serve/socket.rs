//! The bytes of a connection: its last request head is kept, and a reader that has stopped reading is given up.

use std::{
    cell::RefCell,
    future::Future,
    io,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll, ready},
    time::Duration,
};

use hyper::rt::{Read, ReadBufCursor, Write};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
    time::{Instant, Sleep, sleep_until},
};

/// A connection.
pub(crate) struct Socket {
    stream: TcpStream,
    head: Head,
    patience: Duration,
    timer: Option<Pin<Box<Sleep>>>,
}

/// The bytes that came in since the last that went out: the head of the request that is being read, as it was sent.
///
/// hyper drops the length of a request that is chunked as well, and two readers of such a request may see two of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Head(Arc<Mutex<Vec<u8>>>);

impl Head {
    /// Whether the request has a length, or what it has is not known: requests that came in before the answer to the
    /// one before went out are not kept.
    pub(crate) fn may_have_length(&self) -> bool {
        let bytes = self.lock();
        let Some(end) = memchr::memmem::find(&bytes, b"\r\n\r\n") else { return true };
        bytes[..end].split(|it| *it == b'\n').any(|line| {
            const NAME: &[u8] = b"content-length";
            line.get(..NAME.len()).is_some_and(|it| it.eq_ignore_ascii_case(NAME))
        })
    }

    fn note(&self, bytes: &[u8]) {
        let mut head = self.lock();
        let room = HEAD_BYTES.saturating_sub(head.len());
        head.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    fn lock(&self) -> MutexGuard<'_, Vec<u8>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Bytes that are kept of what came in. A longer head is one whose length is not known.
const HEAD_BYTES: usize = 4 * 1024;

impl Socket {
    pub(crate) fn new(stream: TcpStream, patience: Duration) -> (Self, Head) {
        let head = Head::default();
        (Self { stream, head: head.clone(), patience, timer: None }, head)
    }

    /// Starts the clock when writing gets stuck, and stops it when it goes on.
    fn watch<R>(&mut self, written: Poll<io::Result<R>>, cx: &mut Context<'_>) -> Poll<io::Result<R>> {
        if written.is_ready() {
            self.timer = None;
            return written;
        }
        let patience = self.patience;
        let timer = self.timer.get_or_insert_with(|| Box::pin(sleep_until(Instant::now() + patience)));
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
        PASSAGE.with_borrow_mut(|passage| {
            let room = passage.len().min(buffer.remaining());
            let mut piece = ReadBuf::new(&mut passage[..room]);
            ready!(Pin::new(&mut self.stream).poll_read(cx, &mut piece))?;
            self.head.note(piece.filled());
            buffer.put_slice(piece.filled());
            Poll::Ready(Ok(()))
        })
    }
}

impl Write for Socket {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.head.lock().clear();
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
        self.head.lock().clear();
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, pieces);
        self.watch(written, cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn may_have_length(bytes: &[u8]) -> bool {
        let head = Head::default();
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
