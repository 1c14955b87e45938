//! Data that lives on the server, and the name under which a model knows it.

use std::{fmt, marker::PhantomData, str::FromStr, time::Duration};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::DeserializeOwned};

use super::kinds;
use crate::{
    caller::Caller,
    handles::{self, Access, Kind},
};

/// Data that lives on the server; the model only ever holds its [`Handle`].
///
/// Derive it, and say who may use one:
///
/// ```
/// use schemars::JsonSchema;
/// use serde::{Deserialize, Serialize};
/// use tollgate::prelude::*;
///
/// #[derive(Record, Serialize, Deserialize, JsonSchema)]
/// #[record(owner_only)]
/// pub struct Note {
///     pub title: String,
///     pub body: String,
/// }
/// ```
///
/// A tool makes one with [`Cx::mint`](crate::Cx::mint) and returns its handle; another takes a [`Held`](crate::Held) of
/// it. A record is at most 1 MiB of JSON, and a caller holds at most
/// [`Limits::handles_per_caller`](crate::Limits) of one kind.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no record",
    label = "only a record has a handle",
    note = "derive `Record`, `Serialize` and `Deserialize` for `{Self}`"
)]
pub trait Record: Serialize + DeserializeOwned + Send + Sync + 'static {
    /// The kind, with which its handles begin: up to 24 of `a-z 0-9 _`, a letter first.
    const KIND: &'static str;
    /// A handle that is not used for so long ends.
    const IDLE: Duration;
    /// A handle ends after so long in any case.
    const LIFETIME: Duration;
    /// Whether the record itself travels in its handle, encrypted, for a server without a store. It cannot change then,
    /// cannot be taken back, and costs the model 90 tokens and more each time.
    const SEALED: bool = false;

    /// Whether this caller, who has a handle of it, may use a record so. There is no default: forgetting the rule does
    /// not compile. What is not allowed looks like a record that is not there.
    fn authorize(caller: &Caller, record: &Self, access: Access) -> bool;

    /// The same for a record that was not read yet. A rule that does not look at the record needs not read it.
    #[doc(hidden)]
    fn judge(caller: &Caller, record: &[u8], access: Access) -> bool {
        match serde_json::from_slice(record) {
            Ok(record) => Self::authorize(caller, &record, access),
            Err(error) => {
                tracing::error!(%error, kind = Self::KIND, "a record cannot be read any more");
                false
            }
        }
    }
}

/// A record that is kept in a store, and so can change, be shared and be deleted. The derive says it of all that are
/// not sealed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is sealed: it travels in its handle",
    label = "it cannot change, be shared or be deleted"
)]
pub trait Stored: Record {}

/// The name of a record: `note_` and 26 letters. It is only a name. Nobody has checked who sent it; a tool that wants to
/// use the record takes a [`Held`](crate::Held).
pub struct Handle<T: Record> {
    text: Box<str>,
    record: PhantomData<fn() -> T>,
}

impl<T: Record> Handle<T> {
    pub(crate) fn of(text: &str) -> Self {
        Self { text: text.into(), record: PhantomData }
    }

    /// As it travels.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

/// What is no handle of this kind of record.
#[derive(Debug)]
#[non_exhaustive]
pub struct NotAHandle {
    kind: &'static str,
}

impl fmt::Display for NotAHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected a handle that begins with `{}_`", self.kind)
    }
}

impl std::error::Error for NotAHandle {}

impl<T: Record> FromStr for Handle<T> {
    type Err = NotAHandle;

    fn from_str(text: &str) -> Result<Self, NotAHandle> {
        match handles::read(kind::<T>(), text) {
            Some(_) => Ok(Self::of(text)),
            None => Err(NotAHandle { kind: T::KIND }),
        }
    }
}

/// What is known of a type of records.
pub(crate) const fn kind<T: Record>() -> &'static Kind {
    const {
        assert!(is_kind(T::KIND), "a kind is up to 24 of `a-z 0-9 _`, a letter first");
        &Kind {
            name: T::KIND,
            type_id: std::any::TypeId::of::<T>,
            idle: T::IDLE,
            lifetime: T::LIFETIME,
            is_sealed: T::SEALED,
            authorize: T::judge,
        }
    }
}

const fn is_kind(name: &str) -> bool {
    let name = name.as_bytes();
    let mut at = 0;
    while at < name.len() {
        let it = name[at];
        let legal = it.is_ascii_lowercase() || at > 0 && (it.is_ascii_digit() || it == b'_');
        if !legal {
            return false;
        }
        at += 1;
    }
    at > 0 && at <= 24
}

/// The schema of a handle: the keyword tells gateways, which handle no data of theirs may pass for.
pub(super) fn schema<T: Record>() -> Schema {
    kinds::note(kind::<T>());
    json_schema!({"type": "string", "pattern": handles::pattern(kind::<T>()), (kinds::KEYWORD): T::KIND})
}

impl<T: Record> JsonSchema for Handle<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        format!("Handle_{}", T::KIND).into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        schema::<T>()
    }
}

impl<T: Record> Serialize for Handle<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

impl<'de, T: Record> Deserialize<'de> for Handle<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

impl<T: Record> Clone for Handle<T> {
    fn clone(&self) -> Self {
        Self { text: self.text.clone(), record: PhantomData }
    }
}

impl<T: Record> PartialEq for Handle<T> {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl<T: Record> Eq for Handle<T> {}

impl<T: Record> fmt::Display for Handle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Without its letters: where a server has no auth, whoever knows them may use the record.
impl<T: Record> fmt::Debug for Handle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = self.text.rsplit_once('_').map_or("", |it| it.0);
        write!(f, "Handle({kind}_…)")
    }
}
