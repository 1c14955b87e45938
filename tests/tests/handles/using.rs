//! A record is its owner's: it is made, used, changed and deleted by them, and by nobody else.

use tollgate::serde_json::json;

use super::shop::{
    Cart, UNKNOWN, add_item, drop_cart, list_carts, open_cart, shop, shop_with, show_cart, told,
};
use tollgate::Handle;

#[tokio::test]
async fn what_was_put_into_a_record_is_there_in_the_next_call() {
    let shop = shop();
    let ann = shop.client("ann");

    let cart = ann.call(open_cart {}).await.unwrap();
    ann.call(add_item { cart: cart.clone(), item: "milk".into() }).await.unwrap();
    ann.call(add_item { cart: cart.clone(), item: "tea".into() }).await.unwrap();

    assert_eq!(
        ann.call(show_cart { cart }).await.unwrap(),
        Cart { items: vec!["milk".into(), "tea".into()] }
    );
}

#[tokio::test]
async fn a_foreign_handle_is_like_one_that_nobody_has() {
    let shop = shop();
    let (ann, bob) = (shop.client("ann"), shop.client("bob"));
    let cart = ann.call(open_cart {}).await.unwrap();
    let nobodys: Handle<Cart> = format!("cart_{}", "7".repeat(26)).parse().unwrap();

    let foreign = told(bob.call(show_cart { cart: cart.clone() }).await);
    let unknown = told(bob.call(show_cart { cart: nobodys }).await);

    assert_eq!((foreign.as_str(), unknown.as_str()), (UNKNOWN, UNKNOWN));
    assert_eq!(shop.runs.count(), 0);
    assert!(ann.call(show_cart { cart }).await.is_ok());
}

#[tokio::test]
async fn a_deleted_record_is_like_one_that_never_was_for_its_owner_too() {
    let shop = shop();
    let ann = shop.client("ann");
    let cart = ann.call(open_cart {}).await.unwrap();

    ann.call(drop_cart { cart: cart.clone() }).await.unwrap();

    assert_eq!(told(ann.call(show_cart { cart: cart.clone() }).await), UNKNOWN);
    assert_eq!(told(ann.call(drop_cart { cart }).await), UNKNOWN);
}

#[tokio::test]
async fn what_is_not_written_as_a_handle_is_a_fault_of_the_arguments() {
    let shop = shop();
    let ann = shop.client("ann");
    let good = ann.call(open_cart {}).await.unwrap().to_string();
    let bad = [
        good.to_uppercase(),
        good.replace("cart_", "note_"),
        format!("{good}0"),
        format!(" {good}"),
        good[..20].to_owned(),
        String::new(),
    ];

    for handle in bad {
        let text = told(ann.call_raw("show_cart", json!({"cart": handle})).await);
        assert!(text.contains("/cart: expected"), "{handle}: {text}");
    }
    assert_eq!(shop.runs.count(), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_change_is_lost() {
    let shop = shop();
    let ann = shop.client("ann");
    let cart = ann.call(open_cart {}).await.unwrap();

    let changes: Vec<_> = (0..50)
        .map(|number| {
            let (ann, cart) = (ann.clone(), cart.clone());
            tokio::spawn(async move { ann.call(add_item { cart, item: number.to_string() }).await })
        })
        .collect();
    for change in changes {
        change.await.unwrap().unwrap();
    }

    assert_eq!(ann.call(show_cart { cart }).await.unwrap().items.len(), 50);
}

#[tokio::test]
async fn a_caller_sees_their_own_handles() {
    let shop = shop();
    let (ann, bob) = (shop.client("ann"), shop.client("bob"));
    let cart = ann.call(open_cart {}).await.unwrap();

    assert_eq!(ann.call(list_carts {}).await.unwrap(), [cart]);
    assert_eq!(bob.call(list_carts {}).await.unwrap(), []);
}

#[tokio::test]
async fn a_caller_holds_so_many_and_no_more() {
    let shop = shop_with(|it| it.handles_per_caller = 2);
    let (ann, bob) = (shop.client("ann"), shop.client("bob"));
    let first = ann.call(open_cart {}).await.unwrap();
    ann.call(open_cart {}).await.unwrap();

    let third = told(ann.call(open_cart {}).await);

    assert_eq!(third, "There are too many of kind cart already. Delete one that is not needed.");
    assert!(bob.call(open_cart {}).await.is_ok());
    ann.call(drop_cart { cart: first }).await.unwrap();
    assert!(ann.call(open_cart {}).await.is_ok());
}

#[tokio::test]
async fn a_handle_is_made_of_randomness() {
    let shop = shop_with(|it| it.handles_per_caller = 1_000);
    let ann = shop.client("ann");
    let mut all = std::collections::HashSet::new();

    for _ in 0..500 {
        let handle = ann.call(open_cart {}).await.unwrap().to_string();
        assert_eq!(handle.len(), "cart_".len() + 26);
        assert!(all.insert(handle));
    }
}
