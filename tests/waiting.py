"""Waiting for events in tests: as long as it takes, and no longer."""

import asyncio
import time
from collections.abc import Callable

PATIENCE = 240.0
"""Seconds until a wait gives up. Only a hang takes so long: a busy machine must not fail a test. It is less
than the time limit of a test, so that the message says what did not happen."""

GLANCE_SECONDS = 0.01


def wait_until(condition: Callable[[], object], what: str) -> None:
    """Wait until ``condition`` holds; ``what`` says, when it never does, what did not happen."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, f"it never happened: {what}"
        time.sleep(GLANCE_SECONDS)


async def until(condition: Callable[[], object], what: str) -> None:
    """`wait_until`, in an event loop that must go on meanwhile."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, f"it never happened: {what}"
        await asyncio.sleep(GLANCE_SECONDS)
