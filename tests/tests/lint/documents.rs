//! `docs/lint.md` lists the rules as they are.

use std::fs;

use tollgate::lint::Rule;

#[test]
fn the_table_has_every_rule_in_order_with_its_level_and_its_reason() {
    let text = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/lint.md")).unwrap();
    let rows: Vec<&str> = text.lines().filter(|it| it.starts_with("| `")).collect();

    let expected: Vec<String> =
        Rule::ALL.iter().map(|it| format!("| `{}` | {} | {} |", it.id(), it.level(), it.why())).collect();

    assert_eq!(rows, expected, "\n{}", expected.join("\n"));
}
