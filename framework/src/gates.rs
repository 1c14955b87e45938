//! The row of gates: what happens to a request, top to bottom.
//!
//! Each line names a gate, behind the file that it is in. What it proves is the type that the next one takes, so two
//! lines swapped do not compile, and only [`Admitted`](crate::layers::Admitted) can be answered. This is the only file
//! that knows the order.

pub(crate) mod headers;
pub(crate) mod door;
pub(crate) mod caller;
pub(crate) mod message;
pub(crate) mod room;
pub(crate) mod agreement;
pub(crate) mod era;
pub(crate) mod session;
pub(crate) mod call;
pub(crate) mod required;
pub(crate) mod params;
pub(crate) mod handles;
pub(crate) mod round;
pub(crate) mod refusal;

use bytes::Buf;
use http_body::Body;
use tower::{Service, ServiceBuilder};

use crate::{
    answer::{Answer, Reply},
    gate::{gate, wait},
    layers::AppLayers,
};
use caller::Known;
use door::Arrival;
use refusal::Refusal;

/// The row that an HTTP request passes.
#[rustfmt::skip]
pub(crate) fn row<B>() -> impl Service<Arrival<B>, Response = Reply, Error = Refusal, Future: Send + Unpin> + Clone
where
    B: Body<Data: Buf + Send, Error: Into<Box<dyn std::error::Error + Send + Sync>>> + Send + 'static,
{
    ServiceBuilder::new()
        // Who is at the door?
        .layer(gate::<door::Door<B>>())           // http::Request -> Post: Host, Origin, path, verb, media types
        .layer(wait::<caller::Identify<B>>())     //               -> Known: the caller, by the token that the headers carry
        .service(inner_row::<B>())
}

/// The rest of it, where stdio comes in: there is no door, and no layer of headers.
#[rustfmt::skip]
pub(crate) fn inner_row<B>() -> impl Service<Known<B>, Response = Reply, Error = Refusal, Future: Send + Unpin> + Clone + Send
where
    B: Body<Data: Buf + Send, Error: Into<Box<dyn std::error::Error + Send + Sync>>> + Send + 'static,
{
    ServiceBuilder::new()
        // What do they want?
        .layer(wait::<message::Receive<B>>())     // Known         -> Read: one JSON-RPC message, with one meaning
        .layer(gate::<room::MakeRoom>())          //               -> Housed: room for one more call
        .layer(gate::<agreement::Agreement>())    //               -> Agreed: the headers repeat the body
        .layer(gate::<era::Speak>())              //               -> Dated: the version both speak, what the client can do
        .layer(wait::<session::Resume>())         //               -> Seated: what a legacy client negotiated
        .layer(gate::<call::Resolve>())           //               -> Resolved: the method, and what it names
        .layer(gate::<required::Required>())      //               -> Cleared: a question about tools is well formed, what is called is not held back
        .layer(gate::<params::Params>())          //               -> Matched: Mcp-Param-* repeat the arguments
        // May they?
        .layer(wait::<handles::LookUp>())         //               -> Granted: every handle is one that the caller may use
        .layer(gate::<round::Recall>())           //               -> Admitted: what comes back from an earlier round is ours
        .layer(AppLayers)                         // the app's own Tower layers see only what was admitted
        .service(Answer)
}
