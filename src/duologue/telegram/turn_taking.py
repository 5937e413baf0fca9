"""One process at a time speaks for the bot account: a lease, kept as a fact in the study's store."""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import socket
import time
from collections.abc import Callable, Mapping

from duologue.errors import StoreError
from duologue.store import Store, fetch_fact, note_fact
from duologue.strict_json import read_json

LEASE_FACT = "telegram-lease"
LEASE_SECONDS = 30.0
SETTLE_SECONDS = 0.5
"""How long two processes that took it at once need to see which of them was later."""


class AccountLease:
    """Held by one process of a study, renewed while it lives, free when it ends or falls silent."""

    def __init__(
        self,
        store: Store,
        *,
        seconds: float = LEASE_SECONDS,
        settle_seconds: float = SETTLE_SECONDS,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._store, self._seconds, self._settle, self._clock = store, seconds, settle_seconds, clock
        self._holder = secrets.token_hex(8)

    async def take(self) -> None:
        """Wait until it is free, and take it."""
        while True:
            if is_free(await self._read(), self._clock()):
                await self._write()
                await asyncio.sleep(self._settle)
                if await self.is_ours():
                    return
            await asyncio.sleep(self._settle)

    async def keep(self) -> None:
        """Renew it until it is lost to another process: this one was silent for too long."""
        while True:
            try:
                if not await self.is_ours():
                    return
                await self._write()
            except StoreError:  # locked: then nobody else can take it either
                await asyncio.sleep(self._settle)
            else:
                await asyncio.sleep(self._seconds / 3)

    async def is_ours(self) -> bool:
        """Whether we hold it."""
        return (await self._read()).get("holder") == self._holder

    async def give_back(self) -> None:
        """Free it at once for the next."""
        if await self.is_ours():
            await self._store.run_async(note_fact(LEASE_FACT, "{}"))

    async def _read(self) -> Mapping[str, object]:
        text = await self._store.run_async(fetch_fact(LEASE_FACT))
        record = read_json(text or "{}")
        return record if isinstance(record, dict) else {}

    async def _write(self) -> None:
        record = {
            "holder": self._holder,
            "host": socket.gethostname(),
            "process": os.getpid(),
            "until": self._clock() + self._seconds,
        }
        await self._store.run_async(note_fact(LEASE_FACT, json.dumps(record)))


def is_free(record: Mapping[str, object], now: float) -> bool:
    """Whether nobody holds the lease: it ran out, or its process on this machine is gone.

    Example:
        >>> is_free({}, 100.0), is_free({"holder": "a", "until": 130.0, "host": "elsewhere"}, 100.0)
        (True, False)
    """
    until = record.get("until")
    if not isinstance(until, int | float) or until <= now:
        return True
    process = record.get("process")
    is_here = record.get("host") == socket.gethostname() and isinstance(process, int)
    return is_here and not _is_alive(int(str(process)))


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
