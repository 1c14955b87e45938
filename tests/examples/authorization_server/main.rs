//! An authorization server for tests: its users allow what the test says, and it keeps a journal of what it did.
//!
//! The test stands in for the user's browser. To the address that a client sends the user to, it adds `login`, who the
//! user is, and `allow`, the scopes that they agree to.
//!
//! * `PORT`: where it listens. Its issuer is `http://127.0.0.1:PORT`.
//! * `CLIENTS_PORT`: where it serves documents of clients, as `https://localhost:CLIENTS_PORT/NAME.json`.
//! * `RESOURCES`: what it makes tokens for, separated by spaces.

mod form;
mod journal;
mod codes;
mod tokens;
mod clients;

use std::{env, io, net::Ipv4Addr, sync::Arc, time::Duration};

use axum::{
    Router,
    extract::{RawQuery, State},
    http::{
        StatusCode,
        header::{CACHE_CONTROL, CONTENT_TYPE, LOCATION},
    },
    response::{IntoResponse, Response},
    routing::{get, post},
};
use serde_json::{Value, json};
use tollgate::oauth::{ClientDocument, ClientDocuments};
use url::Url;

use codes::{Codes, Grant};
use form::Form;
use journal::Journal;
use tokens::Signer;

/// How long a token is good for.
const TOKEN_TIME: Duration = Duration::from_secs(300);

struct Desk {
    issuer: String,
    resources: Vec<String>,
    clients: ClientDocuments,
    codes: Codes,
    signer: Signer,
    journal: Journal,
}

#[tokio::main]
async fn main() -> io::Result<()> {
    let (port, clients_port) = (port("PORT"), port("CLIENTS_PORT"));
    let journal = Journal::default();
    let desk = Arc::new(Desk {
        issuer: format!("http://127.0.0.1:{port}"),
        resources: env::var("RESOURCES").unwrap_or_default().split_whitespace().map(Into::into).collect(),
        clients: clients::serve(clients_port, journal.clone()).await?,
        codes: Codes::default(),
        signer: Signer::new(),
        journal,
    });
    let routes = Router::new()
        .route("/.well-known/oauth-authorization-server", get(metadata))
        .route("/authorize", get(authorize))
        .route("/token", post(token))
        .route("/keys", get(keys))
        .route("/journal", get(journal_so_far))
        .with_state(desk);
    axum::serve(tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?, routes).await
}

fn port(name: &str) -> u16 {
    let text = env::var(name).unwrap_or_default();
    text.parse().unwrap_or_else(|_| panic!("{name} is no port: `{text}`"))
}

/// RFC 8414.
async fn metadata(State(desk): State<Arc<Desk>>) -> Response {
    desk.journal.note(json!({"step": "metadata"}));
    let at = |path: &str| format!("{}{path}", desk.issuer);
    let document = json!({
        "issuer": desk.issuer,
        "authorization_endpoint": at("/authorize"),
        "token_endpoint": at("/token"),
        "jwks_uri": at("/keys"),
        "response_types_supported": ["code"],
        "grant_types_supported": ["authorization_code"],
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": ["none"],
        "client_id_metadata_document_supported": true,
        "authorization_response_iss_parameter_supported": true,
    });
    answer(StatusCode::OK, &document)
}

async fn keys(State(desk): State<Arc<Desk>>) -> Response {
    desk.journal.note(json!({"step": "keys"}));
    answer(StatusCode::OK, &desk.signer.keys())
}

async fn journal_so_far(State(desk): State<Arc<Desk>>) -> Response {
    answer(StatusCode::OK, &desk.journal.so_far())
}

/// The user is sent back only to where the client's document says; who asks for another place hears it here.
async fn authorize(State(desk): State<Arc<Desk>>, RawQuery(query): RawQuery) -> Response {
    let form = Form::parse(query.as_deref().unwrap_or_default());
    let client = match desk.clients.get(form.one("client_id")).await {
        Ok(client) => client,
        Err(fault) => return refusal(fault.code(), &fault.to_string()),
    };
    let redirect = form.one("redirect_uri");
    if !client.allows_redirect(redirect) {
        return refusal("invalid_request", "`redirect_uri` is not one of the client's");
    }
    let decided = desk.decide(&form, &client);
    desk.journal.note(json!({
        "step": "authorize",
        "client": client.client_id(),
        "user": form.one("login"),
        "resource": form.one("resource"),
        "method": form.one("code_challenge_method"),
        "asked": form.one("scope"),
        "granted": decided.as_ref().map(|it| it.scope.as_str()).unwrap_or_default(),
    }));
    let mut back = Url::parse(redirect).expect("a document lists URLs");
    match decided {
        Ok(grant) => back.query_pairs_mut().append_pair("code", &desk.codes.issue(grant)),
        Err(error) => back.query_pairs_mut().append_pair("error", error),
    };
    // RFC 9207: with errors too.
    back.query_pairs_mut().append_pair("iss", &desk.issuer).append_pair("state", form.one("state"));
    (StatusCode::FOUND, [(LOCATION, String::from(back))]).into_response()
}

impl Desk {
    fn decide(&self, form: &Form, client: &ClientDocument) -> Result<Grant, &'static str> {
        if form.one("response_type") != "code" {
            return Err("unsupported_response_type");
        }
        // 43 letters are a hash of 32 bytes.
        if form.one("code_challenge_method") != "S256" || form.one("code_challenge").len() != 43 {
            return Err("invalid_request");
        }
        if !self.resources.iter().any(|it| it == form.one("resource")) {
            return Err("invalid_target");
        }
        let allowed: Vec<_> = form.one("allow").split(' ').collect();
        let granted: Vec<_> = form.one("scope").split(' ').filter(|it| allowed.contains(it)).collect();
        if form.one("login").is_empty() || granted.is_empty() {
            return Err("access_denied");
        }
        Ok(Grant {
            client: client.client_id().to_owned(),
            redirect: form.one("redirect_uri").to_owned(),
            resource: form.one("resource").to_owned(),
            challenge: form.one("code_challenge").to_owned(),
            user: form.one("login").to_owned(),
            scope: granted.join(" "),
        })
    }
}

async fn token(State(desk): State<Arc<Desk>>, body: String) -> Response {
    let form = Form::parse(&body);
    let redeemed = match form.one("grant_type") {
        "authorization_code" => desk.codes.redeem(&form),
        _ => Err("unsupported_grant_type"),
    };
    let grant = match redeemed {
        Ok(grant) => grant,
        Err(error) => return refusal(error, "no token for this"),
    };
    desk.journal.note(json!({
        "step": "token",
        "client": grant.client,
        "user": grant.user,
        "resource": grant.resource,
        "granted": grant.scope,
    }));
    let token = desk.signer.token(&desk.issuer, &grant, TOKEN_TIME);
    let document = json!({
        "access_token": token,
        "token_type": "Bearer",
        "expires_in": TOKEN_TIME.as_secs(),
        "scope": grant.scope,
    });
    answer(StatusCode::OK, &document)
}

fn refusal(error: &str, why: &str) -> Response {
    answer(StatusCode::BAD_REQUEST, &json!({"error": error, "error_description": why}))
}

fn answer(status: StatusCode, document: &Value) -> Response {
    let headers = [(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "no-store")];
    (status, headers, document.to_string()).into_response()
}
