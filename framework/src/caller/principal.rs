//! Who a token stands for.

use std::{fmt, time::SystemTime};

use serde_json::{Map, Value};

use super::{PERSON, Scopes, digest};

/// Who a token stands for, and what it lets them do. It never holds the token itself.
///
/// Issuer, subject, client and tenant together are the principal: two that differ in one of them share no state, no
/// session and no allowance. A token that a client got for itself, without a user, has the client for its subject.
#[derive(Clone)]
pub struct Principal {
    issuer: String,
    subject: String,
    client: Option<String>,
    tenant: Option<String>,
    scopes: Vec<String>,
    claims: Map<String, Value>,
    expires: Option<SystemTime>,
}

impl Principal {
    /// A subject, as its issuer names it. Subjects of different issuers are different principals.
    #[must_use]
    pub fn new(issuer: impl Into<String>, subject: impl Into<String>) -> Self {
        Self {
            issuer: issuer.into(),
            subject: subject.into(),
            client: None,
            tenant: None,
            scopes: Vec::new(),
            claims: Map::new(),
            expires: None,
        }
    }

    /// The client that calls for the subject.
    #[must_use]
    pub fn with_client(mut self, client: impl Into<String>) -> Self {
        self.client = Some(client.into());
        self
    }

    /// The tenant that the subject belongs to.
    #[must_use]
    pub fn with_tenant(mut self, tenant: impl Into<String>) -> Self {
        self.tenant = Some(tenant.into());
        self
    }

    /// What the token lets its holder do, with everything that is implied.
    #[must_use]
    pub fn with_scopes<T: Into<String>>(mut self, scopes: impl IntoIterator<Item = T>) -> Self {
        self.scopes = scopes.into_iter().map(Into::into).collect();
        self
    }

    /// Everything else that is known about the token, for tools to read.
    #[must_use]
    pub fn with_claims(mut self, claims: Map<String, Value>) -> Self {
        self.claims = claims;
        self
    }

    /// When the token expires. Nothing that it opened lives longer.
    #[must_use]
    pub const fn with_expiry(mut self, expires: SystemTime) -> Self {
        self.expires = Some(expires);
        self
    }

    /// Who made the token.
    #[must_use]
    pub fn issuer(&self) -> &str {
        &self.issuer
    }

    /// Whom the token is about: a user, or the client itself.
    #[must_use]
    pub fn subject(&self) -> &str {
        &self.subject
    }

    /// The client that calls, if the token says which.
    #[must_use]
    pub fn client(&self) -> Option<&str> {
        self.client.as_deref()
    }

    /// The tenant, if a claim for it was configured.
    #[must_use]
    pub fn tenant(&self) -> Option<&str> {
        self.tenant.as_deref()
    }

    /// The scopes, with those that are implied. Ask [`Caller::has_scope`](crate::Caller::has_scope) for one of them.
    pub fn scopes(&self) -> impl Iterator<Item = &str> {
        self.scopes.iter().map(String::as_str)
    }

    /// One of the claims.
    #[must_use]
    pub fn claim(&self, name: &str) -> Option<&Value> {
        self.claims.get(name)
    }

    /// All claims, as the token has them.
    #[must_use]
    pub const fn claims(&self) -> &Map<String, Value> {
        &self.claims
    }

    /// Stands for a subject of the same issuer and tenant, by whichever client.
    pub(super) fn person(&self, subject: &str) -> [u8; 32] {
        digest(PERSON, &[Some(&self.issuer), Some(subject), self.tenant()])
    }

    /// When the token expires, if it does.
    #[must_use]
    pub const fn expires(&self) -> Option<SystemTime> {
        self.expires
    }
}

/// The claims may be personal, so nothing of them is shown.
impl fmt::Debug for Principal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Principal").finish_non_exhaustive()
    }
}

/// A principal with what every call asks of it.
pub(super) struct Verified {
    pub(super) principal: Principal,
    pub(super) scopes: Scopes,
    /// Stands for issuer, subject, client and tenant.
    pub(super) id: [u8; 32],
    /// Stands for issuer, subject and tenant.
    pub(super) person: [u8; 32],
}

impl Verified {
    pub(super) fn new(principal: Principal) -> Self {
        let scopes = Scopes::new(principal.scopes.iter().cloned());
        let parts =
            [Some(principal.issuer()), Some(principal.subject()), principal.client(), principal.tenant()];
        let id = digest("tollgate principal 1", &parts);
        let person = principal.person(&principal.subject);
        Self { principal, scopes, id, person }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::Caller;

    #[test]
    fn whoever_differs_in_one_part_is_somebody_else() {
        let ann = || Principal::new("https://a.example", "ann");
        let all = [
            ann(),
            Principal::new("https://b.example", "ann"),
            Principal::new("https://a.example", "bob"),
            Principal::new("https://a.examplea", "nn"),
            ann().with_client("c"),
            ann().with_client(""),
            ann().with_tenant("c"),
            ann().with_client("c").with_tenant("t"),
            ann().with_client("ct"),
        ];

        let different: HashSet<_> = all.iter().cloned().map(Caller::verified).collect();

        assert_eq!(different.len(), all.len());
        assert!(!different.contains(&Caller::named("ann")));
    }

    #[test]
    fn scopes_claims_and_times_make_nobody_else() {
        let plain = Caller::verified(Principal::new("https://a.example", "ann"));
        let rich = Principal::new("https://a.example", "ann").with_scopes(["a"]);
        let rich = Caller::verified(rich.with_claims(Map::new()).with_expiry(SystemTime::UNIX_EPOCH));

        assert_eq!(plain, rich);
        assert!(rich.has_scope("a") && !plain.has_scope("a"));
    }

    #[test]
    fn debug_shows_nothing_that_a_token_says() {
        let claims = [("email".to_owned(), Value::from("ann@example.com"))].into_iter().collect();
        let principal = Principal::new("https://a.example", "ann").with_client("cli").with_claims(claims);

        let shown = format!("{principal:?} {:?}", Caller::verified(principal.clone()));

        for secret in ["a.example", "ann", "cli", "email"] {
            assert!(!shown.replace("principal", "").contains(secret), "{shown}");
        }
    }
}
