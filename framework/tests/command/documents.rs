//! What is written about the command, held to what it is.

use std::{collections::BTreeSet, fs};

use super::kit::tollgate;

fn document(name: &str) -> String {
    fs::read_to_string(format!("{}/../docs/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// The commands that `--help` lists.
fn commands() -> BTreeSet<String> {
    let help = tollgate(&["--help"]).ends_with(0).out;
    let (_, rest) = help.split_once("Commands:\n").unwrap();
    let lines = rest.lines().take_while(|it| it.starts_with("  "));
    let names = lines.filter(|it| !it.starts_with("   ")).filter_map(|it| it.split_whitespace().next());
    names.filter(|it| *it != "help").map(str::to_owned).collect()
}

#[test]
fn every_command_has_its_section_and_no_other_does() {
    let document = document("command.md");
    let told = document.lines().filter_map(|it| it.strip_prefix("## `tollgate ")?.strip_suffix('`'));

    assert_eq!(told.map(str::to_owned).collect::<BTreeSet<_>>(), commands());
}

#[test]
fn every_option_is_told_of() {
    let document = document("command.md");
    for command in commands() {
        let help = tollgate(&[&command, "--help"]).ends_with(0).out;
        let options = help.split_whitespace().filter_map(|it| it.strip_prefix("--"));
        let options = options.map(|it| it.trim_end_matches([',', '.', '`', ')', ']']).to_owned());
        for option in
            options.filter(|it| !it.is_empty() && !matches!(it.as_str(), "help" | "version" | "stdio"))
        {
            assert!(document.contains(&format!("`--{option}")), "--{option} of {command}");
        }
    }
}

#[test]
fn what_the_documents_tell_to_run_is_understood() {
    for name in ["command.md", "ci.md"] {
        for line in document(name).lines().map(str::trim).filter(|it| it.starts_with("tollgate ")) {
            let command = line.split_whitespace().nth(1).unwrap();

            assert!(commands().contains(command), "{name}: {line}");
        }
    }
}
