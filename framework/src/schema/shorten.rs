//! Values and texts cut to a length that fits a message, with nothing in them that a terminal obeys.

use serde_json::Value;

/// `value` as JSON, in `most` characters at most. Costs no more than that, however large the value is.
pub(super) fn value(value: &Value, most: usize) -> String {
    let mut short = Short { text: String::new(), left: most };
    match short.value(value) {
        Some(()) => short.text,
        None => short.cut(),
    }
}

/// `text` in `most` characters at most, control and direction characters escaped.
pub(super) fn text(text: &str, most: usize) -> String {
    let mut short = Short { text: String::new(), left: most };
    match text.chars().try_for_each(|it| short.char(it)) {
        Some(()) => short.text,
        None => short.cut(),
    }
}

/// The start of a text. Every method gives `None` once there is no room.
struct Short {
    text: String,
    left: usize,
}

impl Short {
    fn value(&mut self, value: &Value) -> Option<()> {
        match value {
            Value::String(text) => self.string(text),
            Value::Array(items) => {
                self.plain("[")?;
                items.iter().enumerate().try_for_each(|(at, item)| {
                    self.plain(if at == 0 { "" } else { "," })?;
                    self.value(item)
                })?;
                self.plain("]")
            }
            Value::Object(members) => {
                self.plain("{")?;
                members.iter().enumerate().try_for_each(|(at, (name, member))| {
                    self.plain(if at == 0 { "" } else { "," })?;
                    self.string(name)?;
                    self.plain(":")?;
                    self.value(member)
                })?;
                self.plain("}")
            }
            other => self.plain(&other.to_string()),
        }
    }

    fn string(&mut self, text: &str) -> Option<()> {
        self.plain("\"")?;
        text.chars().try_for_each(|char| match char {
            '"' => self.plain("\\\""),
            '\\' => self.plain("\\\\"),
            '\n' => self.plain("\\n"),
            '\r' => self.plain("\\r"),
            '\t' => self.plain("\\t"),
            char => self.char(char),
        })?;
        self.plain("\"")
    }

    fn char(&mut self, char: char) -> Option<()> {
        match is_unsafe(char) {
            true => self.plain(&format!("\\u{:04x}", u32::from(char))),
            false => self.plain(char.encode_utf8(&mut [0; 4])),
        }
    }

    fn plain(&mut self, text: &str) -> Option<()> {
        self.left = self.left.checked_sub(text.chars().count())?;
        self.text.push_str(text);
        Some(())
    }

    fn cut(mut self) -> String {
        if self.left == 0 {
            self.text.pop();
        }
        self.text.push('…');
        self.text
    }
}

fn is_unsafe(char: char) -> bool {
    char.is_control()
        || matches!(char, '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}')
}
