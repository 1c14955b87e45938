//! Many change one record at once, and rights end while a call runs.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, mpsc},
};

use tokio::sync::Semaphore;
use tollgate::{
    Client, Clock, Handle, Rights, ToolError,
    prelude::*,
    store::{MemoryStore, SqliteStore, Store},
};

use super::shop::{Cart, Time, UNKNOWN, share_cart, told, unshare_cart};

/// Where a call stands still until the test lets it go on.
#[derive(Clone)]
struct Stage {
    arrived: Arc<Semaphore>,
    may_go_on: Arc<Semaphore>,
    /// The same for code that cannot wait.
    inside: Arc<Mutex<Option<mpsc::Receiver<()>>>>,
}

impl Stage {
    fn new() -> Self {
        let closed = || Arc::new(Semaphore::new(0));
        Self { arrived: closed(), may_go_on: closed(), inside: Arc::default() }
    }

    async fn stop(&self) {
        self.arrived.add_permits(1);
        self.may_go_on.acquire().await.unwrap().forget();
    }

    async fn has_arrived(&self) {
        self.arrived.acquire().await.unwrap().forget();
    }
}

/// Opens a cart.
///
/// Use when there is none.
/// Do not use when there is one.
#[tool]
async fn open(cx: &Cx<Stage>) -> Result<Handle<Cart>> {
    cx.mint(Cart { items: Vec::new() }).await
}

/// Adds to a cart.
///
/// Use when asked.
/// Do not use when not asked.
#[tool]
async fn add(cart: Held<Cart>, item: String) -> Result {
    cart.update(|it| it.items.push(item.clone())).await
}

/// Shows a cart.
///
/// Use when asked.
/// Do not use when not asked.
#[tool(read_only)]
async fn show(cart: Held<Cart>) -> Result<Cart> {
    cart.load().await
}

/// Forgets a cart.
///
/// Use when asked.
/// Do not use when not asked.
#[tool(destructive)]
async fn forget(cart: Held<Cart>) -> Result {
    cart.delete().await
}

/// Adds to a cart after a while.
///
/// Use when asked.
/// Do not use when not asked.
#[tool]
async fn add_later(cx: &Cx<Stage>, cart: Held<Cart>) -> Result {
    cx.state().stop().await;
    cart.update(|it| it.items.push("late".into())).await
}

/// Adds to a cart slowly.
///
/// Use when asked.
/// Do not use when not asked.
#[tool]
async fn add_slowly(cx: &Cx<Stage>, cart: Held<Cart>) -> Result {
    let stage = cx.state();
    cart.update(|it| {
        stage.arrived.add_permits(1);
        if let Some(inside) = stage.inside.lock().unwrap().take() {
            inside.recv().unwrap();
        }
        it.items.push("slow".into());
    })
    .await
}

/// Shows a cart after a while.
///
/// Use when asked.
/// Do not use when not asked.
#[tool(read_only)]
async fn show_later(cx: &Cx<Stage>, cart: Held<Cart>) -> Result<Cart> {
    cx.state().stop().await;
    cart.load().await
}

/// Shares a cart after a while.
///
/// Use when asked.
/// Do not use when not asked.
#[tool]
async fn share_later(cx: &Cx<Stage>, cart: Held<Cart>) -> Result {
    cx.state().stop().await;
    cart.share("eve", Rights::ALL, std::time::Duration::from_secs(60)).await
}

struct House {
    ann: Client,
    bob: Client,
    cart: Handle<Cart>,
    stage: Stage,
    time: Time,
    folder: Option<PathBuf>,
}

impl Drop for House {
    fn drop(&mut self) {
        self.folder.iter().for_each(|it| drop(std::fs::remove_dir_all(it)));
    }
}

impl House {
    /// Bob may change Ann's cart.
    async fn open(store: impl Store, time: Time, folder: Option<PathBuf>) -> Self {
        let stage = Stage::new();
        let server = Server::new("shop", "1")
            .state(stage.clone())
            .clock(time.clone())
            .store(store)
            .tools(tools![open, add, show, forget, add_later, add_slowly, show_later, share_later])
            .tools(tools![share_cart, unshare_cart])
            .without_auth();
        let (ann, bob) = (server.client("ann"), server.client("bob"));
        let cart = ann.call(open {}).await.unwrap();
        ann.call(share_cart { cart: cart.clone(), with: "bob".into(), may_change: true }).await.unwrap();
        Self { ann, bob, cart, stage, time, folder }
    }

    async fn in_memory() -> Self {
        let time = Time::new();
        let of_store = time.clone();
        Self::open(MemoryStore::new().with_clock(move || Clock::now(&of_store)), time, None).await
    }

