"""What the Python client does with each server, step by step."""

from collections.abc import Awaitable
from typing import Any

import anyio
import mcp_types as types
from mcp.client.subscriptions import PromptsListChanged, ToolsListChanged
from mcp.shared.exceptions import MCPError

from forms import filled_in
from python_peer import LEGACY, MODERN, Peer
from steps import expect, expect_equal

INVALID_PARAMS = -32602
MISSING_CAPABILITY = -32021
RESOURCE_NOT_FOUND = -32002


class Fixture:
    """The conformance server: everything the protocol has."""

    def __init__(self, peer: Peer) -> None:
        self._peer = peer
        self._client = peer.client

    async def negotiates(self) -> None:
        expect_equal(self._client.protocol_version, MODERN if self._peer.modern else LEGACY)

    async def server_info(self) -> None:
        info = self._client.server_info
        expect(info and info.name and info.version, info)

    async def tools_list(self) -> None:
        tools = (await self._client.list_tools()).tools
        expect(len(tools) >= 10, tools)
        expect(all(tool.name and tool.description and tool.input_schema for tool in tools), tools)

    async def call_text(self) -> None:
        text = await self._peer.text_of("test_simple_text")
        expect("simple text response" in text, text)

    async def call_image(self) -> None:
        image = (await self._peer.call("test_image_content")).content[0]
        expect_equal((image.type, image.mime_type), ("image", "image/png"))

    async def call_audio(self) -> None:
        audio = (await self._peer.call("test_audio_content")).content[0]
        expect_equal((audio.type, audio.mime_type), ("audio", "audio/wav"))

    async def call_resource(self) -> None:
        item = (await self._peer.call("test_embedded_resource")).content[0]
        expect_equal((item.type, item.resource.uri), ("resource", "test://embedded-resource"))

    async def call_mixed(self) -> None:
        content = (await self._peer.call("test_multiple_content_types")).content
        expect({"text", "image", "resource"} <= {item.type for item in content}, content)

    async def call_error(self) -> None:
        result = await self._client.call_tool("test_error_handling")
        expect(result.is_error and result.content[0].text, result)

    async def call_unknown(self) -> None:
        await _refused({INVALID_PARAMS}, self._client.call_tool("no_such_tool"))

    async def mirrored_header(self) -> None:
        tool, parameter = _mirrored((await self._client.list_tools()).tools)
        await self._peer.call(tool, **{parameter: " Grüße "})

    async def progress(self) -> None:
        seen: list[float] = []

        async def note(progress: float, _total: float | None, _message: str | None) -> None:
            seen.append(progress)

        await self._client.call_tool("test_tool_with_progress", progress_callback=note)
        expect(len(seen) >= 3 and seen == sorted(seen), seen)

    async def asks_elicitation(self) -> None:
        if self._peer.modern:
            text = await self._peer.asks("test_input_required_result_elicitation", ["elicitation"])
            expect_equal(text, "Hello, Ada!")
        else:
            await self._peer.asks("test_elicitation", ["elicitation"], message="Who are you?")

    async def asks_sampling(self) -> None:
        if self._peer.modern:
            await self._peer.asks("test_input_required_result_sampling", ["sampling"])
        else:
            text = await self._peer.asks("test_sampling", ["sampling"], prompt="What is the capital of France?")
            expect("Paris" in text, text)

    async def asks_roots(self) -> None:
        await self._peer.asks("test_input_required_result_list_roots", ["roots"])

    async def asks_with_state(self) -> None:
        text = await self._peer.asks("test_input_required_result_request_state", ["elicitation"])
        expect("state-ok" in text, text)

    async def asks_many(self) -> None:
        kinds = ["elicitation", "sampling", "roots"]
        await self._peer.asks("test_input_required_result_multiple_inputs", kinds)

    async def asks_twice(self) -> None:
        await self._peer.asks("test_input_required_result_multi_round", ["elicitation", "elicitation"])

    async def form_defaults(self) -> None:
        await self._peer.asks("test_elicitation_sep1034_defaults", ["elicitation"])
        wanted = {"name": "John Doe", "age": 30, "score": 95.5, "status": "active", "verified": True}
        expect_equal(filled_in(self._peer.forms[-1]), wanted)

    async def form_enums(self) -> None:
        await self._peer.asks("test_elicitation_sep1330_enums", ["elicitation"])
        wanted = {"untitledSingle", "titledSingle", "legacyEnum", "untitledMulti", "titledMulti"}
        expect_equal(set(self._peer.forms[-1]["properties"]), wanted)

    async def prompts_list(self) -> None:
        prompts = (await self._client.list_prompts()).prompts
        expect(len(prompts) >= 4 and all(prompt.description for prompt in prompts), prompts)

    async def prompt_plain(self) -> None:
        message = (await self._client.get_prompt("test_simple_prompt")).messages[0]
        expect(message.role == "user" and message.content.text, message)

    async def prompt_arguments(self) -> None:
        told = await self._client.get_prompt("test_prompt_with_arguments", {"arg1": "hay", "arg2": "straw"})
        text = told.messages[0].content.text
        expect("hay" in text and "straw" in text, text)

    async def prompt_resource(self) -> None:
        uri = "test://example-resource"
        told = await self._client.get_prompt("test_prompt_with_embedded_resource", {"resourceUri": uri})
        expect(any(it.content.type == "resource" and it.content.resource.uri == uri for it in told.messages), told)

    async def prompt_image(self) -> None:
        told = await self._client.get_prompt("test_prompt_with_image")
        expect(any(message.content.type == "image" for message in told.messages), told)

    async def prompt_asks(self) -> None:
        self._peer.asked.clear()
        told = await self._client.get_prompt("test_input_required_result_prompt")
        expect(told.messages and self._peer.asked, told)

    async def prompt_unknown(self) -> None:
        await _refused({INVALID_PARAMS}, self._client.get_prompt("no_such_prompt"))

    async def resources_list(self) -> None:
        resources = (await self._client.list_resources()).resources
        expect("test://static-text" in {resource.uri for resource in resources}, resources)

    async def resource_text(self) -> None:
        contents = (await self._client.read_resource("test://static-text")).contents
        expect(contents[0].text, contents)

    async def resource_binary(self) -> None:
        contents = (await self._client.read_resource("test://static-binary")).contents
        expect(contents[0].blob and contents[0].mime_type == "image/png", contents)

    async def resource_templates(self) -> None:
        templates = (await self._client.list_resource_templates()).resource_templates
        expect("test://template/{id}/data" in {template.uri_template for template in templates}, templates)

    async def resource_from_template(self) -> None:
        contents = (await self._client.read_resource("test://template/123/data")).contents
        expect("123" in contents[0].text, contents)

    async def resource_unknown(self) -> None:
        codes = {INVALID_PARAMS} if self._peer.modern else {INVALID_PARAMS, RESOURCE_NOT_FOUND}
        await _refused(codes, self._client.read_resource("test://no-such-resource"))

    async def resource_subscription(self) -> None:
        await self._client.subscribe_resource("test://watched-resource")
        await self._client.unsubscribe_resource("test://watched-resource")

    async def completion(self) -> None:
        prompt = types.PromptReference(type="ref/prompt", name="test_prompt_with_arguments")
        result = await self._client.complete(prompt, {"name": "arg1", "value": "test"})
        expect(isinstance(result.completion.values, list), result)

    async def listens_to_tools(self) -> None:
        async with self._client.listen(tools_list_changed=True) as events:
            await self._peer.call("test_trigger_tool_change")
            expect_equal(await anext(events), ToolsListChanged())

    async def listens_to_prompts(self) -> None:
        async with self._client.listen(prompts_list_changed=True) as events:
            await self._peer.call("test_trigger_prompt_change")
            expect_equal(await anext(events), PromptsListChanged())

    async def listens_only_to_what_it_asked_for(self) -> None:
        async with self._client.listen(prompts_list_changed=True) as events:
            await self._peer.call("test_trigger_tool_change")
            await self._peer.call("test_trigger_prompt_change")
            expect_equal(await anext(events), PromptsListChanged())

    async def listens_to_a_resource(self) -> None:
        uri = "test://watched-resource"
        resources = self._client.server_capabilities.resources
        async with self._client.listen(resource_subscriptions=[uri]) as events:
            if resources and resources.subscribe:
                expect_equal(events.honored.resource_subscriptions, [uri])

    async def silent_without_log_level(self) -> None:
        self._peer.logs.clear()
        await self._peer.call("test_logging_tool")
        expect_equal(self._peer.logs, [])

    async def logging(self) -> None:
        await self._client.set_logging_level("debug")
        self._peer.logs.clear()
        await self._peer.call("test_tool_with_logging")
        # Messages may travel on another stream than the result.
        await anyio.sleep(0.2)
        expect(len(self._peer.logs) >= 3, self._peer.logs)

    async def ping(self) -> None:
        await self._client.send_ping()


