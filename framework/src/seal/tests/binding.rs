//! A token opens for what it was made for and for nothing else.

use super::*;

#[test]
fn a_sealed_token_opens_for_its_purpose_only() {
    let opens = |made: Purpose, used: Purpose| {
        let token = ring().seal(made, BINDING, b"answers", TIMES, NONCE).unwrap();
        ring().open(used, BINDING, &token, NOW).map(|_| ())
    };

    let pairs = Purpose::ALL.into_iter().flat_map(|made| Purpose::ALL.map(|used| (made, used)));

    pairs.for_each(|(made, used)| {
        let expected = if made == used { Ok(()) } else { Err(OpenError::Forged) };
        assert_eq!(opens(made, used), expected, "{made:?} as {used:?}");
    });
}

#[test]
fn a_signed_token_opens_for_its_purpose_only() {
    let opens = |made: Purpose, used: Purpose| {
        let token = ring().sign(made, BINDING, b"answers").unwrap();
        ring().open_signed(used, BINDING, &token).map(|_| ())
    };

    let pairs = Purpose::ALL.into_iter().flat_map(|made| Purpose::ALL.map(|used| (made, used)));

    pairs.for_each(|(made, used)| {
        let expected = if made == used { Ok(()) } else { Err(OpenError::Forged) };
        assert_eq!(opens(made, used), expected, "{made:?} as {used:?}");
    });
}

#[test]
fn a_signed_token_does_not_pass_for_a_sealed_one() {
    let times = [TIMES.issued.to_be_bytes(), TIMES.expires.to_be_bytes()].concat();
    let payload = [times.as_slice(), &NONCE, b"answers"].concat();

    let token = ring().sign(Purpose::RequestState, BINDING, &payload).unwrap();

    assert_eq!(open(&token, BINDING), Err(OpenError::Shape));
    assert_eq!(open(&token.replace("v1s.", "v1."), BINDING), Err(OpenError::Forged));
    assert_eq!(open(&token.replace("v1s.", "v1e."), BINDING), Err(OpenError::Forged));
}

#[test]
fn a_sealed_token_does_not_pass_for_a_signed_one() {
    let token = ring().seal(Purpose::Cursor, BINDING, b"page 2", TIMES, NONCE).unwrap();

    let as_it_is = ring().open_signed(Purpose::Cursor, BINDING, &token);
    let renamed = ring().open_signed(Purpose::Cursor, BINDING, &token.replace("v1.", "v1s."));

    assert_eq!(as_it_is, Err(OpenError::Shape));
    assert_eq!(renamed, Err(OpenError::Forged));
}

#[test]
fn each_field_of_the_binding_counts() {
    let token = token(BINDING);

    assert_eq!(open(&token, BINDING), Ok(()));
    assert_eq!(open(&token, &[b"mallory", b"tools/call", b"book"]), Err(OpenError::Forged));
    assert_eq!(open(&token, &[b"alice", b"prompts/get", b"book"]), Err(OpenError::Forged));
    assert_eq!(open(&token, &[b"alice", b"tools/call", b"cancel"]), Err(OpenError::Forged));
}

#[test]
fn the_order_of_the_binding_counts() {
    let token = token(BINDING);

    assert_eq!(open(&token, &[b"tools/call", b"alice", b"book"]), Err(OpenError::Forged));
}

#[test]
fn a_missing_or_added_field_counts() {
    let token = token(BINDING);

    assert_eq!(open(&token, &[b"alice", b"tools/call"]), Err(OpenError::Forged));
    assert_eq!(open(&token, &[]), Err(OpenError::Forged));
    assert_eq!(open(&token, &[b"alice", b"tools/call", b"book", b""]), Err(OpenError::Forged));
}

#[test]
fn fields_do_not_flow_into_each_other() {
    let token = token(&[b"ab", b"c"]);

    assert_eq!(open(&token, &[b"ab", b"c"]), Ok(()));
    assert_eq!(open(&token, &[b"a", b"bc"]), Err(OpenError::Forged));
    assert_eq!(open(&token, &[b"abc", b""]), Err(OpenError::Forged));
    assert_eq!(open(&token, &[b"", b"abc"]), Err(OpenError::Forged));
    assert_eq!(open(&token, &[b"abc"]), Err(OpenError::Forged));
    assert_eq!(open(&token, &[b"ab\0\0\0\x01c"]), Err(OpenError::Forged));
}

#[test]
fn the_payload_does_not_flow_into_the_binding() {
    let token = ring().sign(Purpose::Cursor, &[b"alice"], b"page").unwrap();
    let (head, tag) = token.rsplit_once('.').unwrap();
    let shorter = head.replace("cGFnZQ", "cGFn");

    let opened = ring().open_signed(Purpose::Cursor, &[b"e", b"alice"], &format!("{shorter}.{tag}"));

    assert_ne!(shorter, head);
    assert_eq!(opened, Err(OpenError::Forged));
}

fn token(binding: &[&[u8]]) -> String {
    ring().seal(Purpose::RequestState, binding, b"answers", TIMES, NONCE).unwrap()
}

fn open(token: &str, binding: &[&[u8]]) -> Result<(), OpenError> {
    ring().open(Purpose::RequestState, binding, token, NOW).map(|_| ())
}
