//! The keys of an issuer (RFC 7517), and the one that a token names.

use std::{collections::HashSet, sync::Arc};

use jsonwebtoken::{DecodingKey, crypto::aws_lc};
use serde_json::{Map, Value};

use super::{
    algorithm::Algorithm,
    token::{Flaw, bytes},
};
use crate::wire::scan::{Bounds, scan};

/// The keys of one issuer that can be used. There is at least one.
#[derive(Debug)]
pub(super) struct KeySet(Vec<Arc<Key>>);

/// A public key.
#[derive(Debug)]
pub(super) struct Key {
    id: Option<String>,
    /// What the key says that it is for; all that its kind can do when it does not say.
    algorithms: Vec<Algorithm>,
    key: DecodingKey,
}

/// What a set has for a token.
#[derive(Debug)]
pub(super) enum Found {
    Key(Arc<Key>),
    /// A newer set may have it.
    Absent,
    /// No newer set will.
    Never(Flaw),
}

impl KeySet {
    /// # Errors
    /// What is wrong with the set. One that has no key that can be used is no set.
    pub(super) fn parse(document: &[u8]) -> Result<Self, String> {
        if document.len() > MOST_BYTES {
            return Err(format!("the key set is larger than {MOST_BYTES} bytes"));
        }
        scan(document, &BOUNDS).map_err(|fault| format!("the key set cannot be read: {fault}"))?;
        let document: Map<String, Value> =
            serde_json::from_slice(document).map_err(|_| "the key set is no JSON object".to_owned())?;
        let Some(Value::Array(all)) = document.get("keys") else {
            return Err("the key set has no `keys`".into());
        };
        if all.len() > MOST_KEYS {
            return Err(format!("the key set has more than {MOST_KEYS} keys"));
        }
        let keys: Vec<_> = all.iter().filter_map(Key::parse).map(Arc::new).collect();
        let mut ids = HashSet::new();
        if keys.iter().filter_map(|it| it.id.as_deref()).any(|it| !ids.insert(it)) {
            return Err("the key set has two keys of one `kid`".into());
        }
        if keys.is_empty() { Err("the key set has no key that can be used".into()) } else { Ok(Self(keys)) }
    }

    /// The key of that id. A token may leave it out where there is only one key.
    pub(super) fn find(&self, id: Option<&str>, algorithm: Algorithm) -> Found {
        let key = match (id, &self.0[..]) {
            (None, [only]) => only,
            (None, _) => return Found::Never(Flaw("it names no key and there are several")),
            (Some(id), all) => match all.iter().find(|it| it.id.as_deref() == Some(id)) {
                Some(key) => key,
                None => return Found::Absent,
            },
        };
        if key.algorithms.contains(&algorithm) {
            Found::Key(key.clone())
        } else {
            Found::Never(Flaw("its algorithm is not that of its key"))
        }
    }

    pub(super) fn has(&self, id: &str) -> bool {
        self.0.iter().any(|it| it.id.as_deref() == Some(id))
    }
}

/// Bytes of a set.
const MOST_BYTES: usize = 256 * 1024;
const MOST_KEYS: usize = 100;
/// Bytes of a key's id.
pub(super) const MOST_ID: usize = 256;
const BOUNDS: Bounds = Bounds { depth: 16, values: 20_000, keys: 256, key_bytes: 256, number_bytes: 64 };

impl Key {
    /// Keys that cannot be used here are passed over: a set may have others for other servers.
    fn parse(jwk: &Value) -> Option<Self> {
        let text = |name: &str| jwk.get(name).map(|it| it.as_str().ok_or(()));
        let id = text("kid").transpose().ok()?.map(str::to_owned);
        if id.as_ref().is_some_and(|it| it.len() > MOST_ID)
            || text("use").is_some_and(|it| it != Ok("sig"))
            || jwk.get("key_ops").is_some_and(|it| !may_verify(it))
        {
            return None;
        }
        let part = |name: &str| bytes(jwk.get(name)?.as_str()?).ok();
        let (key, mut algorithms) = match (text("kty")?.ok()?, text("crv").transpose().ok()?) {
            ("RSA", _) => {
                let (n, e) = (part("n")?, part("e")?);
                (bits(&n) >= 2_048).then_some(())?;
                (DecodingKey::from_rsa_raw_components(&n, &e), vec![Algorithm::Rs256, Algorithm::Ps256])
            }
            ("EC", Some("P-256")) => {
                let (x, y) = (part("x")?, part("y")?);
                let point = [&[4], &x[..], &y[..]].concat();
                (point.len() == 65 && x.len() == 32).then_some(())?;
                (DecodingKey::from_ec_der(&point), vec![Algorithm::Es256])
            }
            ("OKP", Some("Ed25519")) => {
                let x = part("x")?;
                (x.len() == 32).then_some(())?;
                (DecodingKey::from_ed_der(&x), vec![Algorithm::EdDsa])
            }
            _ => return None,
        };
        if let Some(algorithm) = text("alg") {
            algorithms.retain(|it| algorithm == Ok(it.name()));
        }
        (!algorithms.is_empty()).then_some(Self { id, algorithms, key })
    }

    /// # Errors
    /// When the signature is not by this key.
    pub(super) fn check(&self, algorithm: Algorithm, signed: &[u8], signature: &Vec<u8>) -> Result<(), Flaw> {
        // Not the library's own choice: it depends on what other crates of the app turn on, and may panic.
        let verifier = (aws_lc::DEFAULT_PROVIDER.verifier_factory)(&algorithm.library(), &self.key);
        let checked = verifier.map(|it| it.verify(signed, signature).is_ok());
        if checked.is_ok_and(|it| it) { Ok(()) } else { Err(Flaw("its signature does not hold")) }
    }
}

fn may_verify(operations: &Value) -> bool {
    operations.as_array().is_some_and(|it| it.iter().any(|it| it == "verify"))
}

/// Bits of a number, without the zeros in front.
fn bits(number: &[u8]) -> usize {
    let zeros = number.iter().take_while(|it| **it == 0).count();
    number.get(zeros).map_or(0, |first| (number.len() - zeros) * 8 - first.leading_zeros() as usize)
}
