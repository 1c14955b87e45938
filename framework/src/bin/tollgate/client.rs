//! A client for any MCP server: over HTTP or stdio, in both eras of the protocol.

pub(crate) mod connection;
pub(crate) mod era;
pub(crate) mod error;
pub(crate) mod event;
pub(crate) mod http;
pub(crate) mod leaving;
pub(crate) mod message;
pub(crate) mod mirror;
pub(crate) mod pages;
pub(crate) mod stdio;
pub(crate) mod wire;

pub(crate) use connection::{Connection, Listener, Silent};
pub(crate) use era::{About, Era, Preference};
pub(crate) use error::{ClientError, RpcError};
pub(crate) use pages::List;
pub(crate) use wire::{Peer, Place};
