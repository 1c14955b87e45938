/// How to use this server.
async fn manual() -> String {
    MANUAL.to_owned()
}
/// Stands for [`manual`](fn@manual) where it is listed.
#[allow(
    missing_debug_implementations,
    non_camel_case_types,
    unreachable_pub,
    clippy::exhaustive_structs,
    reason = "it is named and shaped by the function"
)]
struct manual {}
impl ::tollgate::private::Named for manual {
    const NAME: &'static str = "manual";
}
impl<__S> ::tollgate::private::IntoResource<__S> for manual
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
                "project://manual",
                "manual",
                "How to use this server.",
                ::tollgate::private::Parameters::new(),
                |_: ::tollgate::Cx<__S>, _: ::tollgate::private::Arguments| async move {
                    ::core::result::Result::Ok(manual().await)
                },
            )
            .title("Manual")
            .icon("https://example.com/light.png")
            .icon("https://example.com/dark.png")
            .mime_type("text/markdown")
            .size(1024u64)
            .cache(::core::time::Duration::from_secs(60u64))
            .shared()
    }
}
