//! What every store promises, said once and held to each of them; and what a store in a file promises besides.

mod store {
    mod kit;

    mod spending;
    mod handles;
    mod limits;
    mod every;

    mod file;
    mod processes;
}
