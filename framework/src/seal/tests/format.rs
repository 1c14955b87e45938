//! The format does not change under tokens that are under way.

use super::*;

#[test]
fn a_readable_token_is_always_written_so() {
    let token = ring().seal(Purpose::Cursor, BINDING, b"page 2", TIMES, NONCE).unwrap();

    assert_eq!(token, READABLE);
}

#[test]
fn a_signed_token_is_always_written_so() {
    let token = ring().sign(Purpose::Cursor, BINDING, b"page 2").unwrap();

    assert_eq!(token, SIGNED);
}

#[cfg(feature = "encrypt")]
#[test]
fn an_encrypted_token_is_always_written_so() {
    let token = ring().seal(Purpose::RequestState, BINDING, b"answers", TIMES, NONCE).unwrap();

    assert_eq!(token, ENCRYPTED);
}

#[test]
fn a_token_of_a_build_without_encryption_opens_in_each() {
    let body = body(TIMES, NONCE, b"answers");
    let token = token::write(Form::Timed, &secret(1), Purpose::RequestState, BINDING, &body).unwrap();

    let opened = ring().open(Purpose::RequestState, BINDING, &token, NOW).unwrap();

    assert_eq!(opened.payload, b"answers");
}

#[cfg(not(feature = "encrypt"))]
#[test]
fn an_encrypted_token_is_refused_where_it_cannot_be_read() {
    let opened = ring().open(Purpose::RequestState, BINDING, ENCRYPTED, NOW).map(|_| ());

    assert_eq!(opened, Err(OpenError::Unreadable));
}

#[test]
fn an_encrypted_token_does_not_pass_for_a_readable_one() {
    let renamed = ENCRYPTED.replace("v1e.", "v1.");

    let opened = ring().open(Purpose::RequestState, BINDING, &renamed, NOW).map(|_| ());

    assert_eq!(opened, Err(OpenError::Forged));
}

const READABLE: &str = "v1.ac00c06f628fe1ba.AAAAAGtJ0fYAAAAAa0nUTgcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHB3BhZ2UgMg.DayQzvw\
    UZfKuoZAmQVY1zfndRPVUJj3ctbw1jK80770";
const SIGNED: &str = "v1s.ac00c06f628fe1ba.cGFnZSAy.44TjlFPLqGqAIQk5j0bufl1r9cXiQXS-7E0mXdU-ueI";
const ENCRYPTED: &str = "v1e.ac00c06f628fe1ba.AAAAAGtJ0fYAAAAAa0nUTgcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHB0qXzxSY9h91lU3n5\
    Rjfw3eOaCocDbqs.uyPZuHkbij7Jctn6MxtXYXn0-JS_G_5Q0vOWvBA0hnE";
