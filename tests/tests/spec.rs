//! The rules of the specification that everything else rests on, one test a rule, from the bytes of a client.
//!
//! `docs/spec.md` lists the rules, and says for each where it is held.

mod spec {
    mod house;
    mod lines;
    mod refusals;

    mod messages;
    mod statelessness;
    mod schemas;
    mod meta;
    mod versioning;
    mod transports;
    mod stdio;
    mod http;
    mod headers;
    mod streams;
    mod listed;
}
