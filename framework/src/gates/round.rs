//! What comes back from an earlier round is ours, and belongs to this very request (basic/patterns/mrtr).
//!
//! State that fails for whatever reason is refused with one and the same text: a forger learns nothing from it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{
    call::{Resolved, Target},
    handles::Granted,
    refusal::{Reason, Refusal},
};
use crate::{
    author::call::Round,
    engine::Engine,
    gate::Gate,
    layers::Admitted,
    seal::{Purpose, arguments_digest},
    wire::scan::{Kind, Slot},
};

pub(crate) struct Recall;

impl Gate for Recall {
    type In = Granted;
    type Out = Admitted;

    fn pass(it: Granted) -> Result<Admitted, Refusal> {
        let Granted { resolved, grants } = it;
        match recall(&resolved) {
            Ok(round) => Ok(Admitted { resolved, grants, round }),
            Err(reason) => Err(reason.of(resolved.dated.read.message.id.as_ref())),
        }
    }
}

/// What an earlier round left, if there was one.
fn recall(it: &Resolved) -> Result<Option<Box<Round>>, Reason> {
    let can_ask = matches!(it.target, Target::Tool { .. } | Target::Prompt { .. } | Target::Resource { .. });
    let message = &it.dated.read.message;
    if !can_ask || !it.dated.era.version.is_modern() {
        return Ok(None);
    }
    let (state, answers) = (message.at(Slot::RequestState), message.at(Slot::InputResponses));
    if state.is_none() && answers.is_none() {
        return Ok(None);
    }
    let mut round = Round::default();
    let mut asked = None;
    if let Some(state) = state {
        let token = message.text(state).ok_or(Reason::State)?;
        let state = open(it, &token)?;
        asked = Some(state.asked);
        round = Round { number: state.round, answers: state.answers, kept: state.kept, chain: state.chain };
    }
    if let Some(span) = answers {
        if message.kind(span) != Kind::Object || message.raw(span).len() > ANSWER_BYTES {
            return Err(Reason::Params("`inputResponses` has to be an object of at most 256 KiB".into()));
        }
        let Value::Object(answers) = message.value(span) else { return Ok(None) };
        take_answers(&mut round.answers, answers, asked.as_deref())?;
    }
    Ok(Some(Box::new(round)))
}

/// Bytes of all answers together.
const ANSWER_BYTES: usize = 256 * 1024;

/// Answers to questions that were not asked are ignored (basic/patterns/mrtr#error-handling).
fn take_answers(
    into: &mut BTreeMap<String, Value>,
    answers: Map<String, Value>,
    asked: Option<&[String]>,
) -> Result<(), Reason> {
    for (key, answer) in answers {
        if asked.is_some_and(|it| !it.contains(&key)) {
            continue;
        }
        if !answer.is_object() {
            return Err(Reason::Params("each of `inputResponses` has to be an object".into()));
        }
        into.insert(key, answer);
    }
    Ok(())
}

/// What travels with a question.
#[derive(Debug, Deserialize, Serialize)]
struct State {
    #[serde(rename = "r")]
    round: u32,
    #[serde(rename = "q")]
    asked: Vec<String>,
    #[serde(rename = "a", default, skip_serializing_if = "BTreeMap::is_empty")]
    answers: BTreeMap<String, Value>,
    #[serde(rename = "k", default, skip_serializing_if = "BTreeMap::is_empty")]
    kept: BTreeMap<String, Value>,
    /// Names the first state of the chain; the first itself has none, for it is that state.
    #[serde(rename = "c", default, skip_serializing_if = "Option::is_none")]
    chain: Option<[u8; 24]>,
}

fn open(it: &Resolved, token: &str) -> Result<State, Reason> {
    let engine = &it.dated.read.engine;
    let opened =
        with_binding(it, |binding| engine.keys.open(Purpose::RequestState, binding, token, engine.seconds()));
    let opened = opened.map_err(|error| {
        tracing::info!(?error, "a requestState was refused");
        Reason::State
    })?;
    let state: State = serde_json::from_slice(&opened.payload).map_err(|_| Reason::State)?;
    Ok(State { chain: Some(state.chain.unwrap_or(opened.nonce)), ..state })
}

/// Why no state could be made.
pub(crate) enum Unsealed {
    /// What was kept and answered does not fit.
    TooLarge,
    NoRandomness(std::io::Error),
}

/// The state that goes out with questions; `None` once the request has asked too often.
pub(crate) fn seal(it: &Resolved, round: Round, asked: Vec<String>) -> Result<Option<String>, Unsealed> {
    let engine: &Engine = &it.dated.read.engine;
    let number = round.number + 1;
    if number > engine.limits.rounds {
        return Ok(None);
    }
    let state = State { round: number, asked, answers: round.answers, kept: round.kept, chain: round.chain };
    let payload = serde_json::to_vec(&state).map_err(|_| Unsealed::TooLarge)?;
    let times = engine.times(engine.limits.state_time);
    let nonce = engine.nonce().map_err(Unsealed::NoRandomness)?;
    let token =
        with_binding(it, |binding| engine.keys.seal(Purpose::RequestState, binding, &payload, times, nonce));
    token.map(Some).map_err(|_| Unsealed::TooLarge)
}

/// Everything that state is bound to. None of it is stored: it is what the request says now, so forgetting a field
/// refuses more rather than less.
fn with_binding<T>(it: &Resolved, then: impl FnOnce(&[&[u8]]) -> T) -> T {
    let read = &it.dated.read;
    let [kind, name] = read.caller.principal();
    let method = read.message.method();
    let arguments = read.message.at(Slot::Arguments).map(|it| read.message.value(it));
    let digest = arguments_digest(arguments.as_ref());
    let (target, fingerprint): (&str, &[u8]) = match &it.target {
        Target::Tool { tool, .. } => (&tool.name, &tool.fingerprint),
        Target::Prompt { prompt, .. } => (&prompt.name, &prompt.fingerprint),
        Target::Resource { resource, uri, .. } => (uri, &resource.fingerprint),
        _ => ("", b""),
    };
    then(&[
        read.engine.audience.as_bytes(),
        kind,
        name,
        method.as_bytes(),
        target.as_bytes(),
        fingerprint,
        &digest,
    ])
}
