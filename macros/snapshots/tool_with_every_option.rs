/// Opens.
///
/// Use when asked.
/// Do not use when not asked.
async fn open(cx: &Cx) -> Result {}
/// A request for [`open`](fn@open).
#[allow(
    missing_debug_implementations,
    non_camel_case_types,
    unreachable_pub,
    clippy::exhaustive_structs,
    reason = "it is named and shaped by the function"
)]
struct open {}
impl ::tollgate::private::Named for open {
    const NAME: &'static str = "open";
}
impl ::tollgate::Request for open {
    const NAME: &'static str = "open";
    type Output = ();
    fn arguments(
        &self,
    ) -> ::tollgate::private::Map<::std::string::String, ::tollgate::private::Value> {
        let map = ::tollgate::private::Map::new();
        map
    }
}
impl<__S> ::tollgate::private::IntoTool<__S> for open
where
    __S: ::core::marker::Send + ::core::marker::Sync + 'static,
{
    fn into_tool() -> ::tollgate::Tool<__S> {
        ::tollgate::private::tool::<
            (),
            __S,
            _,
            _,
        >(
                "open",
                "Opens.\n\nUse when asked.\nDo not use when not asked.",
                ::tollgate::private::Parameters::new(),
                |cx: ::tollgate::Cx<__S>, _: ::tollgate::private::Arguments| async move {
                    open(&cx.detach()).await.map_err(::tollgate::private::failed)
                },
            )
            .read_only(false)
            .destructive(true)
            .idempotent(true)
            .open_world(false)
            .title("Open")
            .icon("https://example.com/light.png")
            .icon("https://example.com/dark.png")
            .allow_unknown()
            .deadline(::core::time::Duration::from_secs(120u64))
            .calls(4u32 as usize)
            .calls_per_second(10u32)
            .result_tokens(2000u32 as usize)
            .scope("doors:open doors:see")
            .hidden()
            .ready(|_: &__S| -> ::core::result::Result<(), ::tollgate::Unready> {
                doors::oiled()
            })
    }
}
