//! Values and texts cut to a length that fits a message, with nothing in them that a terminal obeys.

use std::io;

use serde_json::Value;

/// `value` as JSON, in `most` characters at most.
pub(super) fn value(value: &Value, most: usize) -> String {
    let mut start = Start { bytes: Vec::new(), most: most * 4 + 4 };
    // It fails when the value is longer than what is kept.
    let _ = serde_json::to_writer(&mut start, value);
    text(&start.valid(), most)
}

/// `text` in `most` characters at most, control and direction characters escaped.
pub(super) fn text(text: &str, most: usize) -> String {
    let mut short = String::new();
    let mut length = 0;
    for char in text.chars() {
        let escaped = if is_unsafe(char) { char.escape_unicode().to_string() } else { char.to_string() };
        let count = escaped.chars().count();
        if length + count > most {
            // Room for the ellipsis.
            while length + 1 > most && short.pop().is_some() {
                length -= 1;
            }
            short.push('…');
            return short;
        }
        short.push_str(&escaped);
        length += count;
    }
    short
}

fn is_unsafe(char: char) -> bool {
    char.is_control()
        || matches!(char, '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}')
}

/// Keeps the start of what is written.
struct Start {
    bytes: Vec<u8>,
    most: usize,
}

impl Start {
    fn valid(&self) -> String {
        let valid = self.bytes.utf8_chunks().next().map(|it| it.valid()).unwrap_or_default();
        valid.to_owned()
    }
}

impl io::Write for Start {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let room = self.most - self.bytes.len();
        if room == 0 {
            return Err(io::ErrorKind::WriteZero.into());
        }
        let kept = &bytes[..bytes.len().min(room)];
        self.bytes.extend_from_slice(kept);
        Ok(kept.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
