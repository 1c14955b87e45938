//! Bodies in chunks that do not fit.

use super::{CUT, call, raw};
use crate::corpus::bench::{Bench, Expect};

fn with_chunks(body: &[u8]) -> Vec<u8> {
    raw(&[b"Transfer-Encoding: chunked"], body)
}

/// One chunk with the body, under that line, and then that end.
fn one(line: &str, end: &str) -> Vec<u8> {
    let body = call().body;
    let line = line.replace("SIZE", &format!("{:x}", body.len()));
    with_chunks(&[line.as_bytes(), &body, end.as_bytes()].concat())
}

// V29.
#[tokio::test]
async fn chunks_that_are_unusual_are_read() {
    let mut bench = Bench::new().await;
    let pieces: String =
        call().body.iter().map(|it| format!("1\r\n{}\r\n", char::from(*it))).collect::<String>()
            + "0\r\n\r\n";
    let rows = [
        ("plain", one("SIZE\r\n", "\r\n0\r\n\r\n")),
        ("in single bytes", with_chunks(pieces.as_bytes())),
        ("an extension", one("SIZE;name=value\r\n", "\r\n0\r\n\r\n")),
        ("a quoted extension", one("SIZE;name=\"a b\"\r\n", "\r\n0;last\r\n\r\n")),
        ("zeros in front", one("000SIZE\r\n", "\r\n000\r\n\r\n")),
        ("upper case", {
            let size = format!("{:X}", call().body.len());
            one(&format!("{size}\r\n"), "\r\n0\r\n\r\n")
        }),
        ("a trailer", one("SIZE\r\n", "\r\n0\r\nX-Sum: 1\r\n\r\n")),
        ("a trailer that names another tool", one("SIZE\r\n", "\r\n0\r\nMcp-Name: hold\r\n\r\n")),
        ("a trailer with another length", one("SIZE\r\n", "\r\n0\r\nContent-Length: 1\r\n\r\n")),
        ("a trailer with another host", one("SIZE\r\n", "\r\n0\r\nHost: evil.example\r\n\r\n")),
    ];

    for (name, bytes) in rows {
        bench.bytes(name, &bytes, Expect::good(1)).await;
    }

    bench.finish(10);
}

// V16, V29.
#[tokio::test]
async fn a_header_that_comes_after_the_body_is_none() {
    let mut bench = Bench::new().await;
    let mut head = call().without("Mcp-Name").header("Transfer-Encoding: chunked");
    head.with_length = false;
    let size = format!("{:x}\r\n", head.body.len());
    let body = [size.as_bytes(), &head.body, b"\r\n0\r\nMcp-Name: take\r\n\r\n"].concat();

    bench.bytes("the name in a trailer", &head.body(body).bytes(), Expect::refused(400, -32020)).await;

    bench.finish(1);
}

// V22, V29.
#[tokio::test]
async fn a_chunk_without_a_clear_end_ends_the_connection() {
    let mut bench = Bench::new().await;
    let rows = [
        ("a size over 64 bits", one("10000000000000000\r\n", "\r\n0\r\n\r\n")),
        ("a size of all ones and one more", one("fffffffffffffffff\r\n", "\r\n0\r\n\r\n")),
        ("a negative size", one("-SIZE\r\n", "\r\n0\r\n\r\n")),
        ("a size with a plus", one("+SIZE\r\n", "\r\n0\r\n\r\n")),
        ("a size with 0x", one("0xSIZE\r\n", "\r\n0\r\n\r\n")),
        ("a size of words", one("many\r\n", "\r\n0\r\n\r\n")),
        ("no size", one("\r\n", "\r\n0\r\n\r\n")),
        ("an empty extension line", one(";x\r\n", "\r\n0\r\n\r\n")),
        ("no end after the bytes", one("SIZE\r\n", "0\r\n\r\n")),
        ("a byte too many", one("SIZE\r\n", "x\r\n0\r\n\r\n")),
        ("a bare line feed after the bytes", one("SIZE\r\n", "\n0\r\n\r\n")),
        ("a bare line feed after the size", one("SIZE\n", "\r\n0\r\n\r\n")),
        ("a carriage return in an extension", one("SIZE;a\rb\r\n", "\r\n0\r\n\r\n")),
        ("an extension of 64 KiB", one(&format!("SIZE;{}\r\n", "x".repeat(65_536)), "\r\n0\r\n\r\n")),
        ("a size with a NUL", one("SIZE\0\r\n", "\r\n0\r\n\r\n")),
        ("a size with a blank inside", one("1 SIZE\r\n", "\r\n0\r\n\r\n")),
    ];

    for (name, bytes) in rows {
        bench.bytes(name, &bytes, CUT).await;
    }

    bench.finish(16);
}
