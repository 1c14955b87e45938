"""A Python client connected to one of our servers."""

import logging
import os
import time
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx2
import mcp_types as types
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client

from forms import filled_in
from steps import expect, expect_equal

MODERN = "2026-07-28"
LEGACY = "2025-11-25"
SECONDS_TO_CLOSE = 1.5


@dataclass
class Peer:
    """The client, and what the server has sent to it."""

    server: str
    mode: str
    over: str
    mute: bool = False
    """Leaves out everything that a server could ask this client for."""
    action: str = "accept"
    asked: list[str] = field(default_factory=list)
    forms: list[dict[str, Any]] = field(default_factory=list)
    logs: list[Any] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)
    responses: list[httpx2.Response] = field(default_factory=list)
    closing_took: float = 0.0

    @property
    def modern(self) -> bool:
        return self.mode != "legacy"

    @property
    def url(self) -> str:
        return os.environ[f"{self.server.upper()}_URL"]

    @asynccontextmanager
    async def connected(self):
        complaints = Complaints(self.complaints)
        logging.getLogger().addHandler(complaints)
        self.client = Client(
            self._transport(),
            mode=MODERN if self.mode == "pinned" else self.mode,
            read_timeout_seconds=15,
            client_info=types.Implementation(name="interop", version="1"),
            elicitation_callback=None if self.mute else self._elicit,
            sampling_callback=None if self.mute else self._sample,
            list_roots_callback=None if self.mute else self._roots,
            logging_callback=self._log,
        )
        async with self.client:
            yield
            began = time.monotonic()
        self.closing_took = time.monotonic() - began
        logging.getLogger().removeHandler(complaints)

    def _transport(self) -> Any:
        if self.over == "stdio":
            return StdioServerParameters(command=os.path.join(os.environ["SERVERS"], self.server), args=["--stdio"])
        http = create_mcp_http_client()
        http.event_hooks = {"response": [self._note_response]}
        return streamable_http_client(self.url, http_client=http)

    async def _note_response(self, response: httpx2.Response) -> None:
        self.responses.append(response)

    async def _elicit(self, _context: Any, params: types.ElicitRequestParams) -> types.ElicitResult:
        self.asked.append("elicitation")
        self.forms.append(params.requested_schema)
        content = filled_in(params.requested_schema) if self.action == "accept" else None
        return types.ElicitResult(action=self.action, content=content)

    async def _sample(self, _context: Any, _params: Any) -> types.CreateMessageResult:
        self.asked.append("sampling")
        text = types.TextContent(type="text", text="Paris")
        return types.CreateMessageResult(role="assistant", content=text, model="interop")

    async def _roots(self, _context: Any) -> types.ListRootsResult:
        self.asked.append("roots")
        return types.ListRootsResult(roots=[types.Root(uri="file:///interop", name="interop")])

    async def _log(self, params: types.LoggingMessageNotificationParams) -> None:
        self.logs.append(params)

    async def call(self, tool: str, **arguments: Any) -> types.CallToolResult:
        result = await self.client.call_tool(tool, arguments or None)
        expect(not result.is_error, result)
        return result

    async def text_of(self, tool: str, **arguments: Any) -> str:
        text = (await self.call(tool, **arguments)).content[0].text
        expect(text, "an empty text")
        return text

    async def asks(self, tool: str, kinds: list[str], **arguments: Any) -> str:
        """Calls a tool, checks that it asked us for exactly these, and returns its text."""
        self.asked.clear()
        text = await self.text_of(tool, **arguments)
        expect_equal(sorted(self.asked), sorted(kinds))
        return text

    async def session_ended(self) -> None:
        """The client's last request deleted the session, and the session is gone."""
        last = self.responses[-1]
        expect_equal((last.request.method, last.is_success), ("DELETE", True))
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
        kept = ("mcp-session-id", "mcp-protocol-version")
        headers = {name: last.request.headers[name] for name in kept}
        headers["accept"] = "application/json, text/event-stream"
        async with httpx2.AsyncClient() as http:
            again = await http.post(self.url, json=message, headers=headers)
        expect_equal(again.status_code, 404)

    async def closed_well(self) -> None:
        """The client closed at once and the SDK logged no complaint about the server."""
        expect_equal(self.complaints, [])
        expect(self.closing_took < SECONDS_TO_CLOSE, f"closing took {self.closing_took:.1f} s")


class Complaints(logging.Handler):
    """Keeps the warnings and errors that the SDK logs about a server."""

    def __init__(self, kept: list[str]) -> None:
        super().__init__(logging.WARNING)
        self.kept = kept

    def emit(self, record: logging.LogRecord) -> None:
        self.kept.append(record.getMessage())
