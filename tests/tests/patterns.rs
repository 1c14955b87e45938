//! The patterns and the features of revision 2026-07-28, as a client sees them.
//!
//! Each test names in the line above it the requirements that it holds; `docs/spec-server.md` lists them all.

mod patterns {
    mod kit;
    mod stdio;

    mod cancellation;
    mod rounds;
    mod state;
    mod redeeming;
    mod progress;
    mod subscriptions;
    mod tools;
    mod headers;
    mod resources;
    mod prompts;
    mod utilities;
    mod lists;
    mod asking;
    mod sampling;
    mod faults;
    mod listed;
}
