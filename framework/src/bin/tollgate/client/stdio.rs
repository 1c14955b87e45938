//! A server that is a child of the command, a message a line (basic/transports/stdio).

use std::{
    collections::VecDeque,
    io::{BufReader, Write},
    path::Path,
    process::{Child, ChildStdin, Command, ExitStatus, Stdio as Pipe},
    sync::{Arc, Mutex, PoisonError, mpsc::Sender},
    thread,
    time::{Duration, Instant},
};

use super::{error::ClientError, event::read_line, leaving, wire::Heard};
use crate::{screen::Screen, text};

/// A child that runs until this is dropped.
#[derive(Debug)]
pub(crate) struct Stdio {
    child: Child,
    input: Option<ChildStdin>,
    name: String,
    last_words: LastWords,
    listener: Option<thread::JoinHandle<()>>,
}

type LastWords = Arc<Mutex<VecDeque<String>>>;

impl Stdio {
    pub(crate) fn start(
        command: &[String],
        screen: &Screen,
        heard: Sender<Heard>,
    ) -> Result<Self, ClientError> {
        let (program, arguments) =
            command.split_first().ok_or_else(|| ClientError::Unsendable("there is no command".into()))?;
        let name = Path::new(program).file_name().unwrap_or(program.as_ref()).to_string_lossy().into_owned();
        let mut command = Command::new(program);
        command.args(arguments).stdin(Pipe::piped()).stdout(Pipe::piped()).stderr(Pipe::piped());
        // Launchers leave children of their own, which are ended together with them.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        // It is a server's key and no business of the child.
        command.env_remove("TOLLGATE_TOKEN");
        let mut child = command.spawn().map_err(|error| {
            ClientError::Unreachable(format!("`{program}` does not start: {error}; is it on the PATH?"))
        })?;
        leaving::take_along(child.id());
        let last_words = LastWords::default();
        if let Some(output) = child.stdout.take() {
            thread::spawn(move || hear(BufReader::new(output), &heard));
        }
        let listener = child.stderr.take().map(|errors| {
            let (name, screen, last_words) = (name.clone(), screen.clone(), last_words.clone());
            thread::spawn(move || pass_on(BufReader::new(errors), &name, &screen, &last_words))
        });
        Ok(Self { input: child.stdin.take(), child, name, last_words, listener })
    }

    pub(crate) fn send(&mut self, message: &str) -> Result<(), ClientError> {
        let Some(input) = &mut self.input else { return Err(self.farewell()) };
        let written = input.write_all(format!("{message}\n").as_bytes()).and_then(|()| input.flush());
        written.map_err(|_| self.farewell())
    }

    /// Why nothing comes any more, once the output has ended.
    pub(crate) fn farewell(&mut self) -> ClientError {
        let how = match self.wait(Duration::from_secs(1)) {
            Some(status) => format!("`{}` ended ({status}) before it had answered", self.name),
            None => format!("`{}` closed its output before it had answered", self.name),
        };
        self.hear_out();
        let words = self.last_words.lock().unwrap_or_else(PoisonError::into_inner);
        let words: Vec<String> = words.iter().map(|it| format!("\n  {it}")).collect();
        ClientError::Closed(match words.is_empty() {
            true => format!("{how}; it wrote nothing to standard error"),
            false => format!("{how}; the last that it wrote to standard error:{}", words.concat()),
        })
    }

    /// Waits for its last words, which whoever it started may go on writing.
    fn hear_out(&self) {
        let start = Instant::now();
        let is_speaking = || self.listener.as_ref().is_some_and(|it| !it.is_finished());
        while is_speaking() && start.elapsed() < Duration::from_millis(500) {
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Closes its input, then asks it to end, then makes it.
    fn end(&mut self) {
        drop(self.input.take());
        if self.wait(PATIENCE).is_none() {
            leaving::ask_to_end(self.child.id());
            if self.wait(PATIENCE).is_none() {
                let _ = self.child.kill();
                let _ = self.child.wait();
            }
        }
        // What it had started itself, and left.
        leaving::end(self.child.id());
        leaving::forget(self.child.id());
    }

    fn wait(&mut self, patience: Duration) -> Option<ExitStatus> {
        let start = Instant::now();
        loop {
            match self.child.try_wait() {
                Ok(None) if start.elapsed() < patience => thread::sleep(Duration::from_millis(10)),
                ended => return ended.ok().flatten(),
            }
        }
    }
}

impl Drop for Stdio {
    fn drop(&mut self) {
        self.end();
    }
}

/// How long each of the two gentle ways has.
const PATIENCE: Duration = Duration::from_secs(2);

fn hear(mut output: BufReader<impl std::io::Read>, heard: &Sender<Heard>) {
    let why = loop {
        match read_line(&mut output) {
            Ok(Some(line)) if line.trim().is_empty() => {}
            Ok(Some(line)) => match serde_json::from_str(&line) {
                Ok(message) => {
                    // Nobody listens any more when the command is about to end.
                    let _ = heard.send(Heard::Message(message));
                }
                Err(_) => break Some(rubbish(&line)),
            },
            Ok(None) => break None,
            Err(error) => break Some(ClientError::NotMcp(error.to_string())),
        }
    };
    let _ = heard.send(Heard::Over { id: None, why });
}

fn rubbish(line: &str) -> ClientError {
    ClientError::NotMcp(format!(
        "it wrote `{}` to standard output, which belongs to the protocol; write such lines to standard error",
        text::short(line, 120)
    ))
}

fn pass_on(
    mut errors: BufReader<impl std::io::Read>,
    name: &str,
    screen: &Screen,
    last_words: &Mutex<VecDeque<String>>,
) {
    while let Ok(Some(line)) = read_line(&mut errors) {
        let line = text::short(&line, 2000);
        screen.overheard(name, &line);
        let mut words = last_words.lock().unwrap_or_else(PoisonError::into_inner);
        if words.len() == KEPT {
            words.pop_front();
        }
        words.push_back(line);
    }
}

/// Lines of standard error that are shown when a child has died.
const KEPT: usize = 10;
