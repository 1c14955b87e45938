//! A list holds what its reader may use.

use std::time::Duration;

use serde_json::{Map, Value, json};
use tollgate::{Cache, Limits, Prompt, Resource, prelude::*};
use tollgate_tests::{Call, Connection, start};

use super::{
    archive::{Archive, LISTS, hierarchy, in_session, names, old, plain_jwt, server, uses, with},
    desk::jwt,
};

#[tokio::test]
async fn each_list_holds_what_its_reader_may_use_in_the_order_written() {
    let archive = Archive::open(jwt()).await;
    for (method, member, [free, scoped, hidden]) in LISTS {
        for (scopes, expected) in [
            ("", vec![free]),
            ("other Notes:write notes:write2", vec![free]),
            ("notes:read", vec![free]),
            ("notes:read notes:write", vec![free, scoped]),
            ("admin", vec![free, hidden]),
            ("admin notes:write notes:read", vec![free, scoped, hidden]),
        ] {
            assert_eq!(archive.names(method, member, scopes).await, expected, "{method} {scopes}");
        }
    }

    assert_eq!(archive.names("tools/list", "tools", "notes:write").await, ["look"], "both scopes are needed");
    assert_eq!(archive.work.count(), 0);
}

#[tokio::test]
async fn what_is_listed_can_be_used_and_what_is_not_cannot() {
    let archive = Archive::open(jwt()).await;
    for scopes in ["", "notes:read notes:write", "admin", "admin notes:write notes:read"] {
        let may = [true, scopes.contains("notes"), scopes.contains("admin")];
        for (at, may) in may.into_iter().enumerate() {
            for (method, params) in uses(at) {
                let before = archive.work.count();
                let answer = archive.ask(method, params.clone(), scopes).await;
                assert_eq!(answer.code() == 0, may, "{scopes} {method} {params}");
                // Nobody completes what that prompt takes.
                let ran = usize::from(may && params.pointer("/ref/name") != Some(&json!("sum")));
                assert_eq!(archive.work.count() - before, ran, "{scopes} {method} {params}");
            }
        }
    }
}

#[tokio::test]
async fn older_clients_see_the_same() {
    let archive = Archive::open(jwt()).await;
    let session = archive.session("").await;
    for (scopes, count) in
        [("", 1), ("notes:read notes:write", 2), ("admin", 2), ("admin notes:write notes:read", 3)]
    {
        for (method, member, _) in LISTS {
            let modern = archive.names(method, member, scopes).await;
            let answer = archive.send(in_session(old(method, json!({})), &session), scopes).await;
            assert_eq!(names(&answer.result(), member), modern, "{method} {scopes}");
            assert_eq!(modern.len(), count, "{method} {scopes}");
        }
    }
}

#[tokio::test]
async fn what_a_server_can_do_does_not_depend_on_the_caller() {
    let only_hidden = Tool::new("x", "Is there.", json!({"type": "object"}), async |_cx, _| Ok("done"));
    let server = Server::new("s", "1").tools(vec![only_hidden.scope("admin").hidden()]).auth(jwt());
    let running = start(server.clock(super::desk::Watch::new())).await;
    let ask = async |method: &str, scopes| {
        with(Call::modern(method, json!({})), scopes).send(running.address).await
    };

    assert_eq!(ask("server/discover", "").await.body, ask("server/discover", "admin").await.body);
    assert_eq!(ask("tools/list", "").await.result()["tools"], json!([]));
    assert_eq!(ask("tools/list", "admin").await.result()["tools"].as_array().map(Vec::len), Some(1));
    assert_eq!(ask("prompts/list", "admin").await.code(), -32601);
}

#[tokio::test]
async fn an_implied_scope_is_a_scope() {
    let archive = Archive::open(hierarchy()).await;

    assert_eq!(archive.names("tools/list", "tools", "notes:read").await, ["look"]);
    assert_eq!(archive.names("tools/list", "tools", "notes:write").await, ["look", "note"]);
    assert_eq!(archive.names("tools/list", "tools", "admin").await, ["look", "note", "wipe"]);
    let (method, params) = uses(1).remove(0);
    assert_eq!(archive.ask(method, params, "admin").await.code(), 0);
}

