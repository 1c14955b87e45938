//! C20: lines on standard input that are no messages, or nearly.

use std::{fmt::Write as _, time::Duration};

use serde_json::{Value, json};
use tokio::{
    io::{
        AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf, duplex, split,
    },
    task::JoinHandle,
    time::timeout,
};

use super::fixture::{Runs, server_with, take_with};

/// A server on a pipe, and the other end of it.
struct Pipe {
    input: WriteHalf<DuplexStream>,
    output: Lines<BufReader<ReadHalf<DuplexStream>>>,
    served: JoinHandle<std::io::Result<()>>,
    runs: Runs,
    cases: usize,
    faults: String,
}

const LINE: usize = 4_096;
const PATIENCE: Duration = Duration::from_secs(10);

impl Pipe {
    fn open() -> Self {
        let (server, runs) = server_with(|it| it.line_bytes = LINE);
        let (ours, theirs) = duplex(1 << 20);
        let (input, output) = split(theirs);
        let served = tokio::spawn(server.serve_streams(BufReader::new(input), output));
        let (output, input) = split(ours);
        Self { input, output: BufReader::new(output).lines(), served, runs, cases: 0, faults: String::new() }
    }

    async fn say(&mut self, bytes: &[u8]) {
        self.input.write_all(bytes).await.unwrap();
    }

    /// The next line; null when there is none.
    async fn hear(&mut self) -> Value {
        match timeout(PATIENCE, self.output.next_line()).await {
            Ok(Ok(Some(line))) => serde_json::from_str(&line).expect("every line is JSON"),
            _ => Value::Null,
        }
    }

    /// Says bytes, hears as many answers as there are codes (0 is a result), and then says something good.
    async fn case(&mut self, name: &str, bytes: &[u8], codes: &[i64]) {
        let before = self.runs.count();
        self.say(bytes).await;
        let mut heard = Vec::new();
        for _ in codes {
            let answer = self.hear().await;
            heard.push(match answer.get("result") {
                Some(_) => 0,
                None => answer["error"]["code"].as_i64().unwrap_or(i64::MAX),
            });
        }
        let ran = self.runs.count() - before;
        let number = self.cases;
        self.cases += 1;
        self.say(&good(&json!(number))).await;
        let next = self.hear().await;
        let said = next["result"]["content"][0]["text"].as_str();
        let is_good = said == Some(&json!({"v": number}).to_string());
        let wanted = codes.iter().filter(|it| **it == 0).count();
        if heard != codes || ran > wanted || !is_good {
            let shown: String = bytes.escape_ascii().to_string().chars().take(400).collect();
            let _ = write!(
                self.faults,
                "\n{name}: heard {heard:?} for {codes:?}, {ran} runs, then {next}\n    {shown}"
            );
        }
    }

    /// Ends the input, and says how the server ended.
    async fn end(mut self) -> (Vec<Value>, Runs) {
        self.input.shutdown().await.unwrap();
        let mut rest = Vec::new();
        while let Ok(Ok(Some(line))) = timeout(PATIENCE, self.output.next_line()).await {
            rest.push(serde_json::from_str(&line).expect("every line is JSON"));
        }
        let served = timeout(PATIENCE, self.served).await.expect("it ends with its input");
        served.unwrap().unwrap();
        assert!(self.faults.is_empty(), "{}", self.faults);
        (rest, self.runs)
    }
}

/// A good line.
fn good(value: &Value) -> Vec<u8> {
    let mut line = take_with(&json!({"v": value})).body;
    line.push(b'\n');
    line
}

fn plain() -> Vec<u8> {
    take_with(&json!({"v": 1})).body
}

/// A line of so many bytes.
fn long(bytes: usize) -> Vec<u8> {
    let rest = bytes - take_with(&json!({"v": ""})).body.len();
    take_with(&json!({"v": "w".repeat(rest)})).body
}

