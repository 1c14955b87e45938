//! Mistakes do not compile, and the compiler says what to change: one case for each mistake, named after it.

#[test]
fn each_mistake_has_its_message() {
    trybuild::TestCases::new().compile_fail("ui/*.rs");
}
