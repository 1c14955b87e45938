//! URIs that are made to be matched slowly.

use serde_json::json;
use tollgate_tests::Call;

use super::{
    bench::{Bench, Expect},
    fixture::{resource, server_with},
    work::{LONGEST, Work},
};

// V26; S-071.
#[tokio::test]
async fn no_uri_is_matched_slowly() {
    let (server, runs) = server_with(|limits| {
        limits.head_bytes = 256 * 1024;
        limits.name_header_bytes = 128 * 1024;
    });
    let near = (0..250).map(|it| resource(&format!("slow://{{a}}/{{b}}/{{c}}/x{it}")));
    let rest = (0..250).map(|it| resource(&format!("slow://{{+a}}/y{it}/{{b}}")));
    let long = (0..250).map(|it| resource(&format!("slow://a/a/a/a/a/a/a/a/{{a}}-{{b}}-{it}")));
    let last = (0..250).map(|it| resource(&format!("slow://{{a}}a{{b}}a{{c}}a{it}")));
    let server = server.resources(near.chain(rest).chain(long).chain(last).collect::<Vec<_>>());
    let mut bench = Bench::of((server, runs)).await;
    let uris = [
        ("segments", "a/", 4_000),
        ("letters", "a", 8_000),
        ("escapes", "%61", 2_600),
        ("broken escapes", "%6", 4_000),
        ("dashes", "-", 8_000),
        ("slashes", "/", 8_000),
        ("what nearly fits", "a/a/a/a/a/a/a/a/-", 470),
        ("more than is looked at", "a/", 30_000),
    ];

    for (name, piece, times) in uris {
        let uri = format!("slow://{}", piece.repeat(times));
        let started = Work::begin();
        let call = Call::modern("resources/read", json!({"uri": uri}));
        bench.call(name, &call, Expect::refused(200, -32602)).await;
        let done = started.done();
        bench.hold(name, done < LONGEST, &format!("it took {done:?}"));
    }
    let good = Call::modern("resources/read", json!({"uri": "slow://b/b/b/x249"}));
    bench.call("the last that fits", &good, Expect::good(1)).await;

    bench.finish(9);
}
