//! Sends requests in the ways that wrk cannot: at a rate, one by one, held open, as a stream, and over stdio.
//!
//! A request is a file with its bytes, head and all. Each command prints one line of numbers.

mod http;
mod rate;
mod single;
mod stdio;

use std::{env, error::Error, fs, io};

type Result<T = ()> = std::result::Result<T, Box<dyn Error>>;

const USAGE: &str = "\
pace rate PORT REQUEST RATE SECONDS          prints p50 and p99 in microseconds, and how many were answered
pace once PORT REQUEST TIMES                 sends them one by one on one connection; prints microseconds each
pace events PORT REQUEST                     reads a stream to its end; prints progress events a second
pace hold PORT REQUEST CONNECTIONS           prints when all were answered; holds them until its input ends
pace start PORT REQUEST PROGRAM ARGS..       prints milliseconds until the first answer
pace stdio LINE SECONDS AT_ONCE PROGRAM ARGS..   prints round trips a second";

fn main() -> Result {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["rate", port, request, rate, seconds] => {
            rate::run(port.parse()?, &fs::read(request)?, rate.parse()?, seconds.parse()?)
        }
        ["once", port, request, times] => {
            single::one_by_one(port.parse()?, &fs::read(request)?, times.parse()?)
        }
        ["events", port, request] => single::events(port.parse()?, &fs::read(request)?),
        ["hold", port, request, connections] => {
            single::hold(port.parse()?, &fs::read(request)?, connections.parse()?)
        }
        ["start", port, request, ref program @ ..] => {
            single::start(port.parse()?, &fs::read(request)?, program)
        }
        ["stdio", line, seconds, at_once, ref program @ ..] => {
            stdio::run(&fs::read(line)?, seconds.parse()?, at_once.parse()?, program)
        }
        _ => Err(io::Error::other(USAGE).into()),
    }
}
