"""A user of `notes` whose Python client keeps its tokens here, and the user's browser."""

import base64
import hashlib
import json
import os
import secrets
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import httpx2
from mcp import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientInformationFull, OAuthClientMetadata, OAuthToken

from steps import expect, expect_equal

MODERN = "2026-07-28"
READ = "notes:read"
WRITE = "notes:write"
BOTH = f"{READ} {WRITE}"
NOTES = os.environ["NOTES_URL"]
ISSUER = os.environ["AUTHORIZATION_URL"]
OTHER = os.environ["OTHER_URL"]
METADATA = NOTES.replace("/mcp", "/.well-known/oauth-protected-resource/mcp")
REDIRECT = "http://127.0.0.1/callback"


@dataclass(frozen=True)
class Exchange:
    method: str
    url: str
    status: int
    challenge: str


@dataclass
class User:
    """A user, and what their client has kept and sent. It is a `TokenStorage` of the SDK."""

    name: str
    client_name: str
    allows: str
    asked: list[dict[str, str]] = field(default_factory=list)
    """Where the client has sent the user to, each time."""
    exchanges: list[Exchange] = field(default_factory=list)
    tokens: OAuthToken | None = None
    known_as: OAuthClientInformationFull | None = None
    answer: dict[str, str] = field(default_factory=dict)

    @property
    def client_id(self) -> str:
        return _client_id(self.client_name)

    @property
    def token(self) -> list[dict[str, Any]]:
        """Header and claims of the token that it has now."""
        parts = self.tokens.access_token.split(".")[:2]
        return [json.loads(base64.urlsafe_b64decode(part + "==")) for part in parts]

    @asynccontextmanager
    async def connected(self, mode: str):
        metadata = OAuthClientMetadata(
            client_name="Interop", redirect_uris=[REDIRECT], grant_types=["authorization_code"]
        )
        auth = OAuthClientProvider(NOTES, metadata, self, self._is_sent_to, self._is_back, self.client_id)
        http = create_mcp_http_client(auth=auth)
        http.event_hooks = {"response": [self._note]}
        transport = streamable_http_client(NOTES, http_client=http)
        async with Client(transport, mode=MODERN if mode == "pinned" else mode, read_timeout_seconds=15) as client:
            self.client = client
            if mode == "pinned":
                # It has not spoken to the server yet.
                await client.list_tools()
            yield

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.known_as

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.known_as = client_info

    async def _is_sent_to(self, url: str) -> None:
        self.asked.append(dict(parse_qsl(urlsplit(url).query)))
        self.answer = await visit(url, self.name, self.allows)

    async def _is_back(self) -> AuthorizationCodeResult:
        expect_equal(self.answer["iss"], ISSUER)
        return AuthorizationCodeResult(**self.answer)

    async def _note(self, response: httpx2.Response) -> None:
        request, challenge = response.request, response.headers.get("www-authenticate", "")
        self.exchanges.append(Exchange(request.method, str(request.url), response.status_code, challenge))

    def saw(self, method: str, url: str, status: int) -> str:
        """The challenge of an answer that the client has got."""
        for it in self.exchanges:
            if (it.method, it.url, it.status) == (method, url, status):
                return it.challenge
        raise AssertionError(f"not among {self.exchanges!r}")

    async def text_of(self, tool: str, **arguments: str) -> str:
        result = await self.client.call_tool(tool, arguments)
        expect(not result.is_error, result)
        return result.content[0].text if result.content else ""

    async def journal(self) -> list[dict[str, Any]]:
        """What the authorization server has done for this client, by its own account."""
        async with httpx2.AsyncClient() as http:
            entries = (await http.get(f"{ISSUER}/journal")).json()
        return [it for it in entries if it.get("client") == self.client_id]

    async def raw_call(self, tool: str, token: str | None = None, **arguments: str) -> httpx2.Response:
        """A whole answer to a call with this user's token, or another one."""
        meta = {
            "io.modelcontextprotocol/protocolVersion": MODERN,
            "io.modelcontextprotocol/clientCapabilities": {},
        }
        params = {"name": tool, "arguments": arguments, "_meta": meta}
        headers = {
            "authorization": f"Bearer {token or self.tokens.access_token}",
            "accept": "application/json, text/event-stream",
            "mcp-protocol-version": MODERN,
            "mcp-method": "tools/call",
            "mcp-name": tool,
        }
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        async with httpx2.AsyncClient() as http:
            return await http.post(NOTES, json=message, headers=headers)


async def visit(url: str, login: str, allow: str) -> dict[str, str]:
    """Opens an authorization URL as a user's browser does, and returns what it brings back to the client."""
    async with httpx2.AsyncClient() as http:
        response = await http.get(f"{url}&{urlencode({'login': login, 'allow': allow})}")
    expect_equal(response.status_code, 302)
    back = response.headers["location"]
    expect(back.startswith(f"{REDIRECT}?"), back)
    return dict(parse_qsl(urlsplit(back).query))


async def token_for(resource: str) -> str:
    """A token of ann for some server."""
    verifier = secrets.token_urlsafe(32)
    digest = hashlib.sha256(verifier.encode()).digest()
    same = {"client_id": _client_id("raw"), "redirect_uri": REDIRECT, "resource": resource}
    challenge = base64.urlsafe_b64encode(digest).decode().rstrip("=")
    asking = {**same, "response_type": "code", "scope": BOTH, "code_challenge": challenge}
    url = f"{ISSUER}/authorize?{urlencode({**asking, 'code_challenge_method': 'S256', 'state': 'raw'})}"
    code = (await visit(url, "ann", BOTH))["code"]
    form = {**same, "grant_type": "authorization_code", "code": code, "code_verifier": verifier}
    async with httpx2.AsyncClient() as http:
        return (await http.post(f"{ISSUER}/token", data=form)).json()["access_token"]


def scopes(text: str) -> list[str]:
    """A set of scopes, whatever their order."""
    return sorted(text.split())


def _client_id(name: str) -> str:
    return f"{os.environ['CLIENTS_URL']}/{name}.json"
