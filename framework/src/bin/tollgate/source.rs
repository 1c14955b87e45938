//! Where tools come from: a server that is asked, or a file that was saved.

use std::{
    fs,
    io::{self, Read},
    path::{Path, PathBuf},
};

use clap::Args;
use serde_json::Value;

use crate::{args::Target, client::List, out::Failure, screen::Screen, text};

#[derive(Args, Debug)]
pub(crate) struct Source {
    /// A saved answer to `tools/list` in place of a server; `-` is standard input.
    #[arg(long, value_name = "FILE")]
    tools: Option<PathBuf>,
    #[command(flatten)]
    target: Target,
}

impl Source {
    pub(crate) fn screen(&self) -> Screen {
        self.target.screen()
    }

    /// The tools, as `tools/list` has them.
    pub(crate) fn read(&self, screen: &Screen) -> Result<Vec<Value>, Failure> {
        match &self.tools {
            Some(_) if self.target.is_named() => {
                Err("name a server or a file with `--tools`, not both".into())
            }
            Some(path) => saved(path),
            None => {
                let mut connection = self.target.connect(screen)?;
                screen.wait("reading the tools");
                Ok(connection.list(List::Tools)?.items)
            }
        }
    }

    /// A name for what was looked at, for people.
    pub(crate) fn label(&self) -> String {
        match &self.tools {
            Some(path) => path.display().to_string(),
            None => "tools/list".into(),
        }
    }
}

fn saved(path: &Path) -> Result<Vec<Value>, Failure> {
    let text = match path.as_os_str() == "-" {
        true => {
            let mut text = String::new();
            io::stdin().read_to_string(&mut text).map(|_| text)
        }
        false => fs::read_to_string(path),
    };
    let path = path.display();
    let text = text.map_err(|error| format!("`{path}` cannot be read: {error}"))?;
    let json: Value =
        serde_json::from_str(&text).map_err(|error| format!("`{path}` is not JSON: {error}"))?;
    tools(&json).ok_or_else(|| {
        let shown = text::short(&text, 60);
        format!("`{path}` holds no list of tools, but `{shown}`; `tollgate list -o json` writes one").into()
    })
}

/// The tools in a whole message, in a result, or on their own.
fn tools(json: &Value) -> Option<Vec<Value>> {
    let list = json.pointer("/result/tools").or_else(|| json.get("tools")).unwrap_or(json);
    list.as_array().cloned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_list_is_found_in_a_message_in_a_result_and_on_its_own() {
        for saved in [json!({"id": 1, "result": {"tools": [7]}}), json!({"tools": [7]}), json!([7])] {
            assert_eq!(tools(&saved), Some(vec![json!(7)]), "{saved}");
        }
        assert_eq!(tools(&json!({"result": {}})), None);
    }
}
