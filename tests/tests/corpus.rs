//! Input that no good client sends: what is answered, that nothing ran, and that the server goes on.

mod corpus {
    mod base64;
    mod bench;
    mod fixture;

    mod headers;
    mod json;
    mod oracle;
    mod structure;
}
