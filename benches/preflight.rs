//! How long a client waits to hear whether its tools are ready: whole requests over loopback HTTP, one after the other
//! on one connection, with the record of each on disk before its answer goes out, and without.
//!
//! A gateway with 1,000 or 10,000 tools is asked about 10 or 50 of them: all there, or all misspelt, which is the most
//! work, since each is then compared with every name. `bare` is the same question about one tool of a server with one
//! tool, and no record: what the way there and back costs.
//!
//!     cargo bench -p tollgate-benches --bench preflight
//!
//! `REQUESTS` is how often each line asks (10,000). It ends with 1 when ten tools take more than 5 ms at the 95th percentile.

use std::{
    fmt::Write as _,
    io::{BufRead, BufReader, Write},
    net::{SocketAddr, TcpStream},
    path::Path,
    process::ExitCode,
    time::{Duration, Instant},
};

use tollgate::{
    Server, Tool,
    ready::{ActivityFile, Connection, EXTENSION, Gateway, ServerPolicy, Unreadable},
    serde_json::{Value, json},
};

/// Everything is up, and nothing was decided against anything.
struct AllUp;

impl Gateway for AllUp {
    fn server(&self, _: &str) -> Result<Option<ServerPolicy>, Unreadable> {
        Ok(Some(ServerPolicy::default()))
    }

    fn connection(&self, _: &str) -> Result<Option<Connection>, Unreadable> {
        Ok(Some(Connection::Ready))
    }
}

const API: &str = "/api/v1/preflight";
const VERBS: [&str; 8] = ["create", "read", "update", "delete", "list", "search", "archive", "share"];
const NOUNS: [&str; 8] =
    ["issue", "comment", "message", "calendar", "document", "invoice", "customer", "report"];
/// Servers behind the gateway.
const SERVERS: usize = 20;
/// What ten tools may take at the 95th percentile.
const BAR: Duration = Duration::from_millis(5);

fn server_of(at: usize) -> String {
    format!("server{}", at % SERVERS)
}

fn tool_of(at: usize) -> String {
    format!("{}_{}_{at}", VERBS[at % 8], NOUNS[at / 8 % 8])
}

fn serve(tools: usize, activity: Option<&Path>) -> SocketAddr {
    let tools: Vec<Tool> = (0..tools)
        .map(|at| {
            let (server, tool) = (server_of(at), tool_of(at));
            let schema = json!({"type": "object", "properties": {"id": {"type": "string"}}});
            let description =
                "Does what its name says to one of the things of its server, and says what came of it.";
            Tool::new(format!("{server}__{tool}"), description, schema, async |_, _| Ok("done"))
                .upstream(server, tool)
        })
        .collect();
    let mut server =
        Server::new("gateway", "1.0.0").tools(tools).gateway(AllUp).preflight_api(API).without_auth();
    if let Some(path) = activity {
        server = server.activity(ActivityFile::open(path).expect("the folder is there"));
    }
    let (tell, told) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async move {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
            tell.send(listener.local_addr().expect("it is bound")).expect("somebody waits");
            server.serve_on(listener, std::future::pending()).await.expect("it serves");
        });
    });
    told.recv().expect("it listens")
}

/// The ids of one question. Misspelt ones have one wrong letter.
fn ids(tools: usize, count: usize, misspelt: bool) -> Vec<String> {
    (0..count)
        .map(|it| it * tools / count)
        .map(|at| {
            let tool = tool_of(at);
            let tool = if misspelt { tool.replacen('e', "x", 1) } else { tool };
            format!("{}:{tool}", server_of(at))
        })
        .collect()
}

#[derive(Clone, Copy)]
enum Way {
    Rest,
    Rider,
}

