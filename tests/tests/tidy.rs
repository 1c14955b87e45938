//! What the compiler does not check about the house.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// Who may know whom: a module imports from its own level and from those before it.
const LEVELS: [&[&str]; 7] = [
    &["wire"],
    &["schema", "seal", "store", "clock", "limits", "caller", "doors", "guard", "fetch"],
    &["auth", "budget", "changes", "handles", "lint", "pending", "permits", "oauth", "ready"],
    &["author", "private"],
    &["gate", "gates", "answer", "layers", "engine", "body"],
    &["serve"],
    &["server", "lib"],
];

/// The same for the command, which is a crate of its own.
const COMMAND_LEVELS: [&[&str]; 5] = [
    &["text", "duration"],
    &["screen"],
    &["client"],
    &["out", "args", "report", "source"],
    &["discover", "list", "call", "budget", "lint", "preflight", "doctor", "new", "main"],
];

const COMMAND: &str = "framework/src/bin/tollgate";

fn level(levels: &[&[&str]], module: &str) -> usize {
    levels.iter().position(|it| it.contains(&module)).unwrap_or_else(|| panic!("`{module}` has no level"))
}

/// The sources of the framework, without the command, which uses it as everybody does.
fn framework() -> Vec<PathBuf> {
    sources("framework/src").into_iter().filter(|it| !it.to_string_lossy().contains(COMMAND)).collect()
}

fn sources(folder: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join(folder);
    let mut all = Vec::new();
    let mut open = vec![root];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => open.push(path),
                false if path.extension().is_some_and(|it| it == "rs") => all.push(path),
                false => {}
            }
        }
    }
    all.sort();
    all
}

/// The text without what only tests see.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default().to_owned()
}

fn is_test(path: &Path) -> bool {
    path.components().any(|it| it.as_os_str() == "tests") || path.ends_with("tests.rs")
}

#[test]
fn imports_point_down() {
    // The front door names everything, and that is its work.
    let framework = framework().into_iter().filter(|it| !it.ends_with("lib.rs"));
    // A new project's files are data.
    let command = sources(COMMAND).into_iter().filter(|it| !it.to_string_lossy().contains("/new/"));

    let mut wrong = wrong_imports("framework/src", framework, &LEVELS);
    wrong.extend(wrong_imports(COMMAND, command, &COMMAND_LEVELS));

    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn wrong_imports(root: &str, files: impl Iterator<Item = PathBuf>, levels: &[&[&str]]) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join(root);
    let mut wrong = Vec::new();
    for path in files.filter(|it| !is_test(it)) {
        let inside = path.strip_prefix(&root).unwrap();
        let module =
            inside.components().next().unwrap().as_os_str().to_str().unwrap().trim_end_matches(".rs");
        for used in imports(&code(&path)) {
            if level(levels, &used) > level(levels, module) {
                wrong.push(format!("{} uses crate::{used}", inside.display()));
            }
        }
    }
    wrong
}

/// The modules of the crate that a file imports from.
fn imports(code: &str) -> Vec<String> {
    let mut used = Vec::new();
    for statement in code.split("use crate::").skip(1) {
        let statement = statement.split(';').next().unwrap_or_default();
        match statement.strip_prefix('{') {
            None => used.push(first_name(statement)),
            Some(group) => {
                let mut depth = 0;
                let mut is_start = true;
                for part in group.split_inclusive([',', '{', '}']) {
                    if depth == 0 && is_start && !part.trim_matches([',', '}', '\n', ' ']).is_empty() {
                        used.push(first_name(part));
                    }
                    depth += part.matches('{').count();
                    depth = depth.saturating_sub(part.matches('}').count());
                    is_start = depth == 0 && (part.ends_with(',') || part.ends_with('}'));
                }
            }
        }
    }
    used.retain(|it| it.chars().next().is_some_and(char::is_lowercase));
    used
}

fn first_name(path: &str) -> String {
    path.trim().chars().take_while(|it| it.is_alphanumeric() || *it == '_').collect()
}

#[test]
fn a_file_says_what_it_is_for_and_is_read_in_one_sitting() {
    let mut wrong = Vec::new();
    for path in ["framework", "macros/src", "examples", "benches", "tests"].into_iter().flat_map(sources) {
        if path
            .components()
            .any(|it| ["ui", "node_modules", ".venv"].map(Some).contains(&it.as_os_str().to_str()))
        {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let lines = text.lines().count();
        if !text.starts_with("//!") {
            wrong.push(format!("{} does not say what it is for", path.display()));
        }
        let most = if is_test(&path) || path.ends_with("conformance.rs") { 800 } else { 400 };
        if lines > most {
            wrong.push(format!("{} has {lines} lines", path.display()));
        }
    }

    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn no_module_hides_in_a_mod_rs() {
    let hidden = sources("framework").into_iter().chain(sources("macros")).find(|it| it.ends_with("mod.rs"));

    assert_eq!(hidden, None);
}

#[test]
fn only_the_runtime_s_edge_spawns_tasks() {
    let spawning = framework().into_iter().filter(|it| !is_test(it));
    let spawning = spawning.filter(|it| code(it).contains("tokio::spawn") || code(it).contains(".spawn("));
    let outside =
        spawning.filter(|it| !it.to_string_lossy().contains("/serve/") && !it.ends_with("server/run.rs"));

    assert_eq!(outside.collect::<Vec<_>>(), Vec::<PathBuf>::new());
}

#[test]
fn time_and_randomness_come_from_one_place() {
    let outside = framework().into_iter().filter(|it| !is_test(it) && !it.ends_with("clock.rs"));
    let outside = outside.filter(|it| {
        let code = code(it);
        // Keys come from the operating system itself, and a store has a clock of its own.
        let is_allowed = it.to_string_lossy().contains("/seal/") || it.to_string_lossy().contains("/store/");
        !is_allowed && (code.contains("SystemTime::now") || code.contains("getrandom::"))
    });

    assert_eq!(outside.collect::<Vec<_>>(), Vec::<PathBuf>::new());
}
