//! `tollgate doctor`: how a server looks from outside, line by line.

mod access;
mod checkup;
mod eras;
mod offers;
mod refusals;

use crate::{
    args::Target,
    client::Peer,
    out::{Exit, Failure},
};
use checkup::Checkup;

/// Check a server from outside, and say what to do about each thing that is wrong.
///
/// It sends some requests that have to be refused, and calls no tool of the server.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Doctor {
    #[command(flatten)]
    target: Target,
}

const EXAMPLES: &str = "Examples:
  tollgate doctor -u https://mcp.example.com/mcp
  TOLLGATE_TOKEN=… tollgate doctor -u https://mcp.example.com/mcp
  tollgate doctor -- python3 server.py

Exit codes: 0 nothing is wrong, though there may be warnings; 1 the server cannot be looked at; 2 something is wrong.";

impl Doctor {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        let screen = self.target.screen();
        let peer = self.target.peer()?;
        let mut checkup = Checkup::new(screen.clone());
        if let Peer::Url(place) = &peer {
            screen.wait("looking at who may come in");
            access::check(place, self.target.timeout, &mut checkup)?;
        }
        let Some(mut spoken) = eras::check(&peer, &self.target, &screen, &mut checkup)? else {
            checkup.end()?;
            return Ok(Exit::Trouble);
        };
        if let Peer::Url(place) = &peer {
            refusals::over_http(place, &mut spoken, self.target.timeout, &mut checkup)?;
        }
        refusals::by_message(&mut spoken.connection, &mut checkup)?;
        offers::check(&mut spoken.connection, &mut checkup)?;
        checkup.end()
    }
}
