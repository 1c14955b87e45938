//! A record is used by others where its owner has shared it, as far as they were let, until it is taken back.

use super::shop::{
    UNKNOWN, add_item, drop_cart, list_carts, open_cart, share_cart, shop, show_cart, told, unshare_cart,
};

#[tokio::test]
async fn who_may_read_may_read_and_no_more() {
    let shop = shop();
    let (ann, bob, eve) = (shop.client("ann"), shop.client("bob"), shop.client("eve"));
    let cart = ann.call(open_cart {}).await.unwrap();

    ann.call(share_cart { cart: cart.clone(), with: "bob".into(), may_change: false }).await.unwrap();

    assert!(bob.call(show_cart { cart: cart.clone() }).await.is_ok());
    assert_eq!(told(bob.call(add_item { cart: cart.clone(), item: "gin".into() }).await), UNKNOWN);
    assert_eq!(told(bob.call(drop_cart { cart: cart.clone() }).await), UNKNOWN);
    assert_eq!(told(eve.call(show_cart { cart: cart.clone() }).await), UNKNOWN);
    assert_eq!(bob.call(list_carts {}).await.unwrap(), [cart]);
}

#[tokio::test]
async fn who_may_change_may_not_share_or_delete() {
    let shop = shop();
    let (ann, bob) = (shop.client("ann"), shop.client("bob"));
    let cart = ann.call(open_cart {}).await.unwrap();

    ann.call(share_cart { cart: cart.clone(), with: "bob".into(), may_change: true }).await.unwrap();
    bob.call(add_item { cart: cart.clone(), item: "tea".into() }).await.unwrap();

    assert_eq!(ann.call(show_cart { cart: cart.clone() }).await.unwrap().items, ["tea"]);
    assert_eq!(told(bob.call(drop_cart { cart: cart.clone() }).await), UNKNOWN);
    let shared = bob.call(share_cart { cart, with: "eve".into(), may_change: false }).await;
    assert_eq!(told(shared), "Only who made the cart can share it.");
}

#[tokio::test]
async fn what_is_taken_back_is_gone_in_the_next_call() {
    let shop = shop();
    let (ann, bob) = (shop.client("ann"), shop.client("bob"));
    let cart = ann.call(open_cart {}).await.unwrap();
    ann.call(share_cart { cart: cart.clone(), with: "bob".into(), may_change: true }).await.unwrap();
    assert!(bob.call(show_cart { cart: cart.clone() }).await.is_ok());

    let taken = unshare_cart { cart: cart.clone(), with: "bob".into() };
    assert!(ann.call(taken).await.unwrap());

    assert_eq!(told(bob.call(show_cart { cart: cart.clone() }).await), UNKNOWN);
    let again = unshare_cart { cart: cart.clone(), with: "bob".into() };
    assert!(!ann.call(again).await.unwrap());
    assert!(ann.call(show_cart { cart }).await.is_ok());
}

#[tokio::test]
async fn what_its_owner_deletes_is_gone_for_all() {
    let shop = shop();
    let (ann, bob) = (shop.client("ann"), shop.client("bob"));
    let cart = ann.call(open_cart {}).await.unwrap();
    ann.call(share_cart { cart: cart.clone(), with: "bob".into(), may_change: true }).await.unwrap();

    ann.call(drop_cart { cart: cart.clone() }).await.unwrap();

    assert_eq!(told(bob.call(show_cart { cart }).await), UNKNOWN);
    assert_eq!(bob.call(list_carts {}).await.unwrap(), []);
}

#[tokio::test]
async fn what_is_shared_ends_when_it_was_said_to() {
    let shop = shop();
    let (ann, bob) = (shop.client("ann"), shop.client("bob"));
    let cart = ann.call(open_cart {}).await.unwrap();
    ann.call(share_cart { cart: cart.clone(), with: "bob".into(), may_change: false }).await.unwrap();

    shop.time.pass(3_599);
    assert!(bob.call(show_cart { cart: cart.clone() }).await.is_ok());
    shop.time.pass(1);

    // Who does not own it is not told that it ever was.
    assert_eq!(told(bob.call(show_cart { cart }).await), UNKNOWN);
}
