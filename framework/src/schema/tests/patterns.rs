//! Patterns, as the linear engine reads them.

use serde_json::{Value, json};

use super::{refusal, table};

#[track_caller]
fn matches<const V: usize, const I: usize>(pattern: &str, valid: [&str; V], invalid: [&str; I]) {
    table(json!({"pattern": pattern}), valid.map(Value::from), invalid.map(Value::from));
}

#[test]
fn a_pattern_matches_anywhere_unless_anchored() {
    matches("b", ["abc", "b"], ["a"]);
    matches("^b$", ["b"], ["abc", "b\n", "a\nb"]);
    matches("^a|b$", ["ax", "xb"], ["xa"]);
}

#[test]
fn classes_are_those_of_ecma() {
    matches(r"^\d+$", ["12"], ["١٢", "a"]);
    matches(r"^\w+$", ["aZ_9"], ["é", "a-b"]);
    matches(r"^\s$", [" ", "\u{A0}", "\u{2029}", "\u{FEFF}", "\t"], ["a", "\u{200B}"]);
    matches(r"^\S$", ["a", "\u{200B}"], [" ", "\u{3000}"]);
    matches(r"^[\s\S]$", ["\n", "a", "\u{A0}"], [""]);
    matches(r"^[^\s]$", ["a"], ["\u{A0}"]);
    matches(r"^.$", ["a", "💩"], ["\n", "\r", "\u{2028}"]);
    matches(r"^[\d.]+$", ["1.2"], ["a"]);
    matches(r"^[^]$", ["\n"], ["ab"]);
}

#[test]
fn classes_take_their_punctuation_literally() {
    matches(r"^[\w-.]+$", ["a-b.c"], ["a b"]);
    matches(r"^[a-z-]+$", ["a-b"], ["A"]);
    matches(r"^[-a]+$", ["-a"], ["b"]);
    matches(r"^[[:alpha:]]$", [":]", "l]"], ["b]"]);
    matches(r"^[a&&b]+$", ["a&b"], ["c"]);
    matches(r"^[a~~b]+$", ["a~b"], ["c"]);
    matches(r"^[\]\\^]+$", [r"]\^"], ["a"]);
    matches(r"^[\b]$", ["\u{8}"], ["b"]);
    matches(r"^[[-a]$", ["[", "^", "a"], ["-"]);
}

#[test]
fn escapes_are_those_of_ecma() {
    matches(r"^\/\-\.$", ["/-."], ["a"]);
    matches(r"^\x41\u0042\u{43}\t$", ["ABC\t"], ["ABC"]);
    matches(r"^\uD83D\uDCA9$", ["💩"], ["a"]);
    matches(r"^\cJ\0$", ["\n\0"], ["J0"]);
    matches(r"\bcat\b", ["a cat"], ["concat"]);
    matches(r"^<\<\>>$", ["<<>>"], [""]);
}

#[test]
fn groups_and_counts_are_those_of_ecma() {
    matches(r"^(?<year>\d{4})-(\d{1,2})(?:-x)?$", ["2026-7", "2026-07-x"], ["26-7"]);
    matches(r"^a{2,}?$", ["aa", "aaa"], ["a"]);
    matches(r"^(ab|c)*$", ["abc", ""], ["b"]);
}

#[test]
fn what_needs_backtracking_is_refused() {
    let problem = |pattern: &str| refusal(json!({"properties": {"a": {"pattern": pattern}}})).problem;

    assert!(problem("a(?=b)").contains("look-around"));
    assert!(problem("a(?!b)").contains("look-around"));
    assert!(problem("(?<=a)b").contains("look-around"));
    assert!(problem("(?<!a)b").contains("look-around"));
    assert!(problem(r"(a)\1").contains("backreferences"));
    assert!(problem(r"(?<n>a)\k<n>").contains("backreferences"));
}

#[test]
fn what_is_no_pattern_is_refused() {
    let place = |pattern: &str| refusal(json!({"patternProperties": {pattern: true}})).pointer;

    assert_eq!(place("("), "/patternProperties");
    assert_eq!(place("a)"), "/patternProperties");
    assert_eq!(place("[a"), "/patternProperties");
    assert_eq!(place("a**"), "/patternProperties");
    assert_eq!(place("*a"), "/patternProperties");
    assert_eq!(place("{2}"), "/patternProperties");
    assert_eq!(place("a{,2}"), "/patternProperties");
    assert_eq!(place("a{2"), "/patternProperties");
    assert_eq!(place(r"\a"), "/patternProperties");
    assert_eq!(place(r"\"), "/patternProperties");
    assert_eq!(place(r"\p{L}"), "/patternProperties");
    assert_eq!(place(r"\uD83D"), "/patternProperties");
    assert_eq!(place("(?i)a"), "/patternProperties");
    assert_eq!(place("[z-a]"), "/patternProperties");
    assert_eq!(place("[]"), "/patternProperties");
}

#[test]
fn a_huge_pattern_is_refused() {
    assert!(refusal(json!({"pattern": r"(((\w{100}){100}){100}){100}"})).problem.contains("pattern"));
}
