//! Tokens that an authorization server signed: JSON Web Tokens (RFC 7519, RFC 8725, RFC 9068).

use std::{cell::LazyCell, collections::HashSet, fmt, sync::Arc, time::Duration};

use super::{
    Auth, Check, Principal,
    algorithm::Algorithm,
    claims::{Rules, text},
    clockwork::Clockwork,
    keeper::{Keeper, NoKey},
    keys::Keys,
    resource::server,
    token::{Flaw, Parts},
    verifier::{TokenError, TokenVerifier},
};
use crate::{
    clock::Clock,
    fetch::{FetchPolicy, Fetcher, Network, OsNetwork},
};

/// Checks access tokens that an authorization server signed.
///
/// A token is good when it is an access token (`typ` is `at+jwt`) of a known issuer, for this very audience, in its
/// time, and signed with the key that it names. Whatever is wrong with it, the client hears one and the same answer;
/// the log says more at the level `DEBUG`.
#[derive(Clone)]
pub struct Jwt {
    issuers: Vec<(String, Keys)>,
    policy: FetchPolicy,
    network: Arc<dyn Network>,
    rules: Rules,
    scopes_supported: Option<Vec<String>>,
}

impl Jwt {
    /// Believes this issuer, the one whose name tokens have in `iss`, byte for byte.
    pub fn issuer(issuer: impl Into<String>) -> Self {
        let rules = Rules {
            audience: String::new(),
            only_audience: false,
            algorithms: Algorithm::ALL.into(),
            leeway: Duration::from_secs(30),
            max_age: None,
            accepts_typ_jwt: false,
            is_strict: false,
            tenant_claim: None,
            implied: None,
        };
        Self {
            issuers: vec![(issuer.into(), Keys::discovered())],
            policy: FetchPolicy::new(),
            network: Arc::new(OsNetwork::new()),
            rules,
            scopes_supported: None,
        }
    }

    /// Believes another issuer too. No key of one issuer makes a token of another.
    #[must_use]
    pub fn also_issuer(mut self, issuer: impl Into<String>, keys: Keys) -> Self {
        self.issuers.push((issuer.into(), keys));
        self
    }

    /// The URL of this server, as clients know it: what tokens have to name in `aud`, and `resource` in the metadata.
    #[must_use]
    pub fn audience(mut self, url: impl Into<String>) -> Self {
        self.rules.audience = url.into();
        self
    }

    /// Where the keys of the first issuer come from. Default: from where its metadata says.
    #[must_use]
    pub fn keys(mut self, keys: Keys) -> Self {
        self.issuers[0].1 = keys;
        self
    }

    /// The exceptions for keys and metadata that are fetched: an issuer on a private network, a certificate of the
    /// company.
    #[must_use]
    pub fn fetch_policy(mut self, policy: FetchPolicy) -> Self {
        self.policy = policy;
        self
    }

    /// Replaces the network that keys and metadata are fetched from, for tests.
    #[must_use]
    pub fn network(mut self, network: impl Network) -> Self {
        self.network = Arc::new(network);
        self
    }

    /// The signatures that are believed. Default: all that there are.
    #[must_use]
    pub fn algorithms(mut self, algorithms: impl IntoIterator<Item = Algorithm>) -> Self {
        self.rules.algorithms = algorithms.into_iter().collect();
        self
    }

    /// How far the clocks of issuer and server may be apart. Default 30 s, at most 5 min.
    #[must_use]
    pub const fn leeway(mut self, leeway: Duration) -> Self {
        self.rules.leeway = leeway;
        self
    }

    /// Refuses tokens that were made longer ago, however long they are good for.
    #[must_use]
    pub const fn max_token_age(mut self, age: Duration) -> Self {
        self.rules.max_age = Some(age);
        self
    }

    /// Takes tokens whose `typ` is `JWT` or missing too, for issuers that do not follow RFC 9068. Whatever else such an
    /// issuer signs for this audience could then be taken for an access token; id tokens are told apart.
    #[must_use]
    pub const fn accept_typ_jwt(mut self) -> Self {
        self.rules.accepts_typ_jwt = true;
        self
    }

    /// Refuses tokens without `client_id`, `jti` and `iat`, which RFC 9068 wants.
    #[must_use]
    pub const fn strict(mut self) -> Self {
        self.rules.is_strict = true;
        self
    }

    /// Refuses tokens that are for other servers as well.
    #[must_use]
    pub const fn single_audience(mut self) -> Self {
        self.rules.only_audience = true;
        self
    }

    /// The claim that names the tenant. A token without it is refused.
    #[must_use]
    pub fn tenant_claim(mut self, name: impl Into<String>) -> Self {
        self.rules.tenant_claim = Some(name.into());
        self
    }

    /// What a scope implies, where broader ones include narrower ones (basic/authorization#scope-selection-strategy).
    /// It is asked about what it implied as well.
    ///
    /// ```
    /// # use tollgate::auth::Jwt;
    /// let jwt = Jwt::issuer("https://login.example.com").scopes(|granted| match granted {
    ///     "notes:admin" => vec!["notes:write"],
    ///     "notes:write" => vec!["notes:read"],
    ///     _ => vec![],
    /// });
    /// ```
    #[must_use]
    pub fn scopes<F, I>(mut self, implied: F) -> Self
    where
        F: Fn(&str) -> I + Send + Sync + 'static,
        I: IntoIterator<Item: Into<String>>,
    {
        self.rules.implied = Some(Arc::new(move |it| implied(it).into_iter().map(Into::into).collect()));
        self
    }

