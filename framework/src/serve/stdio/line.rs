//! Reading lines, none of them longer than it may be.

use std::io;

use tokio::io::{AsyncBufRead, AsyncBufReadExt};

pub(crate) enum Line {
    Whole,
    TooLong,
}

/// The next line without its end; of one that is too long, nothing is kept. `None` when the input has ended.
pub(crate) async fn read_line(
    input: &mut (impl AsyncBufRead + Unpin),
    line: &mut Vec<u8>,
    most: usize,
) -> io::Result<Option<Line>> {
    line.clear();
    let mut is_long = false;
    let whole = |is_long| if is_long { Line::TooLong } else { Line::Whole };
    loop {
        let piece = input.fill_buf().await?;
        if piece.is_empty() {
            let has_rest = is_long || !line.is_empty();
            return Ok(has_rest.then(|| whole(is_long)));
        }
        let end = memchr::memchr(b'\n', piece);
        let part = &piece[..end.unwrap_or(piece.len())];
        is_long |= line.len() + part.len() > most;
        if is_long {
            line.clear();
        } else {
            line.extend_from_slice(part);
        }
        let used = part.len() + usize::from(end.is_some());
        input.consume(used);
        if end.is_some() {
            return Ok(Some(whole(is_long)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn lines(text: &[u8], most: usize) -> Vec<Option<String>> {
        let mut input = tokio::io::BufReader::with_capacity(4, text);
        let (mut line, mut all) = (Vec::new(), Vec::new());
        while let Some(next) = read_line(&mut input, &mut line, most).await.unwrap() {
            all.push(matches!(next, Line::Whole).then(|| String::from_utf8(line.clone()).unwrap()));
        }
        all
    }

    #[tokio::test]
    async fn a_line_ends_at_its_newline_or_at_the_end_of_the_input() {
        assert_eq!(
            lines(b"one\ntwo\n\nlast", 10).await,
            ["one", "two", "", "last"].map(|it| Some(it.into()))
        );
    }

    #[tokio::test]
    async fn a_line_that_is_too_long_is_dropped_and_the_next_is_read() {
        assert_eq!(lines(b"12345678901\n1234567890\n", 10).await, [None, Some("1234567890".into())]);
    }
}
