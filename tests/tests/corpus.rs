//! Input that no good client sends: what is answered, that nothing ran, and that the server goes on.

mod corpus {
    mod bench;
    mod fixture;
    mod work;
    mod base64;
    mod oracle;

    mod json;
    mod structure;
    mod numbers;
    mod headers;
    mod wire;
    mod sentinel;
    mod annotations;
    mod state;
    mod strangers;
    mod rounds;
    mod texts;
    mod envelope;
    mod schemas;
    mod templates;
    mod lines;
    mod versions;
    mod logs;
    mod connections;
}
