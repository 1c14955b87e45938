//! One request at a time: counted, streamed, held, or the first of a server's life.

use std::{
    io::{self, ErrorKind, Read as _, Write as _},
    net::TcpStream,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use crate::{Result, http};

/// Sends a request so many times on one connection.
pub fn one_by_one(port: u16, request: &[u8], times: u32) -> Result {
    let mut stream = open(port)?;
    let start = Instant::now();
    for _ in 0..times {
        stream.write_all(request)?;
        answer(&mut stream)?;
    }
    println!("{:.1}", start.elapsed().as_secs_f64() * 1e6 / f64::from(times.max(1)));
    Ok(())
}

/// Reads a stream to its end, and counts the progress in it.
pub fn events(port: u16, request: &[u8]) -> Result {
    const MARK: &[u8] = b"notifications/progress";
    let mut stream = open(port)?;
    stream.write_all(request)?;
    let mut buffer = vec![0; 256 * 1024];
    let (mut have, mut count) = (0, 0_u64);
    let start = Instant::now();
    loop {
        let more = stream.read(&mut buffer[have..])?;
        if more == 0 {
            break;
        }
        have += more;
        let mut seen = 0;
        while let Some(at) = http::find(&buffer[seen..have], MARK) {
            count += 1;
            seen += at + MARK.len();
        }
        // The start of a mark may stand at the end.
        seen = seen.max(have.saturating_sub(MARK.len() - 1));
        buffer.copy_within(seen..have, 0);
        have -= seen;
    }
    println!("{:.0} {count}", count as f64 / start.elapsed().as_secs_f64());
    Ok(())
}

/// Opens connections, sends the request on each, waits for the start of its answer, and holds them.
pub fn hold(port: u16, request: &[u8], connections: usize) -> Result {
    let mut all = Vec::with_capacity(connections);
    let mut buffer = [0; 4096];
    for _ in 0..connections {
        let mut stream = open(port)?;
        stream.write_all(request)?;
        let have = stream.read(&mut buffer)?;
        if !buffer[..have].starts_with(b"HTTP/1.1 200") {
            return Err(String::from_utf8_lossy(&buffer[..have]).into());
        }
        all.push(stream);
    }
    println!("{}", all.len());
    io::stdin().read_to_end(&mut Vec::new())?;
    Ok(())
}

/// Starts a program, asks it until it answers, and ends it.
pub fn start(port: u16, request: &[u8], program: &[&str]) -> Result {
    let [name, arguments @ ..] = program else { return Err("which program?".into()) };
    let mut command = Command::new(name);
    command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null());
    let start = Instant::now();
    let mut child = command.spawn()?;
    let answered = ask(port, request, start);
    let took = start.elapsed();
    child.kill()?;
    child.wait()?;
    answered?;
    println!("{:.2}", took.as_secs_f64() * 1e3);
    Ok(())
}

fn ask(port: u16, request: &[u8], start: Instant) -> Result {
    loop {
        match open(port) {
            Ok(mut stream) => {
                stream.write_all(request)?;
                return Ok(answer(&mut stream)?);
            }
            Err(error) if start.elapsed() > Duration::from_secs(10) => return Err(error.into()),
            Err(_) => thread::sleep(Duration::from_micros(100)),
        }
    }
}

fn open(port: u16) -> io::Result<TcpStream> {
    let stream = TcpStream::connect(("127.0.0.1", port))?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

fn answer(stream: &mut TcpStream) -> io::Result<()> {
    let mut all = Vec::with_capacity(4096);
    let mut buffer = [0; 64 * 1024];
    loop {
        let more = stream.read(&mut buffer)?;
        if more == 0 {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        all.extend_from_slice(&buffer[..more]);
        if http::length(&all)?.is_some_and(|it| it <= all.len()) {
            return Ok(());
        }
    }
}
