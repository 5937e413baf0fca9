"""Who follows which live chat in this process, and the one reader that tells them of changes."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Collection, Iterator
from contextlib import contextmanager

from duologue.errors import StoreError
from duologue.store import Store, fetch_chat_changes

POLL_SECONDS = 0.2
"""How soon a change made by another process is seen; one made here is seen at once."""

_END_OF_TIME = 2**62
"""Later than any change: asking for what came after it gives the newest change only."""


class Follower:
    """Somebody who waits for news of one chat."""

    def __init__(self) -> None:
        self._news = asyncio.Event()

    def tell(self) -> None:
        """Say that something happened."""
        self._news.set()

    async def wait(self, seconds: float) -> bool:
        """Wait for news; whether there was any in that time."""
        try:
            async with asyncio.timeout(seconds):
                await self._news.wait()
        except TimeoutError:
            return False
        self._news.clear()
        return True


class ChatChanges:
    """Tells all who follow chats when something happens in them, from one read of the database for all.

    It belongs to the event loop of the server. While nobody follows anything, nothing is read.
    """

    def __init__(self, store: Store, *, poll_seconds: float = POLL_SECONDS) -> None:
        self._store, self._poll_seconds = store, poll_seconds
        self._followers: defaultdict[str, set[Follower]] = defaultdict(set)
        self._woken = asyncio.Event()
        self.is_closed = False

    def wake(self) -> None:
        """Look for changes now: this process has just made one."""
        self._woken.set()

    @contextmanager
    def follow(self, assignment: str) -> Iterator[Follower]:
        """Follow the chat of an assignment while the block runs."""
        follower = Follower()
        self._followers[assignment].add(follower)
        self.wake()
        try:
            yield follower
        finally:
            self._followers[assignment].discard(follower)
            if not self._followers[assignment]:
                del self._followers[assignment]

    async def run(self) -> None:
        """Read and tell until closed."""
        after = 0
        is_first = True
        while not self.is_closed:
            await self._rest()
            if not self._followers or self.is_closed:
                continue
            try:
                after, changed = await self._store.run_async(
                    fetch_chat_changes(_END_OF_TIME if is_first else after)
                )
            except StoreError:
                await asyncio.sleep(1.0)  # locked, or away: those who follow ask again by themselves
                continue
            if is_first:
                self.tell(set(self._followers))
            is_first = False
            self.tell(changed)

    def close(self) -> None:
        """Let everybody go: the server stops."""
        self.is_closed = True
        self.tell(set(self._followers))
        self.wake()

    async def _rest(self) -> None:
        """Until something happens here, or it is time to look what others did."""
        try:
            async with asyncio.timeout(self._poll_seconds if self._followers else None):
                await self._woken.wait()
        except TimeoutError:
            return
        self._woken.clear()

    def tell(self, assignments: Collection[str]) -> None:
        """Say that something happened in the chats of these assignments."""
        for assignment in self._followers.keys() & set(assignments):
            for follower in self._followers[assignment]:
                follower.tell()
