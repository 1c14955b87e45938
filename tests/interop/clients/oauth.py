"""Lets the official Python SDK find out by itself how to be allowed to use `notes`.

Usage: oauth.py auto|pinned|legacy
"""

import sys
import warnings

import anyio
from mcp.shared.exceptions import MCPDeprecationWarning

from oauth_user import BOTH, ISSUER, METADATA, NOTES, OTHER, READ, WRITE, User, scopes, token_for
from steps import Steps, expect, expect_equal


class Walk:
    """What ann does, who allows more when she is asked again, and what bob cannot do."""

    def __init__(self, ann: User, bob: User) -> None:
        self._ann = ann
        self._bob = bob
        self._note = ""

    async def is_refused_without_a_token(self) -> None:
        challenge = self._ann.saw("POST", NOTES, 401)
        expect(challenge.startswith(f'Bearer resource_metadata="{METADATA}", scope="'), challenge)

    async def finds_the_authorization_server(self) -> None:
        self._ann.saw("GET", METADATA, 200)
        self._ann.saw("GET", f"{ISSUER}/.well-known/oauth-authorization-server", 200)

    async def is_known_by_its_own_document(self) -> None:
        expect_equal(self._ann.asked[0]["client_id"], self._ann.client_id)
        expect(not any("register" in it.url for it in self._ann.exchanges), self._ann.exchanges)

    async def asks_for_this_server_with_pkce(self) -> None:
        asked = self._ann.asked[0]
        expect_equal((asked["resource"], asked["code_challenge_method"]), (NOTES, "S256"))
        expect_equal(scopes(asked["scope"]), scopes(BOTH))

    async def gets_a_token_for_what_the_user_allows(self) -> None:
        header, claims = self._ann.token
        expect_equal((header["alg"], header["typ"]), ("ES256", "at+jwt"))
        told = (claims["iss"], claims["aud"], claims["sub"], claims["scope"])
        expect_equal(told, (ISSUER, NOTES, "ann", READ))

    async def is_in_the_journal_of_the_authorization_server(self) -> None:
        told = [it for it in await self._ann.journal() if it.get("user") != "bob"]
        expect_equal([it["step"] for it in told], ["document", "authorize", "token"])
        same = {"client": self._ann.client_id, "user": "ann", "resource": NOTES, "granted": READ}
        asked = self._ann.asked[0]["scope"]
        expect_equal(told[1], {**same, "step": "authorize", "method": "S256", "asked": asked})
        expect_equal(told[2], {**same, "step": "token"})

    async def reads_with_it(self) -> None:
        await self._ann.text_of("list_notes")
        names = {tool.name for tool in (await self._ann.client.list_tools()).tools}
        expect_equal(names, {"list_notes", "read_note"})

    async def steps_up_when_it_is_told_to(self) -> None:
        self._ann.allows = BOTH
        self._note = await self._ann.text_of("start_note", title="Shopping")
        challenge = self._ann.saw("POST", NOTES, 403)
        expect('error="insufficient_scope"' in challenge, challenge)
        expect(challenge.endswith(f'scope="{WRITE}"'), challenge)
        expect(f'resource_metadata="{METADATA}"' in challenge, challenge)

    async def asks_for_more_and_keeps_what_it_has(self) -> None:
        expect_equal(len(self._ann.asked), 2)
        expect_equal(scopes(self._ann.asked[1]["scope"]), scopes(BOTH))
        expect_equal(scopes(self._ann.token[1]["scope"]), scopes(BOTH))

    async def writes_with_the_wider_token(self) -> None:
        await self._ann.text_of("append_to_note", note=self._note, text="Milk")

    async def reads_what_it_wrote(self) -> None:
        expect("Milk" in await self._ann.text_of("read_note", note=self._note), "no milk")
        expect(self._note in await self._ann.text_of("list_notes"), "no note")
        expect_equal(len(self._ann.asked), 2)

    async def keeps_notes_from_others(self) -> None:
        hers = await self._bob.raw_call("read_note", note=self._note)
        nobodys = await self._bob.raw_call("read_note", note=f"note_{'0' * 26}")
        expect_equal((hers.status_code, hers.content), (nobodys.status_code, nobodys.content))
        expect(hers.status_code == 200 and b'"isError":true' in hers.content, hers.text)
        result = await self._bob.client.call_tool("read_note", {"note": self._note})
        expect(result.is_error and "Milk" not in str(result), result)

    async def takes_no_token_for_another_server(self) -> None:
        answer = await self._ann.raw_call("list_notes", token=await token_for(OTHER))
        challenge = answer.headers["www-authenticate"]
        expect(answer.status_code == 401 and 'error="invalid_token"' in challenge, challenge)


async def main(mode: str) -> bool:
    steps = Steps(client="python", mode=mode, era="legacy" if mode == "legacy" else "modern", over="http")
    name = f"python-{mode}"
    ann, bob = User("ann", name, READ), User("bob", name, BOTH)
    try:
        async with ann.connected(mode), bob.connected(mode):
            await steps.run_all(Walk(ann, bob))
    except Exception as error:
        steps.fail("connects", error)
    return not steps.failed


# Half of a session's methods are deprecated by now, which is no news here.
warnings.simplefilter("ignore", MCPDeprecationWarning)
sys.exit(0 if anyio.run(main, *sys.argv[1:]) else 1)
