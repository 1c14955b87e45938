//! The table of `docs/spec-server.md` is whole, and names tests that are there.

use std::{collections::BTreeMap, fs, path::PathBuf};

/// One row: the id, what is required, where it is held.
struct Row {
    id: String,
    held: String,
}

fn root() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

fn rows() -> Vec<Row> {
    let table = fs::read_to_string(root().join("docs/spec-server.md")).unwrap();
    table
        .lines()
        .filter(|it| it.starts_with("| S-"))
        .map(|line| {
            let cells: Vec<_> = line.trim_matches('|').split(" | ").map(str::trim).collect();
            assert_eq!(cells.len(), 3, "{line}");
            assert!(!cells[1].is_empty() && !cells[2].is_empty(), "{line}");
            Row { id: cells[0].to_owned(), held: cells[2].to_owned() }
        })
        .collect()
}

/// The tests and the files that a cell names: `path.rs: test`, or `path.rs`; `path.mjs: step` for other people's clients.
fn named(cell: &str) -> Vec<(&str, Option<&str>)> {
    cell.split('`')
        .skip(1)
        .step_by(2)
        .filter(|it| it.contains(".rs") || it.contains(".mjs"))
        .map(|it| it.split_once(": ").map_or((it, None), |(path, test)| (path, Some(test))))
        .collect()
}

/// Whether a test is of those that name what they hold.
fn is_ours(path: &str) -> bool {
    FOLDERS.iter().any(|it| path.starts_with(it))
}

const FOLDERS: [&str; 2] = ["patterns/", "auth/"];

fn source(path: &str) -> String {
    let path = if is_ours(path) { format!("tests/tests/{path}") } else { path.to_owned() };
    fs::read_to_string(root().join(&path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn each_requirement_stands_once() {
    let mut counts = BTreeMap::new();

    for row in rows() {
        *counts.entry(row.id).or_insert(0) += 1;
    }

    let expected: BTreeMap<_, _> = (101..=253).map(|it| (format!("S-{it}"), 1)).collect();
    assert_eq!(counts, expected);
}

#[test]
fn each_requirement_is_held_somewhere_or_says_why_not() {
    for row in rows() {
        let explained = ["compile time: ", "does not apply: ", "by construction: ", "open: "];
        let is_explained = explained.iter().any(|it| row.held.contains(it));
        assert!(is_explained || !named(&row.held).is_empty(), "{}: {}", row.id, row.held);
    }
}

#[test]
fn each_test_that_is_named_is_there_and_names_the_requirement() {
    for row in rows() {
        for (path, test) in named(&row.held) {
            let source = source(path);
            let Some(test) = test else { continue };
            let start = match path.ends_with(".mjs") {
                true => format!("'{test}': async"),
                false => format!("fn {test}()"),
            };
            let head = source.split(&start).next().unwrap();
            assert!(head.len() < source.len(), "{}: {path} has no test `{test}`", row.id);
            let cited = head.lines().rev().take(4).find(|it| it.starts_with("// S-")).unwrap_or_default();
            assert!(!is_ours(path) || cited.contains(&row.id), "{test} does not name {}", row.id);
        }
    }
}

#[test]
fn each_test_names_requirements_whose_row_names_it() {
    let rows: BTreeMap<_, _> = rows().into_iter().map(|it| (it.id, it.held)).collect();

    let files = |folder: &&str| fs::read_dir(root().join("tests/tests").join(folder)).unwrap();
    for file in FOLDERS.iter().flat_map(files) {
        let file = file.unwrap();
        if file.path().is_dir() {
            continue;
        }
        let folder = file.path().parent().unwrap().file_name().unwrap().to_string_lossy().into_owned();
        let source = fs::read_to_string(file.path()).unwrap();
        let lines: Vec<_> = source.lines().collect();
        for (at, line) in lines.iter().enumerate().filter(|it| it.1.starts_with("// S-")) {
            let name = lines[at..].iter().find_map(|it| it.split_once("fn ")).unwrap().1;
            let test =
                format!("{folder}/{}: {}", file.file_name().display(), name.split('(').next().unwrap());
            for id in line.trim_start_matches("// ").trim_end_matches('.').split(", ") {
                assert!(rows[id].contains(&test), "{id} does not name `{test}`");
            }
        }
    }
}
