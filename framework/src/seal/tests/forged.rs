//! A token that was touched anywhere does not open.

use super::*;

#[test]
fn each_character_of_a_sealed_token_counts() {
    let token = sealed();

    let opened: Vec<_> = touched(&token).filter(|it| open(it).is_ok()).collect();

    assert_eq!(touched(&token).count(), 3 * token.len());
    assert_eq!(opened, Vec::<String>::new());
}

#[test]
fn each_character_of_a_readable_token_counts() {
    let token = ring().seal(Purpose::Cursor, BINDING, b"page 2", TIMES, NONCE).unwrap();

    let opened: Vec<_> =
        touched(&token).filter(|it| ring().open(Purpose::Cursor, BINDING, it, NOW).is_ok()).collect();

    assert_eq!(opened, Vec::<String>::new());
}

#[test]
fn each_character_of_a_signed_token_counts() {
    let token = ring().sign(Purpose::Cursor, BINDING, b"page 2").unwrap();

    let opened: Vec<_> =
        touched(&token).filter(|it| ring().open_signed(Purpose::Cursor, BINDING, it).is_ok()).collect();

    assert_eq!(opened, Vec::<String>::new());
}

#[test]
fn each_bit_of_a_sealed_body_counts() {
    let token = sealed();
    let form = Token::read(&token).unwrap().form;
    let body = Token::read(&token).unwrap().body;
    let tag = token.rsplit('.').next().unwrap();

    let opened = (0..body.len() * 8).filter(|bit| {
        let mut body = body.clone();
        body[bit / 8] ^= 1 << (bit % 8);
        let resealed = token::write(form, &secret(1), Purpose::RequestState, BINDING, &body).unwrap();
        let (head, _) = resealed.rsplit_once('.').unwrap();
        open(&format!("{head}.{tag}")).is_ok()
    });

    assert_eq!(opened.count(), 0);
}

#[test]
fn a_truncated_token_does_not_open() {
    let token = sealed();

    let opened: Vec<_> = (1..=64).filter(|cut| open(&token[..token.len() - cut]).is_ok()).collect();
    let from_the_front: Vec<_> = (1..=64).filter(|cut| open(&token[*cut..]).is_ok()).collect();

    assert_eq!(opened, [0; 0]);
    assert_eq!(from_the_front, [0; 0]);
}

#[test]
fn a_token_with_more_text_does_not_open() {
    let token = sealed();

    assert_eq!(open(&format!("{token}A")), Err(OpenError::Forged));
    assert_eq!(open(&format!("{token}AA")), Err(OpenError::Shape));
    assert_eq!(open(&format!("{token}AAAA")), Err(OpenError::Forged));
    assert_eq!(open(&format!("{token}-tampered")), Err(OpenError::Forged));
    assert_eq!(open(&format!("{token}.")), Err(OpenError::Shape));
    assert_eq!(open(&format!("{token}\n")), Err(OpenError::Shape));
    assert_eq!(open(&format!(" {token}")), Err(OpenError::Shape));
    assert_eq!(open(&format!("{token}{token}")), Err(OpenError::Shape));
    assert_eq!(open(&format!("{token}.{token}")), Err(OpenError::Shape));
}

#[test]
fn what_is_no_token_does_not_open() {
    assert_eq!(open(""), Err(OpenError::Shape));
    assert_eq!(open("..."), Err(OpenError::Shape));
    assert_eq!(open("v1..."), Err(OpenError::UnknownKey));
    assert_eq!(open("v2.0011223344556677.AAAA.AAAA"), Err(OpenError::Shape));
    assert_eq!(open("V1.0011223344556677.AAAA.AAAA"), Err(OpenError::Shape));
    assert_eq!(open("v1.0011223344556677.🦀.AAAA"), Err(OpenError::Shape));
    assert_eq!(open("null"), Err(OpenError::Shape));
}

