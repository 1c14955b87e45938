//! Connections that send nothing, too little, too slowly or too much, and that break off.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::{sleep, timeout},
};
use tollgate::{Limits, prelude::*};
use tollgate_tests::{Answer, Call, Connection, Running, start};

use super::fixture::{Runs, server_with, take_with};

/// A tenth of a second and more where the default is ten of them.
fn short(limits: &mut Limits) {
    limits.head_time = Duration::from_millis(300);
    limits.body_time = Duration::from_millis(600);
    limits.body_gap = Duration::from_millis(300);
    limits.body_bytes = 64 * 1024;
    limits.bodies_bytes = 100 * 1024;
}

/// Long enough for any of them on the slowest machine.
const PATIENCE: Duration = Duration::from_secs(10);

async fn running(limit: impl FnOnce(&mut Limits)) -> (Running, Runs) {
    let (server, runs) = server_with(limit);
    (start(server).await, runs)
}

async fn good(running: &Running) -> bool {
    take_with(&json!({"v": 1})).send(running.address).await.status == 200
}

/// All that comes until the other side closes.
async fn until_closed(mut stream: TcpStream) -> Vec<u8> {
    let mut all = Vec::new();
    // A reset is an end as well.
    let _ = timeout(PATIENCE, stream.read_to_end(&mut all)).await.expect("it closes");
    all
}

/// The head of a good call that says its body has so many bytes.
fn head(length: &str) -> Vec<u8> {
    let mut call = take_with(&json!({"v": 1})).header(format!("Content-Length: {length}"));
    call.with_length = false;
    call.body(b"").bytes()
}

/// Sends a byte now and then, until the other side has had enough. Says what it said.
async fn drip(stream: TcpStream, bytes: &'static [u8]) -> Vec<u8> {
    let (mut read, mut write) = stream.into_split();
    let dripping = tokio::spawn(async move {
        for byte in bytes.iter().cycle() {
            if write.write_all(&[*byte]).await.is_err() {
                return;
            }
            sleep(Duration::from_millis(20)).await;
        }
    });
    let mut all = Vec::new();
    let closed = timeout(PATIENCE, read.read_to_end(&mut all)).await;
    dripping.abort();
    let _ = closed.expect("it closes");
    all
}

// V31; S-045.
#[tokio::test]
async fn who_says_nothing_is_sent_away() {
    let (running, runs) = running(short).await;
    let mut silent = Vec::new();
    for _ in 0..300 {
        silent.push(TcpStream::connect(running.address).await.unwrap());
    }

    assert!(good(&running).await, "silent ones hold up another");
    for silent in silent {
        until_closed(silent).await;
    }

    assert_eq!(runs.count(), 1);
    assert!(good(&running).await);
}

// V31; S-045.
#[tokio::test]
async fn a_head_has_to_come_whole_and_in_time() {
    let (running, runs) = running(short).await;
    let halves: [&[u8]; 4] =
        [b"P", b"POST /mcp HTTP/1.1\r\n", b"POST /mcp HTTP/1.1\r\nHost: local", b"PRI * HTTP/2.0\r\n\r\nS"];

    for half in halves {
        let mut stream = TcpStream::connect(running.address).await.unwrap();
        stream.write_all(half).await.unwrap();
        until_closed(stream).await;
    }
    let mut dripping = TcpStream::connect(running.address).await.unwrap();
    dripping.write_all(b"POST /mcp HTTP/1.1\r\nX: ").await.unwrap();
    drip(dripping, b"x").await;

    assert_eq!(runs.count(), 0);
    assert!(good(&running).await);
}

// V31; S-045.
#[tokio::test]
async fn a_body_has_to_come_whole_and_in_time() {
    let (running, runs) = running(short).await;

    for part in [b"".as_slice(), b"{", b"{\"jsonrpc\":\"2.0\","] {
        let mut stream = TcpStream::connect(running.address).await.unwrap();
        stream.write_all(&[&head("300"), part].concat()).await.unwrap();
        let answer = until_closed(stream).await;
        assert!(answer.starts_with(b"HTTP/1.1 408 "), "{}", answer.escape_ascii());
    }
    let mut stream = TcpStream::connect(running.address).await.unwrap();
    stream.write_all(&head("60000")).await.unwrap();
    let answer = drip(stream, b" ").await;

    assert!(answer.starts_with(b"HTTP/1.1 408 "), "{}", answer.escape_ascii());
    assert_eq!(runs.count(), 0);
    assert!(good(&running).await);
}

