//! A store in a file that several processes share, and one of them is killed.

use std::{
    env,
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
};

use bytes::Bytes;
use tollgate::store::{Spent, SqliteStore, Store};

use super::kit::{Folder, START, Time, about, at, note, used};

const FILE: &str = "TOLLGATE_TEST_STORE";

fn open(path: &Path) -> SqliteStore {
    SqliteStore::open(path).unwrap().with_clock(Time::new().hand())
}

/// Runs one of the ignored tests below in a process of its own.
fn start(work: &str, path: &Path) -> Child {
    Command::new(env::current_exe().unwrap())
        .args(["--exact", "--ignored", "--nocapture", &format!("store::processes::{work}")])
        .env(FILE, path)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

#[tokio::test]
async fn what_a_killed_process_acknowledged_is_kept() {
    let folder = Folder::new();
    let mut process = start("keeps_until_it_is_killed", &folder.file());
    let lines = BufReader::new(process.stdout.take().unwrap()).lines().map(Result::unwrap);
    let mut kept = lines.filter_map(|it| it.strip_prefix("kept ").map(|it| it.parse::<u8>().unwrap()));

    // It is killed while it works on those that follow; what it said meanwhile counts too.
    let mut last = kept.find(|it| *it == 20).unwrap();
    process.kill().unwrap();
    process.wait().unwrap();
    last = kept.last().unwrap_or(last);

    let store = open(&folder.file());
    for number in 0..=last {
        assert_eq!(store.spend([number; 32], at(10)).await.unwrap(), Spent::Again, "{number}");
        let held = store.held(note(number)).await.unwrap().unwrap();
        assert_eq!(held.holding, used(number, 5));
        assert_eq!(held.record.unwrap().data, Bytes::from(vec![number; 9000]));
    }
    assert_eq!(store.spend([255; 32], at(10)).await.unwrap(), Spent::First);
}

#[tokio::test]
#[ignore = "the process that another test kills"]
async fn keeps_until_it_is_killed() {
    let Some(path) = env::var_os(FILE) else { return };
    let store = open(Path::new(&path));
    // More than the other process waits for, and all different.
    for number in 0..250 {
        let record = Bytes::from(vec![number; 9000]);
        store.hold(note(number), about(number), Some(record), 999).await.unwrap();
        store.spend([number; 32], at(10)).await.unwrap();
        store.touch(note(number), START + 5).await.unwrap();
        println!("\nkept {number}");
    }
    // Until it is killed.
    std::future::pending::<()>().await;
}

#[test]
fn processes_that_make_a_file_together_spend_once_between_them() {
    let folder = Folder::new();

    let processes: Vec<_> = (0..4).map(|_| start("spends_what_it_can", &folder.file())).collect();
    let mut first = 0;
    for process in processes {
        let output = process.wait_with_output().unwrap();
        assert!(output.status.success());
        let text = String::from_utf8(output.stdout).unwrap();
        first += text.lines().filter(|it| *it == "spent").count();
    }

    assert_eq!(first, 50);
}

#[tokio::test]
#[ignore = "one of the processes that another test starts"]
async fn spends_what_it_can() {
    let Some(path) = env::var_os(FILE) else { return };
    let store = open(Path::new(&path));
    for number in 0..50 {
        if store.spend([number; 32], at(10)).await.unwrap() == Spent::First {
            println!("\nspent");
        }
    }
}
