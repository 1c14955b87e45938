//! Handles over HTTP with real tokens: everybody, with every handle, through every entrance.

mod house;
mod ledger;
mod oracle;

mod matrix;
mod listeners;
mod timing;
mod canary;
mod copies;
