//! A server as a Tower service, to nest in whatever speaks Tower.

use std::{
    convert::Infallible,
    future::Future,
    pin::Pin,
    task::{Context, Poll},
};

use bytes::Buf;
use http::{Request, Response, StatusCode};
use tower::Service;

use super::Server;
use crate::{body::Body, serve::http::answer};

impl<S, B> Service<Request<B>> for Server<S>
where
    S: Clone + Send + Sync + 'static,
    B: http_body::Body<Data: Buf + Send, Error: Into<Box<dyn std::error::Error + Send + Sync>>>
        + Send
        + 'static,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let engine = self.engine();
        Box::pin(async move {
            match engine {
                Ok(engine) => Ok(answer(engine, request, None, None).await),
                Err(error) => {
                    tracing::error!(%error, "a request reached a server that is configured wrongly");
                    let mut response = Response::new(Body::empty());
                    *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
                    Ok(response)
                }
            }
        })
    }
}
