//! The command `tollgate`, run as it was built, against servers of ours and against servers that misbehave.
//!
//! These tests belong to the package of the command, because cargo then builds it for them, once, and says where it is.
//! A server on stdio is this same program, started again with one test.

#![expect(clippy::unwrap_used, reason = "a test may unwrap: that is how it fails")]
#![expect(clippy::needless_pass_by_value, reason = "a test writes values where they are used")]

mod command {
    mod kit;
    mod house;
    mod stranger;

    mod saying;
    mod calling;
    mod asking;
    mod eras;
    mod strangers;
    mod budget;
    mod lint;
    mod preflight;
    mod doctor;
    mod beginning;
    mod documents;
}
