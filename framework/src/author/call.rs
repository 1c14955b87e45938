//! One call while it runs: what the tool says besides its result, and what it still has to be told.

mod allowance;
mod note;

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    task::Waker,
    time::Duration,
};

use bytes::Bytes;
use serde_json::{Map, Value, json};
use tokio::{sync::Notify, time::Instant};

use super::{ask::Question, catalog::Catalog};
use crate::{
    caller::Caller,
    clock::{Clock, Entropy},
    handles::Handles,
    pending::Pending,
    store::Store,
    wire::{
        capabilities::{Capabilities, Need},
        level::Level,
        version::Version,
        write,
    },
};
use allowance::Allowance;

/// What calls reach through their context, the same for all calls of a server.
pub(crate) struct Backing {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) entropy: Arc<dyn Entropy>,
    pub(crate) pending: Pending,
    pub(crate) handles: Arc<Handles>,
    pub(crate) catalog: Arc<Catalog>,
    pub(crate) notifications_per_second: u32,
    /// How long it is remembered that a chain of rounds was redeemed.
    pub(crate) redeemed_for: Duration,
}

/// One call.
pub(crate) struct Call {
    pub(crate) backing: Arc<Backing>,
    pub(crate) caller: Caller,
    pub(crate) version: Version,
    pub(crate) capabilities: Capabilities,
    pub(crate) deadline: Instant,
    /// Names the legacy session that answers have to come from.
    pub(crate) session: Option<[u8; 32]>,
    pub(crate) progress_token: Option<Bytes>,
    pub(crate) log_level: Option<Level>,
    gone: AtomicBool,
    left: Notify,
    room: Notify,
    line: Mutex<Line>,
}

/// What an earlier round left behind, or nothing in the first.
#[derive(Debug, Default)]
pub(crate) struct Round {
    /// How often this request has asked already.
    pub(crate) number: u32,
    pub(crate) answers: BTreeMap<String, Value>,
    pub(crate) kept: BTreeMap<String, Value>,
    /// Names the chain of rounds that the state belongs to, once it was found to be ours.
    pub(crate) chain: Option<[u8; 24]>,
}

/// Everything that has to be taken to the client before the result.
#[derive(Default)]
struct Line {
    waker: Option<Waker>,
    notes: VecDeque<Vec<u8>>,
    /// Bytes of the notes that wait.
    waiting: usize,
    /// The last progress that was reported.
    progress: Option<f64>,
    /// The newest progress, held back because others went out just before.
    held: Option<Vec<u8>>,
    allowance: Option<Allowance>,
    /// Boxed, since most calls have none.
    round: Option<Box<Round>>,
    /// Questions of this run that no answer came for yet.
    open: Vec<(String, Question)>,
    /// Questions of this run that the client has answered.
    answered: Vec<(String, Question)>,
    asked: BTreeSet<String>,
    is_redeemed: bool,
    stopped: Option<Stopped>,
}

/// Why a call ends without a result of its own.
#[derive(Debug)]
pub(crate) enum Stopped {
    /// The client cannot do what the tool needs.
    Needs(Need),
    /// The state that came with the request was used before.
    Spent,
    /// The answers came without the state that they belong to.
    AskAgain,
}

/// What there is to hear from a call that has not returned yet.
pub(crate) enum Heard {
    /// One message for the client.
    Note(Vec<u8>),
    /// The call waits for these answers.
    Questions(Vec<(String, Question)>),
    Stopped(Stopped),
    /// Nothing now; a held message is due at that time.
    Nothing(Option<Instant>),
}

impl Call {
    #[expect(clippy::too_many_arguments, reason = "each is one fact of the request, named where it is made")]
    pub(crate) fn new(
        backing: Arc<Backing>,
        caller: Caller,
        version: Version,
        capabilities: Capabilities,
        time: Duration,
        session: Option<[u8; 32]>,
        progress_token: Option<Bytes>,
        log_level: Option<Level>,
        round: Option<Box<Round>>,
    ) -> Self {
        Self {
            backing,
            caller,
            version,
            capabilities,
            deadline: Instant::now() + time,
            session,
            progress_token,
            log_level,
            gone: AtomicBool::new(false),
            left: Notify::new(),
            room: Notify::new(),
            line: Mutex::new(Line { round, ..Line::default() }),
        }
    }

