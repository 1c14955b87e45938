//! What holds on every transport (basic/transports).

use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};
use tollgate_tests::{Call, start};

use super::{
    house::{meta_with_forms, server},
    lines::{Lines, call, request},
};

/// Text from every corner of Unicode, and what a line or an event must not be broken by.
const TEXT: &str = "h\u{e9}llo \u{4e16}\u{754c} \u{1f980} \u{2028}\u{0}\r\n\n\"\\";

// S-056.
#[tokio::test]
async fn text_of_any_script_comes_back_as_it_was_sent() {
    let running = start(server()).await;
    let mut lines = Lines::open(server());
    let arguments = json!({"text": TEXT});

    let http = Call::tool("echo", &arguments).send(running.address).await;
    let stream = Call::tool("say", &arguments).edit(|it| it["params"]["_meta"]["progressToken"] = 1.into());
    let stream = stream.send(running.address).await;
    let stdio = lines.ask(&call(1, "echo", &arguments)).await;

    assert_eq!(http.result()["content"][0]["text"], TEXT);
    assert_eq!(stream.result()["content"][0]["text"], TEXT);
    assert_eq!(stdio["result"]["content"][0]["text"], TEXT);
    assert!(String::from_utf8(http.body).unwrap().contains('\u{1f980}'));
}

// S-056.
#[tokio::test]
async fn bytes_that_are_no_utf_8_are_no_message() {
    let running = start(server()).await;
    let mut lines = Lines::open(server());
    let latin_1 = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"caf\xe9\"}";
    let utf_16: Vec<u8> = "{\"jsonrpc\":\"2.0\"}".encode_utf16().flat_map(u16::to_le_bytes).collect();

    for bytes in [&latin_1[..], &utf_16, b"\xef\xbb\xbf{}", b"\"\xed\xa0\x80\""] {
        let http = Call::modern("tools/list", json!({})).body(bytes).send(running.address).await;
        assert_eq!(http.verdict(), (400, -32700));
        lines.write(bytes).await;
        assert_eq!(lines.next().await["error"]["code"], -32700);
    }
    assert!(lines.ask(&request(1, "tools/list", json!({}))).await["result"].is_object());
}

// S-057, S-062, S-075.
#[tokio::test]
async fn a_modern_server_sends_responses_and_notifications_alone() {
    let running = start(server()).await;
    let mut lines = Lines::open(server());
    let ask = json!({"name": "ask", "arguments": {"host": "Ann"}, "_meta": meta_with_forms()});

    let http = Call::modern("tools/call", ask.clone()).send(running.address).await;
    lines.send(&request(1, "tools/call", ask)).await;
    lines
        .send(&request(2, "subscriptions/listen", json!({"notifications": {"toolsListChanged": true}})))
        .await;
    let mut messages = lines.end().await;
    messages.push(http.json());

    let is_request = |it: &Value| it.get("method").is_some() && it.get("id").is_some();
    assert!(messages.iter().all(|it| !is_request(it)), "{messages:?}");
    assert!(messages.len() >= 4);
}

// S-057.
#[tokio::test]
async fn a_response_from_a_modern_client_is_refused_or_passed_over() {
    let running = start(server()).await;
    let mut lines = Lines::open(server().modern_only());
    let response = json!({"jsonrpc": "2.0", "id": 1, "result": {}});

    let http = Call::post(&response.to_string()).header("MCP-Protocol-Version: 2026-07-28");
    let http = http.send(running.address).await;
    lines.send(&response).await;

    assert_eq!(http.verdict(), (400, -32600));
    // An error with that id would be taken for the answer to a request of the client.
    assert_eq!(lines.end().await, [] as [Value; 0]);
}

// S-058, S-059.
#[tokio::test]
async fn a_byte_stream_of_any_kind_carries_the_lines_of_stdio() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let stream = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
    let (theirs, _) = listener.accept().await.unwrap();
    let (input, output) = theirs.into_split();
    let served = tokio::spawn(server().serve_streams(tokio::io::BufReader::new(input), output));

    let mut stream = stream;
    let line = format!("{}\n", request(1, "server/discover", json!({})));
    tokio::io::AsyncWriteExt::write_all(&mut stream, line.as_bytes()).await.unwrap();
    tokio::io::AsyncWriteExt::shutdown(&mut stream).await.unwrap();
    let mut answer = String::new();
    tokio::io::AsyncReadExt::read_to_string(&mut stream, &mut answer).await.unwrap();

    let answer: Value = serde_json::from_str(answer.strip_suffix('\n').unwrap()).unwrap();
    assert_eq!(answer["result"]["resultType"], "complete");
    served.await.unwrap().unwrap();
}

// S-058.
#[tokio::test]
async fn a_client_that_leaves_takes_no_other_along() {
    let server = server();
    let mut stays = Lines::open(server.clone());
    let leaves = Lines::open(server.clone());
    let running = start(server).await;

    leaves.end().await;
    let lines = stays.ask(&request(1, "tools/list", json!({}))).await;
    let http = Call::modern("tools/list", json!({})).send(running.address).await;

    assert!(lines["result"].is_object(), "{lines}");
    assert_eq!(http.status, 200);
}
