"""Runs the steps of a check and prints one line for each."""

import json
import traceback
from collections.abc import Awaitable, Callable
from pathlib import Path

import anyio

SECONDS_PER_STEP = 10


class Steps:
    """The steps of one check: which passed, which failed, and which this client cannot do."""

    def __init__(self, **where: str) -> None:
        self.where = where
        self.failed = False
        self._skips = json.loads(Path(__file__).with_name("skips.json").read_text())

    async def run_all(self, walk: object) -> None:
        """Runs every step of a walk, which is every public method of its class, in order."""
        for name in vars(type(walk)):
            if not name.startswith("_"):
                await self.run(name.replace("_", "-"), getattr(walk, name))

    async def run(self, name: str, body: Callable[[], Awaitable[None]]) -> None:
        if reason := self._reason_to_skip(name):
            print(f"skip {name}: {reason}", flush=True)
            return
        try:
            with anyio.fail_after(SECONDS_PER_STEP):
                await body()
        except Exception as error:
            self.fail(name, error)
        else:
            print(f"ok {name}", flush=True)

    def fail(self, name: str, error: BaseException) -> None:
        self.failed = True
        print(f"FAIL {name}: {_in_one_line(error)}", flush=True)
        traceback.print_exception(error)

    def _reason_to_skip(self, name: str) -> str | None:
        for skip in self._skips:
            if name in skip["steps"] and skip["when"].items() <= self.where.items():
                return skip["reason"]
        return None


def expect(truth: object, seen: object) -> None:
    """Fails the step, showing what was seen, unless `truth` holds."""
    if not truth:
        raise AssertionError(f"not as expected: {seen!r}"[:600])


def expect_equal(seen: object, wanted: object) -> None:
    if seen != wanted:
        raise AssertionError(f"saw {seen!r}, wanted {wanted!r}"[:600])


def _in_one_line(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    return f"{type(error).__name__}: {' '.join(str(error).split())}"
