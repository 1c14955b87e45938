/// Who was where, and when.
async fn audit() -> String {
    AUDIT.to_owned()
}
/// Stands for [`audit`](fn@audit) where it is listed.
#[allow(
    missing_debug_implementations,
    non_camel_case_types,
    unreachable_pub,
    clippy::exhaustive_structs,
    reason = "it is named and shaped by the function"
)]
struct audit {}
impl ::tollgate::private::Named for audit {
    const NAME: &'static str = "audit";
}
impl<__S> ::tollgate::private::IntoResource<__S> for audit
where
    __S: ::core::marker::Send + ::core::marker::Sync + 'static,
{
    fn into_resource() -> ::tollgate::Resource<__S> {
        ::tollgate::private::resource::<
            String,
            __S,
            _,
            _,
        >(
                "project://audit",
                "audit",
                "Who was where, and when.",
                ::tollgate::private::Parameters::new(),
                |_: ::tollgate::Cx<__S>, _: ::tollgate::private::Arguments| async move {
                    ::core::result::Result::Ok(audit().await)
                },
            )
            .scope("audit:read")
            .hidden()
    }
}