#[tokio::test]
async fn the_bytes_of_a_list_are_the_same_each_time() {
    let archive = Archive::open(jwt()).await;
    for (method, ..) in LISTS {
        for scopes in ["", "admin", "admin notes:read notes:write"] {
            let first = archive.ask(method, json!({}), scopes).await.body;
            for _ in 0..3 {
                assert_eq!(archive.ask(method, json!({}), scopes).await.body, first, "{method} {scopes}");
            }
        }
    }
    let reversed = archive.ask("tools/list", json!({}), "notes:read notes:write").await.body;
    assert_eq!(archive.ask("tools/list", json!({}), "notes:write notes:read other").await.body, reversed);
}

fn small_pages(server: Server<super::archive::Work>) -> Server<super::archive::Work> {
    let mut limits = Limits::default();
    limits.page_items = 1;
    server.limits(limits)
}

#[tokio::test]
async fn a_cursor_is_for_those_who_see_the_same_list() {
    let archive = Archive::of(jwt(), small_pages).await;
    let (all, writer) = ("admin notes:read notes:write", "notes:read notes:write");
    for (method, member, [free, scoped, hidden]) in LISTS {
        let mut seen = Vec::new();
        let mut cursors = Vec::new();
        let mut params = json!({});
        loop {
            let result = archive.ask(method, params, all).await.result();
            seen.extend(names(&result, member));
            assert_eq!(result["cacheScope"], "private", "{method}");
            let Some(cursor) = result.get("nextCursor") else { break };
            cursors.push(cursor.clone());
            params = json!({"cursor": cursor});
        }
        assert_eq!(seen, [free, scoped, hidden]);
        for cursor in &cursors {
            for other in ["", writer, "admin"] {
                let answer = archive.ask(method, json!({"cursor": cursor}), other).await;
                assert_eq!(answer.verdict(), (200, -32602), "{method} {other}");
            }
        }
        let narrow = archive.ask(method, json!({}), writer).await.result()["nextCursor"].clone();
        assert_eq!(archive.ask(method, json!({"cursor": narrow}), all).await.code(), -32602);
        let second = archive.ask(method, json!({"cursor": narrow}), writer).await.result();
        assert_eq!((names(&second, member), second.get("nextCursor")), (vec![scoped.to_owned()], None));
    }
}

#[tokio::test]
async fn a_list_that_depends_on_its_reader_is_private_whatever_was_configured() {
    let public = || Cache::public(Duration::from_secs(9));
    let free = || Prompt::new("free", "Is there.", async |_cx, _| Ok("told"));
    let scoped =
        || Tool::new("t", "Is there.", json!({"type": "object"}), async |_cx, _| Ok("done")).scope("a");
    let server = || Server::new("s", "1").cache(public()).tools(vec![scoped()]).prompts(vec![free()]);
    let scope = async |server: &Server, method: &str| {
        let result = server.client("ann").request(method, json!({})).await.response["result"].clone();
        assert_eq!(result["ttlMs"], 9_000);
        result["cacheScope"].as_str().unwrap().to_owned()
    };

    let guarded = server().auth(jwt());
    assert_eq!(scope(&guarded, "tools/list").await, "private");
    assert_eq!(scope(&guarded, "prompts/list").await, "public", "everybody sees the same prompts");
    assert_eq!(scope(&server().without_auth(), "tools/list").await, "public", "nobody has fewer scopes");
}

#[tokio::test]
async fn without_auth_everybody_has_every_scope() {
    let (server, work) = server();
    let server = server.without_auth();
    let running = start(server.clone()).await;
    for (method, member, all) in LISTS {
        let answer = Call::modern(method, json!({})).send(running.address).await;
        assert_eq!(names(&answer.result(), member), all, "{method}");
    }
    for (method, params) in uses(1).into_iter().chain(uses(2)) {
        assert_eq!(
            Call::modern(method, params.clone()).send(running.address).await.code(),
            0,
            "{method} {params}"
        );
    }
    assert_eq!(work.count(), 12);
}

