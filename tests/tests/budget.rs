//! What tools cost in tokens: held to a budget in a test, at start, while serving, and in results.

mod budget {
    mod kit;

    mod checking;
    mod serving;
    mod results;
}
