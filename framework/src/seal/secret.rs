//! A key from the operator.

mod error;
mod obvious;

use std::ffi::OsString;
use std::fmt;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use base64::Engine as _;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use hmac::{Hmac, Mac as _};
use sha2::{Digest as _, Sha256};
use zeroize::Zeroizing;

pub use self::error::SecretError;
use super::Purpose;
use super::token::{KEY_ID_CHARS, length};

/// A key of 32 bytes or more, known to the operator and to the servers of one fleet.
///
/// It cannot be printed, compared, copied or serialized; `Debug` shows its [`id`](Self::id). The key itself is
/// forgotten once the keys for each purpose are derived from it, and those are overwritten when the last ring lets
/// go of them. Copies that the environment, the stack or a cipher's state made are not overwritten.
///
/// In an environment variable or a file a key is text: hex, base64 or base64url, padded or not, or else any text of
/// 32 bytes or more, taken as it is. Hex digits alone are always hex, so that 32 of them are 16 bytes and too short.
///
/// ```
/// use tollgate::seal::Secret;
///
/// assert!(Secret::new(b"changeme changeme changeme changeme").is_err());
/// assert_eq!(Secret::random()?.id().len(), 16);
/// # Ok::<(), tollgate::seal::SecretError>(())
/// ```
pub struct Secret {
    key_id: String,
    signing: [Zeroizing<[u8; 32]>; Purpose::ALL.len()],
    #[cfg(feature = "encrypt")]
    cipher: [Zeroizing<[u8; 32]>; Purpose::ALL.len()],
}

impl Secret {
    /// Takes the bytes of a key.
    ///
    /// # Errors
    ///
    /// [`SecretError::TooShort`] below 32 bytes, [`SecretError::Obvious`] if anyone could guess them.
    pub fn new(bytes: &[u8]) -> Result<Self, SecretError> {
        Self::from_bytes("the key", bytes)
    }

    /// Reads a key from an environment variable.
    ///
    /// # Errors
    ///
    /// [`SecretError::Missing`] if the variable is not set or empty, else as [`Secret::new`]. The error names the
    /// variable and never its value.
    pub fn from_env(name: &str) -> Result<Self, SecretError> {
        let missing = || SecretError::Missing { variable: name.to_owned() };
        let bytes = std::env::var_os(name).map(OsString::into_encoded_bytes).ok_or_else(missing)?;
        let bytes = Zeroizing::new(bytes);
        if bytes.trim_ascii().is_empty() {
            return Err(missing());
        }
        Self::from_text(&format!("environment variable `{name}`"), &bytes)
    }

    /// Reads a key from a file of at most 4096 bytes: text, or the bytes themselves if they are not ASCII text.
    ///
    /// # Errors
    ///
    /// [`SecretError::Unreadable`] if the file cannot be read, [`SecretError::TooLong`] if it is larger, else as
    /// [`Secret::new`]. The error names the file and never what is in it.
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self, SecretError> {
        let path = path.as_ref();
        let place = format!("file `{}`", path.display());
        // Room for all of it at once: a buffer that grows leaves copies behind.
        let mut bytes = Zeroizing::new(Vec::with_capacity(2 * MAX_FILE_BYTES));
        File::open(path)
            .and_then(|file| file.take(MAX_FILE_BYTES as u64 + 1).read_to_end(&mut bytes))
            .map_err(|error| SecretError::Unreadable { place: place.clone(), error })?;
        if bytes.len() > MAX_FILE_BYTES {
            return Err(SecretError::TooLong { place });
        }
        Self::from_text(&place, &bytes)
    }

    /// Makes a key from the randomness of the operating system. Only this process has it: what it signs ends with
    /// the process, and no second server can open it.
    ///
    /// # Errors
    ///
    /// [`SecretError::NoRandomness`] if the operating system has none to give.
    pub fn random() -> Result<Self, SecretError> {
        let mut bytes = Zeroizing::new([0; MIN_BYTES]);
        getrandom::fill(bytes.as_mut_slice()).map_err(|_| SecretError::NoRandomness)?;
        Self::new(bytes.as_slice())
    }

    /// The name of this key in tokens and logs: 16 hex digits, which tell nothing about the key.
    #[must_use]
    pub fn id(&self) -> String {
        self.key_id.clone()
    }

    pub(super) fn key_id(&self) -> &str {
        &self.key_id
    }

    pub(super) fn signing_key(&self, purpose: Purpose) -> &[u8; 32] {
        &self.signing[purpose as usize]
    }

    #[cfg(feature = "encrypt")]
    pub(super) fn cipher_key(&self, purpose: Purpose) -> &[u8; 32] {
        &self.cipher[purpose as usize]
    }

    fn from_text(place: &str, text: &[u8]) -> Result<Self, SecretError> {
        if !text.iter().all(|it| it.is_ascii_graphic() || it.is_ascii_whitespace()) {
            return Self::from_bytes(place, text);
        }
        let text = text.trim_ascii();
        if text.iter().all(u8::is_ascii_hexdigit) {
            return Self::from_bytes(place, &from_hex(text));
        }
        let decoded = [&BASE64, &BASE64_URL].iter().find_map(|it| it.decode(text).ok()).map(Zeroizing::new);
        match decoded {
            Some(bytes) if bytes.len() >= MIN_BYTES => Self::from_bytes(place, &bytes),
            _ => Self::from_bytes(place, text),
        }
    }

    fn from_bytes(place: &str, bytes: &[u8]) -> Result<Self, SecretError> {
        if bytes.len() < MIN_BYTES {
            return Err(SecretError::TooShort { place: place.to_owned(), bytes: bytes.len() });
        }
        if let Some(why) = obvious::reason(bytes) {
            return Err(SecretError::Obvious { place: place.to_owned(), why });
        }
        Ok(Self {
            key_id: key_id(bytes),
            signing: Purpose::ALL.map(|purpose| derive(bytes, b"tollgate/seal/v1/sign", purpose)),
            #[cfg(feature = "encrypt")]
            cipher: Purpose::ALL.map(|purpose| derive(bytes, b"tollgate/seal/v1/encrypt", purpose)),
        })
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Secret").field(&self.key_id).finish()
    }
}

/// The bytes of hex digits. An odd last digit counts as a byte of its own.
fn from_hex(digits: &[u8]) -> Zeroizing<Vec<u8>> {
    let value = |digit: &u8| char::from(*digit).to_digit(16).unwrap_or_default();
    let byte = |pair: &[u8]| pair.iter().fold(0, |sum, digit| (sum << 4) | value(digit) as u8);
    Zeroizing::new(digits.chunks(2).map(byte).collect())
}

fn key_id(key: &[u8]) -> String {
    let hash = Sha256::new().chain_update(b"tollgate/kid").chain_update(key).finalize();
    format!("{hash:x}").chars().take(KEY_ID_CHARS).collect()
}

fn derive(key: &[u8], label: &[u8], purpose: Purpose) -> Zeroizing<[u8; 32]> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes any key");
    mac.update(label);
    mac.update(&length(purpose.name()));
    mac.update(purpose.name());
    Zeroizing::new(mac.finalize().into_bytes().into())
}

/// The shortest key, in bytes.
const MIN_BYTES: usize = 32;

const MAX_FILE_BYTES: usize = 4096;

const LENIENT: GeneralPurposeConfig =
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
const BASE64: GeneralPurpose = GeneralPurpose::new(&alphabet::STANDARD, LENIENT);
const BASE64_URL: GeneralPurpose = GeneralPurpose::new(&alphabet::URL_SAFE, LENIENT);

#[cfg(test)]
mod tests;
