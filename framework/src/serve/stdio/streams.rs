//! Standard input and output of the process.
//!
//! tokio hands each read and write to another thread, which costs more than all else that a message costs. Pipes and
//! sockets, which are what clients start a server with, can be waited for instead.

use std::io;

use tokio::io::{AsyncRead, AsyncWrite};

pub(crate) type Input = Box<dyn AsyncRead + Send + Unpin>;
pub(crate) type Output = Box<dyn AsyncWrite + Send + Unpin>;

/// Standard input.
pub(crate) fn input() -> io::Result<Input> {
    #[cfg(unix)]
    if let Some(input) = unix::input()? {
        return Ok(input);
    }
    Ok(Box::new(tokio::io::stdin()))
}

/// Standard output.
pub(crate) fn output() -> io::Result<Output> {
    #[cfg(unix)]
    if let Some(output) = unix::output()? {
        return Ok(output);
    }
    Ok(Box::new(tokio::io::stdout()))
}

#[cfg(unix)]
mod unix {
    use std::{
        fs::{File, Metadata},
        io,
        os::{
            fd::{AsFd, OwnedFd},
            unix::{
                fs::{FileTypeExt, MetadataExt},
                net::UnixStream as Socket,
            },
        },
    };

    use tokio::net::{UnixStream, unix::pipe};

    use super::{Input, Output};

    pub(super) fn input() -> io::Result<Option<Input>> {
        let file = copy(&io::stdin())?;
        let metadata = file.metadata()?;
        Ok(match metadata.file_type() {
            it if it.is_fifo() => Some(Box::new(pipe::Receiver::from_file(file)?)),
            it if it.is_socket() => Some(Box::new(socket(file)?)),
            _ => None,
        })
    }

    pub(super) fn output() -> io::Result<Option<Output>> {
        let file = copy(&io::stdout())?;
        let metadata = file.metadata()?;
        // What is not to block must not be shared with standard error, whose writers expect that it does.
        if is_same(&metadata, &copy(&io::stderr())?.metadata()?) {
            return Ok(None);
        }
        Ok(match metadata.file_type() {
            it if it.is_fifo() => Some(Box::new(pipe::Sender::from_file(file)?)),
            it if it.is_socket() => Some(Box::new(socket(file)?)),
            _ => None,
        })
    }

    fn copy(stream: &impl AsFd) -> io::Result<File> {
        stream.as_fd().try_clone_to_owned().map(File::from)
    }

    fn is_same(one: &Metadata, other: &Metadata) -> bool {
        (one.dev(), one.ino()) == (other.dev(), other.ino())
    }

    fn socket(file: File) -> io::Result<UnixStream> {
        let socket = Socket::from(OwnedFd::from(file));
        socket.set_nonblocking(true)?;
        UnixStream::from_std(socket)
    }
}