class Hello:
    """The smallest server: one tool that answers at once."""

    def __init__(self, peer: Peer) -> None:
        self._peer = peer

    async def hello_lists(self) -> None:
        tools = (await self._peer.client.list_tools()).tools
        expect_equal([tool.name for tool in tools], ["greet"])

    async def hello_greets(self) -> None:
        expect_equal(await self._peer.text_of("greet", name="Ada"), "Hello, Ada!")

    async def hello_refuses_a_number(self) -> None:
        result = await self._peer.client.call_tool("greet", {"name": 7})
        expect(result.is_error and "name" in result.content[0].text, result)


class Booking:
    """A server that asks before it acts and answers with structured output."""

    def __init__(self, peer: Peer) -> None:
        self._peer = peer

    async def booking_lists(self) -> None:
        (tool,) = (await self._peer.client.list_tools()).tools
        expect_equal(tool.name, "book_table")
        expect_equal(set(tool.input_schema["properties"]), {"day", "guests"})

    async def booking_has_output_schema(self) -> None:
        (tool,) = (await self._peer.client.list_tools()).tools
        expect({"table", "deposit"} <= set(tool.output_schema["properties"]), tool.output_schema)

    async def booking_books(self) -> None:
        self._peer.action = "accept"
        result = await _book(self._peer, guests=4)
        expect(not result.is_error and {"table", "deposit"} <= set(result.structured_content), result)
        expect_equal(set(self._peer.forms[-1]["properties"]), {"hold", "allergies"})
        expect_equal(self._peer.asked, ["elicitation"])

    async def booking_declined(self) -> None:
        self._peer.action = "decline"
        result = await _book(self._peer, guests=4)
        expect(result.is_error and result.content[0].text, result)

    async def booking_refuses_a_crowd(self) -> None:
        result = await _book(self._peer, guests=13)
        expect(result.is_error and "guests" in result.content[0].text, result)


