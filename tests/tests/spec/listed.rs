//! `docs/spec.md` lists every rule once, and what it says holds a rule is there.

use std::{fs, path::PathBuf};

/// The rows of a table: an id, the rule, and where it is held.
fn rows() -> Vec<(String, String)> {
    let list = fs::read_to_string(root().join("docs/spec.md")).expect("the list is there");
    let rows = list.lines().filter_map(|it| it.strip_prefix("| S-"));
    rows.map(|row| {
        let cells: Vec<_> = row.trim_end_matches('|').split(" | ").map(str::trim).collect();
        let [id, _rule, held] = cells.as_slice() else { panic!("a row has three cells: {row}") };
        ((*id).to_owned(), (*held).to_owned())
    })
    .collect()
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The tests that a cell names, as file and test; files are named from `tests/tests`, or from `framework`.
fn named(held: &str) -> Vec<(PathBuf, String)> {
    let mut file = PathBuf::new();
    let mut all = Vec::new();
    for part in held.split("; ").filter(|it| !it.starts_with("does not apply: ")) {
        let mut tests = part;
        if let Some((path, rest)) = part.split_once(".rs: ") {
            let above = if path.starts_with("framework/") { root() } else { root().join("tests/tests") };
            file = above.join(format!("{path}.rs"));
            tests = rest;
        }
        all.extend(tests.split(", ").map(|it| (file.clone(), it.to_owned())));
    }
    all
}

#[test]
fn every_rule_is_listed_once() {
    let listed: Vec<_> = rows().into_iter().map(|it| it.0).collect();

    let expected: Vec<_> = (1..=100).map(|it| format!("{it:03}")).collect();
    assert_eq!(listed, expected);
}

#[test]
fn every_test_that_is_listed_is_there() {
    for (id, held) in rows() {
        for (file, test) in named(&held) {
            let source =
                fs::read_to_string(&file).unwrap_or_else(|_| panic!("S-{id}: no {}", file.display()));
            assert!(source.contains(&format!("fn {test}()")), "S-{id}: no {test} in {}", file.display());
        }
    }
}

#[test]
fn every_test_that_is_listed_says_what_it_holds() {
    for (id, held) in rows() {
        for (file, test) in named(&held).into_iter().filter(|it| !it.0.starts_with(root().join("framework")))
        {
            let source = fs::read_to_string(&file).unwrap();
            let above = source.split(&format!("fn {test}()")).next().unwrap();
            let cited = above.lines().rev().find(|it| it.starts_with("// S-")).unwrap_or_default();
            assert!(cited.contains(&format!("S-{id}")), "{test} does not cite S-{id}: {cited}");
        }
    }
}

#[test]
fn every_rule_is_held_or_said_not_to_apply() {
    for (id, held) in rows() {
        assert!(!named(&held).is_empty() || held.starts_with("does not apply: "), "S-{id}: {held}");
    }
}
