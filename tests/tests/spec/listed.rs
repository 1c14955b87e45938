//! `docs/spec.md` lists every rule once, and what it says holds a rule is there.

use std::{collections::HashSet, fs, path::PathBuf};

/// One line of a table.
struct Row {
    /// As `S-041`.
    id: String,
    held: String,
}

/// A test that holds a rule.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Holder {
    /// From `tests/tests`, or from the root for what is in `framework`.
    file: String,
    test: String,
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The rows of the rules that this topic is about; what servers offer is listed and held elsewhere.
fn rows() -> Vec<Row> {
    let list = fs::read_to_string(root().join("docs/spec.md")).expect("the list is there");
    let row = |line: &str| {
        let cells: Vec<_> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let [id, .., held] = cells.as_slice() else { panic!("a row has cells: {line}") };
        Row { id: (*id).into(), held: (*held).into() }
    };
    let rows = list.lines().filter(|it| it.starts_with("| S-")).map(row);
    rows.filter(|it| it.id.as_str() <= "S-100").collect()
}

impl Row {
    fn does_not_apply(&self) -> bool {
        self.held.starts_with("does not apply: ")
    }

    /// The tests that the row names, as `spec/meta.rs: one, another; spec/http.rs: third`.
    fn holders(&self) -> Vec<Holder> {
        let files = self.held.split("; ").filter(|_| !self.does_not_apply());
        let files = files.filter_map(|it| it.split_once(".rs: "));
        files
            .flat_map(|(file, tests)| {
                tests
                    .split(", ")
                    .map(move |test| Holder { file: format!("{file}.rs"), test: test.trim().into() })
            })
            .collect()
    }

    /// What does not compile when the rule is broken.
    fn compile_time(&self) -> Option<&str> {
        self.held.split("; ").find_map(|it| it.strip_prefix("compile time: "))
    }
}

impl Holder {
    fn source(&self) -> String {
        let folder = if self.file.starts_with("framework/") { root() } else { root().join("tests/tests") };
        fs::read_to_string(folder.join(&self.file)).unwrap_or_default()
    }
}

/// What the tests of this topic say about themselves: the rules that stand before each of them.
fn cited() -> HashSet<(String, Holder)> {
    let folder = root().join("tests/tests/spec");
    let mut all = HashSet::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let file = format!("spec/{}", path.file_name().unwrap().to_string_lossy());
        let mut ids = Vec::new();
        for line in fs::read_to_string(path).unwrap().lines() {
            if line.starts_with("// S-") {
                ids = line.trim_matches(['/', ' ', '.']).split(", ").map(str::to_owned).collect();
            } else if let Some((head, test)) = line.split_once("fn ").filter(|_| !ids.is_empty()) {
                assert!(head.is_empty() || head == "async ", "{line}");
                let test = test.split('(').next().unwrap_or_default();
                all.extend(
                    ids.drain(..).map(|id| (id, Holder { file: file.clone(), test: test.to_owned() })),
                );
            }
        }
    }
    all
}

#[test]
fn every_rule_is_listed_once() {
    let rows = rows();
    let listed: Vec<_> = rows.iter().map(|it| it.id.as_str()).collect();

    let expected: Vec<_> = (1..=100).map(|it| format!("S-{it:03}")).collect();
    assert_eq!(listed, expected);
}

#[test]
fn every_rule_is_held_or_does_not_apply() {
    for row in rows() {
        let is_held = !row.holders().is_empty() || row.compile_time().is_some();
        assert!(is_held != row.does_not_apply(), "{}: {}", row.id, row.held);
    }
}

#[test]
fn every_test_that_is_listed_is_there() {
    for row in rows() {
        for holder in row.holders() {
            assert!(holder.source().contains(&format!("fn {}()", holder.test)), "{}: {holder:?}", row.id);
        }
        assert!(row.compile_time().is_none_or(|it| root().join(it).is_file()), "{}: {}", row.id, row.held);
    }
}

#[test]
fn the_list_and_the_tests_say_the_same() {
    let listed = rows().into_iter().flat_map(|row| {
        let holders = row.holders().into_iter().filter(|it| it.file.starts_with("spec/"));
        holders.map(|it| (row.id.clone(), it)).collect::<Vec<_>>()
    });
    let listed: HashSet<_> = listed.collect();

    let cited = cited();

    assert_eq!(listed.symmetric_difference(&cited).collect::<Vec<_>>(), [] as [&(String, Holder); 0]);
    assert!(cited.len() > 100);
}
