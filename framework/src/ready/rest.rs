//! The question as it comes by HTTP: more tools, pins, a profile, and time to wait.

use std::time::Duration;

use serde_json::Value;

use super::{
    evaluate::Asked,
    fingerprint::{BadPin, Fingerprint},
    rider::{self, Fault, Form},
};

/// A question with what only HTTP has.
pub(crate) struct RestQuestion {
    pub(crate) asked: Asked,
    pub(crate) profile: Option<String>,
    pub(crate) wait: Option<Duration>,
}

const FORM: Form = Form { most: 100, more: &["profile", "wait_ms"], of_entry: &["pin_hash"] };

/// Milliseconds that a question may wait.
const LONGEST_WAIT: u64 = 10_000;

/// # Errors
/// The first fault; nothing is evaluated then.
pub(crate) fn read(question: &Value) -> Result<RestQuestion, Fault> {
    let mut asked = rider::read(question, &FORM)?;
    let entries = question["tools"].as_array().map(Vec::as_slice).unwrap_or_default();
    let pins = entries.iter().enumerate().map(|(at, it)| pin(&it["pin_hash"], at));
    let pins = pins.collect::<Result<Vec<_>, _>>()?;
    for (at, (id, pin)) in asked.raw.iter().zip(&pins).enumerate() {
        let first = asked.raw.iter().position(|it| it.trim() == id.trim()).unwrap_or(at);
        // One without a pin and one with it do not agree either.
        if pins[first] != *pin {
            let text = format!("`tools[{at}]` and `tools[{first}]` pin one tool differently");
            return Err(Fault::new(format!("/tools/{at}/pin_hash"), "conflict", text));
        }
        if first == at
            && let Some(wanted) = asked.tools.iter_mut().find(|it| it.id.trim() == id.trim())
        {
            wanted.pin = pin.map(Fingerprint::parse);
        }
    }
    Ok(RestQuestion { profile: profile(&question["profile"])?, wait: wait(&question["wait_ms"])?, asked })
}

/// A pin that cannot be read is kept as such: it fits no definition.
fn pin(pin: &Value, at: usize) -> Result<Option<&str>, Fault> {
    match pin {
        Value::Null => Ok(None),
        Value::String(pin) => Ok(Some(pin)),
        _ => Err(Fault::new(
            format!("/tools/{at}/pin_hash"),
            "not_string",
            format!("`tools[{at}].pin_hash` must be a string: {}", BadPin::Malformed),
        )),
    }
}

fn profile(profile: &Value) -> Result<Option<String>, Fault> {
    match profile {
        Value::Null => Ok(None),
        Value::String(name) => Ok(Some(name.clone())),
        _ => Err(Fault::new("/profile", "not_string", "`profile` must be a string")),
    }
}

fn wait(wait: &Value) -> Result<Option<Duration>, Fault> {
    match (wait, wait.as_u64()) {
        (Value::Null, _) => Ok(None),
        (_, Some(wait)) if wait <= LONGEST_WAIT => Ok(Some(Duration::from_millis(wait))),
        _ => Err(Fault::new(
            "/wait_ms",
            "range",
            format!("`wait_ms` must be a whole number from 0 to {LONGEST_WAIT}"),
        )),
    }
}
