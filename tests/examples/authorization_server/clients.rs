//! Clients that nobody has registered: each `https://localhost:PORT/NAME.json` is one, and this is its document.

use std::{
    io,
    net::{Ipv4Addr, SocketAddr},
    sync::Arc,
};

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use serde_json::json;
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
};
use tokio_rustls::{
    TlsAcceptor,
    rustls::{
        ServerConfig,
        crypto::aws_lc_rs,
        pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer},
    },
};
use tollgate::oauth::{ClientDocuments, FetchPolicy};

use super::journal::Journal;

/// Where users go back to. Nothing listens there: the test reads the address.
const REDIRECT: &str = "http://127.0.0.1/callback";

/// Serves the documents from now on, and says how to fetch them.
pub(super) async fn serve(port: u16, journal: Journal) -> io::Result<ClientDocuments> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let listener = TcpListener::bind(address).await?;
    let (acceptor, root) = certificate().map_err(io::Error::other)?;
    tokio::spawn(async move {
        while let Ok((socket, _)) = listener.accept().await {
            // One after the other: nobody but the authorization server fetches here.
            if let Err(error) = show(socket, &acceptor, port, &journal).await {
                eprintln!("a client document was not shown: {error}");
            }
        }
    });
    let policy = FetchPolicy::new().root_certificate(root).listens_on(address);
    ClientDocuments::builder().policy(policy).allow_host("localhost").build()
}

/// A certificate for `localhost`, and the root in PEM that vouches for it.
fn certificate() -> Result<(TlsAcceptor, String), Box<dyn std::error::Error + Send + Sync>> {
    let mut params = CertificateParams::default();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let root = CertifiedIssuer::self_signed(params, KeyPair::generate()?)?;
    let key = KeyPair::generate()?;
    let leaf = CertificateParams::new(["localhost".into()])?.signed_by(&key, &root)?;
    let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(key.serialize_der()));
    let config = ServerConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(vec![leaf.der().clone()], key)?;
    let root: &rcgen::Certificate = root.as_ref();
    Ok((TlsAcceptor::from(Arc::new(config)), root.pem()))
}

async fn show(socket: TcpStream, acceptor: &TlsAcceptor, port: u16, journal: &Journal) -> io::Result<()> {
    let mut stream = BufReader::new(acceptor.accept(socket).await?);
    let mut request = String::new();
    stream.read_line(&mut request).await?;
    let mut header = String::new();
    while stream.read_line(&mut header).await? > 2 {
        header.clear();
    }
    let path = request.split(' ').nth(1).unwrap_or_default();
    let client_id = |path: &str| format!("https://localhost:{port}{path}");
    journal.note(json!({"step": "document", "client": client_id(path)}));
    // It says that it is somebody else.
    let claimed = if path == "/impostor.json" { "/raw.json" } else { path };
    let document = json!({
        "client_id": client_id(claimed),
        "client_name": "Interop",
        "redirect_uris": [REDIRECT],
        "token_endpoint_auth_method": "none",
    })
    .to_string();
    let length = document.len();
    let head =
        format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n");
    stream.write_all(format!("{head}{document}").as_bytes()).await?;
    stream.shutdown().await
}
