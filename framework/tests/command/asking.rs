//! What a tool asks is answered, in both eras, over HTTP and stdio.

use super::{
    house::{Serving, everywhere},
    kit::tollgate,
};

#[test]
fn an_answer_from_the_command_line_fills_the_form() {
    everywhere(&["call", "hold", "guests=4", "--answer", r#"{"agreed": true, "window": true}"#], |run| {
        assert_eq!((run.code, run.out.as_str()), (0, "held for 4, at the window\n"), "{run:?}");
        assert!(run.err.contains("the server asks: A table for 4?"), "{run:?}");
    });
}

#[test]
fn without_a_terminal_a_question_is_declined_and_that_is_said() {
    everywhere(&["call", "hold", "guests=4"], |run| {
        assert_eq!(run.code, 2, "{run:?}");
        assert!(run.err.contains("declined: there is no terminal to answer on"), "{run:?}");
    });
}

#[test]
fn a_question_can_be_cancelled() {
    everywhere(&["call", "hold", "guests=4", "--answer", "cancel"], |run| {
        assert_eq!(run.code, 2, "{run:?}");
    });
}

#[test]
fn what_is_not_declared_is_not_asked() {
    let serving = Serving::house();

    let run = tollgate(&["call", "folders", "--era", "legacy", "-u", &serving.url]).ends_with(2);

    assert!(run.out.contains("The client cannot do what this needs: roots"), "{run:?}");
}

#[test]
fn an_answer_that_is_none_is_refused_before_anything_is_sent() {
    let run = tollgate(&["call", "hold", "--answer", "yes", "-u", "http://127.0.0.1:1/mcp"]).ends_with(1);

    assert!(run.err.contains("`yes` is no answer"), "{run:?}");
}