#[test]
fn a_long_text_is_refused_unread() {
    let a_mebibyte = "A".repeat(1024 * 1024);

    assert_eq!(open(&a_mebibyte), Err(OpenError::TooLong));
    assert_eq!(open(&"A".repeat(MAX_TOKEN_BYTES + 1)), Err(OpenError::TooLong));
    assert_eq!(open(&"A".repeat(MAX_TOKEN_BYTES)), Err(OpenError::Shape));
    assert_eq!(ring().open_signed(Purpose::Cursor, BINDING, &a_mebibyte), Err(OpenError::TooLong));
}

#[test]
fn a_second_spelling_of_the_same_bytes_is_refused() {
    let token = ring().sign(Purpose::Cursor, BINDING, b"page").unwrap();
    let open = |text: &str| ring().open_signed(Purpose::Cursor, BINDING, text);

    assert!(token.contains(".cGFnZQ."), "{token}");
    assert_eq!(open(&token).unwrap(), b"page");
    assert_eq!(open(&token.replace(".cGFnZQ.", ".cGFnZQ==.")), Err(OpenError::Shape));
    assert_eq!(open(&token.replace(".cGFnZQ.", ".cGFnZR.")), Err(OpenError::Shape));
    assert_eq!(open(&token.replace(".cGFnZQ.", ".cGFn ZQ.")), Err(OpenError::Shape));
    assert_eq!(open(&format!("{token}=")), Err(OpenError::Shape));
}

#[test]
fn the_alphabet_of_plain_base64_is_refused() {
    let token = ring().sign(Purpose::Cursor, BINDING, &[0xfb, 0xff, 0xbf]).unwrap();
    let open = |text: &str| ring().open_signed(Purpose::Cursor, BINDING, text);

    assert!(token.contains(".-_-_."), "{token}");
    assert_eq!(open(&token.replace(".-_-_.", ".+/+/.")), Err(OpenError::Shape));
}

#[test]
fn a_shorter_or_longer_tag_is_refused() {
    let token = sealed();
    let (head, _) = token.rsplit_once('.').unwrap();

    assert_eq!(open(&format!("{head}.")), Err(OpenError::Forged));
    assert_eq!(open(&format!("{head}.{}", "A".repeat(22))), Err(OpenError::Forged));
    assert_eq!(open(&format!("{head}.{}", "A".repeat(43))), Err(OpenError::Forged));
    assert_eq!(open(&format!("{head}.{}", "A".repeat(86))), Err(OpenError::Forged));
}

#[test]
fn a_body_without_its_times_is_refused() {
    let key = secret(1);

    let token = token::write(Form::Timed, &key, Purpose::RequestState, BINDING, &[0; 39]).unwrap();

    assert_eq!(open(&token), Err(OpenError::Shape));
}

#[test]
fn the_tag_of_one_token_does_not_fit_another() {
    let one = sealed();
    let other = ring().seal(Purpose::RequestState, BINDING, b"approve", TIMES, NONCE).unwrap();
    let (head, _) = one.rsplit_once('.').unwrap();
    let (_, tag) = other.rsplit_once('.').unwrap();

    assert_eq!(open(&format!("{head}.{tag}")), Err(OpenError::Forged));
}

/// The token with each character changed in three ways, all within its alphabet.
fn touched(token: &str) -> impl Iterator<Item = String> {
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.";
    (0..token.len()).flat_map(move |place| {
        let was = alphabet.iter().position(|it| *it == token.as_bytes()[place]).unwrap();
        [1, 16, 64].map(|step| {
            let becomes = char::from(alphabet[(was + step) % alphabet.len()]);
            format!("{}{becomes}{}", &token[..place], &token[place + 1..])
        })
    })
}

fn sealed() -> String {
    ring().seal(Purpose::RequestState, BINDING, b"answers", TIMES, NONCE).unwrap()
}

fn open(token: &str) -> Result<Vec<u8>, OpenError> {
    ring().open(Purpose::RequestState, BINDING, token, NOW).map(|it| it.payload)
}