#[tokio::test]
async fn on_stdio_everybody_has_every_scope() {
    use tokio::io::AsyncReadExt;
    let (server, _) = server();
    let mut input = Vec::new();
    for (id, call) in
        [Call::modern("tools/list", json!({})), Call::modern("tools/call", json!({"name": "wipe"}))]
            .into_iter()
            .enumerate()
    {
        let call = call.edit(|it| it["id"] = id.into());
        input.extend_from_slice(&call.body);
        input.push(b'\n');
    }
    let (mut ours, theirs) = tokio::io::duplex(64 * 1024);

    server.auth(jwt()).serve_streams(std::io::Cursor::new(input), theirs).await.unwrap();
    let mut said = String::new();
    ours.read_to_string(&mut said).await.unwrap();

    assert!(said.contains("\"name\":\"wipe\"") && said.contains("done"), "{said}");
}

#[tokio::test]
async fn a_client_in_memory_has_the_scopes_that_it_is_given() {
    let (server, work) = server();
    let server = server.auth(jwt());
    let list = async |client: &tollgate::Client| {
        names(&client.request("tools/list", json!({})).await.response["result"], "tools")
    };

    assert_eq!(list(&server.client("ann")).await, ["look", "note", "wipe"]);
    let narrow = server.client("ann").with_scopes(["notes:read", "notes:write"]);
    assert_eq!(list(&narrow).await, ["look", "note"]);
    assert_eq!(list(&server.client("ann").with_scopes([""; 0])).await, ["look"]);
    assert_eq!(narrow.request("tools/call", json!({"name": "wipe"})).await.status, 200);
    let refused =
        server.client("ann").with_scopes(["admin"]).request("tools/call", json!({"name": "note"})).await;
    assert_eq!((refused.status, work.count()), (403, 0));
}

#[tokio::test]
async fn more_different_readers_than_are_kept_see_their_own_lists() {
    let letters = ["a", "b", "c", "d", "e", "f", "g"];
    let tool = |name: &&str| {
        let schema = json!({"type": "object"});
        Tool::new(*name, "Is there.", schema, async |_cx, _: Map<String, Value>| Ok("done")).scope(name)
    };
    let server = Server::new("s", "1").tools(letters.iter().map(tool).collect::<Vec<_>>()).auth(jwt());
    let subsets = || {
        (0..1_u32 << letters.len()).map(|bits| {
            letters
                .iter()
                .enumerate()
                .filter(move |it| bits >> it.0 & 1 == 1)
                .map(|it| (*it.1).to_owned())
                .collect::<Vec<_>>()
        })
    };

    let clients: Vec<_> = subsets().map(|it| server.client("ann").with_scopes(it)).collect();
    for _ in 0..2 {
        for (client, expected) in clients.iter().zip(subsets()) {
            let result = client.request("tools/list", json!({})).await.response["result"].clone();
            assert_eq!(names(&result, "tools"), expected);
        }
    }
}

#[tokio::test]
async fn a_reader_of_an_older_list_sees_the_new_one() {
    let archive = Archive::open(jwt()).await;
    let catalog = archive.server.catalog();
    let tool = |scope: &str| {
        let schema = json!({"type": "object"});
        Tool::new("new", "Is there.", schema, async |_cx, _: Map<String, Value>| Ok("done")).scope(scope)
    };
    let seen = async || archive.names("tools/list", "tools", "notes:read notes:write").await;
    assert_eq!(seen().await, ["look", "note"]);

    catalog.add_tool(tool("notes:read")).unwrap();
    assert_eq!(seen().await, ["look", "note", "new"]);
    catalog.add_tool(tool("admin")).unwrap();
    assert_eq!(seen().await, ["look", "note"]);
    catalog.remove_tool("note");
    assert_eq!(seen().await, ["look"]);
    catalog.remove_tool("new");
    catalog.remove_tool("wipe");
    assert_eq!(seen().await, ["look"]);
}

