//! Servers that misbehave: what is said of them, and that nothing hangs.

use std::time::{Duration, Instant};

use serde_json::json;

use super::{
    kit::tollgate,
    stranger::{Reply, Stranger, script},
};

fn on_script(arguments: &[&str], text: &str) -> super::kit::Run {
    tollgate(&[arguments, &["--"], &script(text)].concat())
}

#[test]
fn a_child_that_dies_is_quoted() {
    let run = on_script(&["list", "--era", "legacy"], "echo 'no database' >&2; exit 7").ends_with(1);

    assert!(run.err.contains("`sh` ended (exit status: 7) before it had answered"), "{run:?}");
    assert!(run.err.contains("standard error:\n  no database"), "{run:?}");
}

#[test]
fn a_child_that_writes_something_else_to_its_output_is_told_where_that_belongs() {
    let run = on_script(&["list"], "echo 'Server is running!'; read -r line").ends_with(1);

    assert!(run.err.contains("it wrote `Server is running!` to standard output"), "{run:?}");
}

#[test]
fn a_child_that_keeps_silent_is_not_waited_for_without_end() {
    let run = on_script(&["list", "--era", "legacy", "--timeout", "50ms"], "cat >/dev/null").ends_with(1);

    assert!(run.err.contains("the server said nothing for 50ms; wait longer with `--timeout`"), "{run:?}");
}

#[test]
fn a_child_and_what_it_started_are_ended() {
    let folder = super::kit::Folder::new();
    let pids = folder.at("pids");
    // Neither ends when its input does, nor when it is asked to.
    let text = format!(
        "trap '' TERM; (trap '' TERM; while :; do sleep 1; done) & echo $$ $! > {pids}; echo x; wait"
    );

    on_script(&["list"], &text).ends_with(1);

    let pids = folder.read("pids");
    for pid in pids.split_whitespace() {
        assert!(ends(pid), "{pid}");
    }
}

#[test]
fn a_child_does_not_outlive_a_command_that_is_told_to_end() {
    let folder = super::kit::Folder::new();
    let pids = folder.at("pids");
    // It never reads, so it would never learn that nobody is there any more.
    let text = format!("trap '' TERM; echo $$ > {pids}.new; mv {pids}.new {pids}; while :; do sleep 1; done");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tollgate"))
        .args(["list", "--era", "legacy", "--"])
        .args(script(&text))
        .spawn()
        .unwrap();
    while !std::path::Path::new(&pids).exists() {
        std::thread::yield_now();
    }

    let told =
        std::process::Command::new("kill").args(["-TERM", &command.id().to_string()]).status().unwrap();
    let code = command.wait().unwrap().code();

    assert!(told.success());
    assert_eq!(code, Some(143));
    assert!(ends(folder.read("pids").trim()));
}

/// Whether a process that was killed ends. One that has ended, and whom nobody has asked about yet, has.
fn ends(pid: &str) -> bool {
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(5) {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        if stat.is_empty() || stat.contains(") Z ") {
            return true;
        }
        std::thread::yield_now();
    }
    false
}

#[test]
fn a_command_that_is_not_there_is_named() {
    let run = tollgate(&["list", "--", "no-such-command"]).ends_with(1);

    assert!(run.err.contains("`no-such-command` does not start"), "{run:?}");
}

#[test]
fn a_cursor_that_comes_again_ends_the_list() {
    let stranger = Stranger::modern(|it| Reply::result(it, json!({"tools": [], "nextCursor": "again"})));

    let run = tollgate(&["list", "-u", &stranger.url]).ends_with(1);

    assert!(run.err.contains("repeats a cursor"), "{run:?}");
    assert_eq!(stranger.seen().len(), 3);
}

#[test]
fn nothing_that_a_server_says_moves_the_cursor() {
    let evil = "\u{1b}[2J\u{1b}]0;pwned\u{7}\u{202e}evil\u{200b}";
    let stranger = Stranger::modern(move |request| match request.method() {
        "tools/list" => {
            let tool =
                json!({"name": format!("a{evil}"), "description": evil, "inputSchema": {"type": "object"}});
            Reply::result(request, json!({"tools": [tool]}))
        }
        _ => Reply::error(request, 200, -32000, evil),
    });

    let list = tollgate(&["list", "-u", &stranger.url]).ends_with(0);
    let call = tollgate(&["call", &format!("a{evil}"), "-u", &stranger.url]).ends_with(1);
    let budget = tollgate(&["budget", "-u", &stranger.url]).ends_with(0);
    let github = tollgate(&["budget", "--max", "1", "--format", "github", "-u", &stranger.url]).ends_with(2);

    for shown in [&list.out, &call.err, &budget.out, &github.out] {
        assert!(shown.contains("evil"), "{shown:?}");
        assert!(!shown.contains(['\u{1b}', '\u{7}', '\u{202e}', '\u{200b}']), "{shown:?}");
    }
}

