//! The rules: their names, how bad it is to break them, and why.

use std::{fmt, str::FromStr};

use serde::{Serialize, Serializer};

use super::finding::Level;

/// Makes the enum and its table from one list.
macro_rules! rules {
    ($($rule:ident $id:literal $level:ident $why:literal)*) => {
        /// Something that is looked for in tool definitions.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Rule {
            $(#[doc = $why] $rule,)*
        }

        impl Rule {
            /// Every rule, in the order of the documentation.
            pub const ALL: &'static [Self] = &[$(Self::$rule,)*];

            const fn about(self) -> (&'static str, Level, &'static str) {
                match self {
                    $(Self::$rule => ($id, Level::$level, $why),)*
                }
            }
        }
    };
}

rules! {
    IllTyped "ill-typed" Error
        "A member of the definition is missing or has a type that the protocol does not allow."
    TooDeep "too-deep" Error
        "The definition is nested deeper than 64 levels, where many clients stop reading and nobody reviews."
    NameCharset "name-charset" Error
        "The name is not 1 to 128 letters, digits, `_`, `-` and `.`, as the protocol wants it."
    NameHost "name-host" Warning
        "Several hosts refuse tools whose name is not 1 to 64 letters, digits, `_` and `-`."
    DuplicateName "duplicate-name" Error
        "Two tools of one name cannot be told apart: a client calls either, or drops both."
    SimilarNames "similar-names" Warning
        "Names that differ by one character, by separators or by case are mixed up."
    InputSchema "input-schema" Error
        "Without an `inputSchema` that is an object of type `object`, clients drop the tool or the whole list."
    OutputSchema "output-schema" Note
        "Clients older than 2026-07-28 refuse an `outputSchema` whose root is not of type `object`."
    NoAnnotations "no-annotations" Note
        "Without annotations, hosts take a tool for destructive and ask the user before each call."
    AnnotationsContradict "annotations-contradict" Error
        "A tool that only reads destroys nothing; hosts differ in which of two contradicting hints they believe."
    ReadOnlyActs "read-only-acts" Warning
        "Hosts call a tool with `readOnlyHint` without asking the user, and this one says that it changes something."
    NoDescription "no-description" Error
        "Without a description the model guesses from the name what the tool does."
    DescriptionShort "description-short" Warning
        "In fewer than 40 characters nobody can say what a tool does, when to use it and when not."
    DescriptionLong "description-long" Warning
        "Every conversation pays for the description, and what is beyond 600 characters is weighed little."
    NoWhen "no-when" Warning
        "A model that is not told when to use a tool uses it too seldom, or for everything."
    NoWhenNot "no-when-not" Warning
        "A model that is not told when a tool is the wrong one picks it in place of its neighbour."
    NearDuplicate "near-duplicate" Warning
        "Two descriptions that share nine words of ten do not tell the model which tool to take."
    SameStart "same-start" Warning
        "Hosts that shorten descriptions show two tools with the same text."
    UnknownTool "unknown-tool" Warning
        "A model that is sent to a tool which is not there calls it all the same."
    HiddenText "hidden-text" Error
        "Characters that nobody sees can carry orders to the model past the person who approves the tool."
    OverridesInstructions "overrides-instructions" Error
        "A definition that sets other instructions aside takes over the conversation."
    PosesAsPrompt "poses-as-prompt" Error
        "Tags and marks of prompts make text of a tool look as if the host or the user had said it."
    KeepsFromUser "keeps-from-user" Error
        "A tool that has the model keep something from the user acts against them."
    ClaimsPriority "claims-priority" Warning
        "A tool that wants to be called always, or before all others, pulls in conversations that do not concern it."
    AsksForContext "asks-for-context" Warning
        "A tool that has the model hand over the conversation, its prompt or files of keys gathers what it does not need."
    LinkWithData "link-with-data" Warning
        "A link or an image with a place for data sends the data to its host as soon as it is shown."
    EncodedText "encoded-text" Warning
        "A long encoded text can be read by the model and not by the person who approves the tool."
    UndescribedParameter "undescribed-parameter" Warning
        "A model that is not told what belongs into a parameter makes something up."
    ParameterSaysName "parameter-says-name" Warning
        "A description that repeats the name of the parameter tells nothing."
    EnumAsText "enum-as-text" Warning
        "Values that are listed in words only are not checked, and models write others."
    Unbounded "unbounded" Note
        "A text or a list without a bound lets one call carry any amount."
    HandleLifetime "handle-lifetime" Warning
        "A model that is not told how long a handle lasts keeps it for too long or makes a new one each time."
    HeaderSecret "header-secret" Error
        "The value of a parameter with `x-mcp-header` stands in the logs of every proxy on the way."
    HeaderInvalid "header-invalid" Error
        "Clients must drop a tool whose `x-mcp-header` the protocol does not allow."
    SecretParameter "secret-parameter" Warning
        "An argument is written by the model: a secret in it was in the conversation, and stays there."
}

impl Rule {
    /// The name by which it is switched off. It stays the same from version to version.
    #[must_use]
    pub const fn id(self) -> &'static str {
        self.about().0
    }

    /// How bad it usually is.
    #[must_use]
    pub const fn level(self) -> Level {
        self.about().1
    }

    /// What happens to who breaks it, in one sentence.
    #[must_use]
    pub const fn why(self) -> &'static str {
        self.about().2
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

impl Serialize for Rule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id())
    }
}

impl FromStr for Rule {
    type Err = UnknownRule;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.iter().copied().find(|it| it.id() == text).ok_or_else(|| UnknownRule::new(text))
    }
}

/// No rule has that name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownRule {
    text: String,
    nearest: Option<Rule>,
}

impl UnknownRule {
    fn new(text: &str) -> Self {
        let text: String = text.chars().take(64).collect();
        let distance = |it: &Rule| strsim::damerau_levenshtein(&text, it.id());
        let nearest = Rule::ALL.iter().copied().min_by_key(distance).filter(|it| distance(it) <= 3);
        Self { text, nearest }
    }
}

impl fmt::Display for UnknownRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no rule has the name {:?}", self.text)?;
        self.nearest.map_or(Ok(()), |it| write!(f, "; there is `{it}`"))
    }
}

impl std::error::Error for UnknownRule {}
