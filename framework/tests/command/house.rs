//! A server of ours, on a port and on stdio.

use std::{env, fs, thread};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::{io::BufReader, net::TcpListener, net::unix::pipe, sync::oneshot};
use tollgate::{Decided, Limits, prelude::*};

use super::kit::{Run, tollgate};

/// Greets a person by name.
///
/// Use when the user asks to be greeted.
/// Do not use when a message has to reach somebody else.
#[tool(read_only)]
async fn greet(
    /// What the person likes to be called.
    name: Text<80>,
    /// How often.
    times: Option<Int<1, 3>>,
) -> String {
    vec![format!("Hello, {name}!"); times.map_or(1, |it| i64::from(it) as usize)].join(" ")
}

/// Adds two numbers.
///
/// Use when two numbers have to be added.
/// Do not use when there are more.
#[tool(read_only)]
async fn add(
    /// The first number.
    a: f64,
    /// The second number.
    b: f64,
) -> Sum {
    Sum { sum: a + b }
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Sum {
    sum: f64,
}

/// Names the region that a request came through.
///
/// Use when the region matters.
/// Do not use when it does not.
#[tool(read_only)]
async fn region(
    /// The region.
    #[arg(header = "Region")]
    region: Text<40>,
) -> String {
    region.into()
}

/// Fails in a way that a model can mend.
///
/// Use when something has to fail.
/// Do not use when it must not.
#[tool]
async fn stumble() -> Result {
    fail!("There is a stone. Walk around it.");
}

/// Does three things, and says so.
///
/// Use when time has to pass.
/// Do not use when there is none.
#[tool]
async fn work(cx: &Cx) -> String {
    for (done, message) in [(1.0, "one"), (2.0, "two"), (3.0, "three")] {
        cx.progress_of(done, 3.0, message).await;
        cx.log(Level::Info, format!("did {message}\u{1b}[31m")).await;
    }
    "all done".into()
}

/// Holds a table after the user has agreed.
///
/// Use when the user wants a table.
/// Do not use when the user has not said for how many.
#[tool]
async fn hold(
    cx: &Cx,
    /// How many people will sit down.
    guests: Int<1, 12>,
) -> Result<String> {
    let seat: Seat = cx.ask(format!("A table for {guests}?")).await?;
    if !seat.agreed {
        fail!("The user said no. Offer another table.");
    }
    cx.redeem().await?;
    Ok(format!("held for {guests}, {}", if seat.window { "at the window" } else { "inside" }))
}

#[derive(Elicit, Serialize, Deserialize, JsonSchema)]
struct Seat {
    /// Hold it?
    agreed: bool,
    /// At the window?
    window: bool,
}

/// Says how many folders the client works in.
///
/// Use when folders are asked for.
/// Do not use when files are.
#[tool(read_only)]
async fn folders(cx: &Cx) -> Result<String> {
    let roots = cx.roots().await?;
    Ok(roots.into_iter().map(|it| it.uri).collect::<Vec<_>>().join(" "))
}

/// The server. Its pages are small, so that every list has several.
pub(crate) fn house() -> Server<(), Decided> {
    let mut limits = Limits::default();
    limits.page_items = 2;
    Server::new("house", "1.2.3")
        .instructions("Ring first.")
        .tools(tools![greet, add, region, stumble, work, hold, folders])
        .limits(limits)
        .logging()
        .preflight_api("/api/v1/preflight")
        .without_auth()
}

/// A server that listens until this is dropped.
#[derive(Debug)]
pub(crate) struct Serving {
    pub(crate) url: String,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Serving {
    pub(crate) fn start<S: Clone + Send + Sync + 'static>(server: Server<S, Decided>) -> Self {
        let (stop, stopped) = oneshot::channel::<()>();
        let (told, address) = std::sync::mpsc::channel();
        let thread = thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
                told.send(listener.local_addr().unwrap()).unwrap();
                let stopped = async {
                    let _ = stopped.await;
                };
                server.serve_on(listener, stopped).await.unwrap();
            });
        });
        let url = format!("http://{}/mcp", address.recv().unwrap());
        Self { url, stop: Some(stop), thread: Some(thread) }
    }

    pub(crate) fn house() -> Self {
        Self::start(house())
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        drop(self.stop.take());
        let _ = self.thread.take().map(thread::JoinHandle::join);
    }
}

/// The command line that starts the house on stdio. What the test runner prints goes nowhere; the protocol has a
/// stream of its own until the server is there.
pub(crate) fn on_stdio() -> [String; 4] {
    let this = env::current_exe().unwrap().to_str().unwrap().to_owned();
    let script = "exec \"$0\" command::house::serves_on_stdio --exact --ignored --nocapture 3>&1 >/dev/null";
    ["sh".into(), "-c".into(), script.into(), this]
}

/// The arguments of the command, with the house on stdio behind them.
pub(crate) fn with_house_on_stdio<'a>(arguments: &[&'a str], house: &'a [String; 4]) -> Vec<&'a str> {
    arguments.iter().copied().chain(["--"]).chain(house.iter().map(String::as_str)).collect()
}

/// Runs the command against the house in all four ways: in both eras, over HTTP and stdio.
pub(crate) fn everywhere(arguments: &[&str], check: impl Fn(&Run)) {
    let serving = Serving::house();
    let house = on_stdio();
    for era in ["modern", "legacy"] {
        let arguments = [arguments, &["--era", era]].concat();
        check(&tollgate(&[&arguments[..], &["-u", &serving.url]].concat()));
        check(&tollgate(&with_house_on_stdio(&arguments, &house)));
    }
}

#[test]
#[ignore = "it is the server that other tests start on stdio"]
fn serves_on_stdio() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let output = fs::OpenOptions::new().write(true).open("/dev/fd/3").unwrap();
        let output = pipe::Sender::from_file(output).unwrap();
        eprintln!("the house is open");
        house().serve_streams(BufReader::new(tokio::io::stdin()), output).await.unwrap();
    });
    std::process::exit(0);
}