    fn line(&self) -> MutexGuard<'_, Line> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }

    // --- what the tool does ---

    /// Reports progress, unless nobody asked for it or it does not grow (basic/patterns/progress).
    pub(crate) fn progress(&self, done: Option<f64>, total: Option<f64>, message: &str) {
        let Some(token) = &self.progress_token else { return };
        let mut line = self.line();
        let done = done.unwrap_or(line.progress.unwrap_or(0.0) + 1.0);
        if self.is_gone() || !done.is_finite() || line.progress.is_some_and(|last| done <= last) {
            return;
        }
        line.progress = Some(done);
        let note = note::progress(token, done, total.filter(|it| it.is_finite()), message);
        match line.allow(self.backing.notifications_per_second) {
            true => {
                line.held = None;
                line.say(note);
            }
            false => line.hold(note),
        }
    }

    /// Sends a log message, if this request asked for messages of that level (server/utilities/logging).
    pub(crate) fn log(&self, level: Level, logger: Option<&str>, data: &Value) {
        if self.log_level.is_none_or(|wanted| level < wanted) {
            return;
        }
        let mut params = json!({"level": level.as_str(), "data": data});
        if let (Some(logger), Some(params)) = (logger, params.as_object_mut()) {
            params.insert("logger".into(), logger.into());
        }
        let note = write::notification("notifications/message", &params);
        let mut line = self.line();
        if !self.is_gone() && line.allow(self.backing.notifications_per_second) {
            line.say(note);
        }
    }

    /// Takes a message to the client before the result.
    pub(crate) fn say(&self, message: Vec<u8>) {
        self.line().say(message);
    }

    /// Waits until enough of what was said has been taken away, or nobody will.
    pub(crate) async fn room(&self) {
        loop {
            let room = self.room.notified();
            tokio::pin!(room);
            room.as_mut().enable();
            // Looked at after the wait has begun: whoever leaves from here on ends it.
            if self.is_gone() || !self.line().is_full() {
                return;
            }
            room.await;
        }
    }

    /// The name of a question in this run: the second of one name gets `_2`, or the next that is free.
    pub(crate) fn question_key(&self, key: &str) -> String {
        let mut line = self.line();
        let again = (2..).map(|times| format!("{key}_{times}"));
        let mut names = std::iter::once(key.to_owned()).chain(again);
        names.find(|it| line.asked.insert(it.clone())).unwrap_or_default()
    }

    pub(crate) fn answer(&self, key: &str) -> Option<Value> {
        self.line().round.as_ref()?.answers.get(key).cloned()
    }

    pub(crate) fn accept_answer(&self, key: String, question: Question) {
        self.line().answered.push((key, question));
    }

    /// Leaves a question open: the runner will ask it and drop this run.
    pub(crate) fn ask(&self, key: String, question: Question) {
        let mut line = self.line();
        // An answer that does not fit is none, and must not come back with the state.
        if let Some(round) = &mut line.round {
            round.answers.remove(&key);
        }
        line.open.push((key, question));
        line.wake();
    }

    pub(crate) fn stop(&self, why: Stopped) {
        let mut line = self.line();
        line.stopped.get_or_insert(why);
        line.wake();
    }

    pub(crate) fn kept(&self, key: &str) -> Option<Value> {
        self.line().round.as_ref()?.kept.get(key).cloned()
    }

    pub(crate) fn keep(&self, key: &str, value: Value) {
        self.line().round.get_or_insert_default().kept.insert(key.to_owned(), value);
    }

    pub(crate) fn chain(&self) -> Option<[u8; 24]> {
        self.line().round.as_ref()?.chain
    }

