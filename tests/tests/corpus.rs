//! Input that no good client sends: what is answered, that nothing ran, and that the server goes on.

mod corpus {
    mod base64;
    mod bench;
    mod fixture;

    mod headers;
    mod annotations;
    mod connections;
    mod envelope;
    mod json;
    mod lines;
    mod logs;
    mod numbers;
    mod oracle;
    mod rounds;
    mod schemas;
    mod sentinel;
    mod state;
    mod strangers;
    mod structure;
    mod texts;
    mod versions;
    mod wire;
}
