//! The phrases that the rules know. How they are written: [`Phrases`].

use std::sync::LazyLock;

use super::{
    phrases::{Phrases, WordList},
    words::Words,
};

/// Whether a text says when to use the tool.
pub(super) fn says_when(words: &Words<'_>) -> bool {
    let is_denied = |at: usize| {
        let before = (at.saturating_sub(2)..at).filter(|it| words.are_together(*it, at));
        before.filter_map(|it| words.get(it)).any(|it| DENIALS.has(it))
    };
    WHEN.each(words).any(|it| !is_denied(it.start))
}

/// Whether a text says when not to use the tool.
pub(super) fn says_when_not(words: &Words<'_>) -> bool {
    WHEN_NOT.are_in(words)
}

const DENIALS: WordList = WordList("not don't dont never cannot can't shouldn't mustn't");

static WHEN: LazyLock<Phrases> = LazyLock::new(|| {
    Phrases::new(&[
        "use|call|invoke|choose|pick|prefer|run|try|reach * when|whenever|if|after|before|once|while|where|instead",
        "use|call|invoke|choose|pick|prefer|run this|it|the * to|for|as|with|first",
        "use|call|invoke|choose|pick|prefer|run for|to|as|only|first",
        "used|called|invoked|chosen|preferred|run when|whenever|if|after|before|to|for|first|once",
        "useful|helpful|handy|essential|suitable|suited|ideal|best|great|good|perfect|right|appropriate|intended|designed|meant|recommended|needed|necessary|required when|whenever|if|for|to|before|after",
        "when|whenever|if|where the user|users|caller|person|human|customer|conversation|task|question|request|model|agent|client",
        "when|whenever|if|once you|someone|somebody|anybody|they need|needs|want|wants|have|has|are|is|must|ask|asks",
        "when|whenever to|asked|you're|needed|necessary|working|looking|searching",
        "use case|cases",
        "triggers|triggered|applies when|on|to|if",
        "in|for case|cases|situations|questions|tasks|requests where|when|that|about|like",
        "for use when|with|in|by",
        "only|do|does this|so|it * when|if|for|after|before",
    ])
});

static WHEN_NOT: LazyLock<Phrases> = LazyLock::new(|| {
    Phrases::new(&[
        "do|does|should|must|can|could|may|is|are|was|will not * use|used|using|call|called|invoke|invoked|run|choose|pick|prefer|rely|pass",
        "don't|dont|shouldn't|mustn't|can't|cannot|never * use|used|using|call|called|invoke|invoked|run|choose|pick|rely|pass",
        "do|does|will|can not|only * work|support|handle|cover|apply|include|return|accept|search|read|follow|change|help",
        "doesn't|don't|won't|can't|cannot * work|support|handle|cover|apply|include|return|accept|search|read|follow|change|help",
        "not|isn't|aren't|never * for|suitable|suited|intended|meant|designed|appropriate|recommended|needed|necessary|useful|supported|available|possible|required",
        "not when|if|where|to|as|in|with|a|an|the",
        "unsuitable|inappropriate|unnecessary|wrong|useless for|when|if|to|tool",
        "no need|reason|longer|use to|for|used|when",
        "avoid|skip|refrain * when|if|for|using|calling|this|it|from|on|unless",
        "avoid|skip using|calling|it|this|for|when",
        "use|call|choose|prefer|try|see|pick * instead|rather",
        "instead|rather use|call|of|than|choose|prefer|see",
        "prefer * over|to|for|when|if",
        "for|to|if|when * * use|see|call|prefer|try|choose the|it|its * tool|tools|instead",
        "other|rather than",
        "unless",
        "except|exclude|excludes|excluding|excluded",
        "only when|if|for|use|works|within|after|to|on|in",
        "deprecated|obsolete|superseded",
        "out of scope",
        "limitation|limitations|limited to",
        "without * use|see|call",
    ])
});

