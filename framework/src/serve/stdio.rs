//! One client on standard input and output, a message a line (basic/transports/stdio).

mod line;
mod running;
pub(crate) mod streams;

use std::{
    io,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use bytes::Bytes;
use tokio::{
    io::{AsyncBufRead, AsyncWrite, AsyncWriteExt},
    sync::{mpsc, watch},
    task::JoinSet,
    time::timeout,
};
use tower::Service;

use super::whole::Whole;
use crate::{
    answer::{Messages, Payload, standing},
    caller::Caller,
    engine::Engine,
    gates::{
        self,
        caller::{Handshake, Known},
        door::Verb,
        message::{Message, Sort},
        refusal::{Reason, shown},
    },
    guard::Guarded,
    wire::{id::Id, scan::Slot},
};
use line::{Line, read_line};
use running::Running;

/// Serves until the input ends, then lets what runs come to its end.
pub(crate) async fn run(
    engine: Arc<Engine>,
    input: impl AsyncBufRead + Unpin,
    output: impl AsyncWrite + Unpin + Send + 'static,
) -> io::Result<()> {
    let (lines, queue) = mpsc::channel(QUEUE);
    let mut writer = tokio::spawn(write(queue, output));
    let mut client = Client::new(engine, lines)?;
    tokio::select! {
        read = client.read(input) => read?,
        // Nobody is there to read what is answered.
        written = &mut writer => return written?,
    }
    client.end().await;
    drop(client);
    match timeout(LAST_WORDS, &mut writer).await {
        Ok(written) => written?,
        Err(_) => {
            writer.abort();
            Err(io::ErrorKind::TimedOut.into())
        }
    }
}

/// Lines that wait for the client to read them.
const QUEUE: usize = 256;
/// How long calls may go on, and how long what they said may be read, after the input has ended.
const LAST_WORDS: Duration = Duration::from_secs(2);

struct Client {
    shared: Arc<Shared>,
    tasks: JoinSet<()>,
}

/// All that is known of the one client there is. The process is its session.
struct Shared {
    engine: Arc<Engine>,
    session: [u8; 32],
    lines: mpsc::Sender<Bytes>,
    handshake: Mutex<Option<Handshake>>,
    /// Whether the stream of changes is open that legacy clients get.
    stands: AtomicBool,
    running: Running,
    /// Set when the input has ended: then nobody listens any more.
    ended: watch::Sender<bool>,
}

impl Client {
    fn new(engine: Arc<Engine>, lines: mpsc::Sender<Bytes>) -> io::Result<Self> {
        let mut session = [0; 32];
        engine.backing.entropy.fill(&mut session)?;
        let shared = Shared {
            session,
            lines,
            handshake: Mutex::default(),
            stands: AtomicBool::new(false),
            running: Running::new(engine.limits.stdio_calls),
            ended: watch::Sender::new(false),
            engine,
        };
        Ok(Self { shared: Arc::new(shared), tasks: JoinSet::new() })
    }

    async fn read(&mut self, mut input: impl AsyncBufRead + Unpin) -> io::Result<()> {
        let most = self.shared.engine.limits.line_bytes;
        let mut line = Vec::new();
        while let Some(next) = read_line(&mut input, &mut line, most).await? {
            match next {
                Line::Whole => self.take(Bytes::copy_from_slice(&line)).await,
                Line::TooLong => self.shared.refuse(Reason::LineTooLong(most), None).await,
            }
            while self.tasks.try_join_next().is_some() {}
        }
        Ok(())
    }

    async fn take(&mut self, line: Bytes) {
        if line.iter().all(u8::is_ascii_whitespace) {
            return;
        }
        // Looked into before the row, for what only this transport does: cancelling, and telling requests apart.
        let message = match Message::parse(line.clone(), &self.shared.engine.limits) {
            Ok(message) => message,
            Err(refusal) => return self.shared.send(refusal.body().into()).await,
        };
        match message.sort {
            Sort::Notification if message.method() == "notifications/cancelled" => self.cancel(&message),
            Sort::Request => self.start(line, message.id).await,
            Sort::Notification | Sort::Response | Sort::Verb => {
                let (shared, known) = (self.shared.clone(), self.known(line));
                self.tasks.spawn(async move { shared.answer(known, false).await });
            }
        }
    }

    /// Stops a request; ids that are unknown or finished change nothing.
    fn cancel(&self, message: &Message) {
        let id = message.at(Slot::RequestId).and_then(|it| Id::parse(message.slice(it)));
        if id.is_some_and(|it| self.shared.running.stop(&it)) {
            let reason = message.at(Slot::Reason).and_then(|it| message.text(it));
            tracing::info!(reason = reason.as_deref().map(shown), "the client has cancelled a request");
        }
    }

    async fn start(&mut self, line: Bytes, id: Option<Id>) {
        let Some(id) = id else { return };
        let mut place = match self.shared.running.start(id.clone()) {
            Ok(place) => place,
            Err(reason) => return self.shared.refuse(reason, Some(&id)).await,
        };
        let (shared, known) = (self.shared.clone(), self.known(line));
        self.tasks.spawn(async move {
            tokio::select! {
                biased;
                () = place.stopped() => {}
                () = shared.answer(known, true) => {}
            }
        });
    }

    fn known(&self, line: Bytes) -> Known<Whole> {
        let handshake = *self.shared.handshake.lock().unwrap_or_else(PoisonError::into_inner);
        Known {
            engine: self.shared.engine.clone(),
            verb: Verb::Post,
            headers: None,
            body: Whole::new(line),
            caller: Caller::LOCAL,
            handshake,
        }
    }

    /// The input has ended: listeners end now, calls soon.
    async fn end(&mut self) {
        self.shared.ended.send_replace(true);
        let all = async { while self.tasks.join_next().await.is_some() {} };
        if timeout(LAST_WORDS, all).await.is_err() {
            self.tasks.shutdown().await;
        }
    }
}

impl Shared {
    async fn answer(self: Arc<Self>, known: Known<Whole>, is_request: bool) {
        let reply = match Guarded(gates::inner_row::<Whole>().call(known)).await {
            Ok(Ok(reply)) => reply,
            // Nobody answers a notification, not even with an error (basic/index#notifications).
            _ if !is_request => return,
            Ok(Err(refusal)) => return self.send(refusal.body().into()).await,
            Err(panic) => return self.refuse(Reason::internal(&self.engine, &panic), None).await,
        };
        let mut changes = None;
        if let Some(handshake) = reply.handshake {
            let handshake = Handshake { session: Some(self.session), ..handshake };
            *self.handshake.lock().unwrap_or_else(PoisonError::into_inner) = Some(handshake);
            // A legacy client hears of changes without asking, once.
            if !self.stands.swap(true, Ordering::AcqRel) {
                changes = standing(&self.engine, &Caller::LOCAL, self.session).ok();
            }
        }
        // The place is taken until the last line is on its way.
        let room = reply.room;
        match reply.payload {
            Payload::Nothing | Payload::Ended => {}
            Payload::Message(message) => self.send(message).await,
            Payload::Page(page, end) => self.send([page, end].concat().into()).await,
            Payload::Stream(mut messages) if room.is_some() => self.forward(&mut *messages).await,
            Payload::Stream(mut messages) => self.listen(&mut *messages).await,
        }
        drop(room);
        if let Some(mut changes) = changes {
            tokio::spawn(async move { self.listen(&mut changes).await });
        }
    }

    async fn forward(&self, messages: &mut dyn Messages) {
        while let Some(message) = std::future::poll_fn(|cx| messages.poll_message(cx)).await {
            self.send(message).await;
        }
    }

    /// The same for a stream that has no end of its own.
    async fn listen(&self, messages: &mut dyn Messages) {
        let mut ended = self.ended.subscribe();
        tokio::select! {
            () = self.forward(messages) => return,
            // A stream that begins when the input has ended already is told as well.
            _ = ended.wait_for(|it| *it) => {}
        }
        messages.end();
        self.forward(messages).await;
    }

    async fn refuse(&self, reason: Reason, id: Option<&Id>) {
        self.send(reason.of(id).body().into()).await;
    }

    async fn send(&self, line: Bytes) {
        // The writer only ends when the client has gone.
        let _ = self.lines.send(line).await;
    }
}

/// Writes lines, as many at once as there are.
async fn write(mut queue: mpsc::Receiver<Bytes>, mut output: impl AsyncWrite + Unpin) -> io::Result<()> {
    let mut lines = Vec::new();
    let mut bytes = Vec::new();
    while queue.recv_many(&mut lines, QUEUE).await > 0 {
        for line in lines.drain(..) {
            bytes.extend_from_slice(&line);
            bytes.push(b'\n');
        }
        output.write_all(&bytes).await?;
        output.flush().await?;
        bytes.clear();
    }
    Ok(())
}
