//! Round trips with a server that speaks on its standard input and output.

use std::{
    io::{BufRead as _, BufReader, Write as _},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use crate::Result;

/// Keeps `at_once` requests unanswered for so long, and prints how many were answered a second.
///
/// In the line, `"ID"` stands for the number of the request.
pub fn run(line: &[u8], seconds: f64, at_once: u64, program: &[&str]) -> Result {
    let [name, arguments @ ..] = program else { return Err("which program?".into()) };
    let line = String::from_utf8_lossy(line);
    let (before, after) = line.trim_end().split_once("\"ID\"").ok_or("the line has no \"ID\"")?;
    let mut command = Command::new(name);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn()?;
    let mut input = child.stdin.take().ok_or("no input")?;
    let mut output = BufReader::with_capacity(64 * 1024, child.stdout.take().ok_or("no output")?);

    let mut sent = 0;
    let mut send = || {
        sent += 1;
        input.write_all(format!("{before}{sent}{after}\n").as_bytes())
    };
    let mut answer = String::new();
    let mut receive = || {
        answer.clear();
        output.read_line(&mut answer)?;
        match answer.is_empty() || answer.contains("\"error\":") || answer.contains("\"isError\":true") {
            true => Err(std::io::Error::other(answer.clone())),
            false => Ok(()),
        }
    };

    // The first answer ends the start of the program.
    send()?;
    receive()?;
    for _ in 0..at_once {
        send()?;
    }
    let start = Instant::now();
    let end = Duration::from_secs_f64(seconds);
    let mut answered = 0_u64;
    while start.elapsed() < end {
        receive()?;
        send()?;
        answered += 1;
    }
    println!("{:.0}", answered as f64 / start.elapsed().as_secs_f64());
    child.kill()?;
    child.wait()?;
    Ok(())
}
