//! Which keys are taken, and that none is ever shown.

use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD};

use super::super::KeyRing;
use super::*;

#[test]
fn a_key_of_32_bytes_is_taken_and_of_31_is_not() {
    assert!(Secret::new(&KEY).is_ok());
    assert!(matches!(Secret::new(&KEY[..31]), Err(SecretError::TooShort { bytes: 31, .. })));
    assert!(matches!(Secret::new(b""), Err(SecretError::TooShort { bytes: 0, .. })));
}

#[test]
fn an_obvious_key_is_refused() {
    let counting: Vec<u8> = (0..32).collect();
    let counting_down: Vec<u8> = (0..32).rev().collect();
    let few: Vec<u8> = (0..40_u32).map(|it| (it.pow(3) % 7) as u8).collect();

    assert_eq!(refused(&[0; 32]), "its bytes are all equal or count evenly");
    assert_eq!(refused(&[0xff; 64]), "its bytes are all equal or count evenly");
    assert_eq!(refused(&counting), "its bytes are all equal or count evenly");
    assert_eq!(refused(&counting_down), "its bytes are all equal or count evenly");
    assert_eq!(refused(&b"0123456789abcdef".repeat(2)), "it repeats itself");
    assert_eq!(refused(&b"changeme".repeat(4)), "it repeats itself");
    assert_eq!(refused(&b"password".repeat(5)), "it repeats itself");
    assert_eq!(refused(&few), "it repeats itself");
    assert_eq!(refused(b"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaabcdef"), "it has fewer than 8 different bytes");
    assert_eq!(refused(b"this-is-my-super-secret-key-please-change"), "it is made of well known words");
    assert_eq!(refused(b"CHANGEME_changeme_password_SECRET_123456"), "it is made of well known words");
    assert_eq!(refused(b"your_secret_key_for_development_server"), "it is made of well known words");
}

#[test]
fn a_passphrase_is_taken() {
    assert!(Secret::new(b"correct horse battery staple and a dozen more").is_ok());
    assert!(Secret::new(b"my secret: k3#jf9$Lw!qz7@Rv2^Tn8&Yb4").is_ok());
}

#[test]
fn every_spelling_of_a_key_is_the_same_key() {
    let id = Secret::new(&KEY).unwrap().id();

    assert_eq!(id_of_text(hex().as_bytes()), id);
    assert_eq!(id_of_text(hex().to_uppercase().as_bytes()), id);
    assert_eq!(id_of_text(format!("\t{}\r\n", hex()).as_bytes()), id);
    assert_eq!(id_of_text(STANDARD.encode(KEY).as_bytes()), id);
    assert_eq!(id_of_text(STANDARD_NO_PAD.encode(KEY).as_bytes()), id);
    assert_eq!(id_of_text(URL_SAFE.encode(KEY).as_bytes()), id);
    assert_eq!(id_of_text(URL_SAFE_NO_PAD.encode(KEY).as_bytes()), id);
    assert_eq!(id_of_text(&KEY), id);
}

#[test]
fn other_text_is_the_key_itself() {
    let text = b"correct horse battery staple and a dozen more";

    assert_eq!(id_of_text(text), Secret::new(text).unwrap().id());
}

#[test]
fn hex_digits_are_never_taken_for_text() {
    let short = Secret::from_text("it", &hex().as_bytes()[..32]);

    assert!(matches!(short, Err(SecretError::TooShort { bytes: 16, .. })), "{short:?}");
}

#[test]
fn a_placeholder_in_hex_is_refused() {
    let zeros = Secret::from_text("it", "0".repeat(64).as_bytes());
    let digits = Secret::from_text("it", "0123456789abcdef".repeat(4).as_bytes());

    assert!(matches!(zeros, Err(SecretError::Obvious { .. })), "{zeros:?}");
    assert!(matches!(digits, Err(SecretError::Obvious { .. })), "{digits:?}");
}

#[test]
fn a_variable_that_is_not_set_is_named_with_what_to_do() {
    let error = Secret::from_env("TOLLGATE_TEST_OF_A_VARIABLE_NOBODY_SETS").unwrap_err();

    assert_eq!(
        error.to_string(),
        "environment variable `TOLLGATE_TEST_OF_A_VARIABLE_NOBODY_SETS` holds no key: \
         set it to the output of `openssl rand -hex 32`"
    );
}

#[test]
fn a_main_that_returns_the_error_prints_what_to_do() {
    let error = Secret::from_env("CARGO_PKG_NAME").unwrap_err();

    assert_eq!(format!("{error:?}"), error.to_string());
}

#[test]
fn a_variable_that_is_too_short_is_named_and_not_shown() {
    let error = Secret::from_env("CARGO_PKG_NAME").unwrap_err();

    assert_eq!(
        error.to_string(),
        "environment variable `CARGO_PKG_NAME` holds 8 bytes and a key needs 32: \
         make one with `openssl rand -hex 32`"
    );
    assert!(!format!("{error:?}").contains(env!("CARGO_PKG_NAME")), "{error:?}");
}