/// Says how long something lasts.
pub(super) static LIFETIME: LazyLock<Phrases> = LazyLock::new(|| {
    Phrases::new(&[
        "expire|expires|expired|expiring|expiry|expiration * after|in|at|on|when|once|never|with|unless|is",
        "never|not|doesn't|don't|won't expire|expires",
        "last|lasts|live|lives|valid|good|kept|keeps|remain|remains|stays|stay|available|exists|usable|alive|stored|persists|deleted|removed|dropped|closed|forgotten * for|until|till|as|after|when|within|while|forever",
        "lifetime|ttl|lifespan",
        "minute|minutes|hour|hours|day|days|week|weeks of|without|after|idle|inactivity|unused",
        "until|till * deleted|closed|ended|ends|restarts|restart|released|removed|revoked|exits|stops|stopped",
    ])
});

/// Says that something does not last, whatever is said of how long.
pub(super) static PERISHES: LazyLock<Phrases> = LazyLock::new(|| {
    Phrases::new(&[
        "expire|expires|expired|expiring|expiry|expiration",
        "temporary|ephemeral|transient|handle",
        "short lived",
    ])
});

/// The first word of a name of a tool that makes something.
pub(super) const MAKES: WordList =
    WordList("create open start begin new make launch init initialize mint allocate acquire");

/// Says that the tool changes or sends something.
pub(super) static ACTS: LazyLock<Phrases> = LazyLock::new(|| {
    Phrases::new(&[
        "^ delete|deletes|remove|removes|erase|erases|overwrite|overwrites|send|sends|publish|publishes|upload|uploads|modify|modifies|revoke|revokes|purge|purges|wipe|wipes|destroy|destroys|cancel|cancels|terminate|terminates|pay|pays|purchase|purchases|merge|merges|rename|renames",
        "^ permanently delete|deletes|remove|removes|erase|erases",
        "and|then|also deletes|removes|erases|overwrites|sends|publishes|uploads|modifies|revokes|purges|wipes|destroys|cancels|terminates|pays|purchases|merges|renames",
        "this|it|tool deletes|removes|erases|overwrites|sends|publishes|uploads|modifies|revokes|purges|wipes|destroys|cancels|terminates|pays|purchases|merges|renames",
        "writes to|into the|a|your * file|files|disk|database|table",
    ])
});

/// The same in the first word of its name.
pub(super) const ACTING_NAMES: WordList =
    WordList("delete remove erase overwrite send publish upload revoke purge wipe destroy drop");

/// First words of names of tools, by which a word that stands in a text may be known for one.
pub(super) const VERBS: WordList = WordList(
    "add append apply approve archive assign book browse build call cancel check clear close \
     compare convert copy count create delete deploy describe detect download edit execute export \
     extract fetch find fork generate get grant import insert install invoke launch list load \
     lookup make merge modify move navigate open parse pause post publish pull push put query \
     read remove rename replace reset resolve restore resume retrieve revoke run save scan \
     schedule search send set share show start stop submit summarize trigger unlock update upload \
     validate verify view write",
);

/// Sets other instructions aside.
pub(super) static OVERRIDES: LazyLock<Phrases> = LazyLock::new(|| {
    Phrases::new(&[
        "ignore|disregard|forget|override|overrides|supersede|supersedes|bypass * previous|prior|above|earlier|preceding|other|your|system|existing|all * instruction|instructions|prompt|prompts|rules|guidelines|directives|messages|training",
        "ignore|disregard|forget everything|anything|whatever * above|before|previously|earlier|said|told",
        "new|updated|real|actual instructions|directives are|follow|below|for",
        "you are now a|an|in|the|free|no",
        "takes|take|has|have precedence|priority over * instructions|prompt|prompts|rules|messages",
    ])
});

/// Keeps something from the user.
pub(super) static SECRECY: LazyLock<Phrases> = LazyLock::new(|| {
    Phrases::new(&[
        "not|don't|dont|never|without * tell|telling|inform|informing|notify|notifying|alert|alerting|warn|warning|mention|mentioning|reveal|revealing|disclose|disclosing|show|showing|say|saying * user|users|human|customer|anyone|anybody|them",
        "hide|conceal|hidden|keep|kept * from the|your user|users|human|customer",
        "user|users|human * must|should|need|needs|may|can not * know|see|notice|learn|realize",
        "user|users|human mustn't|shouldn't|needn't|cannot|can't * know|see|notice|learn|realize",
        "without the|your user|user's|users|human's knowledge|knowing|noticing|consent",
        "not|don't|dont|never|without mention|mentioning this|that|it|the",
    ])
});