#[test]
fn a_page_of_a_web_site_is_no_answer() {
    let stranger = Stranger::start(|_| Reply::new(200, "text/html", "<html>Welcome</html>"));

    let run = tollgate(&["list", "-u", &stranger.url]).ends_with(1);

    assert!(run.err.contains("it answered with text/html: `<html>Welcome</html>`"), "{run:?}");
}

#[test]
fn json_that_is_no_message_is_no_answer() {
    for body in ["[]", "7", "{}", r#"{"jsonrpc":"2.0","id":1}"#] {
        let stranger = Stranger::start(move |_| Reply::new(200, "application/json", body));

        let run = tollgate(&["list", "-u", &stranger.url]).ends_with(1);

        assert!(run.err.contains("that is no MCP server"), "{body} {run:?}");
    }
}

#[test]
fn an_answer_that_breaks_off_is_no_answer() {
    let stranger = Stranger::modern(|_| Reply::new(200, "text/event-stream", "data: {\"jsonrpc\""));

    let run = tollgate(&["list", "-u", &stranger.url]).ends_with(1);

    assert!(run.err.contains("it ended its answer before it had said anything"), "{run:?}");
}

#[test]
fn a_server_that_asks_without_end_is_left() {
    let stranger = Stranger::modern(|request| match request.method() {
        "tools/list" => {
            Reply::result(request, json!({"tools": [{"name": "nag", "inputSchema": {"type": "object"}}]}))
        }
        _ => Reply::result(
            request,
            json!({"resultType": "input_required", "inputRequests": {}, "requestState": "s"}),
        ),
    });

    let run = tollgate(&["call", "nag", "-u", &stranger.url]).ends_with(1);

    assert!(run.err.contains("asked 20 times and gave no result"), "{run:?}");
    assert_eq!(stranger.seen().last().unwrap().body["params"]["requestState"], "s");
}

#[test]
fn places_that_have_to_be_visited_first_are_named() {
    let stranger = Stranger::legacy(|request| match request.method() {
        "tools/list" => {
            Reply::result(request, json!({"tools": [{"name": "pay", "inputSchema": {"type": "object"}}]}))
        }
        _ => {
            let data =
                json!({"elicitations": [{"mode": "url", "url": "https://pay.example/7", "message": "Pay."}]});
            let error = json!({"code": -32042, "message": "visit", "data": data});
            let answer = json!({"jsonrpc": "2.0", "id": request.body["id"], "error": error});
            Reply::new(200, "application/json", answer.to_string())
        }
    });

    let run = tollgate(&["call", "pay", "-u", &stranger.url]).ends_with(1);

    assert!(run.err.contains("visited first, and then the call again:\n  https://pay.example/7"), "{run:?}");
}

#[test]
fn an_older_server_may_ask_for_what_this_client_never_declared_and_is_refused() {
    let stranger = Stranger::legacy(|request| match request.method() {
        "tools/list" => {
            Reply::result(request, json!({"tools": [{"name": "nag", "inputSchema": {"type": "object"}}]}))
        }
        "tools/call" => {
            let ask = json!({"jsonrpc": "2.0", "id": "q", "method": "sampling/createMessage", "params": {}});
            let result = json!({"content": [{"type": "text", "text": "done"}]});
            Reply::events(&[ask, json!({"jsonrpc": "2.0", "id": request.body["id"], "result": result})])
        }
        _ => Reply::new(202, "text/plain", ""),
    });

    let run = tollgate(&["call", "nag", "-u", &stranger.url]).ends_with(0);

    let answer = stranger.seen().into_iter().find(|it| it.body["id"] == "q").unwrap();
    assert_eq!(answer.body["error"]["code"], -32601);
    assert!(run.err.contains("`sampling/createMessage`, which this command does not do"), "{run:?}");
}
