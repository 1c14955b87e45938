//! A token has one shape, and one spelling.

use serde_json::json;

use super::{
    desk::{Desk, jwt},
    mint::{Hand, Token, base64},
};

// S-225.
#[tokio::test]
async fn a_token_has_three_parts_of_canonical_base64url() {
    let desk = Desk::open(jwt()).await;
    let good = Token::good().text();
    let [header, claims, signature] = good.split('.').collect::<Vec<_>>()[..] else { panic!("three parts") };
    let (front, last) = signature.split_at(signature.len() - 1);
    // 64 bytes leave four bits over that have to be 0; the next letter sets one of them.
    let next = char::from(last.as_bytes()[0] + 1);
    let rows = [
        ("one part", "x".into()),
        ("the header alone", header.into()),
        ("two parts", format!("{header}.{claims}")),
        ("four parts", format!("{good}.{signature}")),
        ("six parts", format!("{good}.a.b.c")),
        ("a dot at the end", format!("{good}.")),
        ("a dot in front", format!(".{good}")),
        ("nothing but dots", "..".into()),
        ("no header", format!(".{claims}.{signature}")),
        ("no claims", format!("{header}..{signature}")),
        ("no signature", format!("{header}.{claims}.")),
        ("padding", format!("{good}=")),
        ("padding of the header", format!("{header}=.{claims}.{signature}")),
        ("the other alphabet", format!("{header}.{claims}.{}", signature.replace(['-', '_'], "+") + "/+")),
        ("bits that stand for nothing", format!("{header}.{claims}.{front}{next}")),
        ("half a byte", format!("{header}.{claims}.{signature}A")),
        ("letters of no alphabet", format!("{header}.{claims}.{front}~")),
        ("parts that changed places", format!("{claims}.{header}.{signature}")),
        ("a signature cut short", format!("{header}.{claims}.{}", &signature[..signature.len() - 4])),
        ("a signature of nothing", format!("{header}.{claims}.{}", base64([0; 64]))),
        ("the signature of another token", {
            let other = Token::good().claim("jti", "2").text();
            format!("{header}.{claims}.{}", other.rsplit('.').next().unwrap())
        }),
        ("claims that were changed", {
            let other = Token::good().claim("scope", "notes:write").text();
            format!("{header}.{}.{signature}", other.split('.').nth(1).unwrap())
        }),
    ];

    for (what, token) in rows {
        desk.refuses(what, &token).await;
    }
}

#[tokio::test]
async fn a_token_has_at_most_8_kib() {
    let desk = Desk::open(jwt()).await;
    let padded = |bytes: usize| Token::good().claim("pad", "x".repeat(bytes)).text();
    let short = padded(0).len();
    let fits = (8_192 - short) * 3 / 4;
    let longest = (fits - 4..fits + 8).map(padded).rfind(|it| it.len() <= 8_192).unwrap();

    assert!(longest.len() > 8_190);
    desk.accepts("the longest", &longest).await;
    desk.refuses("longer", &padded(fits + 8)).await;
    desk.refuses("20 KiB", &padded(14_000)).await;
}

// S-225.
#[tokio::test]
async fn header_and_claims_are_json_objects_that_say_nothing_twice() {
    let desk = Desk::open(jwt()).await;
    let token = Token::good();
    let (header, claims) = (token.header.to_string(), token.claims.to_string());
    let with = |text: &str, more: &str| format!("{},{more}}}", text.strip_suffix('}').unwrap());
    let rows = [
        ("a header that is no JSON", token.of("x", &claims)),
        ("a header that is an array", token.of("[]", &claims)),
        ("a header that is a string", token.of("\"ES256\"", &claims)),
        ("claims that are no JSON", token.of(&header, "x")),
        ("claims that are an array", token.of(&header, format!("[{claims}]"))),
        ("claims that are a string", token.of(&header, json!(claims).to_string())),
        ("claims that are null", token.of(&header, "null")),
        ("claims that are not UTF-8", token.of(&header, [claims.as_bytes(), b"\xff"].concat())),
        ("a byte order mark", token.of(&header, format!("\u{feff}{claims}"))),
        ("more after the claims", token.of(&header, format!("{claims}{claims}"))),
        ("`alg` twice", token.of(with(&header, "\"alg\":\"ES256\""), &claims)),
        ("`kid` twice", token.of(with(&header, "\"kid\":\"ec\""), &claims)),
        ("`exp` twice", token.of(&header, with(&claims, "\"exp\":9999999999"))),
        ("`sub` twice", token.of(&header, with(&claims, "\"sub\":\"bob\""))),
        ("`aud` twice, spelt differently", token.of(&header, with(&claims, "\"\\u0061ud\":\"x\""))),
        ("a key twice inside a claim", token.of(&header, with(&claims, "\"a\":{\"b\":1,\"b\":2}"))),
        (
            "too deep",
            token.of(&header, with(&claims, &format!("\"a\":{}{}", "[".repeat(40), "]".repeat(40)))),
        ),
        ("a number beyond all", token.of(&header, with(&claims, "\"a\":1e400"))),
        ("a trailing comma", token.of(&header, claims.replace('}', ",}"))),
    ];

    for (what, token) in rows {
        desk.refuses(what, &token).await;
    }
}

// S-225.
#[tokio::test]
async fn each_kind_of_signature_is_checked() {
    let desk = Desk::open(jwt()).await;

    for hand in [Hand::Rs256, Hand::Ps256, Hand::Es256, Hand::EdDsa] {
        let what = format!("{hand:?}");
        desk.accepts(&what, &Token::by(hand).text()).await;
        desk.refuses(&what, &Token::by(hand).by_them().text()).await;
    }
}
