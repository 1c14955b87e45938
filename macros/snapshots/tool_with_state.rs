/// Opens.
///
/// Use when asked.
/// Do not use when not asked.
pub(crate) async fn append(
    cx: &Cx<Notes>,
    note: Option<Held<Note>>,
) -> tollgate::Result<Note> {
    cx.state().append(note).await
}
/// A request for [`append`](fn@append).
#[allow(
    missing_debug_implementations,
    non_camel_case_types,
    unreachable_pub,
    clippy::exhaustive_structs,
    reason = "it is named and shaped by the function"
)]
pub(crate) struct append {
    /// The argument `note`.
    pub(crate) note: Option<::tollgate::Handle<Note>>,
}
impl ::tollgate::private::Named for append {
    const NAME: &'static str = "append";
}
impl ::tollgate::Request for append {
    const NAME: &'static str = "append";
    type Output = Note;
    fn arguments(
        &self,
    ) -> ::tollgate::private::Map<::std::string::String, ::tollgate::private::Value> {
        let mut map = ::tollgate::private::Map::new();
        ::tollgate::private::argument::<Option<::tollgate::Handle<Note>>>();
        ::tollgate::private::put::<
            Option<::tollgate::Handle<Note>>,
        >(&mut map, "note", &self.note);
        map
    }
}
impl<__S> ::tollgate::private::IntoTool<__S> for append
where
    Notes: ::tollgate::FromRef<__S>,
    __S: ::core::marker::Send + ::core::marker::Sync + 'static,
{
    fn into_tool() -> ::tollgate::Tool<__S> {
        ::tollgate::private::tool::<
            Note,
            __S,
            _,
            _,
        >(
            "append",
            "Opens.\n\nUse when asked.\nDo not use when not asked.",
            {
                let mut parameters = ::tollgate::private::Parameters::new();
                ::tollgate::private::argument::<Option<Held<Note>>>();
                parameters.add::<Option<Held<Note>>>("note", "");
                parameters
            },
            |cx: ::tollgate::Cx<__S>, mut arguments: ::tollgate::private::Arguments| async move {
                append(
                        &cx.narrow::<Notes>(),
                        arguments.take::<Option<Held<Note>>>("note")?,
                    )
                    .await
                    .map_err(::tollgate::private::failed)
            },
        )
    }
}
