/// Asks for a review.
pub async fn review(
    cx: &Cx<Project>,
    path: Text<200>,
    depth: Text<10>,
) -> Result<String> {
    cx.state().read(&path).await
}
/// A request for [`review`](fn@review).
#[allow(
    missing_debug_implementations,
    non_camel_case_types,
    unreachable_pub,
    clippy::exhaustive_structs,
    reason = "it is named and shaped by the function"
)]
pub struct review {
    /// The file.
    pub path: Text<200>,
    /// The argument `depth`.
    pub depth: Text<10>,
}
impl ::tollgate::private::Named for review {
    const NAME: &'static str = "review";
}
impl ::tollgate::PromptRequest for review {
    const NAME: &'static str = "review";
    fn arguments(
        &self,
    ) -> ::tollgate::private::Map<::std::string::String, ::tollgate::private::Value> {
        let mut map = ::tollgate::private::Map::new();
        ::tollgate::private::argument::<Text<200>>();
        ::tollgate::private::put::<Text<200>>(&mut map, "path", &self.path);
        ::tollgate::private::argument::<Text<10>>();
        ::tollgate::private::put::<Text<10>>(&mut map, "depth", &self.depth);
        map
    }
}
impl<__S> ::tollgate::private::IntoPrompt<__S> for review
where
    Project: ::tollgate::FromRef<__S>,
    __S: ::core::marker::Send + ::core::marker::Sync + 'static,
{
    fn into_prompt() -> ::tollgate::Prompt<__S> {
        fn __default_of_depth() -> Text<10> {
            Text::from("all")
        }
        ::tollgate::private::prompt::<
            String,
            __S,
            _,
            _,
        >(
                "review",
                "Asks for a review.",
                {
                    let mut parameters = ::tollgate::private::Parameters::new();
                    ::tollgate::private::argument::<Text<200>>();
                    parameters.add::<Text<200>>("path", "The file.");
                    ::tollgate::private::argument::<Text<10>>();
                    parameters
                        .add::<Text<10>>("depth", "")
                        .default::<Text<10>>(&__default_of_depth());
                    parameters
                },
                |cx: ::tollgate::Cx<__S>, mut arguments: ::tollgate::private::Arguments| async move {
                    review(
                            &cx.narrow::<Project>(),
                            arguments.take::<Text<200>>("path")?,
                            arguments.take_or::<Text<10>>("depth", __default_of_depth)?,
                        )
                        .await
                        .map_err(::tollgate::private::failed)
                },
            )
            .title("Review")
            .icon("https://example.com/light.png")
            .icon("https://example.com/dark.png")
            .complete(
                "path",
                |cx: ::tollgate::Cx<__S>, typed: ::std::string::String| async move {
                    ::core::result::Result::Ok(
                        ::tollgate::private::completed(
                            files(&cx.narrow::<Project>(), &typed).await,
                        ),
                    )
                },
            )
    }
}
