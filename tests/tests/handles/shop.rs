//! A shop whose carts are records, and a clock that goes when it is told to.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed},
    },
    time::{Duration, SystemTime},
};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tollgate::{Client, Limits, Rights, ToolError, prelude::*, store::MemoryStore};

/// What somebody is about to buy.
#[derive(Debug, PartialEq, Record, Serialize, Deserialize, JsonSchema)]
#[record(shareable, idle_seconds = 3_600, max_seconds = 86_400)]
pub(super) struct Cart {
    pub(super) items: Vec<String>,
}

/// How often each tool has run.
#[derive(Clone, Default)]
pub(super) struct Runs(Arc<AtomicUsize>);

impl Runs {
    pub(super) fn count(&self) -> usize {
        self.0.load(Relaxed)
    }

    pub(super) fn one(&self) {
        self.0.fetch_add(1, Relaxed);
    }
}

/// Opens an empty cart.
///
/// Use when the user begins to shop.
/// Do not use when there is a cart already.
#[tool]
pub(super) async fn open_cart(cx: &Cx<Runs>) -> Result<Handle<Cart>> {
    cx.mint(Cart { items: Vec::new() }).await
}

/// Puts something into a cart.
///
/// Use when the user wants something.
/// Do not use when it is in there already.
#[tool]
pub(super) async fn add_item(cx: &Cx<Runs>, cart: Held<Cart>, item: String) -> Result {
    cx.state().one();
    cart.update(|it| it.items.push(item.clone())).await
}

/// Says what is in a cart.
///
/// Use when the user asks for it.
/// Do not use when it was just said.
#[tool(read_only)]
pub(super) async fn show_cart(cx: &Cx<Runs>, cart: Held<Cart>) -> Result<Cart> {
    cx.state().one();
    cart.load().await
}

/// Empties and forgets a cart.
///
/// Use when the user is done.
/// Do not use when the user may come back.
#[tool(destructive)]
pub(super) async fn drop_cart(cx: &Cx<Runs>, cart: Held<Cart>) -> Result {
    cx.state().one();
    cart.delete().await
}

/// Lets somebody else use a cart for an hour.
///
/// Use when the user shops with others.
/// Do not use when the user shops alone.
#[tool]
pub(super) async fn share_cart(cart: Held<Cart>, with: String, may_change: bool) -> Result {
    let rights = if may_change { Rights::WRITE } else { Rights::READ };
    cart.share(&with, rights, Duration::from_secs(3_600)).await
}

/// Takes back what was shared.
///
/// Use when the user does not shop with them any more.
/// Do not use when the cart is to be forgotten.
#[tool]
pub(super) async fn unshare_cart(cart: Held<Cart>, with: String) -> Result<bool> {
    cart.unshare(&with).await
}

/// Lists the carts that the user has.
///
/// Use when the user asks which carts there are.
/// Do not use when the user asks what is in one.
#[tool(read_only)]
pub(super) async fn list_carts(cx: &Cx<Runs>) -> Result<Vec<Handle<Cart>>> {
    cx.handles().await
}

pub(super) struct Shop {
    pub(super) server: Server<Runs>,
    pub(super) runs: Runs,
    pub(super) time: Time,
}

/// A clock that goes when it is told to.
#[derive(Clone)]
pub(super) struct Time(Arc<AtomicU64>);

impl Time {
    pub(super) fn new() -> Self {
        Self(Arc::new(AtomicU64::new(1_800_000_000)))
    }

    pub(super) fn pass(&self, seconds: u64) {
        self.0.fetch_add(seconds, Relaxed);
    }

    fn now(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(self.0.load(Relaxed))
    }
}

impl tollgate::Clock for Time {
    fn now(&self) -> SystemTime {
        self.now()
    }
}

pub(super) fn shop() -> Shop {
    shop_with(|_| {})
}

pub(super) fn shop_with(limit: impl FnOnce(&mut Limits)) -> Shop {
    let time = Time::new();
    let of_store = time.clone();
    let runs = Runs::default();
    let mut limits = Limits::default();
    limit(&mut limits);
    let server = Server::new("shop", "1")
        .state(runs.clone())
        .limits(limits)
        .clock(time.clone())
        .store(MemoryStore::new().with_clock(move || of_store.now()))
        .tools(tools![open_cart, add_item, show_cart, drop_cart, share_cart, unshare_cart, list_carts])
        .without_auth();
    Shop { server, runs, time }
}

impl Shop {
    pub(super) fn client(&self, name: &str) -> Client {
        self.server.client(name)
    }
}

/// The text of an error that the model reads.
pub(super) fn told<T: std::fmt::Debug>(result: Result<T, ToolError>) -> String {
    result.unwrap_err().text().to_owned()
}

pub(super) const UNKNOWN: &str =
    "`cart`: there is no such cart. Use a handle that this user was given, or make a new one.";
