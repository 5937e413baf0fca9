"""Waiting for a plain function without holding up everything else."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from typing import TypeVar

Result = TypeVar("Result")


async def in_thread(function: Callable[[], Result]) -> Result:
    """Run a function in a thread of its own.

    The thread does not keep the program alive: a bot that never returns is given up when its time is over.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Result] = loop.create_future()

    def settle(result: Result | None, error: BaseException | None) -> None:
        if done.cancelled():
            return
        if error is not None:
            done.set_exception(error)
        else:
            done.set_result(result)  # type: ignore[arg-type]

    def run() -> None:
        result: Result | None = None
        caught: BaseException | None = None
        try:
            result = function()
        except StopIteration as error:  # a future cannot hold one
            caught = RuntimeError(f"StopIteration: {error}")
        except BaseException as error:
            caught = error
        with suppress(RuntimeError):  # the loop was closed: nobody waits any more
            loop.call_soon_threadsafe(settle, result, caught)

    Thread(target=run, daemon=True).start()
    return await done
