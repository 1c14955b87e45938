//! Authorization codes: each is good once, soon, and for whoever can tell what its challenge is the hash of.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use aws_lc_rs::digest::{SHA256, digest};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};

use super::form::Form;

/// How long a code is good for.
const CODE_TIME: Duration = Duration::from_secs(60);

/// What a user has allowed a client.
pub(super) struct Grant {
    pub(super) client: String,
    pub(super) redirect: String,
    pub(super) resource: String,
    pub(super) challenge: String,
    pub(super) user: String,
    pub(super) scope: String,
}

#[derive(Default)]
pub(super) struct Codes(Mutex<HashMap<String, (Instant, Grant)>>);

impl Codes {
    pub(super) fn issue(&self, grant: Grant) -> String {
        let code = random();
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        open.insert(code.clone(), (Instant::now(), grant));
        code
    }

    /// A code is spent by whoever shows it first, whatever else they show.
    pub(super) fn redeem(&self, form: &Form) -> Result<Grant, &'static str> {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (issued, grant) = open.remove(form.one("code")).ok_or("invalid_grant")?;
        let challenge = URL_SAFE_NO_PAD.encode(digest(&SHA256, form.one("code_verifier").as_bytes()));
        let is_theirs = grant.client == form.one("client_id")
            && grant.redirect == form.one("redirect_uri")
            && grant.challenge == challenge;
        if !is_theirs || issued.elapsed() > CODE_TIME {
            return Err("invalid_grant");
        }
        if grant.resource != form.one("resource") {
            return Err("invalid_target");
        }
        Ok(grant)
    }
}

/// 32 bytes that nobody guesses.
pub(super) fn random() -> String {
    let mut bytes = [0; 32];
    aws_lc_rs::rand::fill(&mut bytes).expect("the operating system has randomness");
    URL_SAFE_NO_PAD.encode(bytes)
}
