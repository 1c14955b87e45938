//! What a stub answers to a request, byte by byte.

use std::sync::Arc;

use serde_json::Value;
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    sync::Semaphore,
};

/// One answer.
#[derive(Clone)]
pub(super) struct Page {
    status: String,
    fields: Vec<(String, String)>,
    body: Vec<u8>,
    then: Then,
}

#[derive(Clone)]
enum Then {
    Close,
    /// Says nothing more and stays.
    Stall,
    /// Repeats the body for ever.
    Repeat,
    /// Waits for a permit before it says anything.
    Wait(Arc<Semaphore>),
    /// Takes the request and says nothing.
    Silence,
    /// These bytes and nothing else.
    Raw,
}

impl Page {
    pub(super) fn json(value: &Value) -> Self {
        Self::text(&value.to_string())
    }

    /// JSON by its type.
    pub(super) fn text(body: &str) -> Self {
        Self::new("200 OK", body.as_bytes()).field("content-type", "application/json")
    }

    pub(super) fn new(status: &str, body: impl Into<Vec<u8>>) -> Self {
        Self { status: status.into(), fields: Vec::new(), body: body.into(), then: Then::Close }
    }

    pub(super) fn raw(bytes: impl Into<Vec<u8>>) -> Self {
        Self { then: Then::Raw, ..Self::new("", bytes) }
    }

    pub(super) fn silence() -> Self {
        Self { then: Then::Silence, ..Self::new("", "") }
    }

    pub(super) fn status(self, status: &str) -> Self {
        Self { status: status.into(), ..self }
    }

    pub(super) fn body(self, body: impl Into<Vec<u8>>) -> Self {
        Self { body: body.into(), ..self }
    }

    pub(super) fn field(mut self, name: &str, value: &str) -> Self {
        self.fields.push((name.into(), value.into()));
        self
    }

    pub(super) fn without(mut self, name: &str) -> Self {
        self.fields.retain(|it| it.0 != name);
        self
    }

    pub(super) fn stalling(self) -> Self {
        Self { then: Then::Stall, ..self }
    }

    pub(super) fn endless(self) -> Self {
        Self { then: Then::Repeat, ..self }
    }

    pub(super) fn waiting_for(self, gate: Arc<Semaphore>) -> Self {
        Self { then: Then::Wait(gate), ..self }
    }

    /// Writes the answer. An error is a client that has gone.
    pub(super) async fn write(
        self,
        stream: &mut (impl AsyncWrite + AsyncRead + Unpin),
    ) -> std::io::Result<()> {
        match &self.then {
            Then::Silence => stay(stream).await,
            Then::Raw => stream.write_all(&self.body).await?,
            Then::Wait(gate) => {
                gate.acquire().await.unwrap().forget();
                stream.write_all(&self.whole()).await?;
            }
            Then::Close => stream.write_all(&self.whole()).await?,
            Then::Stall => {
                // One byte more is announced than comes.
                let length = (self.body.len() + 1).to_string();
                stream.write_all(&self.clone().field("content-length", &length).head()).await?;
                stream.write_all(&self.body).await?;
                stream.flush().await?;
                stay(stream).await;
            }
            Then::Repeat => {
                stream.write_all(&self.clone().field("connection", "close").head()).await?;
                loop {
                    stream.write_all(&self.body).await?;
                    stream.flush().await?;
                }
            }
        }
        stream.flush().await?;
        stream.shutdown().await
    }

    fn whole(&self) -> Vec<u8> {
        let length = self.body.len().to_string();
        let mut bytes = match self.status.starts_with("204") || self.status.starts_with("304") {
            true => self.head(),
            false => self.clone().field("content-length", &length).head(),
        };
        bytes.extend_from_slice(&self.body);
        bytes
    }

    fn head(&self) -> Vec<u8> {
        let mut head = format!("HTTP/1.1 {}\r\n", self.status);
        for (name, value) in &self.fields {
            head += &format!("{name}: {value}\r\n");
        }
        (head + "\r\n").into_bytes()
    }
}

/// Keeps the connection until the other side ends it.
async fn stay(stream: &mut (impl AsyncRead + Unpin)) {
    let mut rest = [0; 64];
    while stream.read(&mut rest).await.is_ok_and(|it| it > 0) {}
}
