//! What the guarded fetcher lets through, seen from outside: client documents, and the metadata of an authorization
//! server, served from memory or on this machine.

mod fetch {
    mod town;
    mod page;
    mod kit;

    mod addresses;
    mod urls;
    mod rebinding;
    mod exceptions;
    mod responses;
    mod times;
    mod contents;
    mod redirects;
    mod keeping;
    mod starting;
    mod telling;
    mod doctor;
    mod machine;
}
