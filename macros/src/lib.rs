//! The macros of tollgate; use them through the crate `tollgate`, which exports them all.
//!
//! The macros read syntax only. Of types they know four names, by the last segment of the path: `Cx` is the
//! context, `Held` becomes `Handle` in the request, `Handle` is refused as an argument, and `Result` means that
//! the function can fail. A type alias that hides one of them gives a type error, never a hole.

mod doc;
mod elicit;
mod errors;
mod function;
mod options;
mod prompt;
mod record;
mod resource;
#[cfg(test)]
mod testing;
mod tool;
mod types;

use proc_macro::TokenStream;

/// Makes a tool of an `async fn`: a model calls it, and the signature is the contract.
///
/// The function's name is the tool's name. Its doc comment is the description, and all that a model reads
/// before it calls: it has a line that starts with `Use when ` and one that starts with `Do not use when `.
/// The return type is what a model gets back; the function may return it in a `Result`.
///
/// ```ignore
/// use tollgate::prelude::*;
///
/// /// Greets a person by name.
/// ///
/// /// Use when the user asks to be greeted.
/// /// Do not use when a message has to reach somebody else.
/// #[tool(read_only)]
/// pub async fn greet(
///     /// What the person likes to be called.
///     name: Text<80>,
/// ) -> String {
///     format!("Hello, {name}!")
/// }
///
/// let server = Server::new("hello", "1.0.0").tools(tools![greet]).without_auth();
/// let told = server.client("ann").call(greet { name: "Ann".try_into()? }).await?;
/// assert_eq!(told, "Hello, Ann!");
/// ```
///
/// The function stays as it is and can be called directly. Beside it stands a struct of the same name with
/// the arguments as fields: the typed request for clients and tests.
///
/// # Parameters
///
/// The first one may be the context, `cx: &Cx` or `cx: &Cx<State>`. All others are arguments, which the model
/// fills in: owned values with a name and, best, a doc comment. `#[arg(…)]` before an argument takes:
///
/// - `default = expression`: the value when the argument is left out, evaluated in each call. A plain text or
///   whole number is read as if a client had sent it: `default = 5` for an `Int<1, 12>`, `default = "metric"`
///   for an enum. One that does not fit is found when the server starts. Any other expression has the type of
///   the argument.
/// - `header = "Region"`: a client repeats the value in the header `Mcp-Param-Region`, where gateways can
///   read it. Not for secrets.
///
/// # Options
///
/// - `read_only`, `destructive`, `idempotent`, `open_world`: what a client may tell the person before the
///   call. Each is a flag and can be denied: `destructive = false`.
/// - `title = "…"`: a name for people.
/// - `icon = "https://…"`: an image for people; can be repeated.
/// - `allow_unknown`: arguments that are no parameter are ignored; otherwise the call is refused.
/// - `max_seconds = 120`: how long a call may take, in place of the server's limit.
/// - `calls = 4`, `calls_per_second = 10`: how many calls of this tool may run, and start; over it a client is told
///   to come back later.
/// - `result_tokens = 2000`: how many tokens the text of a result may have. One that has more is not shown: the model is
///   told to ask for less. It needs the feature `budget`.
/// - `scope = "notes:write"`: what a caller's token has to have; several with a blank between, all of them needed. Who
///   lacks one does not find the tool in lists, and who calls it all the same is told which scopes it needs.
/// - `hidden`: who lacks a scope is answered as if there were no such tool, and its scopes are not published.
/// - `ready = function`: tells whether the tool is ready, from what is known already. The function is
///   `fn(&State) -> Result<(), Unready>`, with the state of the tool's context, or `fn() -> Result<(), Unready>` when the
///   tool looks at none. It is not `async`: who asks before a job begins must not wake the world.
#[proc_macro_attribute]
pub fn tool(options: TokenStream, item: TokenStream) -> TokenStream {
    tool::expand(options.into(), &item.into()).into()
}

/// Makes a prompt of an `async fn`: a message that a person picks from a menu.
///
/// The function's name is the prompt's name and its doc comment the description. The return type is the
/// message or the messages; the function may return it in a `Result`.
///
/// ```ignore
/// use tollgate::prelude::*;
///
/// /// Asks for a review of a file.
/// #[prompt]
/// pub async fn review(
///     cx: &Cx<Project>,
///     /// The file, from the root of the project.
///     #[arg(complete = files)]
///     path: Text<200>,
/// ) -> Result<String> {
///     let text = cx.state().read(&path).await?;
///     Ok(format!("Review this file:\n\n{text}"))
/// }
///
/// async fn files(cx: &Cx<Project>, typed: &str) -> Vec<String> {
///     cx.state().files_that_start_with(typed).await
/// }
/// ```
///
/// Beside the function stands a struct of the same name with the arguments as fields: the typed request for
/// clients and tests.
///
/// # Parameters
///
/// The first one may be the context, `cx: &Cx` or `cx: &Cx<State>`. All others are arguments. `#[arg(…)]`
/// before an argument takes:
///
/// - `default = expression`: the value when the argument is left out, as in [`macro@tool`].
/// - `complete = function`: offers values while a person types. The function is
///   `async fn(cx: &Cx<State>, typed: &str) -> Vec<String>`, with the context of the prompt, or `cx: &Cx` when
///   the prompt takes none. It does not return a `Result`: when it has nothing to offer it returns an empty
///   list.
///
/// # Options
///
/// - `title = "…"`: a name for people.
/// - `icon = "https://…"`: an image for people; can be repeated.
/// - `scope = "…"`, `hidden`: who may see and use it, as in [`macro@tool`].
#[proc_macro_attribute]
pub fn prompt(options: TokenStream, item: TokenStream) -> TokenStream {
    prompt::expand(options.into(), &item.into()).into()
}

