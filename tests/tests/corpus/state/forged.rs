//! State that the server did not make, or not like this.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use serde_json::{Value, json};
use tollgate::{Clock, KeyRing, Secret};

use super::{REFUSED, answering, asking, changed, handed_out, says_nothing};
use crate::corpus::{
    bench::{Bench, Expect},
    fixture::server,
};

// V55; S-131.
#[tokio::test]
async fn no_single_change_to_state_is_accepted() {
    let mut bench = Bench::new().await;
    let call = asking("hold", "a");
    let token = handed_out(&mut bench, &call).await;

    let all = changed(&token);
    assert!(all.len() >= 480, "{} changes of {token}", all.len());
    for (name, changed) in all {
        let answer = bench.call(&name, &answering(call.clone(), &json!(changed)), REFUSED).await;
        bench.hold(&name, says_nothing(&answer), "the refusal says more than another would");
    }
    bench.call("unchanged", &answering(call, &json!(token)), Expect::good(1)).await;

    bench.finish(480);
}

// V55; S-131.
#[tokio::test]
async fn no_part_and_no_addition_to_state_is_accepted() {
    let mut bench = Bench::new().await;
    let call = asking("hold", "a");
    let token = handed_out(&mut bench, &call).await;
    let other = handed_out(&mut bench, &call).await;
    let parts: Vec<&str> = token.split('.').collect();
    let others: Vec<&str> = other.split('.').collect();
    let step = (token.len() / 64).max(1);
    let cut = (0..token.len()).step_by(step).map(|it| token[..it].to_owned());
    let behead = (1..token.len()).step_by(step).map(|it| token[it..].to_owned());
    let longer =
        ["A", "=", ".", "==", " ", "\n", "\0", ".A", "%00", "\u{301}"].map(|it| format!("{token}{it}"));
    let led = ["A", ".", " ", "\n", "\0", "v1.", "\u{feff}"].map(|it| format!("{it}{token}"));
    let mixed = [
        format!("{token}{token}"),
        format!("{token}.{token}"),
        format!("{token}{other}"),
        token.to_uppercase(),
        token.to_lowercase(),
        token.chars().rev().collect(),
        token.replace('.', "|"),
        token.replace('.', ".."),
        format!("\"{token}\""),
        [parts[0], parts[1], parts[2], others[3]].join("."),
        [parts[0], parts[1], others[2], parts[3]].join("."),
        [parts[0], parts[1], parts[2]].join("."),
        [parts[0], parts[1], parts[3], parts[2]].join("."),
        [parts[0], parts[2], parts[3]].join("."),
        [parts[0], parts[1], "", parts[3]].join("."),
        [parts[0], parts[1], parts[2], ""].join("."),
        [parts[0], parts[1], parts[2], &"A".repeat(43)].join("."),
        "...".to_owned(),
        "a".repeat(8 * 1024),
        "a".repeat(8 * 1024 + 1),
        ".".repeat(100_000),
        "a".repeat(1 << 20),
        "\u{1f30d}".repeat(1_000),
    ];

    for state in cut.chain(behead).chain(longer).chain(led).chain(mixed) {
        let name = format!("{} bytes: {:.40}", state.len(), state);
        let answer = bench.call(&name, &answering(call.clone(), &json!(state)), REFUSED).await;
        bench.hold(&name, says_nothing(&answer), "the refusal says more than another would");
    }

    bench.finish(150);
}

// V55; S-131.
#[tokio::test]
async fn state_is_a_text() {
    let mut bench = Bench::new().await;
    let call = asking("hold", "a");
    let token = handed_out(&mut bench, &call).await;
    let others = [
        Value::Null,
        json!(true),
        json!(0),
        json!(1.5),
        json!({}),
        json!([]),
        json!([token]),
        json!({"requestState": token}),
        json!({"r": 1, "q": ["sure"]}),
        json!(""),
    ];

    for state in others {
        let answer = bench.call(&state.to_string(), &answering(call.clone(), &state), REFUSED).await;
        bench.hold("a type", says_nothing(&answer), "the refusal says more than another would");
    }

    bench.finish(10);
}

