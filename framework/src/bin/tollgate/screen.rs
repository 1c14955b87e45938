//! The terminal: what is going on, and what is worth a line. All of it goes to standard error.

use std::{io::IsTerminal, time::Duration};

use console::style;
use indicatif::{ProgressBar, ProgressStyle};

use crate::text;

/// What the user watches. Nothing moves where nobody watches.
#[derive(Clone, Debug)]
pub(crate) struct Screen {
    bar: ProgressBar,
    is_quiet: bool,
}

impl Screen {
    pub(crate) fn new(is_quiet: bool) -> Self {
        let bar = match std::io::stderr().is_terminal() && !is_quiet {
            true => ProgressBar::new_spinner(),
            false => ProgressBar::hidden(),
        };
        bar.set_style(spinner());
        Self { bar, is_quiet }
    }

    /// Says what is going on, until something else is or the command has ended.
    pub(crate) fn wait(&self, doing: &str) {
        self.bar.set_style(spinner());
        self.bar.set_message(text::short(doing, 100));
        self.bar.enable_steady_tick(Duration::from_millis(100));
    }

    /// How far a server says that it is.
    pub(crate) fn progress(&self, done: f64, total: Option<f64>, message: &str) {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a bar is drawn with it")]
        let whole = |it: f64| (it.max(0.0) * 100.0) as u64;
        if let Some(total) = total.filter(|it| *it > 0.0) {
            self.bar.set_style(bar());
            self.bar.set_length(whole(total));
        }
        self.bar.set_position(whole(done));
        self.bar.set_message(text::short(message, 100));
    }

    /// A line that stays.
    pub(crate) fn say(&self, line: &str) {
        self.bar.suspend(|| eprintln!("{line}"));
    }

    /// A line that stays, unless the user wants quiet.
    pub(crate) fn note(&self, line: &str) {
        if !self.is_quiet {
            self.say(line);
        }
    }

    /// What a child wrote to its standard error.
    pub(crate) fn overheard(&self, name: &str, line: &str) {
        self.note(&format!("{}", style(format!("{name} | {line}")).for_stderr().dim()));
    }

    /// Something else has the terminal meanwhile.
    pub(crate) fn aside<T>(&self, f: impl FnOnce() -> T) -> T {
        self.bar.disable_steady_tick();
        self.bar.suspend(f)
    }

    /// Nothing is going on any more.
    pub(crate) fn done(&self) {
        self.bar.finish_and_clear();
    }
}

fn spinner() -> ProgressStyle {
    ProgressStyle::with_template("{spinner} {msg}").unwrap_or_else(|_| ProgressStyle::default_spinner())
}

fn bar() -> ProgressStyle {
    ProgressStyle::with_template("{spinner} [{bar:30}] {percent}% {msg}")
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars("=> ")
}
