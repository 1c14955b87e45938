//! What is published is what is enforced.
#![expect(clippy::needless_pass_by_value, reason = "tables read better with their values in place")]

mod bounds;
mod faults;
mod headers;
mod keywords;
mod optional;
mod patterns;
mod references;
mod settle;
mod tidy;

use serde_json::Value;

use super::{Checker, SchemaError, Violation, compile};

fn checker(schema: Value) -> Checker {
    compile(&schema).unwrap_or_else(|error| panic!("{error}\n{schema}"))
}

fn refusal(schema: Value) -> SchemaError {
    compile(&schema).map(|_| ()).expect_err(&schema.to_string())
}

/// Asserts what a schema takes and what it does not.
#[track_caller]
fn table<const V: usize, const I: usize>(schema: Value, valid: [Value; V], invalid: [Value; I]) {
    let text = schema.to_string();
    let checker = checker(schema);
    let refused: Vec<&Value> = valid.iter().filter(|it| !checker.is_valid(it)).collect();
    let taken: Vec<&Value> = invalid.iter().filter(|it| checker.is_valid(it)).collect();
    let silent: Vec<&Value> =
        invalid.iter().filter(|it| checker.check(&mut (*it).clone(), 20).is_empty()).collect();

    assert_eq!(refused, Vec::<&Value>::new(), "refused by {text}");
    assert_eq!(taken, Vec::<&Value>::new(), "taken by {text}");
    assert_eq!(silent, Vec::<&Value>::new(), "without a fault by {text}");
}

fn check(schema: Value, mut instance: Value) -> Vec<Violation> {
    checker(schema).check(&mut instance, 20)
}

/// The faults as `pointer: expected, found`.
fn faults(schema: Value, instance: Value) -> Vec<String> {
    check(schema, instance)
        .iter()
        .map(|it| format!("{}: {}, found {}", it.pointer, it.expected, it.found))
        .collect()
}