// V22, V25; S-031, S-032.
#[tokio::test]
async fn a_line_is_one_message_or_none_at_all() {
    let mut pipe = Pipe::open();
    let plain = plain();
    let text = String::from_utf8(plain.clone()).unwrap();
    let pretty = serde_json::to_string_pretty(&json!({"jsonrpc": "2.0", "id": 1})).unwrap() + "\n";
    let rows: [(&str, Vec<u8>, &[i64]); 62] = [
        ("a good one", [&plain[..], b"\n"].concat(), &[0]),
        ("a carriage return at its end", [&plain[..], b"\r\n"].concat(), &[0]),
        ("blanks around it", [b"  \t", &plain[..], b" \t \n"].concat(), &[0]),
        (
            "a carriage return inside",
            text.replacen(':', ":\r", 1).into_bytes().into_iter().chain(*b"\n").collect(),
            &[0],
        ),
        ("nothing", b"\n".to_vec(), &[]),
        ("many times nothing", b"\n\n\n\n\n\n\n\n".to_vec(), &[]),
        ("blanks", b" \t  \n".to_vec(), &[]),
        ("a carriage return", b"\r\n".to_vec(), &[]),
        ("carriage returns", b"\r\r\r\n".to_vec(), &[]),
        (
            "a line separator in a text",
            [text.replacen("\"v\":1", "\"v\":\"\u{2028}\u{85}\"", 1).as_bytes(), b"\n"].concat(),
            &[0],
        ),
        ("a byte order mark", [b"\xef\xbb\xbf", &plain[..], b"\n"].concat(), &[-32700]),
        ("a byte order mark alone", b"\xef\xbb\xbf\n".to_vec(), &[-32700]),
        ("two on one line", [&plain[..], &plain[..], b"\n"].concat(), &[-32700]),
        ("two with a blank between", [&plain[..], b" ", &plain[..], b"\n"].concat(), &[-32700]),
        ("two with a comma between", [&plain[..], b",", &plain[..], b"\n"].concat(), &[-32700]),
        ("two with a carriage return between", [&plain[..], b"\r", &plain[..], b"\n"].concat(), &[-32700]),
        (
            "two lines at once",
            [&plain[..], b"\n", &text.replacen("\"id\":1", "\"id\":2", 1).into_bytes()[..], b"\n"].concat(),
            &[0, 0],
        ),
        ("garbage behind it", [&plain[..], b"x\n"].concat(), &[-32700]),
        ("half of one", [&plain[..plain.len() / 2], b"\n"].concat(), &[-32700]),
        ("an open brace", b"{\n".to_vec(), &[-32700]),
        ("a closed brace", b"}\n".to_vec(), &[-32700]),
        ("an empty object", b"{}\n".to_vec(), &[-32600]),
        ("an empty list", b"[]\n".to_vec(), &[-32600]),
        ("a list of one", [b"[", &plain[..], b"]\n"].concat(), &[-32600]),
        ("null", b"null\n".to_vec(), &[-32600]),
        ("a number", b"7\n".to_vec(), &[-32600]),
        ("a text", b"\"x\"\n".to_vec(), &[-32600]),
        ("a message in a text", [json!(text).to_string().as_bytes(), b"\n"].concat(), &[-32600]),
        ("words", b"hello there\n".to_vec(), &[-32700]),
        ("a NUL", b"\0\n".to_vec(), &[-32700]),
        ("a NUL behind it", [&plain[..], b"\0\n"].concat(), &[-32700]),
        ("no UTF-8", b"\xff\xfe\n".to_vec(), &[-32700]),
        (
            "no UTF-8 in a text",
            [text.replacen("\"v\":1", "\"v\":\"X\"", 1).replace('X', "\u{0}").as_bytes(), b"\n"].concat(),
            &[-32700],
        ),
        ("an escape sequence", b"\x1b[2J\n".to_vec(), &[-32700]),
        ("a vertical tab", b"\x0b\n".to_vec(), &[-32700]),
        ("a comment", b"// x\n".to_vec(), &[-32700]),
        ("a length, as editors send it", b"Content-Length: 52\r\n".to_vec(), &[-32700]),
        ("a request of HTTP", b"POST /mcp HTTP/1.1\r\n".to_vec(), &[-32700]),
        ("an event", [b"data: ", &plain[..], b"\n"].concat(), &[-32700]),
        ("a message over several lines", pretty.into_bytes(), &[-32700; 4]),
        ("arrays without end", ["[".repeat(3_000).as_bytes(), b"\n"].concat(), &[-32600]),
        ("objects without end", ["{\"a\":".repeat(800).as_bytes(), b"\n"].concat(), &[-32700]),
        (
            "a key twice",
            [text.replacen("\"id\":1", "\"id\":1,\"id\":2", 1).as_bytes(), b"\n"].concat(),
            &[-32700],
        ),
        (
            "a private key",
            [
                text.replacen("\"v\":1", "\"v\":{\"$serde_json::private::RawValue\":\"1\"}", 1).as_bytes(),
                b"\n",
            ]
            .concat(),
            &[-32700],
        ),
        ("the id null", [text.replacen("\"id\":1", "\"id\":null", 1).as_bytes(), b"\n"].concat(), &[-32600]),
        (
            "the id a fraction",
            [text.replacen("\"id\":1", "\"id\":1.5", 1).as_bytes(), b"\n"].concat(),
            &[-32600],
        ),
        ("another jsonrpc", [text.replacen("\"2.0\"", "\"1.0\"", 1).as_bytes(), b"\n"].concat(), &[-32600]),
        (
            "an unknown method",
            [text.replacen("tools/call", "tools/cal", 1).as_bytes(), b"\n"].concat(),
            &[-32601],
        ),
        ("an unknown tool", [text.replacen("\"take\"", "\"tak\"", 1).as_bytes(), b"\n"].concat(), &[-32602]),
        (
            "no capabilities",
            [text.replacen("clientCapabilities", "clientCapability", 1).as_bytes(), b"\n"].concat(),
            &[-32602],
        ),
        (
            "another version",
            [text.replacen("2026-07-28", "2027-01-01", 1).as_bytes(), b"\n"].concat(),
            &[-32022],
        ),
        ("a notification", b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n".to_vec(), &[]),
        ("an unknown notification", b"{\"jsonrpc\":\"2.0\",\"method\":\"x\"}\n".to_vec(), &[]),
        ("a call without an id", [text.replacen("\"id\":1,", "", 1).as_bytes(), b"\n"].concat(), &[]),
        (
            "a cancel of nobody",
            b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":99}}\n"
                .to_vec(),
            &[],
        ),
        (
            "a cancel of nothing",
            b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\"}\n".to_vec(),
            &[],
        ),
        (
            "a cancel of an object",
            b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":{}}}\n"
                .to_vec(),
            &[],
        ),
        ("an answer to nothing", b"{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"result\":{}}\n".to_vec(), &[]),
        (
            "an error to nothing",
            b"{\"jsonrpc\":\"2.0\",\"id\":7,\"error\":{\"code\":1,\"message\":\"x\"}}\n".to_vec(),
            &[],
        ),
        ("a line as long as it may be", [&long(LINE)[..], b"\n"].concat(), &[0]),
        ("a line one byte longer", [&long(LINE + 1)[..], b"\n"].concat(), &[-32700]),
        ("a line of 3 MiB", ["w".repeat(3 << 20).as_bytes(), b"\n"].concat(), &[-32700]),
    ];

    for (name, bytes, codes) in &rows {
        pipe.case(name, bytes, codes).await;
    }

    let (rest, _) = pipe.end().await;
    assert!(rest.is_empty(), "{rest:?}");
}

// V25, V36; S-033.
#[tokio::test]
async fn the_last_line_needs_no_end() {
    let mut pipe = Pipe::open();

    pipe.say(&plain()).await;
    let (rest, runs) = pipe.end().await;

    assert_eq!(rest.len(), 1);
    assert_eq!(rest[0]["id"], 1);
    assert_eq!(runs.count(), 1);
}

// V25, V36; S-033.
#[tokio::test]
async fn half_a_line_at_the_end_is_told_and_does_nothing() {
    for half in [&plain()[..40], b"{", b"\"", b"\xff", &long(LINE + 1)] {
        let mut pipe = Pipe::open();

        pipe.say(half).await;
        let (rest, runs) = pipe.end().await;

        let shown = half.escape_ascii();
        assert_eq!(rest.len(), 1, "{shown}");
        assert!(rest[0]["error"]["code"].is_i64(), "{shown}");
        assert_eq!(runs.count(), 0, "{shown}");
    }
}

// V36; S-033.
#[tokio::test]
async fn an_input_that_ends_at_once_ends_the_server() {
    for nothing in [b"".as_slice(), b"\n", b" ", b"\r\n\r\n"] {
        let mut pipe = Pipe::open();

        pipe.say(nothing).await;
        let (rest, runs) = pipe.end().await;

        assert!(rest.is_empty());
        assert_eq!(runs.count(), 0);
    }
}

// V25.
#[tokio::test]
async fn a_line_may_come_in_single_bytes() {
    let mut pipe = Pipe::open();

    for byte in good(&json!("slow")) {
        pipe.say(&[byte]).await;
    }

    assert_eq!(pipe.hear().await["id"], 1);
    pipe.end().await;
}
