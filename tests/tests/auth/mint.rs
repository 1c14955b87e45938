//! Makes tokens, good ones and every bad one, by hand: what signs for a living refuses to make most of these.

use std::sync::OnceLock;

use aws_lc_rs::{
    hmac,
    rand::SystemRandom,
    rsa::KeySize,
    signature::{
        ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair, RSA_PKCS1_SHA256,
        RSA_PSS_SHA256, RsaEncoding, RsaKeyPair,
    },
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde_json::{Value, json};

/// When the tests take place, in seconds since 1970.
pub(crate) const NOW: u64 = 1_800_000_000;
pub(crate) const ISSUER: &str = "https://login.example.com";
pub(crate) const AUDIENCE: &str = "https://notes.example.com/mcp";

/// Three keys of one issuer.
pub(crate) struct Ring {
    pub(crate) rsa: RsaKeyPair,
    pub(crate) ec: EcdsaKeyPair,
    pub(crate) ed: Ed25519KeyPair,
}

/// What a token is signed with.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Hand {
    Rs256,
    Ps256,
    Es256,
    EdDsa,
    /// With the RSA public key as the secret.
    Hs256,
}

impl Ring {
    fn new() -> Self {
        Self {
            rsa: RsaKeyPair::generate(KeySize::Rsa2048).unwrap(),
            ec: EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).unwrap(),
            ed: Ed25519KeyPair::generate().unwrap(),
        }
    }

    /// The issuer's.
    pub(crate) fn ours() -> &'static Self {
        static RING: OnceLock<Ring> = OnceLock::new();
        RING.get_or_init(Self::new)
    }

    /// Somebody else's.
    pub(crate) fn theirs() -> &'static Self {
        static RING: OnceLock<Ring> = OnceLock::new();
        RING.get_or_init(Self::new)
    }

    pub(crate) fn rsa_jwk(&self, id: &str) -> Value {
        let key = self.rsa.public_key();
        let part = |it: &[u8]| base64(it);
        let n = part(key.modulus().big_endian_without_leading_zero());
        let e = part(key.exponent().big_endian_without_leading_zero());
        json!({"kty": "RSA", "kid": id, "use": "sig", "n": n, "e": e})
    }

    pub(crate) fn ec_jwk(&self, id: &str) -> Value {
        let point = self.ec.public_key().as_ref();
        let (x, y) = (base64(&point[1..33]), base64(&point[33..]));
        json!({"kty": "EC", "crv": "P-256", "kid": id, "use": "sig", "x": x, "y": y})
    }

    pub(crate) fn ed_jwk(&self, id: &str) -> Value {
        json!({"kty": "OKP", "crv": "Ed25519", "kid": id, "use": "sig", "x": base64(self.ed.public_key().as_ref())})
    }

    pub(crate) fn sign(&self, hand: Hand, text: &str) -> Vec<u8> {
        let random = SystemRandom::new();
        let rsa = |padding: &'static dyn RsaEncoding| {
            let mut signature = vec![0; self.rsa.public_modulus_len()];
            self.rsa.sign(padding, &random, text.as_bytes(), &mut signature).unwrap();
            signature
        };
        match hand {
            Hand::Rs256 => rsa(&RSA_PKCS1_SHA256),
            Hand::Ps256 => rsa(&RSA_PSS_SHA256),
            Hand::Es256 => self.ec.sign(&random, text.as_bytes()).unwrap().as_ref().to_vec(),
            Hand::EdDsa => self.ed.sign(text.as_bytes()).as_ref().to_vec(),
            Hand::Hs256 => {
                let key = hmac::Key::new(hmac::HMAC_SHA256, self.rsa.public_key().as_ref());
                hmac::sign(&key, text.as_bytes()).as_ref().to_vec()
            }
        }
    }
}

/// The set that the server believes: `rsa`, `ec` and `ed`.
pub(crate) fn jwks() -> Vec<u8> {
    let ring = Ring::ours();
    set(&[ring.rsa_jwk("rsa"), ring.ec_jwk("ec"), ring.ed_jwk("ed")])
}

pub(crate) fn set(keys: &[Value]) -> Vec<u8> {
    json!({"keys": keys}).to_string().into_bytes()
}

pub(crate) fn base64(bytes: impl AsRef<[u8]>) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// One token. It starts as a good one; a test then breaks what it wants to see refused.
#[derive(Clone)]
pub(crate) struct Token {
    pub(crate) header: Value,
    pub(crate) claims: Value,
    hand: Hand,
    ring: &'static Ring,
}

impl Token {
    pub(crate) fn good() -> Self {
        Self {
            header: json!({"alg": "ES256", "typ": "at+jwt", "kid": "ec"}),
            claims: json!({
                "iss": ISSUER, "aud": AUDIENCE, "sub": "ann", "client_id": "editor", "jti": "1",
                "iat": NOW - 10, "exp": NOW + 3_600, "scope": "notes:read",
            }),
            hand: Hand::Es256,
            ring: Ring::ours(),
        }
    }

    /// Signed so, under the name and with the key that belong to it.
    pub(crate) fn by(hand: Hand) -> Self {
        let (name, key) = match hand {
            Hand::Rs256 => ("RS256", "rsa"),
            Hand::Ps256 => ("PS256", "rsa"),
            Hand::Es256 => ("ES256", "ec"),
            Hand::EdDsa => ("EdDSA", "ed"),
            Hand::Hs256 => ("HS256", "rsa"),
        };
        Self { hand, ..Self::good().header("alg", name).header("kid", key) }
    }

    /// Signed with keys that are somebody else's.
    pub(crate) fn by_them(self) -> Self {
        Self { ring: Ring::theirs(), ..self }
    }

    /// Signed so, whatever the header says.
    pub(crate) fn signed(self, hand: Hand) -> Self {
        Self { hand, ..self }
    }

    pub(crate) fn header(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.header[name] = value.into();
        self
    }

    pub(crate) fn claim(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.claims[name] = value.into();
        self
    }

    pub(crate) fn without_header(mut self, name: &str) -> Self {
        self.header.as_object_mut().unwrap().remove(name);
        self
    }

    pub(crate) fn without(mut self, name: &str) -> Self {
        self.claims.as_object_mut().unwrap().remove(name);
        self
    }

    pub(crate) fn text(&self) -> String {
        self.of(self.header.to_string(), self.claims.to_string())
    }

    /// The same signature over other texts.
    pub(crate) fn of(&self, header: impl AsRef<[u8]>, claims: impl AsRef<[u8]>) -> String {
        self.over(&format!("{}.{}", base64(header), base64(claims)))
    }

    /// A signature over anything.
    pub(crate) fn over(&self, signed: &str) -> String {
        format!("{signed}.{}", base64(self.ring.sign(self.hand, signed)))
    }
}
