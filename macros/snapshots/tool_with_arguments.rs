/// Opens.
///
/// Use when asked.
/// Do not use when not asked.
#[cfg(feature = "greetings")]
pub async fn greet(
    name: Text<80>,
    mut times: Int<1, 3>,
    r#type: Option<String>,
) -> String {
    format!("Hello, {name}!")
}
#[cfg(feature = "greetings")]
/// A request for [`greet`](fn@greet).
#[allow(
    missing_debug_implementations,
    non_camel_case_types,
    unreachable_pub,
    clippy::exhaustive_structs,
    reason = "it is named and shaped by the function"
)]
pub struct greet {
    /// What the person likes to be called.
    pub name: Text<80>,
    /// The argument `times`.
    pub times: Int<1, 3>,
    /// The argument `type`.
    pub r#type: Option<String>,
}
#[cfg(feature = "greetings")]
impl ::tollgate::private::Named for greet {
    const NAME: &'static str = "greet";
}
#[cfg(feature = "greetings")]
impl ::tollgate::Request for greet {
    const NAME: &'static str = "greet";
    type Output = String;
    fn arguments(
        &self,
    ) -> ::tollgate::private::Map<::std::string::String, ::tollgate::private::Value> {
        let mut map = ::tollgate::private::Map::new();
        ::tollgate::private::argument::<Text<80>>();
        ::tollgate::private::put::<Text<80>>(&mut map, "name", &self.name);
        ::tollgate::private::argument::<Int<1, 3>>();
        ::tollgate::private::put::<Int<1, 3>>(&mut map, "times", &self.times);
        ::tollgate::private::argument::<Option<String>>();
        ::tollgate::private::put::<Option<String>>(&mut map, "type", &self.r#type);
        map
    }
}
#[cfg(feature = "greetings")]
impl<__S> ::tollgate::private::IntoTool<__S> for greet
where
    __S: ::core::marker::Send + ::core::marker::Sync + 'static,
{
    fn into_tool() -> ::tollgate::Tool<__S> {
        fn __default_of_times() -> Int<1, 3> {
            ::tollgate::private::argument::<Int<1, 3>>();
            ::tollgate::private::int_default::<Int<1, 3>>(1)
        }
        ::tollgate::private::tool::<
            String,
            __S,
            _,
            _,
        >(
                "greet",
                "Opens.\n\nUse when asked.\nDo not use when not asked.",
                {
                    let mut parameters = ::tollgate::private::Parameters::new();
                    ::tollgate::private::argument::<Text<80>>();
                    parameters
                        .add::<Text<80>>("name", "What the person likes to be called.")
                        .header("Name");
                    ::tollgate::private::argument::<Int<1, 3>>();
                    parameters
                        .add::<Int<1, 3>>("times", "")
                        .default::<Int<1, 3>>(&__default_of_times());
                    ::tollgate::private::argument::<Option<String>>();
                    parameters.add::<Option<String>>("type", "");
                    parameters
                },
                |_: ::tollgate::Cx<__S>, mut arguments: ::tollgate::private::Arguments| async move {
                    ::core::result::Result::Ok(
                        greet(
                                arguments.take::<Text<80>>("name")?,
                                arguments
                                    .take_or::<Int<1, 3>>("times", __default_of_times)?,
                                arguments.take::<Option<String>>("type")?,
                            )
                            .await,
                    )
                },
            )
            .read_only(true)
    }
}
