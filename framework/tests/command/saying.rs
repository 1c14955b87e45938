//! What the command says of itself, and of what it was told wrongly.

use super::{
    kit::{tollgate, tollgate_with},
    stranger::{Reply, Stranger},
};

#[test]
fn help_and_the_version_are_no_errors() {
    assert!(tollgate(&["--help"]).ends_with(0).out.contains("Usage: tollgate <COMMAND>"));
    assert!(tollgate(&["call", "--help"]).ends_with(0).out.contains("Examples:"));
    assert_eq!(
        tollgate(&["--version"]).ends_with(0).out.trim(),
        concat!("tollgate ", env!("CARGO_PKG_VERSION"))
    );
}

#[test]
fn every_command_has_examples() {
    for command in ["discover", "list", "call", "budget", "lint", "preflight", "new", "doctor"] {
        let run = tollgate(&[command, "--help"]).ends_with(0);

        assert!(run.out.contains("Examples:\n  "), "{command}");
    }
}

#[test]
fn what_is_not_understood_ends_with_1() {
    for wrong in [&[][..], &["dance"], &["list", "wine"], &["call"], &["list", "--timeout", "5"]] {
        let run = tollgate(wrong).ends_with(1);

        assert!(!run.err.is_empty() && run.out.is_empty(), "{wrong:?}");
    }
}

#[test]
fn a_server_has_to_be_named_once() {
    let none = tollgate(&["list"]).ends_with(1);
    let both = tollgate(&["list", "-u", "http://127.0.0.1:1/mcp", "--", "true"]).ends_with(1);

    assert!(none.err.contains("name a server: `--url"), "{none:?}");
    assert!(both.err.contains("not by both"), "{both:?}");
}

#[test]
fn the_url_can_stand_in_the_environment() {
    let run = tollgate_with(&[("TOLLGATE_URL", "http://127.0.0.1:1/mcp")], &["list"]).ends_with(1);

    assert!(run.err.contains("cannot be reached"), "{run:?}");
}

#[test]
fn the_token_travels_in_a_header_and_is_shown_nowhere() {
    let stranger = Stranger::start(|_| Reply::new(401, "text/plain", "who are you?"));
    let token = [("TOLLGATE_TOKEN", "very-secret")];

    let run = tollgate_with(&token, &["list", "-u", &stranger.url]).ends_with(1);

    assert_eq!(stranger.seen()[0].header("authorization"), Some("Bearer very-secret"));
    assert!(run.err.contains("HTTP 401: who are you?") && run.err.contains("TOLLGATE_TOKEN"), "{run:?}");
    assert!(!run.err.contains("very-secret") && !run.out.contains("very-secret"), "{run:?}");
}

#[test]
fn headers_are_sent_and_a_wrong_one_is_not_repeated() {
    let stranger = Stranger::start(|_| Reply::new(500, "text/plain", ""));

    tollgate(&["list", "-u", &stranger.url, "-H", "X-Key: value"]).ends_with(1);
    let wrong = tollgate(&["list", "-u", &stranger.url, "-H", "secret"]).ends_with(1);

    assert_eq!(stranger.seen()[0].header("x-key"), Some("value"));
    assert!(wrong.err.contains("'Name: value'") && !wrong.err.contains("secret"), "{wrong:?}");
}

#[test]
fn a_token_stays_out_of_the_environment_of_a_child() {
    let script = super::stranger::script("echo \"token: ${TOLLGATE_TOKEN-none}\" >&2");
    let arguments = [&["list", "--"][..], &script].concat();

    let run = tollgate_with(&[("TOLLGATE_TOKEN", "very-secret")], &arguments).ends_with(1);

    assert!(run.err.contains("token: none"), "{run:?}");
}

#[test]
fn a_redirect_is_not_followed() {
    let elsewhere = Stranger::start(|_| Reply::new(500, "text/plain", ""));
    let location = elsewhere.url.clone();
    let stranger = Stranger::start(move |_| Reply::new(307, "text/plain", "").with("location", &location));

    let run = tollgate(&["list", "-u", &stranger.url]).ends_with(1);

    assert!(run.err.contains(&elsewhere.url) && run.err.contains("redirects are not followed"), "{run:?}");
    assert!(elsewhere.seen().is_empty());
}

#[test]
fn nothing_is_coloured_where_nobody_looks() {
    let run = tollgate(&["list", "-u", "http://127.0.0.1:1/mcp"]).ends_with(1);

    assert!(run.err.starts_with("error: ") && !run.err.contains('\u{1b}'), "{run:?}");
}
