//! A handle ends, and its owner is told so.

use tollgate::serde_json::Value;

use super::shop::{UNKNOWN, list_carts, open_cart, shop, show_cart, told};

const EXPIRED: &str = "`cart`: this cart has expired. Make a new one.";

#[tokio::test]
async fn a_handle_that_is_not_used_expires() {
    let shop = shop();
    let ann = shop.client("ann");
    let cart = ann.call(open_cart {}).await.unwrap();

    shop.time.pass(3_599);
    assert!(ann.call(show_cart { cart: cart.clone() }).await.is_ok());
    shop.time.pass(3_599);
    assert!(ann.call(show_cart { cart: cart.clone() }).await.is_ok());
    shop.time.pass(3_600);

    assert_eq!(told(ann.call(show_cart { cart }).await), EXPIRED);
    assert_eq!(ann.call(list_carts {}).await.unwrap(), []);
}

#[tokio::test]
async fn a_handle_expires_however_much_it_is_used() {
    let shop = shop();
    let ann = shop.client("ann");
    let cart = ann.call(open_cart {}).await.unwrap();

    for _ in 0..47 {
        shop.time.pass(1_800);
        assert!(ann.call(show_cart { cart: cart.clone() }).await.is_ok());
    }
    shop.time.pass(1_800);

    assert_eq!(told(ann.call(show_cart { cart }).await), EXPIRED);
}

#[tokio::test]
async fn that_it_expired_is_told_to_its_owner_alone_and_for_a_week() {
    let shop = shop();
    let (ann, bob) = (shop.client("ann"), shop.client("bob"));
    let cart = ann.call(open_cart {}).await.unwrap();
    shop.time.pass(86_400);

    assert_eq!(told(bob.call(show_cart { cart: cart.clone() }).await), UNKNOWN);
    assert_eq!(told(ann.call(show_cart { cart: cart.clone() }).await), EXPIRED);
    shop.time.pass(7 * 86_400);
    // Something has to happen for it to be forgotten.
    ann.call(open_cart {}).await.unwrap();

    assert_eq!(told(ann.call(show_cart { cart }).await), UNKNOWN);
}

#[tokio::test]
async fn who_makes_a_handle_says_how_long_it_lasts() {
    let shop = shop();

    let tools = shop.client("ann").request("tools/list", Default::default()).await;

    let tools = tools.response["result"]["tools"].as_array().unwrap().clone();
    let description = |name: &str| {
        let tool = tools.iter().find(|it| it["name"] == name).unwrap();
        tool["description"].as_str().unwrap().to_owned()
    };
    let said = "A cart expires after 1 day, or 1 hour without use.";
    assert!(description("open_cart").ends_with(said), "{}", description("open_cart"));
    assert!(!description("show_cart").contains("expires"));
    let show = tools.iter().find(|it| it["name"] == "show_cart").unwrap();
    let cart: &Value = &show["inputSchema"]["properties"]["cart"];
    assert_eq!(cart["x-handle"], "cart");
    assert_eq!(cart["pattern"], "^cart_[0-7][0-9a-hjkmnp-tv-z]{25}$");
}
