//! The macros of tollgate.
