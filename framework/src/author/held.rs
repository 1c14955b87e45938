//! A record that the caller of a tool may use: the gate has looked it up.

use std::{cell::RefCell, fmt, marker::PhantomData, sync::Arc, time::Duration};

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{
    error::{Result, ToolError},
    record::{self, Handle, Record, Stored},
};
use crate::{
    caller::Caller,
    handles::{self, Action, Denied, Handles, Kind, Rights, Unmade, Use},
    store::Replaced,
};

/// A record that the caller may use: proof that the gate has looked up the [`Handle`] together with who sent it, and
/// found that they may (basic/security, state handles).
///
/// Only the framework makes one. A tool, a prompt or a resource takes it as an argument, alone or in `Option`, `Vec` or
/// a struct; all handles of a call are checked before any of its code runs.
pub struct Held<T: Record> {
    /// All that came with the call, and which of them it is.
    grants: Grants,
    at: usize,
    record: PhantomData<fn() -> T>,
}

/// The same for a record of any kind.
pub(crate) struct AnyHeld {
    pub(crate) handles: Arc<Handles>,
    pub(crate) caller: Caller,
    pub(crate) kind: &'static Kind,
    pub(crate) argument: String,
    pub(crate) handle: String,
    pub(crate) right: Use,
}

impl<T: Record> Held<T> {
    /// The record as it is now.
    ///
    /// # Errors
    /// When it was deleted or taken back since the call began: the model is told. When the store cannot be reached.
    pub async fn load(&self) -> Result<T> {
        let right = self.held().find(Action::Read).await?;
        Ok(serde_json::from_slice(&right.stored.data)?)
    }

    fn held(&self) -> &AnyHeld {
        &self.grants.0[self.at]
    }

    /// The name of the record, to hand it on.
    #[must_use]
    pub fn handle(&self) -> Handle<T> {
        Handle::of(&self.held().handle)
    }

    /// Whether the caller made the record; otherwise it was shared with them.
    #[must_use]
    pub fn is_owner(&self) -> bool {
        self.held().right.is_owner
    }
}

impl<T: Stored> Held<T> {
    /// Changes the record. Of two changes at the same time none is lost: `change` runs again on what the other one
    /// left, so it only changes what it is given.
    ///
    /// # Errors
    /// When the caller may not change it, or it was deleted or taken back since: the model is told. When the store cannot
    /// be reached.
    pub async fn update<R>(&self, mut change: impl FnMut(&mut T) -> R + Send) -> Result<R>
    where
        R: Send,
    {
        for _ in 0..TRIES {
            let right = self.held().find(Action::Write).await?;
            let mut record: T = serde_json::from_slice(&right.stored.data)?;
            let changed = change(&mut record);
            let data = serde_json::to_vec(&record)?;
            if data.len() > handles::RECORD_BYTES {
                return Err(ToolError::told(format!(
                    "The {} would be too large. Leave something out.",
                    T::KIND
                )));
            }
            match self.held().handles.replace(&right, data).await? {
                Replaced::Done => return Ok(changed),
                Replaced::Changed => {}
                Replaced::Gone => return Err(self.held().denied(Denied::Unknown)),
            }
        }
        Err(ToolError::told(format!("The {} is being changed by many at once. Try again.", T::KIND)))
    }

    /// Deletes the record, for everybody who holds it.
    ///
    /// # Errors
    /// When the caller may not delete it: the model is told. When the store cannot be reached.
    pub async fn delete(self) -> Result {
        let right = self.held().find(Action::Delete).await?;
        Ok(self.held().handles.delete(&right).await?)
    }

    /// Lets another subject of the same issuer and tenant use the record, by whichever client, under the same handle:
    /// to do no more than `rights`, and for no longer than `lifetime`. Sharing again replaces what was shared before.
    ///
    /// # Errors
    /// When the caller is not its owner, or the server has no auth and so nobody to share with: the model is told. When
    /// the store cannot be reached.
    pub async fn share(&self, subject: &str, rights: Rights, lifetime: Duration) -> Result {
        let (right, person) = self.own(subject).await?;
        let shared = self.held().handles.share(&right, person, &self.held().handle, rights, lifetime).await;
        shared.map_err(|unmade| self::unmade(unmade, self.held().kind))
    }

