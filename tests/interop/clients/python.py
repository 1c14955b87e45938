"""Talks to the servers with the official Python SDK.

Usage: python.py auto|pinned|legacy http|stdio
"""

import sys
import warnings

import anyio
from mcp.shared.exceptions import MCPDeprecationWarning

from python_peer import Peer
from python_walks import Booking, BookingUnasked, Fixture, Hello
from steps import Steps


async def main(mode: str, over: str) -> bool:
    era = "legacy" if mode == "legacy" else "modern"
    steps = Steps(client="python", mode=mode, era=era, over=over)
    fixture = Peer("conformance", mode, over)
    await walk(steps, fixture, Fixture)
    await steps.run("session-ends", fixture.session_ended)
    await walk(steps, Peer("hello", mode, over), Hello)
    await walk(steps, Peer("booking", mode, over), Booking)
    await walk(steps, Peer("booking", mode, over, mute=True), BookingUnasked)
    return not steps.failed


async def walk(steps: Steps, peer: Peer, kind: type) -> None:
    name = f"{peer.server}-mute" if peer.mute else peer.server
    try:
        async with peer.connected():
            await steps.run_all(kind(peer))
    except Exception as error:
        steps.fail(f"{name}-connects", error)
    else:
        await steps.run(f"{name}-closes", peer.closed_well)


# Half of a session's methods are deprecated by now, which is no news here.
warnings.simplefilter("ignore", MCPDeprecationWarning)
sys.exit(0 if anyio.run(main, *sys.argv[1:]) else 1)