#[test]
fn a_file_of_text_or_bytes_holds_a_key() {
    let dir = std::env::temp_dir().join(format!("tollgate-secret-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let write = |name: &str, bytes: &[u8]| {
        std::fs::write(dir.join(name), bytes).unwrap();
        Secret::from_file(dir.join(name))
    };
    let id = Secret::new(&KEY).unwrap().id();

    let text = write("text", format!("{}\n", hex()).as_bytes());
    let bytes = write("bytes", &KEY);
    let large = write("large", &[b'k'; 4097]);
    let empty = write("empty", b"\n");
    let missing = Secret::from_file(dir.join("missing"));
    std::fs::remove_dir_all(&dir).unwrap();

    assert_eq!(text.unwrap().id(), id);
    assert_eq!(bytes.unwrap().id(), id);
    assert!(matches!(large, Err(SecretError::TooLong { .. })));
    assert!(matches!(empty, Err(SecretError::TooShort { bytes: 0, .. })));
    assert!(missing.unwrap_err().to_string().contains("/missing`: "));
}

#[test]
fn two_random_keys_differ() {
    assert_ne!(Secret::random().unwrap().id(), Secret::random().unwrap().id());
}

#[test]
fn the_id_is_a_hash_of_the_key() {
    let hash = Sha256::digest([b"tollgate/kid".as_slice(), &KEY].concat());

    assert_eq!(Secret::new(&KEY).unwrap().id(), format!("{hash:x}")[..16]);
}

#[test]
fn the_keys_of_all_purposes_differ() {
    let secret = Secret::new(&KEY).unwrap();

    let mut keys: Vec<_> = Purpose::ALL.iter().map(|it| *secret.signing_key(*it)).chain([KEY]).collect();
    #[cfg(feature = "encrypt")]
    keys.extend(Purpose::ALL.iter().map(|it| *secret.cipher_key(*it)));
    let count = keys.len();
    keys.sort_unstable();
    keys.dedup();

    assert_eq!(keys.len(), count);
}

#[test]
fn debug_shows_no_key() {
    let ring = KeyRing::new(Secret::new(&KEY).unwrap());
    let twice = ring.clone().also_accept(Secret::new(&KEY).unwrap()).unwrap_err();
    let derived = Secret::new(&KEY).unwrap();
    let derived = Purpose::ALL.map(|it| *derived.signing_key(it));

    let shown = format!("{:?} {ring:?} {ring:#?} {twice:?} {twice}", Secret::new(&KEY).unwrap());

    assert_eq!(leaks(&shown, &KEY), [""; 0]);
    assert!(derived.iter().all(|it| leaks(&shown, it).is_empty()), "{shown}");
    assert!(shown.contains(&Secret::new(&KEY).unwrap().id()), "{shown}");
}

#[test]
fn an_error_shows_no_key() {
    let refused = [
        Secret::new(&KEY[..31]),
        Secret::from_text("it", &hex().as_bytes()[..62]),
        Secret::from_text("it", &[&KEY[..8], &KEY[..8], &KEY[..8], &KEY[..8]].concat()),
    ];

    let shown: String =
        refused.map(|it| it.map_err(|error| format!("{error} {error:?}")).unwrap_err()).concat();

    assert_eq!(leaks(&shown, &KEY), [""; 0]);
}

/// The spellings of eight bytes of the key that a text shows.
fn leaks(shown: &str, key: &[u8; 32]) -> Vec<&'static str> {
    let hex: String = key.iter().map(|it| format!("{it:02x}")).collect();
    let listed = format!("{:?}", &key[..8]);
    let spellings = [
        ("raw", String::from_utf8_lossy(&key[..8]).into_owned()),
        ("hex", hex[..16].to_owned()),
        ("HEX", hex[..16].to_uppercase()),
        ("base64", STANDARD.encode(key)[..8].to_owned()),
        ("base64url", URL_SAFE.encode(key)[..8].to_owned()),
        ("list", listed.trim_matches(['[', ']']).to_owned()),
    ];
    spellings.into_iter().filter(|(_, text)| shown.contains(text)).map(|(name, _)| name).collect()
}

fn refused(key: &[u8]) -> &'static str {
    match Secret::new(key) {
        Err(SecretError::Obvious { why, .. }) => why,
        other => panic!("{other:?}"),
    }
}

fn id_of_text(text: &[u8]) -> String {
    Secret::from_text("it", text).unwrap().id()
}

fn hex() -> String {
    KEY.iter().map(|it| format!("{it:02x}")).collect()
}

const KEY: [u8; 32] = [
    0xfb, 0xff, 0xbe, 0x13, 0x9c, 0x41, 0x5e, 0xd2, 0x77, 0x08, 0xe6, 0xa9, 0x35, 0x8f, 0x60, 0xc4, 0x1b,
    0xf3, 0x2a, 0x94, 0xde, 0x57, 0x8c, 0x01, 0xb7, 0x6d, 0x3e, 0xe8, 0x49, 0x92, 0xa5, 0x7f,
];
