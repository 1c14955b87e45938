//! A token as text: written canonically, read strictly, verified in constant time.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, Mac as _};
use sha2::Sha256;

use super::{MAX_TOKEN_BYTES, OpenError, Purpose, Secret, TooLarge};

/// What kind of body a token has. Only the prefix says it, and the prefix is under the tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Readable, with an end.
    Timed,
    /// Encrypted, with an end.
    Hidden,
    /// Readable, without an end.
    Lasting,
}

impl Form {
    pub(super) fn prefix(self) -> &'static str {
        match self {
            Self::Timed => "v1",
            Self::Hidden => "v1e",
            Self::Lasting => "v1s",
        }
    }

    fn read(prefix: &str) -> Option<Self> {
        [Self::Timed, Self::Hidden, Self::Lasting].into_iter().find(|it| it.prefix() == prefix)
    }
}

/// Writes the token for a body.
pub(super) fn write(
    form: Form,
    key: &Secret,
    purpose: Purpose,
    binding: &[&[u8]],
    body: &[u8],
) -> Result<String, TooLarge> {
    let bytes = form.prefix().len() + KEY_ID_CHARS + text_len(body.len()) + text_len(TAG_BYTES) + 3;
    if bytes > MAX_TOKEN_BYTES {
        return Err(TooLarge { bytes });
    }
    let mut text = String::with_capacity(bytes);
    text.push_str(form.prefix());
    text.push('.');
    text.push_str(key.key_id());
    text.push('.');
    URL_SAFE_NO_PAD.encode_string(body, &mut text);
    text.push('.');
    let tag = mac(form, key, purpose, body, binding).finalize().into_bytes();
    URL_SAFE_NO_PAD.encode_string(tag, &mut text);
    Ok(text)
}

/// A text in the shape of a token. Nothing in it is trusted before [`Token::verify`].
pub(super) struct Token<'a> {
    pub(super) form: Form,
    pub(super) key_id: &'a str,
    pub(super) body: Vec<u8>,
    tag: Vec<u8>,
}

impl<'a> Token<'a> {
    pub(super) fn read(text: &'a str) -> Result<Self, OpenError> {
        if text.len() > MAX_TOKEN_BYTES {
            return Err(OpenError::TooLong);
        }
        let mut parts = text.split('.');
        let (Some(prefix), Some(key_id), Some(body), Some(tag), None) =
            (parts.next(), parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err(OpenError::Shape);
        };
        Ok(Self {
            form: Form::read(prefix).ok_or(OpenError::Shape)?,
            key_id,
            body: decode(body).ok_or(OpenError::Shape)?,
            tag: decode(tag).ok_or(OpenError::Shape)?,
        })
    }

    pub(super) fn verify(&self, key: &Secret, purpose: Purpose, binding: &[&[u8]]) -> Result<(), OpenError> {
        mac(self.form, key, purpose, &self.body, binding)
            .verify_slice(&self.tag)
            .map_err(|_| OpenError::Forged)
    }
}

/// The bytes of canonical base64url: one text for each value, so that no token has a second spelling.
fn decode(text: &str) -> Option<Vec<u8>> {
    let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
    (URL_SAFE_NO_PAD.encode(&bytes) == text).then_some(bytes)
}

/// The binding comes last: four fields and then any number have one reading only.
fn mac(form: Form, key: &Secret, purpose: Purpose, body: &[u8], binding: &[&[u8]]) -> Hmac<Sha256> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key.signing_key(purpose)).expect("HMAC takes any key");
    let head = [form.prefix().as_bytes(), key.key_id().as_bytes(), purpose.name(), body];
    for field in head.iter().chain(binding) {
        mac.update(&length(field));
        mac.update(field);
    }
    mac
}

/// The length of a field as it stands before the field.
pub(super) fn length(field: &[u8]) -> [u8; 4] {
    u32::try_from(field.len()).expect("a field is part of a bounded request").to_be_bytes()
}

const fn text_len(bytes: usize) -> usize {
    bytes.saturating_mul(4).div_ceil(3)
}

/// The characters of a key id: 8 bytes in hex.
pub(super) const KEY_ID_CHARS: usize = 16;

const TAG_BYTES: usize = 32;
