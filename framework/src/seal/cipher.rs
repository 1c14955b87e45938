//! Hides a payload from the client: XChaCha20-Poly1305, under the token's tag.

#[cfg(feature = "encrypt")]
use chacha20poly1305::{
    KeyInit as _, XChaCha20Poly1305,
    aead::{Aead as _, Payload},
};

use super::{Purpose, Secret};

/// Encrypts a payload, which makes it 16 bytes longer.
#[cfg(feature = "encrypt")]
pub(super) fn hide(key: &Secret, purpose: Purpose, nonce: &[u8; 24], payload: &[u8]) -> Option<Vec<u8>> {
    let aad = associated(key, purpose);
    let hidden = XChaCha20Poly1305::new(key.cipher_key(purpose).into())
        .encrypt(nonce.into(), Payload { msg: payload, aad: &aad })
        .expect("a payload in memory is below the cipher's 256 GiB");
    Some(hidden)
}

/// Decrypts a payload, or says `None` if it is not what was encrypted.
#[cfg(feature = "encrypt")]
pub(super) fn reveal(key: &Secret, purpose: Purpose, nonce: &[u8; 24], hidden: &[u8]) -> Option<Vec<u8>> {
    let aad = associated(key, purpose);
    XChaCha20Poly1305::new(key.cipher_key(purpose).into())
        .decrypt(nonce.into(), Payload { msg: hidden, aad: &aad })
        .ok()
}

#[cfg(feature = "encrypt")]
fn associated(key: &Secret, purpose: Purpose) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(64);
    for field in [super::Form::Hidden.prefix().as_bytes(), key.key_id().as_bytes(), purpose.name()] {
        bytes.extend_from_slice(&super::token::length(field));
        bytes.extend_from_slice(field);
    }
    bytes
}

/// Without the feature nothing is encrypted: the token is readable, and says so.
#[cfg(not(feature = "encrypt"))]
pub(super) fn hide(_: &Secret, _: Purpose, _: &[u8; 24], _: &[u8]) -> Option<Vec<u8>> {
    None
}

/// Without the feature nothing encrypted can be read.
#[cfg(not(feature = "encrypt"))]
pub(super) fn reveal(_: &Secret, _: Purpose, _: &[u8; 24], _: &[u8]) -> Option<Vec<u8>> {
    None
}
