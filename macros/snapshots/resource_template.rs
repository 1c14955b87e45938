/// A file of the project.
pub async fn file(cx: &Cx, path: Text<200>) -> Result<String> {
    read(&path).await
}
/// Stands for [`file`](fn@file) where it is listed.
#[allow(
    missing_debug_implementations,
    non_camel_case_types,
    unreachable_pub,
    clippy::exhaustive_structs,
    reason = "it is named and shaped by the function"
)]
pub struct file {}
impl ::tollgate::private::Named for file {
    const NAME: &'static str = "file";
}
impl<__S> ::tollgate::private::IntoResource<__S> for file
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
                "project://files/{+path}",
                "file",
                "A file of the project.",
                {
                    let mut parameters = ::tollgate::private::Parameters::new();
                    ::tollgate::private::argument::<Text<200>>();
                    parameters.add::<Text<200>>("path", "");
                    parameters
                },
                |cx: ::tollgate::Cx<__S>, mut arguments: ::tollgate::private::Arguments| async move {
                    file(&cx.detach(), arguments.take::<Text<200>>("path")?)
                        .await
                        .map_err(::tollgate::private::failed)
                },
            )
            .complete(
                "path",
                |cx: ::tollgate::Cx<__S>, typed: ::std::string::String| async move {
                    ::core::result::Result::Ok(
                        ::tollgate::private::completed(files(&cx.detach(), &typed).await),
                    )
                },
            )
    }
}
