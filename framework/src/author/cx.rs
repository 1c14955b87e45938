//! What a tool knows about its call, and what it can do besides return.

mod handles;

use std::{fmt, future::Future, sync::Arc};

use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use sha2::{Digest, Sha256};
use tokio::time::Instant;

use super::{
    ask::{self, Answer, Elicit, Form, Question, Root, Sampled, Sampling},
    call::{Call, Stopped},
    catalog::CatalogHandle,
    error::{Result, ToolError},
};
use crate::{
    caller::Caller,
    schema,
    store::Spent,
    wire::{capabilities::Capabilities, level::Level, version::Version},
};

/// The context of one call: the app's state, who calls, and the road back to the client.
///
/// It belongs to one request. Nothing in it lives longer, and there is no connection to hold on to.
pub struct Cx<S = ()> {
    state: S,
    call: Arc<Call>,
}

/// Makes one part of an app's state, for tools that need no more than that.
///
/// Every `Clone` state is a part of itself. Implement it for parts of your own:
///
/// ```
/// use tollgate::FromRef;
/// # #[derive(Clone)] struct Calendar;
/// #[derive(Clone)]
/// struct App { calendar: Calendar }
///
/// impl FromRef<App> for Calendar {
///     fn from_ref(app: &App) -> Self { app.calendar.clone() }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "a tool wants the state `{Self}`, which is no part of `{S}`",
    note = "call `.state(..)` with the type that the tool names in `cx: &Cx<..>`, or implement `FromRef<{S}>` for `{Self}`"
)]
pub trait FromRef<S>: Sized {
    /// The part.
    fn from_ref(state: &S) -> Self;
}

#[diagnostic::do_not_recommend]
impl<S: Clone> FromRef<S> for S {
    fn from_ref(state: &S) -> Self {
        state.clone()
    }
}

impl<S> Cx<S> {
    pub(crate) const fn new(state: S, call: Arc<Call>) -> Self {
        Self { state, call }
    }

    /// The app's state.
    pub const fn state(&self) -> &S {
        &self.state
    }

    /// Who calls.
    pub fn caller(&self) -> &Caller {
        &self.call.caller
    }

    /// What the client declared, on this very request, that it can do.
    pub fn capabilities(&self) -> Capabilities {
        self.call.capabilities
    }

    /// The revision of the protocol that this request is in.
    pub fn version(&self) -> Version {
        self.call.version
    }

    /// When the call is ended, whatever it is doing.
    pub fn deadline(&self) -> Instant {
        self.call.deadline
    }

    /// Whether nobody waits for the result any more. The tool itself is dropped at its next `.await`; this is for
    /// threads and tasks that it has started.
    pub fn is_cancelled(&self) -> bool {
        self.call.is_gone()
    }

