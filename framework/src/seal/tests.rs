//! What goes through a seal comes back unchanged, or not at all.

mod binding;
mod forged;
mod format;
mod rotation;
mod time;

use super::*;

#[test]
fn a_sealed_payload_comes_back() {
    let ring = ring();

    let token = ring.seal(Purpose::RequestState, BINDING, b"answers", TIMES, NONCE).unwrap();

    let opened = ring.open(Purpose::RequestState, BINDING, &token, NOW).unwrap();
    assert_eq!(opened.payload, b"answers");
    assert_eq!((opened.issued, opened.expires, opened.nonce), (TIMES.issued, TIMES.expires, NONCE));
    assert_eq!(opened.key_id, secret(1).id());
}

#[test]
fn a_signed_payload_comes_back() {
    let ring = ring();

    let token = ring.sign(Purpose::Cursor, BINDING, b"page 2").unwrap();

    assert_eq!(ring.open_signed(Purpose::Cursor, BINDING, &token).unwrap(), b"page 2");
}

#[test]
fn an_empty_payload_comes_back() {
    let ring = ring();

    let sealed = ring.seal(Purpose::Session, &[], b"", TIMES, NONCE).unwrap();
    let signed = ring.sign(Purpose::Cursor, &[], b"").unwrap();

    assert_eq!(ring.open(Purpose::Session, &[], &sealed, NOW).unwrap().payload, b"");
    assert_eq!(ring.open_signed(Purpose::Cursor, &[], &signed).unwrap(), b"");
}

#[test]
fn a_signed_token_is_the_same_each_time() {
    let one = ring().sign(Purpose::Cursor, BINDING, b"page 2");

    let other = ring().sign(Purpose::Cursor, BINDING, b"page 2");

    assert_eq!(one, other);
}

#[test]
fn another_nonce_makes_another_token() {
    let one = ring().seal(Purpose::RequestState, BINDING, b"answers", TIMES, NONCE);

    let other = ring().seal(Purpose::RequestState, BINDING, b"answers", TIMES, [8; 24]);

    assert_ne!(one, other);
}

#[test]
fn a_token_can_travel_in_a_header() {
    let every_byte: Vec<u8> = (0..=255).collect();
    let in_a_header = |it: char| it.is_ascii_alphanumeric() || "._-".contains(it);

    let sealed = ring().seal(Purpose::Session, BINDING, &every_byte, TIMES, NONCE).unwrap();
    let signed = ring().sign(Purpose::Cursor, BINDING, &every_byte).unwrap();

    assert!(sealed.chars().all(in_a_header), "{sealed}");
    assert!(signed.chars().all(in_a_header), "{signed}");
}

#[test]
fn a_payload_that_would_not_come_back_is_not_sealed() {
    let ring = ring();

    let fits = ring.sign(Purpose::Cursor, &[], &[0; 6095]).unwrap();
    let signed = ring.sign(Purpose::Cursor, &[], &[0; 6096]);
    let sealed = ring.seal(Purpose::RequestState, &[], &[0; 6095], TIMES, NONCE);

    assert_eq!(fits.len(), MAX_TOKEN_BYTES);
    assert_eq!(ring.open_signed(Purpose::Cursor, &[], &fits).unwrap(), [0; 6095]);
    assert_eq!(signed, Err(TooLarge { bytes: MAX_TOKEN_BYTES + 1 }));
    assert!(sealed.unwrap_err().bytes > MAX_TOKEN_BYTES);
}

#[test]
fn debug_shows_no_payload() {
    let token = ring().seal(Purpose::RequestState, BINDING, b"answers", TIMES, NONCE).unwrap();

    let opened = ring().open(Purpose::RequestState, BINDING, &token, NOW).unwrap();

    assert!(!format!("{opened:?}").contains(&format!("{:?}", b"answers")), "{opened:?}");
}

#[cfg(feature = "encrypt")]
#[test]
fn a_private_payload_cannot_be_read() {
    let readable = |purpose| {
        let token = ring().seal(purpose, BINDING, b"answers", TIMES, NONCE).unwrap();
        Token::read(&token).unwrap().body.windows(7).any(|it| it == b"answers")
    };

    assert_eq!(Purpose::ALL.map(readable), [false, true, false, false, false]);
}

fn ring() -> KeyRing {
    KeyRing::new(secret(1))
}

/// A key for tests: no two numbers give the same.
fn secret(number: u8) -> Secret {
    Secret::new(&key(number)).unwrap()
}

fn key(number: u8) -> [u8; 32] {
    std::array::from_fn(|place| (place as u8).wrapping_mul(37) ^ number ^ ((place as u8) >> 2))
}

const BINDING: &[&[u8]] = &[b"alice", b"tools/call", b"book"];
const NOW: u64 = 1_800_000_000;
const TIMES: Times = Times { issued: NOW - 10, expires: NOW + 590 };
const NONCE: [u8; 24] = [7; 24];
