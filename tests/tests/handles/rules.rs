//! Who may use a record is what its kind says, asked on every call.

use serde::{Deserialize, Serialize};
use tollgate::{Access, Action, Caller, Rights, prelude::*};

use super::shop::told;

#[derive(Record, Serialize, Deserialize)]
#[record(authorize = may_use)]
struct Draft {
    is_locked: bool,
}

/// What is locked is read only, for its owner as well.
fn may_use(_: &Caller, draft: &Draft, access: Access) -> bool {
    !draft.is_locked || access.action == Action::Read
}

#[derive(Record, Serialize, Deserialize)]
#[record(owner_only)]
struct Diary(String);

/// Starts a draft.
///
/// Use when there is none.
/// Do not use when there is one.
#[tool]
async fn start(cx: &Cx) -> Result<Handle<Draft>> {
    cx.mint(Draft { is_locked: false }).await
}

/// Locks a draft.
///
/// Use when it is done.
/// Do not use when it is not.
#[tool]
async fn lock(draft: Held<Draft>) -> Result {
    draft.update(|it| it.is_locked = true).await
}

/// Reads a draft.
///
/// Use when it is to be read.
/// Do not use when it is not.
#[tool(read_only)]
async fn read(draft: Held<Draft>) -> Result<bool> {
    Ok(draft.load().await?.is_locked)
}

/// Changes a draft though it says that it only reads.
///
/// Use when it is tested.
/// Do not use when it is not.
#[tool(read_only)]
async fn sneak(draft: Held<Draft>) -> Result {
    draft.update(|it| it.is_locked = true).await
}

/// Starts a diary.
///
/// Use when there is none.
/// Do not use when there is one.
#[tool]
async fn start_diary(cx: &Cx) -> Result<Handle<Diary>> {
    cx.mint(Diary("dear".into())).await
}

/// Shares a diary.
///
/// Use when it is tested.
/// Do not use when it is not.
#[tool]
async fn share_diary(diary: Held<Diary>) -> Result {
    diary.share("bob", Rights::ALL, std::time::Duration::from_secs(60)).await
}

/// Reads a diary.
///
/// Use when it is to be read.
/// Do not use when it is not.
#[tool(read_only)]
async fn read_diary(diary: Held<Diary>) -> Result<String> {
    Ok(diary.load().await?.0)
}

fn server() -> Server {
    Server::new("rules", "1")
        .tools(tools![start, lock, read, sneak, start_diary, share_diary, read_diary])
        .without_auth()
}

#[tokio::test]
async fn the_rule_sees_the_record_and_what_is_done_with_it() {
    let ann = server().client("ann");
    let draft = ann.call(start {}).await.unwrap();

    ann.call(lock { draft: draft.clone() }).await.unwrap();

    assert!(ann.call(read { draft: draft.clone() }).await.unwrap());
    let again = told(ann.call(lock { draft }).await);
    assert_eq!(
        again,
        "`draft`: there is no such draft. Use a handle that this user was given, or make a new one."
    );
}

#[tokio::test]
async fn the_rule_is_asked_for_what_is_done_and_not_for_what_was_said() {
    let ann = server().client("ann");
    let draft = ann.call(start {}).await.unwrap();
    ann.call(lock { draft: draft.clone() }).await.unwrap();

    assert!(ann.call(sneak { draft }).await.is_err());
}

#[tokio::test]
async fn what_is_its_owners_only_is_that_though_it_was_shared() {
    let server = server();
    let (ann, bob) = (server.client("ann"), server.client("bob"));
    let diary = ann.call(start_diary {}).await.unwrap();

    ann.call(share_diary { diary: diary.clone() }).await.unwrap();

    assert_eq!(ann.call(read_diary { diary: diary.clone() }).await.unwrap(), "dear");
    let foreign = told(bob.call(read_diary { diary }).await);
    assert_eq!(
        foreign,
        "`diary`: there is no such diary. Use a handle that this user was given, or make a new one."
    );
}