    /// The scopes that clients may ask for, in the metadata and in challenges. Default: those of the tools, prompts and
    /// resources that the server starts with, without the ones that only hidden items need.
    #[must_use]
    pub fn scopes_supported<T: Into<String>>(mut self, scopes: impl IntoIterator<Item = T>) -> Self {
        self.scopes_supported = Some(scopes.into_iter().map(Into::into).collect());
        self
    }

    pub(super) fn into_auth(self) -> Auth {
        Auth {
            resource: Some(self.rules.audience.clone()),
            servers: self.issuers.iter().map(|it| it.0.clone()).collect(),
            scopes: self.scopes_supported.clone(),
            check: Check::Jwt(Box::new(self)),
        }
    }

    /// How the metadata of its issuers is fetched.
    pub(super) fn way_out(&self) -> (Arc<dyn Network>, FetchPolicy) {
        (self.network.clone(), self.policy.clone())
    }

    /// What checks tokens while the server runs, or what is wrong with it.
    pub(super) fn build(&self, clock: &Arc<dyn Clock>) -> Result<Verifier, Vec<String>> {
        let mut faults = self.faults();
        let mut issuers = Vec::new();
        // One for all, and none where nothing is fetched.
        let fetcher = LazyCell::new(|| {
            let made = Fetcher::new(self.network.clone(), self.policy.clone());
            made.map_err(|error| format!("nothing can be fetched: {error}"))
        });
        for (name, keys) in &self.issuers {
            let opened = keys.open(name, || fetcher.clone());
            match opened.and_then(|it| Keeper::new(it, clock.clone())) {
                Ok(keys) => issuers.push(Issuer { name: name.clone(), keys }),
                Err(fault) => faults.push(format!("the issuer `{name}`: {fault}")),
            }
        }
        let (rules, clock) = (self.rules.clone(), clock.clone());
        if faults.is_empty() {
            Ok(Verifier { issuers, rules, clock, clockwork: Clockwork::default() })
        } else {
            Err(faults)
        }
    }

    fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        let mut names = HashSet::new();
        for (name, _) in &self.issuers {
            if let Err(fault) = server(name) {
                faults.push(format!("the issuer `{name}` {fault}: write `https://login.example.com`"));
            }
            if !names.insert(name) {
                faults.push(format!("the issuer `{name}` stands twice"));
            }
        }
        if self.rules.algorithms.is_empty() {
            faults.push("no signature is believed: name an algorithm, or none for all".into());
        }
        if self.rules.leeway > MOST_LEEWAY {
            faults.push("the leeway is over 5 min: set the clock".into());
        }
        if self.rules.max_age.is_some_and(|it| it.is_zero()) {
            faults.push("the age of tokens is at most 0: none would be young enough".into());
        }
        if self.rules.tenant_claim.as_ref().is_some_and(String::is_empty) {
            faults.push("the claim of the tenant has no name".into());
        }
        faults
    }
}

const MOST_LEEWAY: Duration = Duration::from_secs(300);

impl fmt::Debug for Jwt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let issuers: Vec<_> = self.issuers.iter().map(|it| &it.0).collect();
        f.debug_struct("Jwt").field("issuers", &issuers).field("audience", &self.rules.audience).finish()
    }
}

/// Checks tokens while the server runs.
pub(super) struct Verifier {
    issuers: Vec<Issuer>,
    rules: Rules,
    clock: Arc<dyn Clock>,
    clockwork: Clockwork,
}

struct Issuer {
    name: String,
    keys: Keeper,
}

impl TokenVerifier for Verifier {
    async fn verify(&self, token: &str) -> Result<Principal, TokenError> {
        self.clockwork.note(self.clock.now());
        let flaw = match self.check(token).await {
            Ok(principal) => return Ok(principal),
            Err(NoKey::Unavailable(error)) => return Err(error),
            Err(NoKey::Flaw(flaw)) => flaw,
        };
        tracing::debug!(%flaw, "a token was refused");
        Err(TokenError::Invalid)
    }
}

impl Verifier {
    /// What costs least is judged first. Nobody learns the order: all answers are one.
    async fn check(&self, token: &str) -> Result<Principal, NoKey> {
        let parts = Parts::parse(token).map_err(NoKey::Flaw)?;
        let issuer = self.issuer(&parts).map_err(NoKey::Flaw)?;
        let signed = self.rules.header(&parts.header, &parts.claims).map_err(NoKey::Flaw)?;
        let principal =
            self.rules.principal(&issuer.name, parts.claims, self.clock.now()).map_err(NoKey::Flaw)?;
        let key = issuer.keys.find(signed.key, signed.algorithm).await?;
        key.check(signed.algorithm, parts.signed, &parts.signature).map_err(NoKey::Flaw)?;
        Ok(principal)
    }

    fn issuer(&self, parts: &Parts<'_>) -> Result<&Issuer, Flaw> {
        let name = text(&parts.claims, "iss", Flaw("its `iss` is no string"))?;
        self.issuers.iter().find(|it| Some(it.name.as_str()) == name).ok_or(Flaw("its issuer is unknown"))
    }
}