    /// Returns once nobody waits for the result any more.
    pub fn cancelled(&self) -> impl Future<Output = ()> + Send + 'static {
        let call = self.call.clone();
        async move { call.gone().await }
    }

    /// The tools, prompts and resources of this server, to change while it serves.
    pub fn catalog(&self) -> CatalogHandle<S>
    where
        S: Clone,
    {
        CatalogHandle::new(self.state.clone(), self.call.backing.catalog.clone())
    }

    #[doc(hidden)]
    pub fn narrow<T: FromRef<S>>(&self) -> Cx<T> {
        Cx { state: T::from_ref(&self.state), call: self.call.clone() }
    }

    #[doc(hidden)]
    pub fn detach(&self) -> Cx<()> {
        Cx { state: (), call: self.call.clone() }
    }

    // --- saying ---

    /// Says how far the work is. Each report counts one more; a client that did not ask for progress gets none.
    ///
    /// At most ten a second go out ([`Limits::notifications_per_second`](crate::Limits)), always the newest
    /// (basic/patterns/progress).
    pub async fn progress(&self, message: impl AsRef<str> + Send) {
        self.call.progress(None, None, message.as_ref());
        self.make_room().await;
    }

    /// Says how far the work is, as a part of a whole. A report that is not larger than the one before is left out.
    pub async fn progress_of(&self, done: f64, total: f64, message: impl AsRef<str> + Send) {
        self.call.progress(Some(done), Some(total), message.as_ref());
        self.make_room().await;
    }

    /// Sends a log message to the client, if this request asked for messages of that level. Never put secrets in it.
    ///
    /// It needs [`Server::logging`](crate::Server::logging). Over the rate of
    /// [`Limits::notifications_per_second`](crate::Limits) messages are dropped.
    pub async fn log(&self, level: Level, data: impl Serialize + Send) {
        if let Ok(data) = serde_json::to_value(data) {
            self.call.log(level, None, &data);
        }
        self.make_room().await;
    }

    /// A tool that says much waits until some of it was taken away.
    async fn make_room(&self) {
        self.call.room().await;
    }

    // --- asking ---

    /// Asks the user to fill in a form.
    ///
    /// On the modern wire the call ends here, and starts again from the top once the answer is there: read, [`keep`],
    /// ask, [`redeem`], then act. On the legacy wire the call waits. Two questions joined go out together.
    ///
    /// A client may send answers unasked, as it may answer without asking its user: an answer is what the client says,
    /// checked against the form. Answers and kept values travel with the question, 6 KiB of them at most.
    ///
    /// [`keep`]: Self::keep
    /// [`redeem`]: Self::redeem
    ///
    /// # Errors
    /// When the user declines or cancels. A client that cannot show forms is refused before (-32021).
    pub async fn ask<F: Elicit>(&self, message: impl Into<String> + Send) -> Result<F> {
        match self.try_ask(message).await? {
            Answer::Accept(form) => Ok(form),
            Answer::Decline => Err(ToolError::told("The user declined to answer. Ask them how to go on.")),
            Answer::Cancel => {
                Err(ToolError::told("The user closed the question unanswered. Ask them how to go on."))
            }
        }
    }

    /// Asks the user to fill in a form, and tells apart what they did with it.
    ///
    /// # Errors
    /// When the client answers with an error.
    pub async fn try_ask<F: Elicit>(&self, message: impl Into<String> + Send) -> Result<Answer<F>> {
        let form = Form::of::<F>(message.into());
        self.elicit(form, F::from_json).await
    }

    /// Asks the user to fill in a form that was made at run time.
    ///
    /// # Errors
    /// When the form is not flat, or the client answers with an error.
    pub async fn ask_form(&self, form: Form) -> Result<Answer<Value>> {
        if !form.is_flat() {
            return Err(std::io::Error::other(format!("the form `{}` is not flat", form.key)).into());
        }
        self.elicit(form, Some).await
    }

    async fn elicit<T>(&self, form: Form, read: impl Fn(Value) -> Option<T> + Send) -> Result<Answer<T>> {
        let checker = schema::compile(&form.schema)
            .map_err(|error| std::io::Error::other(format!("the form `{}`: {error}", form.key)))?;
        let key = form.key.clone();
        let judge = |answer: &Value| match action(answer)? {
            Answer::Accept(()) => {
                let mut content =
                    answer.get("content").cloned().unwrap_or_else(|| Value::Object(Default::default()));
                let faults = checker.check(&mut content, 1);
                if let Some(it) = faults.first() {
                    tracing::debug!(%key, pointer = %it.pointer, expected = %it.expected, "an answer does not fit");
                    return None;
                }
                read(content).map(Answer::Accept)
            }
            Answer::Decline => Some(Answer::Decline),
            Answer::Cancel => Some(Answer::Cancel),
        };
        self.put(&key, Question::Form(form), judge).await
    }

    /// Sends the user to a URL, for what must not pass through the client: passwords, keys, payments
    /// (client/elicitation#url-mode). Returns once they agreed to go there.
    ///
    /// # Errors
    /// When the URL is not `https` (or `http` on this machine), or the client answers with an error.
    pub async fn ask_url(
        &self,
        key: &str,
        message: impl Into<String> + Send,
        url: &str,
    ) -> Result<Answer<()>> {
        if !ask::is_safe_url(url) {
            return Err(std::io::Error::other("a question by URL needs an https URL").into());
        }
        let question = Question::Url { message: message.into(), url: url.to_owned() };
        self.put(key, question, action).await
    }

    /// Asks the client's own model (client/sampling).
    ///
    /// # Errors
    /// When a use of a tool among the messages is not answered by the next one, or the client answers with an error.
    pub async fn sample(&self, sampling: Sampling) -> Result<Sampled> {
        if !sampling.is_in_order() {
            return Err(std::io::Error::other("each use of a tool is answered by the next message").into());
        }
        let key = sampling.key.clone();
        self.put(&key, Question::Sampling(sampling), Sampled::deserialize_from).await
    }

    /// Asks which folders the client works in (client/roots).
    ///
    /// # Errors
    /// When the client answers with an error.
    pub async fn roots(&self) -> Result<Vec<Root>> {
        let read = |answer: &Value| serde_json::from_value(answer.get("roots")?.clone()).ok();
        self.put("roots", Question::Roots, read).await
    }

    /// Runs `work` in the first round only; later rounds get its value back, which travels sealed with the question.
    ///
    /// # Errors
    /// What `work` gives, or when the value cannot be written as JSON.
    pub async fn keep<T, E>(
        &self,
        key: &str,
        work: impl Future<Output = std::result::Result<T, E>> + Send,
    ) -> Result<T>
    where
        T: Serialize + DeserializeOwned + Send,
        E: Into<ToolError>,
    {
        if let Some(value) = self.call.kept(key) {
            return Ok(serde_json::from_value(value)?);
        }
        let value = work.await.map_err(Into::into)?;
        self.call.keep(key, serde_json::to_value(&value)?);
        Ok(value)
    }

    /// Spends the answers of this call: if they arrive a second time, the call is refused here. Put it right before
    /// the effect that must not happen twice (basic/patterns/mrtr, single use). All rounds that began with one
    /// question are spent together.
    ///
    /// # Errors
    /// When the store cannot be reached: then nothing is spent, and nothing may happen.
    pub async fn redeem(&self) -> Result {
        // On the legacy wire the answer came to this very call; without answers there is nothing to spend.
        if !self.call.version.is_modern() || !self.call.has_answers() {
            return Ok(());
        }
        let Some(chain) = self.call.chain() else {
            return self.stop(Stopped::AskAgain).await;
        };
        if !self.call.redeems() {
            return Ok(());
        }
        let key = Sha256::new().chain_update("redeem").chain_update(chain).finalize().into();
        let backing = &self.call.backing;
        let expires = backing.clock.now() + backing.redeemed_for;
        match backing.store.spend(key, expires).await? {
            Spent::First => Ok(()),
            Spent::Again => self.stop(Stopped::Spent).await,
        }
    }

    /// Puts a question and waits for an answer that `judge` can read.
    async fn put<T>(&self, key: &str, question: Question, judge: impl Fn(&Value) -> Option<T>) -> Result<T> {
        let key = self.call.question_key(key);
        let need = question.need();
        if !self.call.capabilities.has(need) {
            return self.stop(Stopped::Needs(need)).await;
        }
        if !self.call.version.is_modern() {
            return self.put_live(question, judge).await;
        }
        match self.call.answer(&key).as_ref().and_then(judge) {
            Some(answer) => {
                self.call.accept_answer(key, question);
                Ok(answer)
            }
            None => {
                self.call.ask(key, question);
                self.over().await
            }
        }
    }

    /// The legacy wire: the question goes out on the stream of this call, and the answer finds its way back to it.
    async fn put_live<T>(&self, question: Question, judge: impl Fn(&Value) -> Option<T>) -> Result<T> {
        let mut random = [0; 16];
        self.call.backing.entropy.fill(&mut random)?;
        let id: String = random.iter().map(|it| format!("{it:02x}")).collect();
        let request = serde_json::json!({
            "jsonrpc": "2.0", "id": id, "method": question.method(), "params": question.params(Some(&id)),
        });
        let answer = self.call.backing.pending.open(id, self.call.session);
        self.call.say(request.to_string().into_bytes());
        let reply = tokio::select! {
            reply = answer.reply() => reply,
            () = self.call.gone() => None,
        };
        match reply {
            Some(Ok(result)) => judge(&result).ok_or_else(|| {
                ToolError::told("The client's answer does not fit the question. Ask the user again.")
            }),
            Some(Err(error)) => {
                tracing::info!(%error, "the client answered a question with an error");
                Err(ToolError::told("The client could not answer the question. Ask the user how to go on."))
            }
            None => self.over().await,
        }
    }

    /// Ends the call from the inside: the runner drops it.
    async fn stop<T>(&self, why: Stopped) -> Result<T> {
        self.call.stop(why);
        self.over().await
    }

    /// Waits for the end of the call. Only what the tool has spawned lives to see it.
    async fn over<T>(&self) -> Result<T> {
        self.call.gone().await;
        Err(std::io::Error::other("the call is over").into())
    }
}

impl Sampled {
    fn deserialize_from(answer: &Value) -> Option<Self> {
        serde_json::from_value(answer.clone()).ok()
    }
}

fn action(answer: &Value) -> Option<Answer<()>> {
    match answer.get("action")?.as_str()? {
        "accept" => Some(Answer::Accept(())),
        "decline" => Some(Answer::Decline),
        "cancel" => Some(Answer::Cancel),
        _ => None,
    }
}

impl<S: Clone> Clone for Cx<S> {
    fn clone(&self) -> Self {
        Self { state: self.state.clone(), call: self.call.clone() }
    }
}

impl<S> fmt::Debug for Cx<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cx").field("caller", &self.call.caller).field("version", &self.call.version).finish()
    }
}