// V31.
#[tokio::test]
async fn a_connection_that_is_kept_alive_is_not_kept_for_ever() {
    let (running, _) = running(short).await;
    let mut connection = Connection::open(running.address).await;

    connection.send(&take_with(&json!({"v": 1})).bytes()).await;
    let answer = connection.answer().await;

    assert_eq!(answer.status, 200);
    assert!(connection.closes_within(PATIENCE).await);
}

#[tokio::test]
async fn a_stream_outlasts_the_time_that_a_head_has() {
    let server = Server::new("corpus", "1").tools(tools![]).dynamic().without_auth();
    let mut limits = Limits::default();
    short(&mut limits);
    let running = start(server.limits(limits)).await;
    let mut connection = Connection::open(running.address).await;
    let listen = Call::modern("subscriptions/listen", json!({"notifications": {"toolsListChanged": true}}));

    connection.send(&listen.bytes()).await;
    assert_eq!(connection.head().await.status, 200);
    assert!(connection.event().await.is_some());

    assert!(!connection.closes_within(Duration::from_secs(1)).await);
}

// V23; S-046.
#[tokio::test]
async fn a_body_that_says_it_is_too_large_is_not_read() {
    let (running, runs) = running(short).await;

    for length in ["65537", "1000000", "4294967296", "9223372036854775807", "18446744073709551000"] {
        let mut stream = TcpStream::connect(running.address).await.unwrap();
        // Not one byte of the body is sent: the answer does not wait for it.
        stream.write_all(&head(length)).await.unwrap();
        let answer = until_closed(stream).await;
        assert!(answer.starts_with(b"HTTP/1.1 413 "), "{length}: {}", answer.escape_ascii());
    }
    let whole = |bytes: usize| {
        let rest = bytes - take_with(&json!({"v": ""})).body.len();
        take_with(&json!({"v": "w".repeat(rest)}))
    };

    assert_eq!(whole(65_536).send(running.address).await.status, 200);
    assert_eq!(whole(65_537).send(running.address).await.verdict(), (413, -32600));
    assert_eq!(runs.count(), 1);
    assert!(good(&running).await);
}

// V23; S-046.
#[tokio::test]
async fn a_body_in_chunks_is_read_up_to_the_limit() {
    let (running, runs) = running(short).await;
    let mut call = take_with(&json!({"v": 1})).header("Transfer-Encoding: chunked");
    call.with_length = false;
    let mut stream = TcpStream::connect(running.address).await.unwrap();
    stream.write_all(&call.body(b"").bytes()).await.unwrap();
    let (mut read, mut write) = stream.into_split();
    let chunk = [b"1000\r\n".as_slice(), &[b' '; 4_096], b"\r\n"].concat();
    // A gigabyte, if nobody stops it.
    let sending = tokio::spawn(async move {
        let mut sent = 0_usize;
        while sent < 1 << 30 && write.write_all(&chunk).await.is_ok() {
            sent += 4_096;
        }
        sent
    });

    let mut answer = vec![0; 12];
    timeout(PATIENCE, read.read_exact(&mut answer)).await.unwrap().unwrap();
    drop(read);
    let sent = timeout(PATIENCE, sending).await.unwrap().unwrap();

    assert_eq!(answer, b"HTTP/1.1 413");
    assert!(sent < 64 << 20, "{sent} bytes were taken");
    assert_eq!(runs.count(), 0);
    assert!(good(&running).await);
}

// V23; S-046.
#[tokio::test]
async fn all_bodies_together_are_bounded() {
    let (running, runs) = running(|limits| {
        short(limits);
        limits.body_gap = PATIENCE;
        limits.body_time = PATIENCE;
    })
    .await;
    let body = take_with(&json!({"v": "w".repeat(60_000)}));
    let bytes = body.bytes();
    let mut first = Connection::open(running.address).await;
    first.send(&bytes[..bytes.len() - 1]).await;

    // The first one's bytes are counted as they are read, so the second is asked until they are.
    let refused = timeout(PATIENCE, async {
        while body.send(running.address).await.status == 200 {}
        body.send(running.address).await
    });
    let refused: Answer = refused.await.expect("two such bodies are too many");

    assert_eq!(refused.status, 503);
    assert!(refused.header("retry-after").is_some());
    first.send(&bytes[bytes.len() - 1..]).await;
    assert_eq!(first.answer().await.status, 200);
    assert_eq!(body.send(running.address).await.status, 200, "the first one's bytes are still counted");
    assert!(runs.count() >= 2);
}

