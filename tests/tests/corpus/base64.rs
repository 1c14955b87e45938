//! Base64 as RFC 4648 has it, one bit after the other: no code of the server's, and no library's.

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The text with padding.
pub(super) fn encode(bytes: &[u8]) -> String {
    let bits: Vec<u8> = bytes.iter().flat_map(|byte| (0..8).rev().map(move |at| byte >> at & 1)).collect();
    let letter = |six: &[u8]| {
        let padded = six.iter().chain([0; 6].iter()).take(6);
        char::from(LETTERS[usize::from(padded.fold(0, |sum, bit| sum * 2 + bit))])
    };
    let mut text: String = bits.chunks(6).map(letter).collect();
    while !text.len().is_multiple_of(4) {
        text.push('=');
    }
    text
}

/// The bytes of a text that `encode` could have written, and of no other.
pub(super) fn decode(text: &str) -> Option<Vec<u8>> {
    let letters = text.trim_end_matches('=');
    let places: Option<Vec<usize>> =
        letters.bytes().map(|it| LETTERS.iter().position(|letter| *letter == it)).collect();
    let bits: Vec<u8> =
        places?.into_iter().flat_map(|place| (0..6).rev().map(move |at| (place >> at & 1) as u8)).collect();
    let bytes: Vec<u8> =
        bits.chunks_exact(8).map(|byte| byte.iter().fold(0, |sum, bit| sum * 2 + bit)).collect();
    (encode(&bytes) == text).then_some(bytes)
}

#[test]
fn base64_is_that_of_the_rfc() {
    let known = [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")];

    assert!(known.iter().all(|(text, encoded)| encode(text.as_bytes()) == *encoded));
    assert!(known.iter().all(|(text, encoded)| decode(encoded).as_deref() == Some(text.as_bytes())));
    assert!(
        ["Zg", "Zg=", "Zh==", "Zg===", "Z", "Zm9v=", "Zm-v", "Zm 9v"].iter().all(|it| decode(it).is_none())
    );
}
