//! Reading a stream of server-sent events, one message an event.

use std::io::{self, BufRead};

/// One event.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Event {
    /// Its data; empty where it only sets an id.
    pub(crate) data: String,
    /// Its id, for coming back to the stream.
    pub(crate) id: Option<String>,
    /// How long to wait before coming back, in milliseconds.
    pub(crate) retry: Option<u64>,
}

/// The events of a stream.
#[derive(Debug)]
pub(crate) struct Events<R> {
    input: R,
}

impl<R: BufRead> Events<R> {
    pub(crate) const fn new(input: R) -> Self {
        Self { input }
    }

    /// The next event; one that the end of the stream cuts off does not count.
    pub(crate) fn next(&mut self) -> io::Result<Option<Event>> {
        let mut event = Event::default();
        let mut lines = Vec::new();
        let mut is_begun = false;
        while let Some(line) = read_line(&mut self.input)? {
            if line.is_empty() {
                if is_begun {
                    event.data = lines.join("\n");
                    return Ok(Some(event));
                }
                continue;
            }
            let (field, value) = line.split_once(':').unwrap_or((&line, ""));
            let value = value.strip_prefix(' ').unwrap_or(value);
            match field {
                "data" => lines.push(value.to_owned()),
                "id" => event.id = Some(value.to_owned()),
                "retry" => event.retry = value.parse().ok(),
                _ => continue,
            }
            is_begun = true;
        }
        Ok(None)
    }
}

/// Bytes of the longest line that is read.
pub(crate) const LONGEST: u64 = 16 * 1024 * 1024;

/// A line without its end, or `None` at the end of the input.
pub(crate) fn read_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    let read = io::Read::take(input.by_ref(), LONGEST + 1).read_until(b'\n', &mut line)?;
    if read == 0 {
        return Ok(None);
    }
    if line.len() as u64 > LONGEST {
        return Err(io::Error::other("a line is longer than 16 MiB"));
    }
    while line.last().is_some_and(|it| matches!(it, b'\n' | b'\r')) {
        line.pop();
    }
    Ok(Some(String::from_utf8_lossy(&line).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<Event> {
        let mut events = Events::new(text.as_bytes());
        std::iter::from_fn(|| events.next().unwrap()).collect()
    }

    #[test]
    fn an_event_ends_at_an_empty_line_and_its_data_lines_are_joined() {
        let events =
            all(": hello\n\nevent: message\nid: 7\ndata: {\"a\":\ndata: 1}\n\nretry: 50\r\ndata:x\r\n\r\n");

        assert_eq!(
            events,
            [
                Event { data: "{\"a\":\n1}".into(), id: Some("7".into()), retry: None },
                Event { data: "x".into(), id: None, retry: Some(50) },
            ]
        );
    }

    #[test]
    fn an_event_that_is_cut_off_is_no_event() {
        assert_eq!(all("data: half"), []);
    }
}