/// Wants to be called always, or before others.
pub(super) static PRIORITY: LazyLock<Phrases> = LazyLock::new(|| {
    Phrases::new(&[
        "must|should always * call|use|invoke|run|start|begin|include|send",
        "must|always * call|use|invoke|run * before any|all|every|each|other|anything|everything",
        "^ always call|use|invoke|run|start|begin this|the|with|by|it",
        "before * using|calling|invoking|running|use|call|any|all|every * other|any|all|every tool|tools|function|functions",
        "before|prior * every|each|any answer|reply|response|message|request|task|action|conversation",
        "on every|each message|turn|request|response|reply|conversation",
        "instead of|over any|all other|others * tool|tools",
        "most|extremely|very important tool",
    ])
});

/// Has the model hand over what it was told, or files of keys.
pub(super) static CONTEXT: LazyLock<Phrases> = LazyLock::new(|| {
    Phrases::new(&[
        "full|entire|whole|complete|all|previous|verbatim * conversation|chat|transcript|dialogue|dialog|context",
        "conversation|chat|message|messages history|log|transcript|context|so",
        "system|developer|hidden prompt|prompts|message|instructions",
        "id rsa|ed25519|ecdsa|dsa",
        "ssh config|keys|key|id|authorized|directory|folder",
        "mcp json",
        "aws credentials|config",
        "etc passwd|shadow",
        "read|reads|include|attach|paste|send|pass|provide|append|put * content|contents of * env|ssh|credentials|config|keychain|keys|secrets|password|passwords",
        "include|attach|paste|send|pass|provide|append|put|add * user's|users|your|any|all secret|secrets|password|passwords|credentials|api|keys|tokens|environment",
        "your chain|reasoning|thoughts|thinking of|trace|process|here|so",
    ])
});

/// A secret, in the words of a name.
pub(super) static SECRET_NAMES: LazyLock<Phrases> = LazyLock::new(|| {
    Phrases::new(&[
        "password|passwords|passwd|passphrase|pwd|passcode|secret|secrets|credential|credentials|apikey|token|jwt|bearer|otp|cvv|cvc",
        "api|private|secret|access|encryption|signing|master|account|subscription key|keys",
        "accesstoken|authtoken|privatekey|secretkey|clientsecret|accesskey",
        "authorization|auth header",
    ])
});

/// A secret, at the start of a description.
pub(super) static SECRET_TEXTS: LazyLock<Phrases> = LazyLock::new(|| {
    Phrases::new(&[
        "api|private|secret|encryption|signing key",
        "access|bearer|auth|authentication|api|refresh|session|oauth token",
        "password|passphrase|credential|credentials",
        "client secret",
    ])
});

/// Words after which or beside which a name is not that of a secret: places in lists, counts, what is only about one.
pub(super) const NO_SECRETS: WordList = WordList(
    "page next previous prev continuation cursor sync pagination paging resume change delta start \
     stop max min limit count counts name names id ids type types length budget usage symbol \
     address policy hint version label expiry expires path url uri scanning alert count balance \
     amount mint contract tokens per total arn ref reference field column format number state \
     status kind list offset whose position",
);

/// Comes before the values that a text may have.
pub(super) static CHOICES: LazyLock<Phrases> = LazyLock::new(|| {
    Phrases::new(&[
        "one of the|these following|values|options",
        "one of these|following",
        "one of",
        "^ any of",
        "^ either",
        "be|is|as either",
        "valid|allowed|possible|supported|accepted|available|permitted|legal values|options|choices|types|modes|formats are|include|is",
        "valid|allowed|possible|supported|accepted|available|permitted|legal values|options|choices|types|modes|formats|are",
        "options|choices are|include|is",
        "options|choices|values",
    ])
});

/// Comes before values that are examples only.
pub(super) static EXAMPLES: LazyLock<Phrases> = LazyLock::new(|| {
    Phrases::new(&[
        "e g",
        "eg",
        "example|examples",
        "such as",
        "like",
        "etc",
        "default|defaults",
        "i e",
        "instance",
    ])
});
