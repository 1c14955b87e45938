//! Keys that are long enough and still no secret: placeholders, patterns, test values.

use zeroize::Zeroizing;

/// Says what makes a key easy to guess. A random key passes: each rule would refuse one in far more than 2^64.
pub(super) fn reason(key: &[u8]) -> Option<&'static str> {
    if is_even_sequence(key) {
        Some("its bytes are all equal or count evenly")
    } else if repeats_itself(key) {
        Some("it repeats itself")
    } else if distinct_bytes(key) < 8 {
        Some("it has fewer than 8 different bytes")
    } else if is_made_of_words(key) {
        Some("it is made of well known words")
    } else {
        None
    }
}

/// Whether each byte differs from the one before by the same step.
fn is_even_sequence(key: &[u8]) -> bool {
    let step = |pair: &[u8]| pair[1].wrapping_sub(pair[0]);
    key.windows(2).all(|it| step(it) == step(key))
}

/// Whether the key is a piece of up to 16 bytes, over and over.
fn repeats_itself(key: &[u8]) -> bool {
    (1..=16).any(|period| key.iter().zip(key.iter().skip(period)).all(|(one, next)| one == next))
}

fn distinct_bytes(key: &[u8]) -> usize {
    let mut seen = [false; 256];
    for byte in key {
        seen[usize::from(*byte)] = true;
    }
    seen.iter().filter(|it| **it).count()
}

/// Whether little is left of a text without the words that stand in examples.
fn is_made_of_words(key: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(key) else { return false };
    let mut text = Zeroizing::new(text.to_ascii_lowercase());
    for word in WORDS {
        text = Zeroizing::new(text.replace(word, ""));
    }
    text.len() < 16
}

/// Longer words before the ones they contain, and last what stands between them.
const WORDS: [&str; 32] = [
    "abcdefghijklmnopqrstuvwxyz",
    "1234567890",
    "0123456789",
    "development",
    "passphrase",
    "production",
    "changeme",
    "insecure",
    "password",
    "tollgate",
    "default",
    "example",
    "letmein",
    "replace",
    "testing",
    "change",
    "please",
    "qwerty",
    "secret",
    "server",
    "super",
    "admin",
    "token",
    "this",
    "test",
    "your",
    "key",
    "mcp",
    "my",
    "-",
    "_",
    " ",
];
