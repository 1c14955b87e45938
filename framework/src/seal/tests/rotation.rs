//! Keys come and go while tokens are under way.

use super::*;

#[test]
fn rings_with_the_same_key_open_each_others_tokens() {
    let one = KeyRing::new(secret(1));
    let other = KeyRing::new(secret(1));

    assert_eq!(open(&other, &token(&one)), Ok(secret(1).id()));
    assert_eq!(open(&one, &token(&other)), Ok(secret(1).id()));
}

#[test]
fn a_ring_does_not_open_tokens_of_another_key() {
    assert_eq!(open(&KeyRing::new(secret(2)), &token(&ring())), Err(OpenError::UnknownKey));
}

#[test]
fn an_accepted_key_opens_and_does_not_sign() {
    let ring = KeyRing::new(secret(2)).also_accept(secret(1)).unwrap();

    assert_eq!(open(&ring, &token(&KeyRing::new(secret(1)))), Ok(secret(1).id()));
    assert_eq!(open(&ring, &token(&ring)), Ok(secret(2).id()));
}

#[test]
fn a_rotated_key_signs_at_once_and_the_old_one_still_opens() {
    let ring = ring();
    let old = token(&ring);

    ring.rotate(secret(2), vec![secret(1)]).unwrap();

    assert_eq!(open(&ring, &old), Ok(secret(1).id()));
    assert_eq!(open(&ring, &token(&ring)), Ok(secret(2).id()));
}

#[test]
fn a_key_that_was_rotated_out_opens_nothing() {
    let ring = ring();
    let old = token(&ring);

    ring.rotate(secret(2), vec![]).unwrap();

    assert_eq!(open(&ring, &old), Err(OpenError::UnknownKey));
}

#[test]
fn a_rotation_reaches_every_clone() {
    let ring = ring();
    let clone = ring.clone();

    ring.rotate(secret(2), vec![]).unwrap();

    assert_eq!(open(&clone, &token(&clone)), Ok(secret(2).id()));
}

#[test]
fn a_token_under_the_name_of_another_key_is_forged() {
    let ring = KeyRing::new(secret(1)).also_accept(secret(2)).unwrap();
    let token = token(&ring);

    assert_eq!(open(&ring, &token.replace(&secret(1).id(), &secret(2).id())), Err(OpenError::Forged));
}

#[test]
fn a_key_id_has_one_spelling() {
    let token = token(&ring());
    let id = secret(1).id();

    assert_ne!(id, id.to_uppercase());
    assert_eq!(open(&ring(), &token.replace(&id, &id.to_uppercase())), Err(OpenError::UnknownKey));
    assert_eq!(open(&ring(), &token.replace(&id, &id[..15])), Err(OpenError::UnknownKey));
    assert_eq!(open(&ring(), &token.replace(&id, "")), Err(OpenError::UnknownKey));
    assert_eq!(open(&ring(), &token.replace(&id, "0000000000000000")), Err(OpenError::UnknownKey));
}

#[test]
fn four_keys_may_verify_and_no_fifth() {
    let full = [2, 3, 4, 5].map(secret).into_iter().try_fold(ring(), KeyRing::also_accept).unwrap();
    let clone = full.clone();

    let fifth = full.also_accept(secret(6));

    assert!(matches!(fifth, Err(SecretError::TooMany)), "{fifth:?}");
    assert_eq!(open(&clone, &token(&KeyRing::new(secret(5)))), Ok(secret(5).id()));
    assert!(matches!(clone.rotate(secret(1), (2..=6).map(secret).collect()), Err(SecretError::TooMany)));
}

#[test]
fn a_ring_refuses_the_same_key_twice() {
    let ring = ring();

    let accepted = ring.clone().also_accept(secret(1));
    let rotated = ring.rotate(secret(2), vec![secret(3), secret(3)]);

    assert!(matches!(accepted, Err(SecretError::Duplicate { id }) if id == secret(1).id()));
    assert!(matches!(rotated, Err(SecretError::Duplicate { id }) if id == secret(3).id()));
    assert_eq!(open(&ring, &token(&ring)), Ok(secret(1).id()));
}

fn token(ring: &KeyRing) -> String {
    ring.seal(Purpose::RequestState, BINDING, b"answers", TIMES, NONCE).unwrap()
}

fn open(ring: &KeyRing, token: &str) -> Result<String, OpenError> {
    ring.open(Purpose::RequestState, BINDING, token, NOW).map(|it| it.key_id)
}
