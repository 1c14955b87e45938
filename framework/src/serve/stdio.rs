//! One client on standard input and output, a message a line (basic/transports/stdio).

mod line;

use std::{
    collections::HashMap,
    convert::Infallible,
    io,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use bytes::Bytes;
use tokio::{
    io::{AsyncBufRead, AsyncWrite, AsyncWriteExt},
    sync::{mpsc, oneshot},
    task::JoinSet,
    time::timeout,
};
use tower::Service;

use crate::{
    answer::{Messages, Payload, standing},
    caller::Caller,
    engine::Engine,
    gates::{
        self,
        caller::{Handshake, Known, Room},
        door::Verb,
        message::{Message, Sort},
        refusal::{Reason, shown},
    },
    wire::id::Id,
};
use line::{Line, OneLine, read_line};

/// Serves until the input ends, then lets what runs come to its end.
pub(crate) async fn run(
    engine: Arc<Engine>,
    mut input: impl AsyncBufRead + Unpin,
    output: impl AsyncWrite + Unpin + Send + 'static,
) -> io::Result<()> {
    let (lines, queue) = mpsc::channel(QUEUE);
    let writer = tokio::spawn(write(queue, output));
    let most = engine.limits.line_bytes;
    let mut client = Client::new(engine, lines)?;
    let mut line = Vec::new();
    while let Some(next) = read_line(&mut input, &mut line, most).await? {
        match next {
            Line::Whole => client.take(Bytes::copy_from_slice(&line)).await,
            Line::TooLong => client.shared.send(Reason::BodyTooLarge(most).of(None).body().into()).await,
        }
        while client.tasks.try_join_next().is_some() {}
    }
    client.end().await;
    drop(client);
    writer.await?
}

/// Lines that wait for the client to read them.
const QUEUE: usize = 256;
/// How long calls may go on after the input has ended.
const LAST_WORDS: Duration = Duration::from_secs(4);

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
    /// Dropping the sender stops the request of that id.
    running: Mutex<HashMap<Id, oneshot::Sender<Infallible>>>,
}

impl Client {
    fn new(engine: Arc<Engine>, lines: mpsc::Sender<Bytes>) -> io::Result<Self> {
        let mut session = [0; 32];
        engine.backing.entropy.fill(&mut session)?;
        let shared =
            Shared { engine, session, lines, handshake: Mutex::default(), running: Mutex::default() };
        Ok(Self { shared: Arc::new(shared), tasks: JoinSet::new() })
    }

    async fn take(&mut self, line: Bytes) {
        if line.iter().all(u8::is_ascii_whitespace) {
            return;
        }
        // Looked into before the row, for what only this transport does: cancelling, and telling requests apart.
        let Ok(message) = Message::parse(line.clone(), &self.shared.engine.limits) else {
            return self.start(line, None).await;
        };
        if message.sort == Sort::Notification && message.method() == "notifications/cancelled" {
            return self.cancel(&message);
        }
        let id = message.id.filter(|_| message.sort == Sort::Request);
        if let Some(id) = &id
            && lock(&self.shared.running).contains_key(id)
        {
            let refusal = Reason::Envelope("a request with this `id` is still running").of(Some(id));
            return self.shared.send(refusal.body().into()).await;
        }
        self.start(line, id).await;
    }

    /// Stops a request; ids that are unknown or finished change nothing.
    fn cancel(&self, message: &Message) {
        let Some(span) = message.param("requestId") else { return };
        let Some(id) = Id::parse(message.slice(span)) else { return };
        if lock(&self.shared.running).remove(&id).is_some() {
            let reason = message.param("reason").and_then(|it| message.text(it));
            tracing::debug!(?id, reason = reason.as_deref().map(shown), "the client cancelled a request");
        }
    }

    async fn start(&mut self, line: Bytes, id: Option<Id>) {
        let shared = self.shared.clone();
        let engine = shared.engine.clone();
        let has_room = lock(&shared.running).len() < engine.limits.stdio_calls;
        let room = Room::take(&engine, &Caller::LOCAL);
        let room = match room.and_then(|it| if has_room { Ok(it) } else { Err(Reason::ProcessFull) }) {
            Ok(room) => room,
            Err(reason) => return shared.send(reason.of(id.as_ref()).body().into()).await,
        };
        let handshake = *lock(&shared.handshake);
        let (verb, body, caller) = (Verb::Post, OneLine::new(line), Caller::LOCAL);
        let known = Known { engine, verb, headers: None, body, caller, room, handshake };
        let Some(id) = id else {
            self.tasks.spawn(async move { shared.answer(known).await });
            return;
        };
        let (alive, stopped) = oneshot::channel();
        lock(&shared.running).insert(id.clone(), alive);
        self.tasks.spawn(async move {
            tokio::select! {
                () = shared.answer(known) => {}
                _ = stopped => return,
            }
            lock(&shared.running).remove(&id);
        });
    }

    /// The input has ended: listeners end now, calls soon.
    async fn end(&mut self) {
        self.shared.engine.catalog.changes.drain();
        let all = async { while self.tasks.join_next().await.is_some() {} };
        if timeout(LAST_WORDS, all).await.is_err() {
            self.tasks.shutdown().await;
        }
    }
}

impl Shared {
    async fn answer(self: &Arc<Self>, known: Known<OneLine>) {
        let reply = match gates::inner_row::<OneLine>().call(known).await {
            Ok(reply) => reply,
            Err(refusal) => return self.send(refusal.body().into()).await,
        };
        if let Some(handshake) = reply.handshake {
            let session = Some(self.session);
            *lock(&self.handshake) = Some(Handshake { session, ..handshake });
            // A legacy client hears of changes without asking.
            let changes = standing(self.engine.clone(), &Caller::LOCAL, self.session);
            let shared = self.clone();
            tokio::spawn(async move {
                if let Ok(mut changes) = changes {
                    shared.forward(&mut changes).await;
                }
            });
        }
        // The place is taken until the last line is on its way.
        let _room = reply.room;
        match reply.payload {
            Payload::Nothing | Payload::Ended => {}
            Payload::Message(message) => self.send(message).await,
            Payload::Page(page, end) => self.send([page, end].concat().into()).await,
            Payload::Stream(mut messages) => self.forward(&mut *messages).await,
        }
    }

    async fn forward(&self, messages: &mut dyn Messages) {
        while let Some(message) = std::future::poll_fn(|cx| messages.poll_message(cx)).await {
            self.send(message).await;
        }
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

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
