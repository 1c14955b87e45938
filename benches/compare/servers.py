"""The servers, what is asked of them, and the programs that ask."""

import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import tempfile
import time

SERVER_CPU, LOAD_CPU = "0", "1"
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}
LONG = "x" * (100 * 1024)
folder = tempfile.TemporaryDirectory(prefix="compare-")


def message(method, params, id=1, meta=None):
    params = {**params, "_meta": {**META, **(meta or {})}}
    return json.dumps({"jsonrpc": "2.0", "id": id, "method": method, "params": params}, separators=(",", ":"))


CALL = message("tools/call", {"name": "echo", "arguments": {"text": "hello"}})
LONG_CALL = message("tools/call", {"name": "echo", "arguments": {"text": LONG}})
LIST = message("tools/list", {})
LISTEN = message("subscriptions/listen", {"notifications": {"toolsListChanged": True}})
LINE = message("tools/call", {"name": "echo", "arguments": {"text": "hello"}}, id="ID")


def count(n):
    return message("tools/call", {"name": "count", "arguments": {"n": n}}, meta={"progressToken": "p"})


def http(port, body, more=""):
    """The bytes of a request, as a client sends them."""
    read = json.loads(body)
    name = read["params"].get("name")
    named = f"Mcp-Name: {name}\r\n" if name else ""
    return (
        f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
        f"Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\n"
        f"Mcp-Method: {read['method']}\r\n{named}{more}Content-Length: {len(body)}\r\n\r\n{body}"
    ).encode()


def file(content):
    content = content if isinstance(content, bytes) else content.encode()
    handle, path = tempfile.mkstemp(dir=folder.name)
    with os.fdopen(handle, "wb") as out:
        out.write(content)
    return path


def pinned(cpu, *command):
    return ["taskset", "-c", cpu, *map(str, command)]


def free_port():
    with socket.socket() as it:
        it.bind(("127.0.0.1", 0))
        return it.getsockname()[1]


class Server:
    """A running server, on a core of its own."""

    def __init__(self, *command, **env):
        self.port = free_port()
        env = {**os.environ, "PORT": str(self.port), **env}
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self.process = subprocess.Popen(pinned(SERVER_CPU, *command), env=env, **quiet)
        end = time.time() + 60
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                return
            except ConnectionRefusedError:
                if time.time() > end or self.process.poll() is not None:
                    raise SystemExit(f"{command} does not start") from None
                time.sleep(0.02)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def request(self, body, more=""):
        """The file with the bytes of a request to this server."""
        return file(http(self.port, body, more))

    def ask(self, body):
        """The body of the answer, which must be 200."""
        with socket.create_connection(("127.0.0.1", self.port)) as it:
            it.sendall(http(self.port, body, "Connection: close\r\n"))
            answer = b"".join(iter(lambda: it.recv(1 << 20), b""))
        head, _, body = answer.partition(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 200") or b"content-length" not in head.lower():
            raise SystemExit(f"not an answer to measure: {answer[:400]}")
        return body

    def expect(self, body, result):
        """Refuses to measure a server that answers wrongly."""
        answer = json.loads(self.ask(body)).get("result", {})
        if answer.get("isError") or not result(answer):
            raise SystemExit(f"not the answer to {body[:200]}: {str(answer)[:400]}")

    def rss(self):
        """Resident KiB."""
        with open(f"/proc/{self.process.pid}/status") as it:
            return int(re.search(r"VmRSS:\s+(\d+)", it.read()).group(1))

    def busy(self):
        """Processor seconds of all its threads so far."""
        tasks = pathlib.Path(f"/proc/{self.process.pid}/task")
        return sum(int((it / "schedstat").read_text().split()[0]) for it in tasks.iterdir()) / 1e9

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def wrk(here, server, request, seconds):
    """Requests a second at 32 connections, by the clock and by the server's processor. An error ends everything."""
    command = ["wrk", "-t1", "-c32", f"-d{seconds}s", "-s", here / "wrk.lua", f"http://127.0.0.1:{server.port}"]
    env = {**os.environ, "REQUEST": request}
    before = server.busy()
    out = subprocess.run(pinned(LOAD_CPU, *command), env=env, check=True, capture_output=True, text=True).stdout
    busy = server.busy() - before
    requests, microseconds, errors = map(int, re.search(r"DONE (\d+) (\d+) (\d+)", out).groups())
    if errors or not requests:
        raise SystemExit(f"{errors} errors in a run of wrk:\n{out}")
    return requests / microseconds * 1e6, requests / busy


def pace(program, *arguments):
    """The numbers that `pace` prints."""
    run = subprocess.run(pinned(LOAD_CPU, program, *arguments), capture_output=True, text=True)
    if run.returncode:
        raise SystemExit(f"pace {arguments[0]}: {run.stderr[:600]}")
    return [float(it) for it in run.stdout.split()]
