//! What clients would miss in the authorization servers that this server trusts.

use super::{AuthDecided, Server};
use crate::oauth::Report;

impl<S, A: AuthDecided> Server<S, A> {
    /// Looks at the metadata of each authorization server as an MCP client would, and tells what is missing: client ID
    /// metadata documents, PKCE with S256, `iss` in its answers, and so on (basic/authorization). One report for each;
    /// none without auth.
    ///
    /// For the operator, at start or from a command of the app's own. It goes out to the network, takes 5 s for each
    /// place at most, and its reports say what went wrong there: do not show them to strangers.
    ///
    /// ```no_run
    /// # use tollgate::{Server, auth::Jwt};
    /// # async fn run() {
    /// let auth = Jwt::issuer("https://login.example.com").audience("https://notes.example.com/mcp");
    /// for report in Server::new("notes", "1.0.0").auth(auth).doctor().await {
    ///     println!("{report}");
    /// }
    /// # }
    /// ```
    pub async fn doctor(&self) -> Vec<Report> {
        match &self.shared.config.auth {
            Some(auth) => auth.doctor().await,
            None => Vec::new(),
        }
    }
}
