//! `tollgate new`: a server project that compiles and passes at once.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use crate::{
    out::{self, Exit, Failure},
    text,
};

/// Begin a server: a project with two tools, tests, a token budget and a workflow for CI.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct New {
    /// The folder to make. It may be there, and has to be empty.
    dir: PathBuf,
    /// The name of the package; that of the folder otherwise.
    #[arg(long)]
    name: Option<String>,
    /// Depend on the framework in this folder.
    #[arg(long, value_name = "PATH", conflicts_with = "registry")]
    path: Option<PathBuf>,
    /// Depend on the published version, even where the command was built from a checkout.
    #[arg(long)]
    registry: bool,
}

const EXAMPLES: &str = "Examples:
  tollgate new my-server && cd my-server && cargo test
  tollgate new my-server --path ../tollgate/framework";

impl New {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        let name = self.name()?;
        let dependency = self.dependency()?;
        if !is_free(&self.dir).map_err(|error| format!("`{}`: {error}", self.dir.display()))? {
            return Err(
                format!("`{}` is there and not empty: name another folder", self.dir.display()).into()
            );
        }
        for (path, template) in FILES {
            let text = template
                .replace("{{name}}", &name)
                .replace("{{dependency}}", &dependency)
                .replace("{{rust}}", env!("CARGO_PKG_RUST_VERSION"));
            let path = self.dir.join(path);
            let written =
                path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(&path, text));
            written.map_err(|error| format!("`{}` cannot be written: {error}", path.display()))?;
        }
        out::print(&format!("`{}` is there. Go on with:\n", self.dir.display()))?;
        let folder = self.dir.display();
        out::print(&format!("  cd {folder}\n  cargo test\n  cargo run\n"))?;
        if dependency.contains("path =") {
            out::print(
                "Its Cargo.toml names the framework by a path of this machine: name a version before others build it.",
            )?;
        }
        Ok(Exit::Fine)
    }

    fn name(&self) -> Result<String, Failure> {
        let of_folder = || self.dir.file_name().map(|it| it.to_string_lossy().into_owned());
        let name = self.name.clone().or_else(of_folder).unwrap_or_default();
        match fault(&name) {
            None => Ok(name),
            Some(why) => {
                let shown = text::short(&name, 60);
                Err(format!("`{shown}` is no name for a package: {why}; `--name` gives it another").into())
            }
        }
    }

    /// How the framework is depended on, as TOML.
    fn dependency(&self) -> Result<String, Failure> {
        let version = format!("version = \"{}\"", env!("CARGO_PKG_VERSION"));
        let checkout = match &self.path {
            Some(path) => Some(framework(path)?),
            None if self.registry => None,
            None => Some(PathBuf::from(env!("CARGO_MANIFEST_DIR"))).filter(|it| is_checkout(it)),
        };
        // A string of JSON is one of TOML.
        let path = |it: &PathBuf| format!("path = {}", serde_json::Value::from(it.to_string_lossy()));
        Ok(checkout.as_ref().map_or(version, path))
    }
}

/// The whole path of the framework's folder.
fn framework(path: &Path) -> Result<PathBuf, Failure> {
    let manifest = fs::read_to_string(path.join("Cargo.toml")).unwrap_or_default();
    if !manifest.contains("name = \"tollgate\"") {
        return Err(format!("`{}` is not the folder `framework` of Tollgate", path.display()).into());
    }
    path.canonicalize().map_err(|error| format!("`{}`: {error}", path.display()).into())
}

/// Whether the sources that this was built from are still there, and are not those of a published package.
fn is_checkout(path: &Path) -> bool {
    path.join("Cargo.toml").exists() && !path.join(".cargo_vcs_info.json").exists()
}

/// What is wrong with the name of a package.
fn fault(name: &str) -> Option<&'static str> {
    // The library beside the program is called `server`.
    const TAKEN: [&str; 6] = ["server", "test", "core", "std", "alloc", "tollgate"];
    let is_letter = |it: char| it.is_ascii_alphanumeric() || matches!(it, '-' | '_');
    match name {
        "" => Some("it is empty"),
        _ if !name.starts_with(|it: char| it.is_ascii_alphabetic()) => Some("it begins with a letter"),
        _ if !name.chars().all(is_letter) => Some("it is letters, digits, `-` and `_`"),
        _ if TAKEN.contains(&name) => Some("it is taken"),
        _ => None,
    }
}

fn is_free(dir: &Path) -> io::Result<bool> {
    match fs::read_dir(dir) {
        Ok(mut entries) => Ok(entries.next().is_none()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
        Err(error) => Err(error),
    }
}

/// The project, file by file.
const FILES: [(&str, &str); 9] = [
    ("Cargo.toml", include_str!("new/Cargo.toml.in")),
    (".gitignore", include_str!("new/gitignore")),
    (".github/workflows/ci.yml", include_str!("new/ci.yml")),
    ("README.md", include_str!("new/README.md")),
    ("mcp-tools.budget.json", include_str!("new/mcp-tools.budget.json")),
    ("src/lib.rs", include_str!("new/src/lib.rs")),
    ("src/main.rs", include_str!("new/src/main.rs")),
    ("tests/budget.rs", include_str!("new/tests/budget.rs")),
    ("tests/tools.rs", include_str!("new/tests/tools.rs")),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_has_a_name_that_cargo_takes() {
        for good in ["my-server", "a", "A_1"] {
            assert_eq!(fault(good), None, "{good}");
        }
        for bad in ["", "1a", "-a", "a b", "a.b", "é", "std", "server"] {
            assert!(fault(bad).is_some(), "{bad}");
        }
    }

    #[test]
    fn a_folder_is_free_when_it_is_missing_or_empty() {
        assert!(is_free(Path::new("no/such/folder")).unwrap());
        assert!(!is_free(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap());
        assert!(is_free(&Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml")).is_err());
    }

    #[test]
    fn a_folder_of_something_else_is_not_the_framework() {
        assert!(framework(Path::new(env!("CARGO_MANIFEST_DIR"))).is_ok());
        assert!(framework(Path::new("/")).is_err());
    }

    #[test]
    fn no_template_has_a_place_that_nothing_fills() {
        for (path, template) in FILES {
            let filled = ["name", "dependency", "rust"]
                .iter()
                .fold(template.to_owned(), |it, place| it.replace(&format!("{{{{{place}}}}}"), ""));

            // What is left belongs to GitHub.
            assert!(!filled.replace("${{", "").contains("{{"), "{path}");
        }
    }
}