// V55.
#[tokio::test]
async fn a_key_is_found_by_its_own_name_only() {
    let old = Secret::new(OLD).unwrap();
    let (server, runs) = server();
    let ring = KeyRing::new(Secret::new(NEW).unwrap());
    let mut bench = Bench::of((server.keys(ring.clone()), runs)).await;
    let call = asking("hold", "a");
    let token = handed_out(&mut bench, &call).await;
    let parts: Vec<&str> = token.split('.').collect();
    let names = [
        String::new(),
        old.id(),
        "0".repeat(16),
        "f".repeat(16),
        parts[1].to_uppercase(),
        parts[1][..15].to_owned(),
        format!("{}0", parts[1]),
        format!(" {}", parts[1]),
        "../../etc/passwd".to_owned(),
        "' OR 1=1 --".to_owned(),
        "*".to_owned(),
        "none".to_owned(),
        "null".to_owned(),
        "\u{0}".repeat(16),
        "%".repeat(16),
        parts[1].chars().rev().collect(),
        "a".repeat(8_000),
        "é".repeat(8),
        parts[0].to_owned(),
        parts[3].to_owned(),
    ];

    for name in names {
        let state = json!([parts[0], &name, parts[2], parts[3]].join("."));
        let answer = bench.call(&format!("key {name:.40}"), &answering(call.clone(), &state), REFUSED).await;
        bench.hold(&name, says_nothing(&answer), "the refusal says more than another would");
    }
    bench.call("its own", &answering(call.clone(), &json!(token)), Expect::good(1)).await;
    ring.rotate(Secret::new(OLD).unwrap(), vec![Secret::new(NEW).unwrap()]).unwrap();
    bench.call("still accepted", &answering(call.clone(), &json!(token)), Expect::good(1)).await;
    ring.rotate(Secret::new(OLD).unwrap(), vec![]).unwrap();
    bench.call("no longer accepted", &answering(call, &json!(token)), REFUSED).await;

    bench.finish(23);
}

const OLD: &[u8] = b"\x1d\xf3\x88\x05\x9a\x47\xee\x60\x12\xc9\x7b\x3e\xa1\x54\x0f\xd8\x66\x2b\x99\xe4\x31\x8c\x70\xbd\x4a\x17\xf6\x03\xd5\xae\x58\x92";
const NEW: &[u8] = b"\x82\x5c\x19\xe7\x34\xbb\x40\xfa\x6d\x01\xd2\x95\x7e\x28\xc3\x8f\x1a\xe0\x57\x6b\xf4\x09\xad\x36\x98\x4d\xcb\x72\x05\xb1\x63\xde";

/// A clock that tests set.
#[derive(Clone)]
struct Set(Arc<AtomicU64>);

impl Clock for Set {
    fn now(&self) -> SystemTime {
        UNIX_EPOCH + Duration::from_secs(self.0.load(Ordering::SeqCst))
    }
}

// V55; S-131.
#[tokio::test]
async fn state_is_good_for_its_time() {
    const START: u64 = 1_900_000_000;
    let clock = Set(Arc::new(AtomicU64::new(START)));
    let (server, runs) = server();
    let mut bench = Bench::of((server.clock(clock.clone()), runs)).await;
    let call = asking("hold", "a");
    let token = json!(handed_out(&mut bench, &call).await);
    let rows = [
        (START, Expect::good(1)),
        (START + 599, Expect::good(1)),
        (START + 601, REFUSED),
        (START + 86_400, REFUSED),
        (u64::from(u32::MAX) * 2, REFUSED),
        // The clocks of two copies differ a little; more than a minute is a forgery.
        (START - 59, Expect::good(1)),
        (START - 61, REFUSED),
        (START - 86_400, REFUSED),
        (1, REFUSED),
        (0, REFUSED),
    ];

    for (now, expect) in rows {
        clock.0.store(now, Ordering::SeqCst);
        bench.call(&format!("at {now}"), &answering(call.clone(), &token), expect).await;
    }

    bench.finish(11);
}
