//! The result of a call, for people and for programs.

use std::io::IsTerminal;

use serde_json::Value;

use super::Shape;
use crate::{
    out::{self, Failure},
    text,
};

pub(crate) fn print(result: &Value, shape: Shape) -> Result<(), Failure> {
    match shape {
        Shape::Raw => out::print_json(result),
        Shape::Json => out::print_json(result.get("structuredContent").unwrap_or(&result["content"])),
        Shape::Text => {
            let shown = shown(result);
            // A file gets what the server said; a terminal, nothing that it would obey.
            out::print(&if std::io::stdout().is_terminal() { text::clean(&shown) } else { shown })
        }
    }
}

fn shown(result: &Value) -> String {
    let blocks = result["content"].as_array().map(Vec::as_slice).unwrap_or_default();
    match (blocks, result.get("structuredContent")) {
        ([], Some(structured)) => format!("{structured:#}"),
        _ => blocks.iter().map(block).collect::<Vec<_>>().join("\n"),
    }
}

fn block(block: &Value) -> String {
    let said = |pointer: &str| block.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
    match said("/type") {
        "text" => said("/text").to_owned(),
        kind @ ("image" | "audio") => {
            format!("[{kind}, {}, about {} bytes]", said("/mimeType"), said("/data").len() / 4 * 3)
        }
        "resource_link" => format!("[resource {}: {}]", said("/uri"), said("/name")),
        "resource" => match block.pointer("/resource/text").and_then(Value::as_str) {
            Some(text) => format!("[resource {}]\n{text}", said("/resource/uri")),
            None => format!("[resource {}, {}]", said("/resource/uri"), said("/resource/mimeType")),
        },
        _ => format!("{block}"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn text_is_shown_plainly_and_everything_else_by_name() {
        let result = json!({"content": [
            {"type": "text", "text": "two\nlines"},
            {"type": "image", "mimeType": "image/png", "data": "AAAA"},
            {"type": "resource_link", "uri": "note:1", "name": "First"},
            {"type": "resource", "resource": {"uri": "note:2", "text": "inside"}},
            {"type": "later"},
        ]});

        assert_eq!(
            shown(&result),
            "two\nlines\n[image, image/png, about 3 bytes]\n[resource note:1: First]\n[resource note:2]\ninside\n\
             {\"type\":\"later\"}"
        );
    }

    #[test]
    fn a_result_with_structure_alone_shows_that() {
        assert_eq!(shown(&json!({"content": [], "structuredContent": 7})), "7");
    }
}
