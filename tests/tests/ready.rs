//! Whether tools are ready: required-tools, in both eras and on every way to ask.

mod ready {
    mod kit;

    mod reasons;
    mod matrix;
    mod order;
    mod annotations;
    mod rider;
    mod asking;
    mod pages;
    mod disclosure;
    mod skew;
    mod records;
    mod rest;
    mod resolving;
    mod authors;
    mod streams;
}