    /// Whether this run redeems for the first time.
    pub(crate) fn redeems(&self) -> bool {
        !std::mem::replace(&mut self.line().is_redeemed, true)
    }

    pub(crate) fn has_answers(&self) -> bool {
        !self.line().answered.is_empty()
    }

    pub(crate) fn is_gone(&self) -> bool {
        self.gone.load(Ordering::Acquire)
    }

    pub(crate) async fn gone(&self) {
        let left = self.left.notified();
        tokio::pin!(left);
        left.as_mut().enable();
        if !self.is_gone() {
            left.await;
        }
    }

    // --- what the runner does ---

    /// Tells everything that still works for this call to stop.
    pub(crate) fn leave(&self) {
        self.gone.store(true, Ordering::Release);
        self.left.notify_waiters();
        self.room.notify_waiters();
    }

    /// The next thing to take to the client. `waker` is woken when there is more.
    pub(crate) fn hear(&self, waker: &Waker) -> Heard {
        let mut line = self.line();
        if let Some(note) = self.take_note(&mut line) {
            return Heard::Note(note);
        }
        match line.stopped.take() {
            Some(Stopped::AskAgain) => {
                let again = std::mem::take(&mut line.answered);
                if let Some(round) = &mut line.round {
                    round.answers.clear();
                }
                return Heard::Questions(again);
            }
            Some(why) => return Heard::Stopped(why),
            None => {}
        }
        if !line.open.is_empty() {
            return Heard::Questions(std::mem::take(&mut line.open));
        }
        if !line.waker.as_ref().is_some_and(|it| it.will_wake(waker)) {
            line.waker = Some(waker.clone());
        }
        Heard::Nothing(line.held.is_some().then(|| line.due(self.backing.notifications_per_second)).flatten())
    }

    /// Lets the held message go, which is due.
    pub(crate) fn release(&self) {
        let mut line = self.line();
        if line.held.is_some() && line.allow(self.backing.notifications_per_second) {
            let held = line.held.take().unwrap_or_default();
            line.say(held);
        }
    }

    /// What a call that has returned said and nobody took yet.
    pub(crate) fn rest(&self) -> Option<Vec<u8>> {
        let mut line = self.line();
        self.take_note(&mut line).or_else(|| line.held.take())
    }

    fn take_note(&self, line: &mut Line) -> Option<Vec<u8>> {
        let note = line.notes.pop_front()?;
        line.waiting -= note.len();
        self.room.notify_waiters();
        Some(note)
    }

    /// What the next round has to know.
    pub(crate) fn round(&self) -> Round {
        self.line().round.take().map(|it| *it).unwrap_or_default()
    }
}

impl Line {
    fn say(&mut self, note: Vec<u8>) {
        self.waiting += note.len();
        self.notes.push_back(note);
        self.wake();
    }

    fn is_full(&self) -> bool {
        self.notes.len() >= NOTES || self.waiting >= NOTE_BYTES
    }

    fn hold(&mut self, note: Vec<u8>) {
        self.held = Some(note);
        self.wake();
    }

    fn wake(&mut self) {
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
    }

    fn allow(&mut self, per_second: u32) -> bool {
        let now = Instant::now();
        let allowance = self.allowance.get_or_insert_with(|| Allowance::full(now));
        allowance.take(per_second, now)
    }

    fn due(&self, per_second: u32) -> Option<Instant> {
        self.allowance.as_ref().map(|it| it.due(per_second))
    }
}

/// Messages that may wait to be taken to the client before the tool waits too.
const NOTES: usize = 16;
/// And their bytes.
const NOTE_BYTES: usize = 256 * 1024;

/// The questions as the object that travels (basic/patterns/mrtr#inputrequests).
pub(crate) fn input_requests(questions: &[(String, Question)]) -> Value {
    let all: Map<String, Value> = questions
        .iter()
        .map(|(key, it)| (key.clone(), json!({"method": it.method(), "params": it.params(None)})))
        .collect();
    all.into()
}
