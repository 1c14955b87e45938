//! Arguments with limits: the schema and the check from one type.

use std::{borrow::Cow, fmt, ops::Deref};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};

/// A text of at most `MAX` characters.
///
/// ```
/// # use tollgate::Text;
/// let name: Text<5> = "Ann".try_into().unwrap();
/// assert_eq!(name.len(), 3);
/// assert!(Text::<5>::try_from("Annabel").is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Text<const MAX: usize>(String);

/// A whole number from `MIN` to `MAX`.
///
/// ```
/// # use tollgate::Int;
/// let guests = Int::<1, 12>::try_from(4).unwrap();
/// assert_eq!(guests.get(), 4);
/// assert!(Int::<1, 12>::try_from(13).is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Int<const MIN: i64, const MAX: i64>(i64);

/// A value outside the limits of its type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutOfBounds(String);

impl fmt::Display for OutOfBounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for OutOfBounds {}

impl<const MAX: usize> Text<MAX> {
    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<const MAX: usize> TryFrom<String> for Text<MAX> {
    type Error = OutOfBounds;

    fn try_from(text: String) -> Result<Self, OutOfBounds> {
        // A text has at most as many characters as bytes, so most are not counted.
        if text.len() <= MAX || text.chars().count() <= MAX {
            Ok(Self(text))
        } else {
            Err(OutOfBounds(format!("expected a text of at most {MAX} characters")))
        }
    }
}

impl<const MAX: usize> TryFrom<&str> for Text<MAX> {
    type Error = OutOfBounds;

    fn try_from(text: &str) -> Result<Self, OutOfBounds> {
        text.to_owned().try_into()
    }
}

impl<const MAX: usize> From<Text<MAX>> for String {
    fn from(text: Text<MAX>) -> Self {
        text.0
    }
}

impl<const MAX: usize> Deref for Text<MAX> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl<const MAX: usize> fmt::Display for Text<MAX> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<'de, const MAX: usize> Deserialize<'de> for Text<MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.try_into().map_err(D::Error::custom)
    }
}

impl<const MAX: usize> JsonSchema for Text<MAX> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("Text{MAX}").into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "maxLength": MAX})
    }
}

impl<const MIN: i64, const MAX: i64> Int<MIN, MAX> {
    const HAS_VALUES: () = assert!(MIN <= MAX, "`Int<MIN, MAX>` with MIN over MAX has no values");

    /// The number.
    #[must_use]
    pub const fn get(self) -> i64 {
        self.0
    }
}

impl<const MIN: i64, const MAX: i64> TryFrom<i64> for Int<MIN, MAX> {
    type Error = OutOfBounds;

    fn try_from(number: i64) -> Result<Self, OutOfBounds> {
        let () = Self::HAS_VALUES;
        if (MIN..=MAX).contains(&number) {
            Ok(Self(number))
        } else {
            Err(OutOfBounds(format!("expected a whole number from {MIN} to {MAX}")))
        }
    }
}

impl<const MIN: i64, const MAX: i64> From<Int<MIN, MAX>> for i64 {
    fn from(number: Int<MIN, MAX>) -> Self {
        number.0
    }
}

impl<const MIN: i64, const MAX: i64> fmt::Display for Int<MIN, MAX> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<'de, const MIN: i64, const MAX: i64> Deserialize<'de> for Int<MIN, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        i64::deserialize(deserializer)?.try_into().map_err(D::Error::custom)
    }
}

impl<const MIN: i64, const MAX: i64> JsonSchema for Int<MIN, MAX> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("Int{MIN}to{MAX}").into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "integer", "minimum": MIN, "maximum": MAX})
    }
}
