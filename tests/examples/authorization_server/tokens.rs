//! Access tokens (RFC 9068), signed with a key that lasts as long as the process.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use aws_lc_rs::{
    rand::SystemRandom,
    signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde_json::{Value, json};

use super::codes::{Grant, random};

pub(super) struct Signer(EcdsaKeyPair);

impl Signer {
    pub(super) fn new() -> Self {
        let key = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING);
        Self(key.expect("the operating system has randomness"))
    }

    /// RFC 7517.
    pub(super) fn keys(&self) -> Value {
        let point = self.0.public_key().as_ref();
        let (x, y) = (URL_SAFE_NO_PAD.encode(&point[1..33]), URL_SAFE_NO_PAD.encode(&point[33..]));
        let key =
            json!({"kty": "EC", "crv": "P-256", "alg": "ES256", "use": "sig", "kid": "1", "x": x, "y": y});
        json!({ "keys": [key] })
    }

    pub(super) fn token(&self, issuer: &str, grant: &Grant, good_for: Duration) -> String {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("it is after 1970").as_secs();
        let header = json!({"alg": "ES256", "typ": "at+jwt", "kid": "1"});
        let claims = json!({
            "iss": issuer,
            "aud": grant.resource,
            "sub": grant.user,
            "client_id": grant.client,
            "scope": grant.scope,
            "jti": random(),
            "iat": now,
            "exp": now + good_for.as_secs(),
        });
        let part = |it: Value| URL_SAFE_NO_PAD.encode(it.to_string());
        let signed = format!("{}.{}", part(header), part(claims));
        let signature = self.0.sign(&SystemRandom::new(), signed.as_bytes());
        let signature = signature.expect("a key of its own signs everything");
        format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature))
    }
}
