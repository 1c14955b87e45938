//! A kind of record, without its type.

use std::{any::TypeId, fmt, time::Duration};

use super::Access;
use crate::caller::Caller;

/// What is the same for all records of one type.
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    /// The type, to tell apart two of one name.
    pub(crate) type_id: fn() -> TypeId,
    /// Without use it ends after so long.
    pub(crate) idle: Duration,
    /// And in any case after so long.
    pub(crate) lifetime: Duration,
    /// The record travels in its handle.
    pub(crate) is_sealed: bool,
    /// Whether it may be used so; the record as JSON.
    pub(crate) authorize: fn(&Caller, &[u8], Access) -> bool,
}

impl Kind {
    /// Whether it is the same type.
    pub(crate) fn is(&self, other: &Self) -> bool {
        self.name == other.name && (self.type_id)() == (other.type_id)()
    }

    pub(crate) fn allows(&self, caller: &Caller, record: &[u8], access: Access) -> bool {
        (self.authorize)(caller, record, access)
    }

    /// What the model has to know about how long a handle lasts (server/tools, stateful tools).
    pub(crate) fn lasts(&self) -> String {
        let article = if self.name.starts_with(['a', 'e', 'i', 'o', 'u']) { "An" } else { "A" };
        let (name, lifetime) = (self.name.replace('_', " "), Words(self.lifetime));
        if self.is_sealed || self.idle >= self.lifetime {
            return format!("{article} {name} expires after {lifetime}.");
        }
        format!("{article} {name} expires after {lifetime}, or {} without use.", Words(self.idle))
    }
}

impl fmt::Debug for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Kind({})", self.name)
    }
}

/// A length of time in the largest unit that it is whole in.
struct Words(Duration);

impl fmt::Display for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.as_secs();
        let units = [(86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second")];
        let (size, unit) = units
            .into_iter()
            .find(|it| seconds >= it.0 && seconds.is_multiple_of(it.0))
            .unwrap_or((1, "second"));
        match seconds / size {
            1 => write!(f, "1 {unit}"),
            many => write!(f, "{many} {unit}s"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_of_time_is_said_in_whole_units() {
        let said = |seconds| Words(Duration::from_secs(seconds)).to_string();

        assert_eq!(said(86_400), "1 day");
        assert_eq!(said(86_400 * 30), "30 days");
        assert_eq!(said(5_400), "90 minutes");
        assert_eq!(said(61), "61 seconds");
    }
}