    async fn in_a_file(name: &str) -> Self {
        let folder = format!("racing-{name}-{}", std::process::id());
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(folder);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        let time = Time::new();
        let of_store = time.clone();
        let store = SqliteStore::open(folder.join("store.db")).unwrap();
        Self::open(store.with_clock(move || Clock::now(&of_store)), time, Some(folder)).await
    }

    async fn both(name: &str) -> [Self; 2] {
        [Self::in_memory().await, Self::in_a_file(name).await]
    }

    async fn items(&self) -> Vec<String> {
        self.ann.call(show { cart: self.cart.clone() }).await.unwrap().items
    }

    async fn end(&self, end: End) {
        let cart = self.cart.clone();
        match end {
            End::Deleted => self.ann.call(forget { cart }).await.unwrap(),
            End::TakenBack => {
                assert!(self.ann.call(unshare_cart { cart, with: "bob".into() }).await.unwrap())
            }
            End::MayOnlyRead => {
                let less = share_cart { cart, with: "bob".into(), may_change: false };
                self.ann.call(less).await.unwrap();
            }
            // What is shared lasts an hour, and the cart as long as that after its last use.
            End::TimeIsOver => {
                self.time.pass(1_800);
                self.items().await;
                self.time.pass(1_800);
            }
        }
    }
}

/// How a right ends.
#[derive(Clone, Copy, Debug, PartialEq)]
enum End {
    Deleted,
    TakenBack,
    MayOnlyRead,
    TimeIsOver,
}

const ENDS: [End; 4] = [End::Deleted, End::TakenBack, End::MayOnlyRead, End::TimeIsOver];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_64_changes_at_once_none_is_lost() {
    for house in House::both("changes").await {
        let changes: Vec<_> = (0..64)
            .map(|number| {
                let client = if number % 2 == 0 { house.ann.clone() } else { house.bob.clone() };
                let change = add { cart: house.cart.clone(), item: number.to_string() };
                tokio::spawn(async move { client.call(change).await })
            })
            .collect();
        for change in changes {
            change.await.unwrap().unwrap();
        }

        let mut items: Vec<u32> = house.items().await.iter().map(|it| it.parse().unwrap()).collect();
        items.sort_unstable();
        assert_eq!(items, (0..64).collect::<Vec<_>>());
    }
}

#[tokio::test]
async fn a_right_that_ends_while_a_call_runs_ends_for_that_call() {
    for end in ENDS {
        for house in House::both("ends").await {
            let (bob, cart) = (house.bob.clone(), house.cart.clone());
            let changing = tokio::spawn(async move { bob.call(add_later { cart }).await });
            house.stage.has_arrived().await;

            house.end(end).await;
            house.stage.may_go_on.add_permits(1);

            assert_eq!(told(changing.await.unwrap()), UNKNOWN, "{end:?}");
            if end != End::Deleted {
                assert_eq!(house.items().await, [""; 0], "{end:?}");
            }
        }
    }
}

#[tokio::test]
async fn what_may_not_be_read_any_more_is_not_read_by_a_call_that_runs() {
    for end in ENDS {
        for house in House::both("reads").await {
            let (bob, cart) = (house.bob.clone(), house.cart.clone());
            let reading = tokio::spawn(async move { bob.call(show_later { cart }).await });
            house.stage.has_arrived().await;

            house.end(end).await;
            house.stage.may_go_on.add_permits(1);

            let read: Result<Cart, ToolError> = reading.await.unwrap();
            match end {
                End::MayOnlyRead => assert!(read.is_ok()),
                _ => assert_eq!(told(read), UNKNOWN, "{end:?}"),
            }
        }
    }
}

#[tokio::test]
async fn a_note_that_expires_while_its_owner_s_call_runs_is_told_to_have_expired() {
    for house in House::both("expires").await {
        let (ann, cart) = (house.ann.clone(), house.cart.clone());
        let sharing = tokio::spawn(async move { ann.call(share_later { cart }).await });
        house.stage.has_arrived().await;

        house.time.pass(3_600);
        house.stage.may_go_on.add_permits(1);

        assert_eq!(told(sharing.await.unwrap()), "`cart`: this cart has expired. Make a new one.");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_record_that_is_deleted_while_it_is_being_changed_stays_deleted() {
    for house in House::both("deleted").await {
        let (go_on, inside) = mpsc::channel();
        *house.stage.inside.lock().unwrap() = Some(inside);
        let (bob, cart) = (house.bob.clone(), house.cart.clone());
        let changing = tokio::spawn(async move { bob.call(add_slowly { cart }).await });
        house.stage.has_arrived().await;

        house.end(End::Deleted).await;
        go_on.send(()).unwrap();

        assert_eq!(told(changing.await.unwrap()), UNKNOWN);
        assert_eq!(told(house.ann.call(show { cart: house.cart.clone() }).await), UNKNOWN);
    }
}