#[tokio::test]
async fn only_who_may_read_a_resource_hears_that_it_has_changed() {
    let archive = Archive::open(jwt()).await;
    let catalog = archive.server.catalog();
    let uris =
        ["note://codes", "codes://ann", "note://draft", "draft://ann", "note://nothing", "note://today"];
    let listen = async |scopes| {
        let params = json!({"notifications": {"resourceSubscriptions": uris}});
        let mut connection = Connection::open(archive.running.address).await;
        connection.send(&with(Call::modern("subscriptions/listen", params), scopes).bytes()).await;
        assert_eq!(connection.head().await.status, 200);
        let first = connection.event().await.unwrap();
        assert_eq!(first["params"]["notifications"]["resourceSubscriptions"], json!(uris));
        connection
    };
    for (scopes, heard) in [
        ("", vec!["note://nothing", "note://today"]),
        ("notes:write", vec!["note://draft", "draft://ann", "note://nothing", "note://today"]),
        ("admin", vec!["note://codes", "codes://ann", "note://nothing", "note://today"]),
    ] {
        let mut listener = listen(scopes).await;
        for uri in uris {
            catalog.resource_updated(uri);
        }
        let mut told = Vec::new();
        for _ in &heard {
            told.push(listener.event().await.unwrap()["params"]["uri"].as_str().unwrap().to_owned());
        }
        told.sort_unstable();
        let mut heard = heard;
        heard.sort_unstable();
        assert_eq!(told, heard, "{scopes}");
    }
}

#[test]
fn what_is_made_at_run_time_is_checked_when_it_is_added() {
    let tool = || Tool::new("t", "Is there.", json!({"type": "object"}), async |_cx, _| Ok("done"));
    let prompt = || Prompt::new("p", "Is there.", async |_cx, _| Ok("told"));
    let resource = || Resource::new("r://r", "r", async |_cx, _| Ok("held"));
    let faults = |server: Server<(), tollgate::AuthUndecided>| match server.without_auth().check().run() {
        Ok(_) => Vec::new(),
        Err(error) => error.faults().to_vec(),
    };
    let new = || Server::new("s", "1");
    for (server, expected) in [
        (new().tools(vec![tool().scope("a b").scope("a")]), None),
        (new().tools(vec![tool().scope("a  b")]), Some("the tool `t`: `` is no scope")),
        (new().prompts(vec![prompt().scope("a\"")]), Some("the prompt `p`: `a\"` is no scope")),
        (new().resources(vec![resource().scope("ä")]), Some("the resource `r://r`: `ä` is no scope")),
        (
            new().tools(vec![tool().scope("offline_access")]),
            Some("the tool `t`: `offline_access` is between"),
        ),
        (new().tools(vec![tool().hidden()]), Some("the tool `t`: it is hidden and has no scope")),
        (new().prompts(vec![prompt().hidden()]), Some("the prompt `p`: it is hidden and has no scope")),
        (
            new().resources(vec![resource().hidden()]),
            Some("the resource `r://r`: it is hidden and has no scope"),
        ),
        (
            new().resources(vec![resource().shared().scope("a")]),
            Some("the resource `r://r`: it is shared and needs"),
        ),
    ] {
        let faults = faults(server);
        assert_eq!(faults.len(), usize::from(expected.is_some()), "{faults:?}");
        assert!(faults.iter().zip(expected).all(|(it, expected)| it.starts_with(expected)), "{faults:?}");
    }

    let catalog = new().auth(plain_jwt()).catalog();
    assert!(catalog.add_tool(tool().hidden()).is_err());
    assert!(catalog.add_prompt(prompt().scope("")).is_err());
    assert!(catalog.add_resource(resource().scope("a\tb")).is_err());
    assert!(catalog.add_tool(tool().scope("a").hidden()).is_ok());
}
