//! The way to a server, whichever it is.

use std::{
    sync::mpsc::{self, Receiver, RecvTimeoutError},
    time::Duration,
};

use http::{HeaderName, HeaderValue, Uri};
use serde_json::Value;

use super::{
    error::ClientError,
    http::{Headers, Http},
    stdio::Stdio,
};
use crate::screen::Screen;

/// Whom to speak with.
#[derive(Clone, Debug)]
pub(crate) enum Peer {
    Url(Place),
    Command(Vec<String>),
}

/// An endpoint, and what the user wants to be sent with every request.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) url: Uri,
    pub(crate) headers: Vec<(HeaderName, HeaderValue)>,
}

/// What came.
#[derive(Debug)]
pub(crate) enum Heard {
    Message(Value),
    /// Nothing more comes for this request; without an id, nothing more at all.
    Over {
        id: Option<u64>,
        why: Option<ClientError>,
    },
}

/// An open way.
#[derive(Debug)]
pub(crate) struct Wire {
    line: Line,
    heard: Receiver<Heard>,
}

#[derive(Debug)]
enum Line {
    Http(Http),
    Stdio(Stdio),
}

impl Wire {
    pub(crate) fn open(peer: &Peer, wait: Duration, screen: &Screen) -> Result<Self, ClientError> {
        let (sender, heard) = mpsc::channel();
        let line = match peer {
            Peer::Url(place) => Line::Http(Http::new(place.clone(), wait, sender)),
            Peer::Command(command) => Line::Stdio(Stdio::start(command, screen, sender)?),
        };
        Ok(Self { line, heard })
    }

    /// Sends a request. The headers are for HTTP alone.
    pub(crate) fn send(&mut self, id: u64, message: &Value, headers: Headers) -> Result<(), ClientError> {
        match &mut self.line {
            Line::Http(http) => http.send(id, message.to_string(), headers),
            Line::Stdio(stdio) => stdio.send(&message.to_string())?,
        }
        Ok(())
    }

    /// Sends a message that has no answer, and waits until it was taken.
    pub(crate) fn deliver(&mut self, message: &Value, headers: &Headers) -> Result<(), ClientError> {
        match &mut self.line {
            Line::Http(http) => http.exchange(None, message.to_string(), headers),
            Line::Stdio(stdio) => stdio.send(&message.to_string()),
        }
    }

    pub(crate) fn receive(&mut self, wait: Duration) -> Result<Heard, ClientError> {
        let heard = match self.heard.recv_timeout(wait) {
            Ok(heard) => heard,
            Err(RecvTimeoutError::Timeout) => return Err(ClientError::Silent(wait)),
            Err(RecvTimeoutError::Disconnected) => Heard::Over { id: None, why: None },
        };
        match (&mut self.line, heard) {
            (Line::Stdio(_), Heard::Over { why: Some(why), .. }) => Err(why),
            (Line::Stdio(stdio), Heard::Over { why: None, .. }) => Err(stdio.farewell()),
            (_, heard) => Ok(heard),
        }
    }

    /// Hears what a server says that was not asked.
    pub(crate) fn listen(&self, headers: Headers) {
        if let Line::Http(http) = &self.line {
            http.listen(headers);
        }
    }

    /// Takes leave. A child is ended when this is dropped.
    pub(crate) fn end(&self, headers: &Headers) {
        if let Line::Http(http) = &self.line {
            http.end(headers);
        }
    }

    pub(crate) const fn is_stdio(&self) -> bool {
        matches!(self.line, Line::Stdio(_))
    }
}
