//! `tollgate new`: the project that it makes, and the files that it leaves alone.

use std::fs;

use tollgate::prelude::*;

use super::kit::{Folder, tollgate};

/// The library of a new project, as it is.
#[rustfmt::skip]
#[expect(unreachable_pub, reason = "there it is a library")]
#[path = "../../src/bin/tollgate/new/src/lib.rs"]
mod template;

const BASELINE: &str = "src/bin/tollgate/new/mcp-tools.budget.json";

#[test]
fn a_new_project_has_all_of_its_files() {
    let folder = Folder::new();
    let project = folder.at("my-server");

    let run = tollgate(&["new", &project]).ends_with(0);

    assert!(run.out.contains("cargo test"), "{run:?}");
    let manifest = folder.read("my-server/Cargo.toml");
    assert!(manifest.contains("name = \"my-server\""), "{manifest}");
    assert!(
        manifest.contains(&format!("tollgate = {{ path = \"{}\" }}", env!("CARGO_MANIFEST_DIR"))),
        "{manifest}"
    );
    assert!(folder.read("my-server/src/lib.rs").contains("Server::new(\"my-server\""));
    for file in [
        ".gitignore",
        ".github/workflows/ci.yml",
        "README.md",
        "src/main.rs",
        "tests/tools.rs",
        "tests/budget.rs",
    ] {
        assert!(!folder.read(&format!("my-server/{file}")).contains("{{name}}"), "{file}");
    }
}

#[test]
fn it_can_depend_on_the_published_version_and_on_any_folder() {
    let folder = Folder::new();
    let manifest = |name: &str, arguments: &[&str]| {
        tollgate(&[&["new", &folder.at(name)][..], arguments].concat()).ends_with(0);
        folder.read(&format!("{name}/Cargo.toml"))
    };

    let version = concat!("tollgate = { version = \"", env!("CARGO_PKG_VERSION"), "\" }");
    assert!(manifest("a", &["--registry"]).contains(version));
    assert!(
        manifest("b", &["--path", env!("CARGO_MANIFEST_DIR"), "--name", "bee"]).contains("name = \"bee\"")
    );
    tollgate(&["new", &folder.at("c"), "--path", "/"]).ends_with(1);
    assert!(fs::read_dir(folder.at("c")).is_err(), "nothing is made of a wrong wish");
}

#[test]
fn a_folder_that_holds_something_is_left_alone() {
    let folder = Folder::new();
    folder.with("mine.txt", "mine");

    let run = tollgate(&["new", &folder.at(""), "--name", "a"]).ends_with(1);

    assert!(run.err.contains("is there and not empty"), "{run:?}");
    assert_eq!(fs::read_dir(folder.at("")).unwrap().count(), 1);
}

#[test]
fn a_name_that_cargo_refuses_is_refused_before() {
    let folder = Folder::new();

    let run = tollgate(&["new", &folder.at("1st")]).ends_with(1);

    assert!(run.err.contains("it begins with a letter") && run.err.contains("--name"), "{run:?}");
}

#[test]
fn its_tools_cost_what_its_baseline_says() {
    template::server().check().baseline(BASELINE).assert();
}

#[test]
fn its_tools_read_well() {
    template::server().check().lint(tollgate::lint::Lint::new().strict()).assert();
}

/// Is one tool more than was agreed to.
///
/// Use when a budget has to be passed.
/// Do not use when it must hold.
#[tool]
async fn one_more() {}

#[test]
fn its_budget_does_not_let_another_tool_in_unseen() {
    let told = template::server().tools(tools![one_more]).check().baseline(BASELINE).run().unwrap_err();

    assert!(told.to_string().contains("`one_more` is new"), "{told}");
}