    /// Takes back what was shared with a subject, from the next call on, and tells whether it was.
    ///
    /// # Errors
    /// When the caller is not its owner: the model is told. When the store cannot be reached.
    pub async fn unshare(&self, subject: &str) -> Result<bool> {
        let (right, person) = self.own(subject).await?;
        Ok(self.held().handles.unshare(&right, person).await?)
    }

    async fn own(&self, subject: &str) -> Result<(Use, [u8; 32])> {
        let right = self.held().find(Action::Read).await?;
        if !right.is_owner {
            return Err(ToolError::told(format!("Only who made the {} can share it.", T::KIND)));
        }
        let person = self.held().caller.person_named(subject).ok_or_else(|| {
            ToolError::told("This server does not tell its users apart: there is nobody to share with.")
        })?;
        Ok((right, person))
    }
}

/// Changes of one record that may come in between before a call gives up.
const TRIES: usize = 64;

impl AnyHeld {
    async fn find(&self, action: Action) -> Result<Use> {
        let found = self.handles.find_again(&self.caller, self.kind, &self.right, action).await;
        found.map_err(|denied| self.denied(denied))
    }

    fn denied(&self, denied: Denied) -> ToolError {
        match told(&denied, &self.argument, self.kind) {
            Some(text) => ToolError::told(text),
            None => match denied {
                Denied::Store(error) => error.into(),
                Denied::Unknown | Denied::Expired => unreachable!("the model is told"),
            },
        }
    }
}

/// What the model reads of a handle that its user may not use. A handle that was never made and one that somebody else
/// holds are the same text.
pub(crate) fn told(denied: &Denied, argument: &str, kind: &Kind) -> Option<String> {
    let name = kind.name;
    match denied {
        Denied::Unknown => Some(format!(
            "`{argument}`: there is no such {name}. Use a handle that this user was given, or make a new one."
        )),
        Denied::Expired => Some(format!("`{argument}`: this {name} has expired. Make a new one.")),
        Denied::Store(_) => None,
    }
}

/// What the model reads when no handle was made.
pub(super) fn unmade(unmade: Unmade, kind: &Kind) -> ToolError {
    let name = kind.name;
    match unmade {
        Unmade::TooMany => ToolError::told(format!(
            "There are too many of kind {name} already. Delete one that is not needed."
        )),
        Unmade::TooLarge => ToolError::told(format!("The {name} is too large. Leave something out.")),
        Unmade::NoRandomness(error) => error.into(),
        Unmade::Store(error) => error.into(),
    }
}

// --- how an argument becomes one ---

/// The handles of one call that were looked up.
#[derive(Clone, Default)]
pub(crate) struct Grants(pub(crate) Arc<[AnyHeld]>);

thread_local! {
    static GRANTS: RefCell<Option<Grants>> = const { RefCell::new(None) };
}

impl Grants {
    /// Reads arguments; handles among them are what was looked up for this call.
    pub(crate) fn while_reading<T>(&self, read: impl FnOnce() -> T) -> T {
        if self.0.is_empty() {
            return read();
        }
        let _reading = Reading(GRANTS.replace(Some(self.clone())));
        read()
    }
}

/// What was there before comes back however the reading ends: it is the author's code, and may panic.
struct Reading(Option<Grants>);

impl Drop for Reading {
    fn drop(&mut self) {
        GRANTS.set(self.0.take());
    }
}

impl fmt::Debug for Grants {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Grants({})", self.0.len())
    }
}

impl<'de, T: Record> Deserialize<'de> for Held<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        let kind = record::kind::<T>();
        let held = GRANTS.with_borrow(|grants| {
            let grants = grants.as_ref()?;
            let at = grants.0.iter().position(|it| it.kind.is(kind) && it.handle == text)?;
            Some(Self { grants: grants.clone(), at, record: PhantomData })
        });
        // One that the gate did not see is none, whoever wrote it.
        held.ok_or_else(|| serde::de::Error::custom(format_args!("there is no such {}", T::KIND)))
    }
}

impl<T: Record> Serialize for Held<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.grants.0[self.at].handle)
    }
}

impl<T: Record> JsonSchema for Held<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        format!("Held_{}", T::KIND).into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        record::schema::<T>()
    }
}

impl<T: Record> Clone for Held<T> {
    fn clone(&self) -> Self {
        Self { grants: self.grants.clone(), at: self.at, record: PhantomData }
    }
}

impl<T: Record> fmt::Debug for Held<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Held({}_…)", self.grants.0[self.at].kind.name)
    }
}
