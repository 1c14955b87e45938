//! How long a refusal takes does not tell whether somebody has the note.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use serde_json::json;
use tollgate_tests::{Call, Connection};

use super::{
    house::{House, in_a_file, in_memory},
    oracle::{Caller, Named},
};

/// Of each of the two.
const SAMPLES: usize = 10_000;
/// Other processes of the machine may disturb all but one of them.
const ATTEMPTS: usize = 3;
/// Percent by which the medians may differ.
const MOST: f64 = 2.0;

#[tokio::test]
#[ignore = "it takes long: `.ci/run` runs it alone"]
async fn a_foreign_note_is_refused_as_fast_as_one_that_nobody_has_in_memory() {
    compare("memory", &House::open(in_memory).await).await;
}

#[tokio::test]
#[ignore = "it takes long: `.ci/run` runs it alone"]
async fn a_foreign_note_is_refused_as_fast_as_one_that_nobody_has_in_a_file() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("timing-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();

    compare("a file", &House::open(|watch| in_a_file(&folder.join("store.db"), watch)).await).await;

    let _ = std::fs::remove_dir_all(&folder);
}

async fn compare(store: &str, house: &House) {
    let mut seen = Vec::new();
    for _ in 0..ATTEMPTS {
        let [foreign, unknown] = medians(house).await;
        let apart = 100.0 * (foreign.as_secs_f64() / unknown.as_secs_f64() - 1.0);
        println!("{store}: foreign {foreign:?}, unknown {unknown:?}, {apart:+.2} %");
        seen.push(apart);
        if apart.abs() < MOST {
            return;
        }
    }
    panic!("{store}: a foreign note takes another time than an unknown one: {seen:?} %");
}

/// Of both, one after the other on one connection, each first as often as the other.
async fn medians(house: &House) -> [Duration; 2] {
    let calls = [Named::Valid, Named::Unknown].map(|it| {
        let call = Call::tool("show", &json!({"note": house.handles[&it]}));
        house.with(call, Caller::OtherUser).bytes()
    });
    let mut connection = Connection::open(house.running.address).await;
    let mut taken = [Vec::with_capacity(SAMPLES), Vec::with_capacity(SAMPLES)];
    // The first ones make what later ones find made.
    for sample in 0..SAMPLES + 200 {
        for turn in 0..2 {
            let which = (sample + turn) % 2;
            let start = Instant::now();
            connection.send(&calls[which]).await;
            let answer = connection.answer().await;
            let time = start.elapsed();
            assert_eq!(answer.status, 200);
            if sample >= 200 {
                taken[which].push(time);
            }
        }
    }
    taken.map(|mut all| {
        all.sort_unstable();
        all[SAMPLES / 2]
    })
}
