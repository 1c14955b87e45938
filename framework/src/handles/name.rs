//! How a handle is written: its kind, and 128 random bits in letters that models copy without mistakes.

use sha2::{Digest, Sha256};

use super::Kind;

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

/// Under what it is kept.
pub(crate) fn hash(handle: &str) -> [u8; 32] {
    Sha256::digest(handle).into()
}

/// Whether it is written as handles of this kind are. One that is not is the model's mistake, and tells nobody anything.
pub(crate) fn is_well_formed(kind: &Kind, handle: &str) -> bool {
    let Some(rest) = handle.strip_prefix(kind.name).and_then(|it| it.strip_prefix('_')) else { return false };
    match kind.is_sealed {
        true => !rest.is_empty() && rest.len() <= SEALED && rest.bytes().all(is_of_token),
        false => rest.len() == LETTERS && rest.bytes().all(|it| ALPHABET.contains(&it)),
    }
}

/// The same for the schema of an argument.
pub(crate) fn pattern(kind: &Kind) -> String {
    let rest = match kind.is_sealed {
        true => format!("[A-Za-z0-9_.-]{{1,{SEALED}}}"),
        false => format!("[0-9a-hjkmnp-tv-z]{{{LETTERS}}}"),
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
        assert!(is_well_formed(&NOTE, &handle));
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
        ];

        for other in others.iter().filter(|it| **it != good) {
            assert!(!is_well_formed(&NOTE, other), "{other}");
        }
    }
}
