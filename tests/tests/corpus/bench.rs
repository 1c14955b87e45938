//! Puts case after case to one server, and tells at the end all that went otherwise than said.

use std::{fmt::Write, time::Duration};

use serde_json::json;
use tollgate::Server;
use tollgate_tests::{Answer, Call, Connection, Running, start};

use super::fixture::{self, Runs};

/// What has to happen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Expect {
    status: u16,
    code: i64,
    runs: usize,
    after: After,
}

/// The connection, once the answer was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum After {
    Open,
    Closed,
}

impl Expect {
    /// A good answer, after that many runs.
    pub(super) const fn good(runs: usize) -> Self {
        Self { status: 200, code: 0, runs, after: After::Open }
    }

    /// That status and code, after no run.
    pub(super) const fn refused(status: u16, code: i64) -> Self {
        Self { status, code, runs: 0, after: After::Open }
    }

    /// Something runs all the same.
    pub(super) const fn runs(mut self, runs: usize) -> Self {
        self.runs = runs;
        self
    }

    /// What follows on the connection cannot be trusted.
    pub(super) const fn closes(mut self) -> Self {
        self.after = After::Closed;
        self
    }
}

/// A server, and a connection to it that stays open from case to case.
pub(super) struct Bench {
    running: Running,
    runs: Runs,
    connection: Option<Connection>,
    cases: usize,
    faults: Vec<String>,
}

impl Bench {
    pub(super) async fn new() -> Self {
        Self::of(fixture::server()).await
    }

    pub(super) async fn of((server, runs): (Server<Runs>, Runs)) -> Self {
        Self { running: start(server).await, runs, connection: None, cases: 0, faults: Vec::new() }
    }

    /// Sends a request, and then a good one: on the same connection where it stays open, else on a new one.
    pub(super) async fn call(&mut self, name: &str, call: &Call, expect: Expect) -> Answer {
        self.bytes(name, &call.bytes(), expect).await
    }

    /// The same with bytes.
    pub(super) async fn bytes(&mut self, name: &str, bytes: &[u8], expect: Expect) -> Answer {
        let before = self.runs.count();
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => Connection::open(self.running.address).await,
        };
        connection.send(bytes).await;
        let answer = connection.answer().await;
        let runs = self.runs.count() - before;
        let mut fault = String::new();
        if answer.verdict() != (expect.status, expect.code) {
            let body = String::from_utf8_lossy(&answer.body);
            let _ = write!(fault, "; answered {:?} with {body:?}", answer.verdict());
        }
        if runs != expect.runs {
            let _ = write!(fault, "; {runs} runs");
        }
        if expect.after == After::Closed && !connection.closes_within(Duration::from_secs(2)).await {
            fault.push_str("; the connection stayed open");
        }
        if expect.after == After::Closed {
            connection = Connection::open(self.running.address).await;
        }
        if self.good_call(&mut connection).await {
            self.connection = Some(connection);
        } else {
            fault.push_str("; no good call afterwards");
        }
        self.tell(name, bytes, expect, &fault);
        answer
    }

    /// Sends a request of which only its harmlessness matters: the next good call is answered on the same connection.
    pub(super) async fn any(&mut self, name: &str, call: &Call) -> Answer {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => Connection::open(self.running.address).await,
        };
        connection.send(&call.bytes()).await;
        let answer = connection.answer().await;
        let good = self.good_call(&mut connection).await;
        self.connection = good.then_some(connection);
        let fault = if good { "" } else { "; no good call afterwards" };
        self.tell(name, &call.bytes(), Expect::good(0), fault);
        answer
    }

    async fn good_call(&mut self, connection: &mut Connection) -> bool {
        let before = self.runs.count();
        let number = self.cases;
        connection.send(&Call::tool("take", &json!({"v": number})).bytes()).await;
        let answer = connection.answer().await;
        let said = answer.result()["content"][0]["text"].as_str().map(ToOwned::to_owned);
        said == Some(format!("{{\"v\":{number}}}")) && self.runs.count() == before + 1
    }

    fn tell(&mut self, name: &str, bytes: &[u8], expect: Expect, fault: &str) {
        self.cases += 1;
        if !fault.is_empty() {
            let shown = bytes.escape_ascii().to_string();
            let cut = if shown.len() > SHOWN { "…" } else { "" };
            let shown: String = shown.chars().take(SHOWN).collect();
            self.faults.push(format!("{name}: expected {expect:?}{fault}\n    {shown}{cut}"));
        }
    }

    /// Holds what else there is to say about a case.
    pub(super) fn hold(&mut self, name: &str, holds: bool, what: &str) {
        if !holds {
            self.faults.push(format!("{name}: {what}"));
        }
    }

    /// Where the server listens.
    pub(super) fn address(&self) -> std::net::SocketAddr {
        self.running.address
    }

    /// Tells all faults.
    pub(super) fn finish(self, at_least: usize) {
        let (cases, faults) = (self.cases, self.faults);
        assert!(faults.is_empty(), "{} of {cases} cases:\n\n{}", faults.len(), faults.join("\n\n"));
        assert!(cases >= at_least, "{cases} cases where at least {at_least} were meant to be");
    }
}

/// Characters of a request that are told.
const SHOWN: usize = 1_500;
