//! Where a body ends: one rule, or none.

use super::{AMBIGUOUS, BROKEN, call, raw};
use crate::corpus::bench::{Bench, Expect};

fn chunked(body: &[u8]) -> Vec<u8> {
    [format!("{:x}\r\n", body.len()).as_bytes(), body, b"\r\n0\r\n\r\n"].concat()
}

// V23, V29.
#[tokio::test]
async fn a_body_has_one_length() {
    let mut bench = Bench::new().await;
    let body = call().body;
    let right = format!("Content-Length: {}", body.len());
    let right = right.as_bytes();
    let wrong = b"Content-Length: 5".as_slice();
    let te = b"Transfer-Encoding: chunked".as_slice();
    let rows: [(&str, &[&[u8]], Expect); 19] = [
        ("one length", &[right], Expect::good(1)),
        // RFC 9110, section 8.6: equal values may be taken for one.
        ("two equal lengths", &[right, right], Expect::good(1)),
        ("two lengths, the first short", &[wrong, right], BROKEN),
        ("two lengths, the second short", &[right, wrong], BROKEN),
        ("three equal lengths", &[right, right, right], Expect::good(1)),
        // RFC 9112, section 6.3: two readers may see two bodies.
        ("a length and chunks", &[right, te], AMBIGUOUS),
        ("chunks and a length", &[te, right], AMBIGUOUS),
        ("chunks and a wrong length", &[te, wrong], AMBIGUOUS),
        ("a length with a plus", &[b"Content-Length: +10"], BROKEN),
        ("a negative length", &[b"Content-Length: -1"], BROKEN),
        ("a length in hex", &[b"Content-Length: 0x10"], BROKEN),
        ("a length with an exponent", &[b"Content-Length: 1e3"], BROKEN),
        ("a list of lengths", &[b"Content-Length: 10, 10"], BROKEN),
        ("an empty length", &[b"Content-Length:"], BROKEN),
        ("a length of words", &[b"Content-Length: ten"], BROKEN),
        ("a length with a point", &[b"Content-Length: 10.0"], BROKEN),
        ("a length over 64 bits", &[b"Content-Length: 18446744073709551616"], BROKEN),
        ("a length beyond any disk", &[b"Content-Length: 9999999999999999999999999"], BROKEN),
        ("a blank before the colon", &[b"Content-Length : 10"], BROKEN),
    ];

    for (name, lines, expect) in rows {
        let is_chunked = lines.contains(&te);
        let bytes = raw(lines, &if is_chunked { chunked(&body) } else { body.clone() });
        bench.bytes(name, &bytes, expect).await;
    }

    bench.finish(19);
}

// V29.
#[tokio::test]
async fn a_body_is_chunked_or_it_is_not() {
    let mut bench = Bench::new().await;
    let body = chunked(&call().body);
    let rows: [(&str, &[&[u8]], Expect); 17] = [
        ("chunked", &[b"Transfer-Encoding: chunked"], Expect::good(1)),
        ("in upper case", &[b"TRANSFER-ENCODING: CHUNKED"], Expect::good(1)),
        ("no blank", &[b"Transfer-Encoding:chunked"], Expect::good(1)),
        ("a tab", &[b"Transfer-Encoding:\tchunked"], Expect::good(1)),
        ("identity, chunked", &[b"Transfer-Encoding: identity, chunked"], AMBIGUOUS),
        ("gzip, chunked", &[b"Transfer-Encoding: gzip, chunked"], AMBIGUOUS),
        ("chunked twice", &[b"Transfer-Encoding: chunked, chunked"], AMBIGUOUS),
        ("two lines", &[b"Transfer-Encoding: chunked", b"Transfer-Encoding: chunked"], AMBIGUOUS),
        (
            "identity on a line of its own",
            &[b"Transfer-Encoding: identity", b"Transfer-Encoding: chunked"],
            AMBIGUOUS,
        ),
        ("chunked, identity", &[b"Transfer-Encoding: chunked, identity"], BROKEN),
        ("identity", &[b"Transfer-Encoding: identity"], BROKEN),
        ("gzip", &[b"Transfer-Encoding: gzip"], BROKEN),
        ("xchunked", &[b"Transfer-Encoding: xchunked"], BROKEN),
        ("empty", &[b"Transfer-Encoding:"], BROKEN),
        ("a vertical tab", &[b"Transfer-Encoding: \x0bchunked"], BROKEN),
        ("a blank before the colon", &[b"Transfer-Encoding : chunked"], BROKEN),
        ("folded", &[b"Transfer-Encoding:\r\n chunked"], BROKEN),
    ];

    for (name, lines, expect) in rows {
        bench.bytes(name, &raw(lines, &body), expect).await;
    }

    bench.finish(17);
}
