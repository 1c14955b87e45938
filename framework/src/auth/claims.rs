//! What a token claims, judged.

use std::{
    collections::BTreeSet,
    sync::Arc,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use serde_json::{Map, Value};

use super::{algorithm::Algorithm, key_set::MOST_ID, token::Flaw};
use crate::{caller::Principal, clock};

/// By what a token is judged.
#[derive(Clone)]
pub(super) struct Rules {
    pub(super) audience: String,
    pub(super) only_audience: bool,
    pub(super) algorithms: Vec<Algorithm>,
    pub(super) leeway: Duration,
    pub(super) max_age: Option<Duration>,
    pub(super) accepts_typ_jwt: bool,
    pub(super) is_strict: bool,
    pub(super) tenant_claim: Option<String>,
    pub(super) implied: Option<Arc<Implied>>,
}

/// The scopes that a scope implies.
pub(super) type Implied = dyn Fn(&str) -> Vec<String> + Send + Sync;

/// What the header says about the signature.
pub(super) struct Signed<'a> {
    pub(super) algorithm: Algorithm,
    pub(super) key: Option<&'a str>,
}

type Claims = Map<String, Value>;

impl Rules {
    /// Judges the header. Keys that a token brings along (`jwk`, `jku`, `x5c`, `x5u`) are not looked at.
    pub(super) fn header<'a>(&self, header: &'a Claims, claims: &Claims) -> Result<Signed<'a>, Flaw> {
        if header.contains_key("crit") {
            return Err(Flaw("it has `crit`, and nothing of that is understood"));
        }
        self.kind(header, claims)?;
        let algorithm = text(header, "alg", Flaw("its `alg` is no string"))?.unwrap_or_default();
        let algorithm = Algorithm::parse(algorithm)
            .filter(|it| self.algorithms.contains(it))
            .ok_or(Flaw("its algorithm is not allowed"))?;
        let key = text(header, "kid", Flaw("its `kid` is no string"))?;
        if key.is_some_and(|it| it.len() > MOST_ID) {
            return Err(Flaw("its `kid` is too long"));
        }
        Ok(Signed { algorithm, key })
    }

    /// An access token says that it is one (RFC 9068, section 4). One that says nothing may be anything, and an id
    /// token least of all is for us.
    fn kind(&self, header: &Claims, claims: &Claims) -> Result<(), Flaw> {
        let kind = text(header, "typ", Flaw("its `typ` is no string"))?;
        let is = |name: &str| kind.is_some_and(|it| it.eq_ignore_ascii_case(name));
        if is("at+jwt") || is("application/at+jwt") {
            return Ok(());
        }
        if !self.accepts_typ_jwt || !(kind.is_none() || is("JWT")) {
            return Err(Flaw("its `typ` is not that of an access token"));
        }
        let is_id_token = ["nonce", "at_hash", "c_hash"].iter().any(|it| claims.contains_key(*it));
        if is_id_token { Err(Flaw("it is an id token")) } else { Ok(()) }
    }

    /// Judges everything else, for an issuer that is known.
    pub(super) fn principal(&self, issuer: &str, claims: Claims, now: SystemTime) -> Result<Principal, Flaw> {
        self.audience(&claims)?;
        let expires = self.times(&claims, clock::seconds(now) as f64)?;
        // Whoever holds such a token has to prove more than that, and nobody would ask for the proof here.
        if claims.contains_key("cnf") {
            return Err(Flaw("it is bound to a key"));
        }
        let subject = text(&claims, "sub", Flaw("its `sub` is no string"))?;
        let subject = subject.filter(|it| !it.is_empty()).ok_or(Flaw("it has no `sub`"))?;
        let client = match text(&claims, "client_id", Flaw("its `client_id` is no string"))? {
            Some(client) => Some(client),
            None => text(&claims, "azp", Flaw("its `azp` is no string"))?,
        };
        if self.is_strict && ["client_id", "jti", "iat"].iter().any(|it| !claims.contains_key(*it)) {
            return Err(Flaw("it lacks `client_id`, `jti` or `iat`"));
        }
        text(&claims, "jti", Flaw("its `jti` is no string"))?;
        let mut principal =
            Principal::new(issuer, subject).with_scopes(self.scopes(&claims)?).with_expiry(expires);
        if let Some(client) = client {
            principal = principal.with_client(client);
        }
        if let Some(name) = &self.tenant_claim {
            let tenant = text(&claims, name, Flaw("its tenant is no string"))?;
            principal = principal.with_tenant(tenant.ok_or(Flaw("it names no tenant"))?);
        }
        Ok(principal.with_claims(claims))
    }

    /// This very server, byte for byte (RFC 8707).
    fn audience(&self, claims: &Claims) -> Result<(), Flaw> {
        let all = match claims.get("aud") {
            Some(Value::String(one)) => vec![one.as_str()],
            Some(Value::Array(all)) => {
                let all: Option<Vec<_>> = all.iter().map(Value::as_str).collect();
                all.ok_or(Flaw("its `aud` holds something that is no string"))?
            }
            _ => return Err(Flaw("it has no `aud`")),
        };
        if !all.contains(&self.audience.as_str()) {
            return Err(Flaw("it is for another server"));
        }
        if self.only_audience && all.len() > 1 {
            return Err(Flaw("it is for other servers too"));
        }
        Ok(())
    }

    /// When it expires.
    fn times(&self, claims: &Claims, now: f64) -> Result<SystemTime, Flaw> {
        let leeway = self.leeway.as_secs_f64();
        let expires = time(claims, "exp")?.ok_or(Flaw("it has no `exp`"))?;
        if now >= expires + leeway {
            return Err(Flaw("it has expired"));
        }
        if time(claims, "nbf")?.is_some_and(|it| it > now + leeway) {
            return Err(Flaw("it is not valid yet"));
        }
        let issued = time(claims, "iat")?;
        if issued.is_some_and(|it| it > now + leeway) {
            return Err(Flaw("it is from the future"));
        }
        if let Some(most) = self.max_age {
            let issued = issued.ok_or(Flaw("it does not say how old it is"))?;
            if now - issued > most.as_secs_f64() + leeway {
                return Err(Flaw("it is too old"));
            }
        }
        Ok(UNIX_EPOCH + Duration::from_secs_f64(expires))
    }

    /// What was granted, and what that implies. `scp` is what some issuers write in place of `scope`.
    fn scopes(&self, claims: &Claims) -> Result<BTreeSet<String>, Flaw> {
        const FLAW: Flaw = Flaw("its scopes are no strings");
        let granted: Vec<&str> = match (claims.get("scope"), claims.get("scp")) {
            (Some(Value::String(all)), _) | (None, Some(Value::String(all))) => all.split(' ').collect(),
            (None, Some(Value::Array(all))) => {
                all.iter().map(Value::as_str).collect::<Option<_>>().ok_or(FLAW)?
            }
            (None, None) => Vec::new(),
            _ => return Err(FLAW),
        };
        let mut open: Vec<String> =
            granted.into_iter().filter(|it| !it.is_empty()).map(str::to_owned).collect();
        let mut all = BTreeSet::new();
        while let Some(scope) = open.pop() {
            if all.contains(&scope) {
                continue;
            }
            if all.len() >= MOST_SCOPES {
                return Err(Flaw("it has too many scopes"));
            }
            if let Some(implied) = &self.implied {
                open.extend(implied(&scope));
            }
            all.insert(scope);
        }
        Ok(all)
    }
}

/// Scopes of one token, implied ones among them.
const MOST_SCOPES: usize = 1_000;

/// A member that has to be a string if it is there.
pub(super) fn text<'a>(object: &'a Claims, name: &str, flaw: Flaw) -> Result<Option<&'a str>, Flaw> {
    match object.get(name) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(flaw),
    }
}

/// Seconds since 1970, from then to the year 9999.
fn time(claims: &Claims, name: &str) -> Result<Option<f64>, Flaw> {
    let Some(value) = claims.get(name) else { return Ok(None) };
    let seconds = value.as_f64().filter(|it| (0.0..=253_402_300_799.0).contains(it));
    seconds.map(Some).ok_or(Flaw("a time is no number, or none that a clock shows"))
}