// V22, V33; S-047.
#[tokio::test]
async fn a_body_that_breaks_off_runs_nothing() {
    let (running, runs) = running(short).await;
    let bytes = take_with(&json!({"v": 1})).bytes();

    for left in [1, 10, 100] {
        let part = &bytes[..bytes.len() - left];
        let mut closed = TcpStream::connect(running.address).await.unwrap();
        closed.write_all(part).await.unwrap();
        closed.shutdown().await.unwrap();
        until_closed(closed).await;
        let mut reset = TcpStream::connect(running.address).await.unwrap();
        reset.write_all(part).await.unwrap();
        reset.set_zero_linger().unwrap();
        drop(reset);
        assert!(good(&running).await);
    }

    assert_eq!(runs.count(), 3);
}

// V39; S-048.
#[tokio::test]
async fn a_connection_too_many_is_closed_and_takes_no_place() {
    let (running, _) = running(|it| it.connections = 4).await;
    let mut held = Vec::new();
    for _ in 0..4 {
        let mut connection = Connection::open(running.address).await;
        connection.send(&take_with(&json!({"v": 1})).bytes()).await;
        assert_eq!(connection.answer().await.status, 200);
        held.push(connection);
    }

    for _ in 0..50 {
        assert!(Connection::open(running.address).await.closes_within(PATIENCE).await);
    }
    held.pop();

    // The place is free once the server has seen that connection end.
    let served = timeout(PATIENCE, async { while !good(&running).await {} }).await;
    assert!(served.is_ok());
}

/// How many calls of `stream` are alive.
#[derive(Clone, Debug, Default)]
struct Alive(Arc<AtomicUsize>);

struct Living(Alive);

impl Living {
    fn new(alive: &Alive) -> Self {
        alive.0.fetch_add(1, Ordering::SeqCst);
        Self(alive.clone())
    }
}

impl Drop for Living {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Reports progress and never ends.
///
/// Use when a stream has to break off.
/// Do not use when an end is awaited.
#[tool]
async fn stream(cx: &Cx<Alive>) -> String {
    let _living = Living::new(cx.state());
    cx.progress("started").await;
    std::future::pending().await
}

// V22, V33, V34; S-049.
#[tokio::test]
async fn a_thousand_streams_that_break_off_leave_nothing_behind() {
    const AT_ONCE: usize = 100;
    let alive = Alive::default();
    let mut limits = Limits::default();
    limits.calls = 2 * AT_ONCE;
    limits.listeners = AT_ONCE;
    let server = Server::new("streams", "1").state(alive.clone()).limits(limits).tools(tools![stream]);
    let running = start(server.without_auth()).await;
    let progress =
        Call::tool("stream", &json!({})).edit(|it| it["params"]["_meta"]["progressToken"] = json!(1));
    let listen = Call::modern("subscriptions/listen", json!({"notifications": {"toolsListChanged": true}}));

    for round in 0..10 {
        let mut open = Vec::new();
        for at in 0..AT_ONCE {
            let call = if at % 2 == 0 { &progress } else { &listen };
            let mut connection = Connection::open(running.address).await;
            connection.send(&call.bytes()).await;
            assert_eq!(connection.head().await.status, 200, "round {round}, stream {at}");
            assert!(connection.event().await.is_some(), "round {round}, stream {at}");
            open.push(connection.into_stream());
        }
        for stream in open {
            stream.set_zero_linger().unwrap();
        }
        let ended = timeout(PATIENCE, async {
            while alive.0.load(Ordering::SeqCst) > 0 {
                tokio::task::yield_now().await;
            }
        });
        assert!(ended.await.is_ok(), "round {round}: {alive:?}");
    }

    assert_eq!(Call::modern("tools/list", json!({})).send(running.address).await.status, 200);
    running.stop().await.unwrap();
}
