//! Records in a file, one JSON object a line.

use std::{
    fmt,
    fs::{File, OpenOptions},
    io::{self, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use super::{Activity, ActivityError, ActivityRecord};
use crate::store::BoxFuture;

/// Keeps records in a file that only grows, one JSON object a line. A record that was kept is there after the process
/// was killed, and after a power cut if the disk keeps what it says it has written.
///
/// The file belongs to one process: two that write to one file do not damage each other's lines, but a full disk may cost
/// more than the record that did not fit. Move it away and restart to begin another.
///
/// Its calls must be made on a tokio runtime: they wait for the disk on its threads for blocking work.
pub struct ActivityFile {
    path: PathBuf,
    file: Arc<Mutex<File>>,
}

impl ActivityFile {
    /// Opens the file at this path, or makes it, readable by its owner alone. The folder must be there.
    ///
    /// # Errors
    /// When it cannot be made or written.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        let path = path.as_ref().to_owned();
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&path)?;
        end_torn_line(&mut file)?;
        // The file's name outlives a power cut as well.
        let folder = path.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
        File::open(folder)?.sync_all()?;
        Ok(Self { path, file: Arc::new(Mutex::new(file)) })
    }
}

/// A process that was killed may have left half a line, which must not swallow the next one.
fn end_torn_line(file: &mut File) -> io::Result<()> {
    if file.seek(SeekFrom::End(0))? == 0 {
        return Ok(());
    }
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    if last == *b"\n" { Ok(()) } else { file.write_all(b"\n") }
}

impl Activity for ActivityFile {
    fn keep<'a>(&'a self, record: &'a ActivityRecord) -> BoxFuture<'a, Result<(), ActivityError>> {
        let file = self.file.clone();
        Box::pin(async move {
            let mut line = serde_json::to_vec(record).map_err(ActivityError::new)?;
            line.push(b'\n');
            let written = tokio::task::spawn_blocking(move || append(&file, &line)).await;
            written.map_err(ActivityError::new)?.map_err(ActivityError::new)
        })
    }
}

/// All of the line or nothing of it.
fn append(file: &Mutex<File>, line: &[u8]) -> io::Result<()> {
    let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
    let before = file.metadata()?.len();
    let written = file.write_all(line).and_then(|()| file.sync_data());
    if written.is_err() {
        let _ = file.set_len(before);
    }
    written
}

impl fmt::Debug for ActivityFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ActivityFile").field("path", &self.path).finish_non_exhaustive()
    }
}