class BookingUnasked:
    """The same server before a client that it cannot ask."""

    def __init__(self, peer: Peer) -> None:
        self._peer = peer

    async def booking_cannot_ask(self) -> None:
        if self._peer.modern:
            return await _refused({MISSING_CAPABILITY}, _book(self._peer, guests=4))
        # No revision with sessions says how: a result for the model and a protocol error are both right.
        try:
            result = await _book(self._peer, guests=4)
        except MCPError:
            return None
        expect(result.is_error, result)


async def _book(peer: Peer, guests: int) -> types.CallToolResult:
    peer.asked.clear()
    return await peer.client.call_tool("book_table", {"day": "2026-09-01", "guests": guests})


async def _refused(codes: set[int], call: Awaitable[Any]) -> None:
    try:
        result = await call
    except MCPError as error:
        expect(error.code in codes, error)
    else:
        raise AssertionError(f"answered {result!r}")


def _mirrored(tools: list[types.Tool]) -> tuple[str, str]:
    """The first tool with a text argument that is mirrored into a header, and that argument."""
    for tool in tools:
        for name, schema in tool.input_schema.get("properties", {}).items():
            if "x-mcp-header" in schema and schema.get("type") == "string":
                return tool.name, name
    raise AssertionError("no tool has an x-mcp-header argument")
