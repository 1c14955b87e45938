//! What is ended when the command is told to end: its children would go on without it.

use std::{
    process,
    sync::{Mutex, Once, PoisonError},
    thread,
};

/// Ends the child with this id, and what it started, when the command is told to end (SIGTERM or Ctrl-C).
pub(crate) fn take_along(child: u32) {
    static WATCH: Once = Once::new();
    children(|it| it.push(child));
    WATCH.call_once(|| {
        thread::spawn(|| {
            let code = told_to_end();
            let terminal = console::Term::stderr();
            if terminal.is_term() {
                // A question that was open has hidden it.
                let _ = terminal.show_cursor();
            }
            children(|it| it.iter().copied().for_each(end));
            process::exit(code);
        });
    });
}

/// The child has ended.
pub(crate) fn forget(child: u32) {
    children(|it| it.retain(|it| *it != child));
}

fn children(change: impl FnOnce(&mut Vec<u32>)) {
    static CHILDREN: Mutex<Vec<u32>> = Mutex::new(Vec::new());
    change(&mut CHILDREN.lock().unwrap_or_else(PoisonError::into_inner));
}

/// Waits for a signal, and gives the exit code that tells of it.
fn told_to_end() -> i32 {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let Ok(runtime) = runtime else {
        return forever();
    };
    runtime.block_on(async {
        #[cfg(unix)]
        if let Ok(mut terminate) = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
            return tokio::select! {
                _ = tokio::signal::ctrl_c() => 130,
                _ = terminate.recv() => 143,
            };
        }
        match tokio::signal::ctrl_c().await {
            Ok(()) => 130,
            Err(_) => forever(),
        }
    })
}

/// Without signals there is nothing to wait for.
fn forever() -> i32 {
    loop {
        thread::park();
    }
}

/// Ends a child and what it started. It had its time: whoever sent the signal does not wait.
#[cfg(unix)]
pub(crate) fn end(child: u32) {
    signal(child, rustix::process::Signal::KILL);
}

/// Asks a child, and what it started, to end.
#[cfg(unix)]
pub(crate) fn ask_to_end(child: u32) {
    signal(child, rustix::process::Signal::TERM);
}

/// Each child leads a group of its own.
#[cfg(unix)]
fn signal(child: u32, signal: rustix::process::Signal) {
    if let Some(group) = i32::try_from(child).ok().and_then(rustix::process::Pid::from_raw) {
        let _ = rustix::process::kill_process_group(group, signal);
    }
}

#[cfg(not(unix))]
pub(crate) fn end(_: u32) {}

#[cfg(not(unix))]
pub(crate) fn ask_to_end(_: u32) {}
