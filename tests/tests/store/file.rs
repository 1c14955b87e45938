//! A store in a file: who shares it, what it outlives, and which files it refuses.

use std::{fs, sync::Arc};

use bytes::Bytes;
use tollgate::store::{Added, Replaced, Spent, SqliteStore, Store, StoreError};

use super::kit::{Folder, START, Time, about, at, note, used};

fn open(folder: &Folder) -> SqliteStore {
    SqliteStore::open(folder.file()).unwrap().with_clock(Time::new().hand())
}

/// Why the store cannot be opened.
fn refusal(path: &std::path::Path) -> String {
    match SqliteStore::open(path) {
        Err(error @ StoreError::Unavailable(_)) => error.to_string(),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn two_stores_on_one_file_see_each_other_s_rows_at_once() {
    let folder = Folder::new();
    let (one, other) = (open(&folder), open(&folder));
    let data = |it: &'static str| Bytes::from_static(it.as_bytes());

    one.hold(note(1), about(1), Some(data("1")), 1).await.unwrap();
    assert_eq!(other.held(note(1)).await.unwrap().unwrap().holding, about(1));
    assert_eq!(other.hold(note(2), about(2), None, 1).await.unwrap(), Added::TooMany);

    assert_eq!(other.replace([1; 16], 1, data("2")).await.unwrap(), Replaced::Done);
    assert_eq!(one.replace([1; 16], 1, data("x")).await.unwrap(), Replaced::Changed);
    assert_eq!(one.held(note(1)).await.unwrap().unwrap().record.unwrap().data, data("2"));

    one.touch(note(1), START + 5).await.unwrap();
    assert_eq!(other.holdings([1; 32], "note", 9).await.unwrap(), [used(1, 5)]);

    other.delete([1; 16]).await.unwrap();
    assert_eq!(one.held(note(1)).await.unwrap().unwrap().record, None);
    other.release(note(1)).await.unwrap();
    assert_eq!(one.held(note(1)).await.unwrap(), None);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_stores_on_one_file_spend_once_between_them() {
    let folder = Folder::new();
    let stores = [Arc::new(open(&folder)), Arc::new(open(&folder))];

    let tasks: Vec<_> = (0..64)
        .map(|it| {
            let store = Arc::clone(&stores[it % 2]);
            tokio::spawn(async move { store.spend([1; 32], at(10)).await.unwrap() })
        })
        .collect();
    let mut first = 0;
    for task in tasks {
        first += usize::from(task.await.unwrap() == Spent::First);
    }

    assert_eq!(first, 1);
    assert!(stores[0].is_spent([1; 32]).await.unwrap() && stores[1].is_spent([1; 32]).await.unwrap());
}

#[tokio::test]
async fn what_was_kept_is_there_after_a_restart() {
    let folder = Folder::new();
    let store = open(&folder);
    store.spend([1; 32], at(10)).await.unwrap();
    store.hold(note(1), about(1), Some(Bytes::from_static(b"1")), 9).await.unwrap();
    store.touch(note(1), START + 5).await.unwrap();
    store.replace([1; 16], 1, Bytes::from_static(b"2")).await.unwrap();
    let before = store.held(note(1)).await.unwrap();
    drop(store);

    let store = open(&folder);

    assert_eq!(store.spend([1; 32], at(10)).await.unwrap(), Spent::Again);
    assert_eq!(store.held(note(1)).await.unwrap(), before);
    assert_eq!(store.replace([1; 16], 2, Bytes::from_static(b"3")).await.unwrap(), Replaced::Done);
}

#[test]
fn a_file_with_a_newer_version_is_refused() {
    let folder = Folder::new();
    drop(open(&folder));
    let mut bytes = fs::read(folder.file()).unwrap();
    // Where the format of SQLite's files has `user_version`.
    assert_eq!(bytes[60..64], 1u32.to_be_bytes());
    bytes[60..64].copy_from_slice(&2u32.to_be_bytes());
    fs::write(folder.file(), &bytes).unwrap();

    let refusal = refusal(&folder.file());

    assert!(refusal.contains("the file has version 2"), "{refusal}");
    assert!(refusal.contains("update `tollgate`"), "{refusal}");
    assert_eq!(fs::read(folder.file()).unwrap(), bytes);
}

#[test]
fn another_program_s_file_is_refused_and_left_as_it_is() {
    let folder = Folder::new();
    drop(open(&folder));
    let mut bytes = fs::read(folder.file()).unwrap();
    // Where the format of SQLite's files has `application_id`.
    bytes[68..72].copy_from_slice(&[0; 4]);
    fs::write(folder.file(), &bytes).unwrap();
    let refused = refusal(&folder.file());
    assert!(refused.contains("not a store of `tollgate`"), "{refused}");
    assert_eq!(fs::read(folder.file()).unwrap(), bytes);

    let text = folder.path().join("text");
    fs::write(&text, "this is no database. ".repeat(100)).unwrap();
    refusal(&text);
    assert!(fs::read_to_string(&text).unwrap().starts_with("this is no database"));
}

#[test]
fn a_folder_in_which_nothing_can_be_made_is_refused() {
    let folder = Folder::new();
    fs::write(folder.path().join("text"), "").unwrap();

    refusal(&folder.path().join("missing/store.db"));
    refusal(&folder.path().join("text/store.db"));
    refusal(folder.path());
    refusal(std::path::Path::new(""));
}

#[cfg(unix)]
#[test]
fn a_read_only_folder_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o500)).unwrap();
    // The superuser writes everywhere, but not into this one.
    let is_superuser = fs::write(folder.path().join("probe"), "").is_ok();
    let file = if is_superuser { "/proc/self/store.db".into() } else { folder.file() };

    refusal(&file);

    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o700)).unwrap();
}

#[cfg(unix)]
#[tokio::test]
async fn only_its_owner_can_read_it() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let store = open(&folder);
    store.spend([1; 32], at(10)).await.unwrap();

    let files: Vec<_> = fs::read_dir(folder.path()).unwrap().map(Result::unwrap).collect();

    assert_eq!(files.len(), 3, "the file, its log and its index of the log");
    for file in files {
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600, "{file:?}");
    }
}

#[tokio::test]
async fn a_name_that_sqlite_would_read_otherwise_is_a_file() {
    let folder = Folder::new();
    for name in [":memory:", "file:store?mode=memory", "with space ä"] {
        let path = folder.path().join(name);

        drop(SqliteStore::open(&path).unwrap());

        assert!(path.is_file(), "{name}");
    }
}
