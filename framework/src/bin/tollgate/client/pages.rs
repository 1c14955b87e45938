//! Whole lists, however many pages they have.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::{
    connection::{Connection, Silent},
    error::{ClientError, RpcError},
};

/// What a server can be asked to list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum List {
    /// What can be called.
    Tools,
    /// What a user can pick.
    Prompts,
    /// What can be read.
    Resources,
    /// Families of what can be read.
    Templates,
}

impl List {
    pub(crate) const fn method(self) -> &'static str {
        match self {
            Self::Tools => "tools/list",
            Self::Prompts => "prompts/list",
            Self::Resources => "resources/list",
            Self::Templates => "resources/templates/list",
        }
    }

    pub(crate) const fn member(self) -> &'static str {
        match self {
            Self::Tools => "tools",
            Self::Prompts => "prompts",
            Self::Resources => "resources",
            Self::Templates => "resourceTemplates",
        }
    }

    const fn capability(self) -> &'static str {
        match self {
            Self::Tools => "tools",
            Self::Prompts => "prompts",
            Self::Resources | Self::Templates => "resources",
        }
    }
}

/// A whole list, and the first page as it came.
#[derive(Clone, Debug)]
pub(crate) struct Listed {
    pub(crate) items: Vec<Value>,
    pub(crate) first: Value,
}

impl Connection {
    /// Reads a list to its end. A server that offers none of these has an empty one.
    pub(crate) fn list(&mut self, list: List) -> Result<Listed, ClientError> {
        if self.is_modern() && self.about.capabilities.get(list.capability()).is_none() {
            return Ok(Listed { items: Vec::new(), first: json!({}) });
        }
        let mut pages = Pages::default();
        let mut params = json!({});
        let mut first = None;
        loop {
            let page = match self.request(list.method(), params, &mut Silent) {
                // Older servers without the capability say so in this way.
                Err(ClientError::Rpc(RpcError { code: -32601, .. })) if first.is_none() => {
                    json!({list.member(): []})
                }
                other => other?,
            };
            let next = pages.add(list, &page)?;
            first.get_or_insert(page);
            match next {
                Some(cursor) => params = json!({"cursor": cursor}),
                None => return Ok(Listed { items: pages.items, first: first.unwrap_or_default() }),
            }
        }
    }
}

/// What was read so far, held to its limits.
#[derive(Debug, Default)]
struct Pages {
    items: Vec<Value>,
    cursors: HashSet<String>,
    bytes: usize,
}

impl Pages {
    /// Takes a page, and gives the cursor of the next.
    fn add(&mut self, list: List, page: &Value) -> Result<Option<String>, ClientError> {
        let wrong =
            |why: String| Err(ClientError::NotMcp(format!("its answer to `{}` {why}", list.method())));
        let Some(items) = page.get(list.member()).and_then(Value::as_array) else {
            return wrong(format!("has no list `{}`", list.member()));
        };
        self.bytes += page.to_string().len();
        self.items.extend(items.iter().cloned());
        if self.items.len() > MOST_ITEMS || self.bytes > MOST_BYTES {
            return wrong(format!("has more than {MOST_ITEMS} items or 16 MiB"));
        }
        match page.get("nextCursor") {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(cursor)) if !self.cursors.insert(cursor.clone()) => {
                wrong("repeats a cursor: it would never end".into())
            }
            Some(Value::String(_)) if self.cursors.len() >= MOST_PAGES => {
                wrong(format!("has more than {MOST_PAGES} pages"))
            }
            Some(Value::String(cursor)) => Ok(Some(cursor.clone())),
            Some(_) => wrong("has a cursor that is no text".into()),
        }
    }
}

const MOST_PAGES: usize = 1000;
const MOST_ITEMS: usize = 10_000;
const MOST_BYTES: usize = 16 * 1024 * 1024;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_cursor_is_one_like_any_other() {
        let mut pages = Pages::default();

        assert_eq!(
            pages.add(List::Tools, &json!({"tools": [1], "nextCursor": ""})).unwrap(),
            Some(String::new())
        );
        assert_eq!(pages.add(List::Tools, &json!({"tools": [2]})).unwrap(), None);
        assert_eq!(pages.items, [1, 2]);
    }

    #[test]
    fn a_cursor_that_comes_again_is_an_error() {
        let mut pages = Pages::default();
        for cursor in ["a", "b"] {
            pages.add(List::Tools, &json!({"tools": [], "nextCursor": cursor})).unwrap();
        }

        let error = pages.add(List::Tools, &json!({"tools": [], "nextCursor": "a"})).unwrap_err();

        assert!(error.to_string().contains("repeats a cursor"), "{error}");
    }

    #[test]
    fn pages_items_and_bytes_are_bounded() {
        let mut pages = Pages::default();
        let more = |n: usize| json!({"tools": [], "nextCursor": n.to_string()});

        // The first page came without a cursor.
        assert!((1..MOST_PAGES).all(|n| pages.add(List::Tools, &more(n)).is_ok()));
        assert!(pages.add(List::Tools, &more(MOST_PAGES)).is_err());
        assert!(Pages::default().add(List::Tools, &json!({"tools": vec![0; MOST_ITEMS + 1]})).is_err());
        assert!(Pages::default().add(List::Tools, &json!({"tools": ["x".repeat(MOST_BYTES)]})).is_err());
    }

    #[test]
    fn a_page_without_its_list_is_no_answer() {
        assert!(Pages::default().add(List::Prompts, &json!({"tools": []})).is_err());
    }
}
