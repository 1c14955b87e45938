//! The command `tollgate`: looks at any MCP server from outside, calls it, counts it, judges it, and begins a new one.

mod args;
mod budget;
mod call;
mod client;
mod discover;
mod doctor;
mod duration;
mod lint;
mod list;
mod new;
mod out;
mod preflight;
mod report;
mod screen;
mod source;
mod text;

use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Command};
use out::Exit;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(told) => {
            let _ = told.print();
            // clap would say 2, which means something else here.
            return if told.use_stderr() { Exit::Trouble.into() } else { Exit::Fine.into() };
        }
    };
    let ran = match cli.command {
        Command::Discover(it) => it.run(),
        Command::List(it) => it.run(),
        Command::Call(it) => it.run(),
        Command::Budget(it) => it.run(),
        Command::Lint(it) => it.run(),
        Command::Preflight(it) => it.run(),
        Command::Doctor(it) => it.run(),
        Command::New(it) => it.run(),
    };
    ran.unwrap_or_else(|failure| {
        eprintln!("{} {failure}", console::style("error:").for_stderr().red().bold());
        Exit::Trouble
    })
    .into()
}
