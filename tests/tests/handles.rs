//! Handles: a name for data that lives on the server, and that its owner alone may use.
//!
//! Rules that need no network are told by clients in memory here; `auth` has the same over HTTP with real tokens.

mod handles {
    mod shop;

    mod using;
    mod sharing;
    mod lifetimes;
    mod places;
    mod rules;
    mod sealed;
    mod starting;
    mod racing;
}
