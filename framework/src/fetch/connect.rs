//! From a name to a connection, with no look-up between the check and the connect.

use std::{io, net::SocketAddr};

use tokio::time::timeout;
use tokio_rustls::rustls::pki_types::ServerName;

use super::{
    address::{Scope, scope},
    demand::Demand,
    error::Cause,
    network::{Connected, Network},
    target::{Reach, Security, Target},
};

/// Addresses that may be connected to. Never empty.
pub(super) struct Checked(Vec<SocketAddr>);

/// Looks the host up once. One answer that is not allowed refuses them all.
pub(super) async fn resolve(
    network: &dyn Network,
    target: &Target,
    demand: &Demand,
) -> Result<Checked, Cause> {
    let answers = match target.literal() {
        Some(address) => vec![SocketAddr::new(address, target.port)],
        None => timeout(demand.resolve, network.resolve(&target.host, target.port))
            .await
            .map_err(|_| Cause::Slow("the look-up of the host", demand.resolve))?
            .map_err(Cause::Resolve)?,
    };
    check(&answers, target)
}

fn check(answers: &[SocketAddr], target: &Target) -> Result<Checked, Cause> {
    let allows = |answer: &SocketAddr| match (target.reach, scope(answer.ip())) {
        (Reach::Public | Reach::Private, Scope::Public) => true,
        (Reach::Private, Scope::Private) => true,
        (Reach::Loopback, Scope::Loopback) => true,
        (Reach::Own(_), it) => it == scope(answers[0].ip()) && matches!(it, Scope::Public | Scope::Loopback),
        _ => false,
    };
    if let Some(refused) = answers.iter().find(|it| !allows(it)) {
        return Err(Cause::Address(refused.ip()));
    }
    let mut checked = Vec::new();
    for answer in answers {
        let address = SocketAddr::new(answer.ip(), target.port);
        // The other loopback addresses of this machine are not the one that we listen on.
        let is_others =
            matches!(target.reach, Reach::Own(own) if answer.ip().is_loopback() && answer.ip() != own);
        if !is_others && !checked.contains(&address) {
            checked.push(address);
        }
    }
    match (checked.is_empty(), answers.first()) {
        (false, _) => Ok(Checked(checked)),
        (true, Some(refused)) => Err(Cause::Address(refused.ip())),
        (true, None) => Err(Cause::NoAddress),
    }
}

/// Connects to the first address that answers.
pub(super) async fn dial(
    network: &dyn Network,
    checked: &Checked,
    demand: &Demand,
) -> Result<Connected, Cause> {
    let mut last = Cause::NoAddress;
    for &address in &checked.0 {
        last = match timeout(demand.connect, network.connect(address)).await {
            Err(_) => Cause::Slow("the connection", demand.connect),
            Ok(Err(error)) => Cause::Connect(error),
            Ok(Ok(connected))
                if (connected.peer.ip(), connected.peer.port()) != (address.ip(), address.port()) =>
            {
                return Err(Cause::Peer(connected.peer.ip()));
            }
            Ok(Ok(connected)) => return Ok(connected),
        };
    }
    Err(last)
}

/// The name that the certificate has to be for; `None` for plain HTTP.
pub(super) fn server_name(target: &Target) -> Result<Option<ServerName<'static>>, Cause> {
    match target.security {
        Security::Plain => Ok(None),
        Security::Tls => {
            let host = target.host.trim_start_matches('[').trim_end_matches(']').to_owned();
            ServerName::try_from(host).map(Some).map_err(|error| Cause::Tls(io::Error::other(error)))
        }
    }
}
