//! Tokens: whom they let in, whom they do not, and what everybody else is told.

mod auth {
    mod mint;
    mod desk;
    mod archive;

    mod shapes;
    mod headers;
    mod claims;
    mod times;
    mod options;
    mod keys;
    mod refreshes;
    mod remote;
    mod challenges;
    mod metadata;
    mod principals;
    mod scopes;
    mod lists;
    mod preflight;
    mod handles;
    mod verifiers;
    mod leaks;
    mod faults;
}
