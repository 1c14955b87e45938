//! Text that a model reads and a person does not see.

use super::{
    definition::{Definition, Text},
    finding::{Findings, quote},
    rule::Rule,
};

pub(super) fn check(tool: &Definition<'_>, found: &mut Findings<'_>) {
    for text in &tool.texts {
        if let Some(what) = describe(text) {
            let fix = "write the text again without them, and find out who put them there";
            found.add(tool, Rule::HiddenText, &text.place, what, fix);
        }
    }
}

/// What is hidden in a text, if anything is.
fn describe(text: &Text<'_>) -> Option<String> {
    let (mut count, mut kinds) = (0_usize, Vec::new());
    let (mut before, mut carried) = (None, Vec::new());
    let mut chars = text.text.chars().peekable();
    while let Some(char) = chars.next() {
        carried.extend(carries(char));
        if let Some(kind) = kind(char).filter(|it| !it.is_fine(before, char, chars.peek().copied())) {
            count += 1;
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        before = Some(char);
    }
    if count == 0 {
        return None;
    }
    let kinds = kinds.iter().map(|it| it.noun()).collect::<Vec<_>>().join(", ");
    let whole = match count {
        1 => format!("1 character that nobody sees ({kinds}) in {}", quote(text.text)),
        _ => format!("{count} characters that nobody sees ({kinds}) in {}", quote(text.text)),
    };
    let carried = String::from_utf8_lossy(&carried);
    let is_readable = carried.chars().filter(|it| it.is_ascii_graphic()).count() >= 4;
    Some(if is_readable { format!("{whole}; they spell {}", quote(&carried)) } else { whole })
}

/// Whether nothing is seen of a character, or something else than its place in the text.
pub(super) fn is_hidden(char: char) -> bool {
    kind(char).is_some()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Control,
    Escape,
    Direction,
    ZeroWidth,
    Tag,
    Variation,
    Private,
}

fn kind(char: char) -> Option<Kind> {
    Some(match char {
        '\n' | '\r' | '\t' | ' '..='~' => return None,
        '\u{1B}' | '\u{9B}' => Kind::Escape,
        '\0'..='\u{9F}' | '\u{2028}' | '\u{2029}' => Kind::Control,
        '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => {
            Kind::Direction
        }
        '\u{AD}'
        | '\u{34F}'
        | '\u{115F}'
        | '\u{1160}'
        | '\u{17B4}'
        | '\u{17B5}'
        | '\u{180B}'..='\u{180F}'
        | '\u{200B}'..='\u{200D}'
        | '\u{2060}'..='\u{2065}'
        | '\u{206A}'..='\u{206F}'
        | '\u{3164}'
        | '\u{FEFF}'
        | '\u{FFA0}'
        | '\u{FFF0}'..='\u{FFFB}'
        | '\u{1BCA0}'..='\u{1BCA3}'
        | '\u{1D173}'..='\u{1D17A}' => Kind::ZeroWidth,
        '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}' => Kind::Variation,
        '\u{E0000}'..='\u{E0FFF}' => Kind::Tag,
        '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..='\u{10FFFF}' => Kind::Private,
        _ => return None,
    })
}

impl Kind {
    fn noun(self) -> &'static str {
        match self {
            Self::Control => "control",
            Self::Escape => "terminal escape",
            Self::Direction => "direction of writing",
            Self::ZeroWidth => "zero width",
            Self::Tag => "tag",
            Self::Variation => "variation selector",
            Self::Private => "private use",
        }
    }

    /// Whether a character of this kind does its honest work between its neighbours.
    fn is_fine(self, before: Option<char>, char: char, after: Option<char>) -> bool {
        match self {
            // Joins the parts of an emoji, and letters of scripts whose letters join.
            Self::ZeroWidth if matches!(char, '\u{200C}' | '\u{200D}') => {
                let is_part = |it: char| it >= '\u{2190}' || ('\u{600}'..='\u{DFF}').contains(&it);
                let is_seen = |it: char| kind(it).is_none_or(|it| it == Self::Variation);
                [before, after].into_iter().all(|it| it.is_some_and(|it| is_part(it) && is_seen(it)))
            }
            // One selector chooses the form of the emoji or the ideograph before it, or of the digit of a keycap.
            Self::Variation => {
                let is_keycap = |it: char| matches!(it, '0'..='9' | '#' | '*') && after == Some('\u{20E3}');
                before.is_some_and(|it| is_keycap(it) || it >= '\u{A9}' && kind(it).is_none())
            }
            _ => false,
        }
    }
}

/// The byte that a character carries for those who know how.
fn carries(char: char) -> Option<u8> {
    match char {
        '\u{E0020}'..='\u{E007E}' => u8::try_from(u32::from(char) - 0xE_0000).ok(),
        '\u{FE00}'..='\u{FE0F}' => u8::try_from(u32::from(char) - 0xFE00).ok(),
        '\u{E0100}'..='\u{E01EF}' => u8::try_from(u32::from(char) - 0xE_0100 + 16).ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{super::definition::Role, *};

    fn described(text: &str) -> Option<String> {
        describe(&Text { place: String::new(), text, role: Role::Value })
    }

    #[test]
    fn what_is_hidden_is_spelled_out() {
        let tags: String =
            "do it".chars().filter_map(|it| char::from_u32(0xE_0000 + u32::from(it))).collect();
        let selector = |it: u8| char::from_u32(0xE_0100 + u32::from(it) - 16);
        let selectors: String = b"evil".iter().filter_map(|it| selector(*it)).collect();

        assert!(described(&format!("a{tags}")).unwrap().ends_with("they spell `do it`"));
        assert!(described(&format!("😀{selectors}")).unwrap().ends_with("they spell `evil`"));
        assert_eq!(
            described("a\u{200B}b").unwrap(),
            "1 character that nobody sees (zero width) in `a\\u{200b}b`"
        );
    }

    #[test]
    fn emoji_and_scripts_that_join_are_fine() {
        for fine in [
            "👩\u{200D}💻",
            "❤\u{FE0F}\u{200D}🔥",
            "1\u{FE0F}\u{20E3}",
            "می\u{200C}خواهم",
            "a\r\n\tb",
            "é",
            "葛\u{E0100}",
        ] {
            assert_eq!(described(fine), None, "{fine}");
        }
    }
}