/// Makes a resource of an `async fn`: something to read at an address.
///
/// `uri = "…"` is the address, with its scheme. An address with variables is a template for many resources:
/// `{name}` stands for one segment and `{+name}` for several, with the slashes between them. Each variable is
/// a parameter of the function and each parameter a variable. The function's name is the resource's name and
/// its doc comment the description.
///
/// ```ignore
/// use tollgate::prelude::*;
///
/// /// A file of the project.
/// #[resource(uri = "project://files/{+path}")]
/// pub async fn file(
///     cx: &Cx<Project>,
///     /// From the root of the project.
///     #[arg(complete = files)]
///     path: Text<200>,
/// ) -> Result<String> {
///     cx.state().read(&path).await.or_fail("There is no such file.")
/// }
/// ```
///
/// # Parameters
///
/// The first one may be the context, `cx: &Cx` or `cx: &Cx<State>`. `#[arg(complete = function)]` before
/// another offers values while a person types, as in [`macro@prompt`].
///
/// # Options
///
/// - `uri = "…"`: the address; the one option that is needed.
/// - `title = "…"`: a name for people.
/// - `icon = "https://…"`: an image for people; can be repeated.
/// - `mime = "text/plain"`: the media type of what is read; of a template, the one that all have.
/// - `size = 1024`: the number of bytes, which a client may show or budget with. Not for a template.
/// - `cache_seconds = 60`: how long a client may keep what it read; at least a second.
/// - `shared`: what is read is the same for everybody, so a cache may give one caller's copy to another. Not
///   for anything that depends on the caller.
/// - `scope = "…"`, `hidden`: who may see and use it, as in [`macro@tool`]. Of several templates that fit an address the
///   first one decides, whoever asks.
#[proc_macro_attribute]
pub fn resource(options: TokenStream, item: TokenStream) -> TokenStream {
    resource::expand(options.into(), &item.into()).into()
}

/// Makes a form of a struct: a tool asks a person with it by `cx.ask(…)`.
///
/// Each field is a question and its doc comment the words. Forms are flat: a field is text, a number, a
/// boolean or a choice, or an `Option` of these. The struct also derives `Serialize`, `Deserialize` and
/// `JsonSchema`.
///
/// ```ignore
/// use schemars::JsonSchema;
/// use serde::{Deserialize, Serialize};
/// use tollgate::prelude::*;
///
/// #[derive(Elicit, Serialize, Deserialize, JsonSchema)]
/// pub struct Hold {
///     /// Hold this table?
///     pub hold: bool,
///     /// Anything the kitchen should know.
///     pub allergies: Option<Text<200>>,
/// }
///
/// assert_eq!(Hold::KEY, "hold");
/// ```
///
/// The key is the name under which the answer travels: the struct's name in snake case, or what
/// `#[elicit(key = "…")]` says.
#[proc_macro_derive(Elicit, attributes(elicit))]
pub fn elicit(input: TokenStream) -> TokenStream {
    elicit::expand(input.into()).into()
}

/// Makes a struct or an enum data that lives on the server, of which a model only ever holds a handle.
///
/// It says who may use one; forgetting it does not compile. The type also derives `Serialize` and `Deserialize`.
///
/// ```ignore
/// use serde::{Deserialize, Serialize};
/// use tollgate::prelude::*;
///
/// #[derive(Record, Serialize, Deserialize)]
/// #[record(shareable, idle_seconds = 604_800, max_seconds = 2_592_000)]
/// pub struct Note {
///     pub title: String,
///     pub body: String,
/// }
/// ```
///
/// # Options
///
/// One of these is needed:
///
/// - `owner_only`: who made it, and nobody else.
/// - `shareable`: who made it, and those with whom it was shared, within the rights that they got.
/// - `authorize = function`: what `fn(&Caller, &Note, Access) -> bool` says.
///
/// The others have defaults:
///
/// - `kind = "note"`: with what its handles begin. Default: the type's name in snake case.
/// - `idle_seconds = 3600`: a handle that is not used for so long expires. Default: an hour.
/// - `max_seconds = 86400`: a handle expires after so long in any case. Default: a day.
/// - `sealed`: the record travels in its handle, encrypted, for servers without a store. It is of a few hundred bytes, cannot
///   change, and cannot be shared, listed or taken back before it expires.
#[proc_macro_derive(Record, attributes(record))]
pub fn record(input: TokenStream) -> TokenStream {
    record::expand(input.into()).into()
}
