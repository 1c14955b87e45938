//! How a handle is written: its kind, and 128 random bits in letters that models copy without mistakes.

use super::Kind;
use crate::store::HandleName;

/// Crockford's alphabet in lower case: no letter that looks like another, and nothing that a URL or a header escapes.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
/// Letters of 128 bits.
const LETTERS: usize = 26;

/// The handle of this kind with these random bits.
pub(super) fn of(kind: &Kind, random: [u8; 16]) -> String {
    let mut bits = u128::from_be_bytes(random);
    let mut letters = [0; LETTERS];
    for letter in letters.iter_mut().rev() {
        *letter = ALPHABET[(bits & 31) as usize];
        bits >>= 5;
    }
    let letters = letters.iter().map(|it| char::from(*it));
    [kind.name, "_"].into_iter().flat_map(str::chars).chain(letters).collect()
}

/// The name in a handle of this kind. What is not written as one is the model's mistake, and tells nobody anything. A
/// sealed handle has no name but itself.
pub(crate) fn read(kind: &Kind, handle: &str) -> Option<HandleName> {
    let rest = handle.strip_prefix(kind.name)?.strip_prefix('_')?.as_bytes();
    if kind.is_sealed {
        let is_written = !rest.is_empty() && rest.len() <= SEALED && rest.iter().all(|it| is_of_token(*it));
        return is_written.then_some(HandleName::new([0; 16]));
    }
    let letters: &[u8; LETTERS] = rest.try_into().ok()?;
    // 26 letters are two bits more than there are.
    let first = VALUES[usize::from(letters[0])];
    let mut bits = u128::from(first);
    let mut wrong = u8::from(first > 7);
    for letter in &letters[1..] {
        let value = VALUES[usize::from(*letter)];
        wrong |= value & 0xE0;
        bits = bits << 5 | u128::from(value & 31);
    }
    (wrong == 0).then(|| HandleName::new(bits.to_be_bytes()))
}

/// What each letter stands for; more than 31 for those that are none.
const VALUES: [u8; 256] = {
    let mut values = [0xFF; 256];
    let mut at = 0;
    while at < ALPHABET.len() {
        values[ALPHABET[at] as usize] = at as u8;
        at += 1;
    }
    values
};

/// The same for the schema of an argument.
pub(crate) fn pattern(kind: &Kind) -> String {
    let rest = match kind.is_sealed {
        true => format!("[A-Za-z0-9_.-]{{1,{SEALED}}}"),
        false => format!("[0-7][0-9a-hjkmnp-tv-z]{{{}}}", LETTERS - 1),
    };
    format!("^{}_{rest}$", kind.name)
}

const fn is_of_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-')
}

/// Characters of a sealed handle at most, without its kind.
const SEALED: usize = 8 * 1024;

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const NOTE: Kind = Kind {
        name: "note",
        type_id: std::any::TypeId::of::<()>,
        idle: Duration::from_secs(1),
        lifetime: Duration::from_secs(1),
        is_sealed: false,
        authorize: |_, _, _| true,
    };

    #[test]
    fn a_handle_is_its_kind_and_26_letters() {
        let handle = of(&NOTE, [0xFF; 16]);

        assert_eq!(handle, "note_7zzzzzzzzzzzzzzzzzzzzzzzzz");
        assert_eq!(of(&NOTE, [0; 16]), format!("note_{}", "0".repeat(26)));
        assert_eq!(read(&NOTE, &handle), Some(HandleName::new([0xFF; 16])));
    }

    #[test]
    fn what_is_written_otherwise_is_no_handle() {
        let good = of(&NOTE, *b"0123456789abcdef");
        let others = [
            good.to_uppercase(),
            good.replace("note_", "book_"),
            good.replace("note_", "note-"),
            format!("{good}0"),
            format!(" {good}"),
            format!("{good}="),
            good[..good.len() - 1].to_owned(),
            good.replacen('0', "u", 1),
            String::new(),
            "note_".into(),
            format!("note_8{}", "0".repeat(25)),
        ];

        for other in others.iter().filter(|it| **it != good) {
            assert_eq!(read(&NOTE, other), None, "{other}");
        }
    }
}
