//! The lint of tool definitions: each rule fires where it should, and nowhere else.

mod lint {
    mod kit;

    mod shape;
    mod prose;
    mod lists;
    mod hidden;
    mod injected;
    mod parameters;
    mod secrets;
    mod whole;

    mod servers;
    mod examples;
    mod hostile;
    mod documents;
}