fn request(way: Way, ids: &[String]) -> Vec<u8> {
    let tools: Vec<Value> = ids.iter().map(|it| json!({"id": it})).collect();
    let question = json!({"tools": tools});
    let (path, more, body) = match way {
        Way::Rest => (API, "", question),
        Way::Rider => {
            let meta = json!({
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {"extensions": {EXTENSION: {"version": 1}}},
                EXTENSION: question,
            });
            let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": meta}});
            ("/mcp", "mcp-protocol-version: 2026-07-28\r\nmcp-method: tools/list\r\n", body)
        }
    };
    let body = body.to_string();
    let mut request = format!(
        "POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n\
         accept: application/json, text/event-stream\r\n{more}"
    );
    let _ = write!(request, "content-length: {}\r\n\r\n{body}", body.len());
    request.into_bytes()
}

/// How long each of so many requests took, shortest first.
fn measure(address: SocketAddr, request: &[u8], requests: usize, expected: &str) -> Vec<Duration> {
    let mut stream = TcpStream::connect(address).expect("it listens");
    stream.set_nodelay(true).expect("it is a socket");
    let mut reader = BufReader::with_capacity(256 * 1024, stream.try_clone().expect("it is open"));
    let mut body = Vec::new();
    let mut times = Vec::with_capacity(requests);
    for at in 0..requests + requests / 10 {
        let began = Instant::now();
        stream.write_all(request).expect("it listens");
        answer(&mut reader, &mut body);
        // The first are not counted: caches are cold.
        if at >= requests / 10 {
            times.push(began.elapsed());
        }
    }
    let text = String::from_utf8_lossy(&body);
    assert!(text.contains(&format!(r#""verdict":"{expected}""#)), "{}", &text[..text.len().min(2_000)]);
    times.sort_unstable();
    times
}

fn answer(reader: &mut impl BufRead, body: &mut Vec<u8>) {
    let mut length = 0;
    let mut line = String::new();
    loop {
        line.clear();
        reader.read_line(&mut line).expect("it answers");
        if line == "\r\n" {
            break;
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().expect("a length is a number");
        }
    }
    body.resize(length, 0);
    reader.read_exact(body).expect("the whole answer comes");
}

fn main() -> ExitCode {
    // `cargo test --benches` runs it too, and wants no table.
    if !std::env::args().any(|it| it == "--bench") {
        return ExitCode::SUCCESS;
    }
    let requests = std::env::var("REQUESTS").ok().and_then(|it| it.parse().ok()).unwrap_or(10_000);
    let folder = std::env::temp_dir().join(format!("tollgate-preflight-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("there is room for files");
    println!(
        "{:>6} {:>4}  {:8} {:5}  {:7} {:>9} {:>9} {:>9}",
        "tools", "ids", "names", "by", "record", "p50 us", "p95 us", "p99 us"
    );
    let mut is_slow = false;
    let mut line =
        |tools: usize, count: usize, misspelt: bool, way: Way, record: &str, address: SocketAddr| {
            let request = request(way, &ids(tools, count, misspelt));
            let expected = if misspelt { "unknown_ids" } else { "ready" };
            let times = measure(address, &request, requests, expected);
            let at = |part: usize| times[(times.len() * part / 100).min(times.len() - 1)];
            let [p50, p95, p99] = [50, 95, 99].map(at);
            is_slow |= count == 10 && p95 > BAR;
            let names = if misspelt { "misspelt" } else { "there" };
            let by = if matches!(way, Way::Rest) { "HTTP" } else { "rider" };
            println!(
                "{tools:>6} {count:>4}  {names:8} {by:5}  {record:7} {:>9} {:>9} {:>9}",
                p50.as_micros(),
                p95.as_micros(),
                p99.as_micros()
            );
        };
    line(1, 1, false, Way::Rest, "bare", serve(1, None));
    for tools in [1_000, 10_000] {
        let file = folder.join(format!("{tools}.jsonl"));
        for (record, address) in [("none", serve(tools, None)), ("on disk", serve(tools, Some(&file)))] {
            for count in [10, 50] {
                for (misspelt, way) in
                    [(false, Way::Rest), (false, Way::Rider), (true, Way::Rest), (true, Way::Rider)]
                {
                    line(tools, count, misspelt, way, record, address);
                }
            }
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
    if is_slow { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
