//! What tools cost.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::Value;

use super::{
    field::Fields,
    form::{self, Form},
    tokens,
};
use crate::seal::json_digest;

/// What a list of tools costs, tool by tool, in the order of the list.
///
/// ```
/// # use tollgate::budget::{Costs, Form};
/// # use tollgate::serde_json::json;
/// let ping = json!({"name": "ping", "description": "Says pong.", "inputSchema": {"type": "object"}});
/// let pong = json!({"name": "pong", "description": "Says ping.", "inputSchema": {"type": "object"}});
/// let (one, two) = (Costs::of(&[ping.clone()]), Costs::of(&[ping, pong]));
/// assert_eq!(two.total(), one.total() + two.tools()[1].tokens());
/// assert!(two.total() >= two.total_in(Form::Wire));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Costs {
    tools: Vec<ToolCost>,
}

/// What one tool costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolCost {
    name: String,
    wire: Fields,
    function: Fields,
    hash: String,
}

impl Costs {
    /// Counts definitions as `tools/list` gives them; of a list in several pages, all pages together.
    #[must_use]
    pub fn of(tools: &[Value]) -> Self {
        tools.iter().map(ToolCost::of).collect()
    }

    /// Each tool, in the order of the list.
    #[must_use]
    pub fn tools(&self) -> &[ToolCost] {
        &self.tools
    }

    /// The tokens that count: those of all tools together.
    #[must_use]
    pub fn total(&self) -> usize {
        self.tools.iter().map(ToolCost::tokens).sum()
    }

    /// The tokens if every host wrote tools in this form.
    #[must_use]
    pub fn total_in(&self, form: Form) -> usize {
        self.tools.iter().map(|it| it.tokens_in(form)).sum()
    }
}

impl FromIterator<ToolCost> for Costs {
    fn from_iter<T: IntoIterator<Item = ToolCost>>(tools: T) -> Self {
        Self { tools: tools.into_iter().collect() }
    }
}

impl ToolCost {
    /// Counts one definition.
    #[must_use]
    pub fn of(definition: &Value) -> Self {
        let mut sorted = definition.clone();
        sorted.sort_all_objects();
        Self {
            name: definition.get("name").and_then(Value::as_str).unwrap_or_default().to_owned(),
            wire: tokens::count_fields(&form::write(&sorted, Form::Wire)),
            function: tokens::count_fields(&form::write(&sorted, Form::Function)),
            hash: format!("sha256-{}", STANDARD.encode(json_digest(definition))),
        }
    }

    /// Which tool it is; empty where the definition has no name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The tokens that count: those of the dearer form.
    #[must_use]
    pub fn tokens(&self) -> usize {
        self.fields().total()
    }

    /// The tokens in one of the forms.
    #[must_use]
    pub fn tokens_in(&self, form: Form) -> usize {
        self.fields_in(form).total()
    }

    /// The dearer form. Of two that cost the same it is [`Form::Wire`].
    #[must_use]
    pub fn form(&self) -> Form {
        if self.function.total() > self.wire.total() { Form::Function } else { Form::Wire }
    }

    /// The tokens that count, field by field.
    #[must_use]
    pub fn fields(&self) -> &Fields {
        self.fields_in(self.form())
    }

    /// The tokens in one of the forms, field by field.
    #[must_use]
    pub const fn fields_in(&self, form: Form) -> &Fields {
        match form {
            Form::Wire => &self.wire,
            Form::Function => &self.function,
        }
    }

    /// Stands for the whole definition with everything that is in it: SHA-256 over JSON whose keys are sorted. As
    /// `sha256-` and base64.
    #[must_use]
    pub fn hash(&self) -> &str {
        &self.hash
    }
}
