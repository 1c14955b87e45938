//! The fields of a tool's definition, as far as what they cost is told apart.

use std::{fmt, ops::Index};

use serde::{Deserialize, Serialize};

/// A part of a tool's definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Field {
    /// `name`.
    Name,
    /// `description`.
    Description,
    /// `inputSchema`.
    InputSchema,
    /// `outputSchema`.
    OutputSchema,
    /// `annotations`.
    Annotations,
    /// Everything else: `title`, `icons`, `_meta` and whatever the form puts around a tool.
    Rest,
}

impl Field {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Self; 6] =
        [Self::Name, Self::Description, Self::InputSchema, Self::OutputSchema, Self::Annotations, Self::Rest];

    /// The field of a member of a definition.
    pub(super) fn of(member: &str) -> Self {
        match member {
            "name" => Self::Name,
            "description" => Self::Description,
            "inputSchema" => Self::InputSchema,
            "outputSchema" => Self::OutputSchema,
            "annotations" => Self::Annotations,
            _ => Self::Rest,
        }
    }
}

/// In words, as `input schema`.
impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Name => "name",
            Self::Description => "description",
            Self::InputSchema => "input schema",
            Self::OutputSchema => "output schema",
            Self::Annotations => "annotations",
            Self::Rest => "rest",
        })
    }
}

/// The tokens of each [`Field`], with its key.
///
/// ```
/// # use tollgate::budget::{Costs, Field};
/// # use tollgate::serde_json::json;
/// let costs = Costs::of(&[json!({"name": "ping", "description": "Says pong.", "inputSchema": {"type": "object"}})]);
/// let fields = costs.tools()[0].fields();
/// assert!(fields[Field::InputSchema] > fields[Field::Name]);
/// assert_eq!(fields.total(), costs.total());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Fields {
    #[serde(skip_serializing_if = "is_none")]
    name: usize,
    #[serde(skip_serializing_if = "is_none")]
    description: usize,
    #[serde(rename = "inputSchema", skip_serializing_if = "is_none")]
    input_schema: usize,
    #[serde(rename = "outputSchema", skip_serializing_if = "is_none")]
    output_schema: usize,
    #[serde(skip_serializing_if = "is_none")]
    annotations: usize,
    #[serde(skip_serializing_if = "is_none")]
    rest: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde wants it so")]
const fn is_none(tokens: &usize) -> bool {
    *tokens == 0
}

impl Fields {
    /// All of them together.
    #[must_use]
    pub fn total(&self) -> usize {
        self.iter().map(|(_, tokens)| tokens).sum()
    }

    /// Each field with its tokens, also those that have none.
    pub fn iter(&self) -> impl Iterator<Item = (Field, usize)> {
        Field::ALL.into_iter().map(|it| (it, self[it]))
    }

    pub(super) const fn add(&mut self, field: Field, tokens: usize) {
        *match field {
            Field::Name => &mut self.name,
            Field::Description => &mut self.description,
            Field::InputSchema => &mut self.input_schema,
            Field::OutputSchema => &mut self.output_schema,
            Field::Annotations => &mut self.annotations,
            Field::Rest => &mut self.rest,
        } += tokens;
    }
}

impl Index<Field> for Fields {
    type Output = usize;

    fn index(&self, field: Field) -> &usize {
        match field {
            Field::Name => &self.name,
            Field::Description => &self.description,
            Field::InputSchema => &self.input_schema,
            Field::OutputSchema => &self.output_schema,
            Field::Annotations => &self.annotations,
            Field::Rest => &self.rest,
        }
    }
}
