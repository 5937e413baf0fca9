"""Who follows which live chat in this process, and the one reader that tells them of changes.

A change is read and rendered once for all who follow the chat, however many they are.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterator
from contextlib import contextmanager

from duologue.errors import StoreError
from duologue.store import Chat, Store, fetch_chat_changes

POLL_SECONDS = 0.2
"""How soon a change made by another process is seen; one made here is seen at once."""

_END_OF_TIME = 2**62
"""Later than any change: asking for what came after it gives the newest change only."""


MOST_FOLLOWERS = 4
"""How many follow one assignment at a time, in each process: a page, and a few more tabs with it."""


class ChatOnce:
    """A chat as it was read once, and rendered once at most, for all who follow it.

    Args:
        chat: The chat.
        render: Gives its ``<main>``, with the idempotency key of what is sent from it.
    """

    def __init__(self, chat: Chat, render: Callable[[Chat, str], str]) -> None:
        self.chat, self._render = chat, render
        self._rendered = ("", "")

    def main(self, key: str) -> str:
        """Its ``<main>`` with this idempotency key: what two pages send is never taken for one message."""
        first, main = self._rendered
        if not main:
            first, main = self._rendered = key, self._render(self.chat, key)
        return main.replace(first, key)


Read = Callable[[], Awaitable[ChatOnce]]


class _FollowedChat:
    """The chat of an assignment that is followed: by whom, the oldest first, and what was last read of it."""

    def __init__(self) -> None:
        self.followers: list[Follower] = []
        self._changes = 1  # that were told, or must be looked for
        self._changes_read = 0
        self._latest: ChatOnce | None = None
        self._reading = asyncio.Lock()

    def look_again(self) -> None:
        self._changes += 1

    def tell(self) -> None:
        self.look_again()
        for follower in self.followers:
            follower.tell()

    async def latest(self, read: Read) -> ChatOnce:
        async with self._reading:
            if self._latest is None or self._changes_read < self._changes:
                changes = self._changes  # what is told while it is read may not be in it
                self._latest = await read()
                self._changes_read = changes
            return self._latest


class Follower:
    """Somebody who waits for news of one chat."""

    def __init__(self, followed: _FollowedChat) -> None:
        self._followed, self._news = followed, asyncio.Event()
        self.is_replaced = False
        """Whether newer followers of the same assignment have taken its place."""

    def tell(self) -> None:
        """Say that something happened."""
        self._news.set()

    async def wait(self, seconds: float) -> bool:
        """Wait for news; whether there was any in that time. Without any, the chat is looked at again."""
        try:
            async with asyncio.timeout(seconds):
                await self._news.wait()
        except TimeoutError:
            self._followed.look_again()
            return False
        self._news.clear()
        return True

    async def latest(self, read: Read) -> ChatOnce:
        """The chat as it is now: ``read`` is called once for all who were told of the same change."""
        return await self._followed.latest(read)


class ChatChanges:
    """Tells all who follow chats when something happens in them, from one read of the database for all.

    It belongs to the event loop of the server. While nobody follows anything, nothing is read.
    """

    def __init__(self, store: Store, *, poll_seconds: float = POLL_SECONDS) -> None:
        self._store, self._poll_seconds = store, poll_seconds
        self._followed: dict[str, _FollowedChat] = {}
        self._woken = asyncio.Event()
        self.is_closed = False

    def wake(self) -> None:
        """Look for changes now: this process has just made one."""
        self._woken.set()

    @contextmanager
    def follow(self, assignment: str) -> Iterator[Follower]:
        """Follow the chat of an assignment while the block runs; when too many do, the oldest is let go."""
        followed = self._followed.setdefault(assignment, _FollowedChat())
        follower = Follower(followed)
        followed.look_again()
        followed.followers.append(follower)
        if len(followed.followers) > MOST_FOLLOWERS:
            oldest = followed.followers.pop(0)
            oldest.is_replaced = True
            oldest.tell()
        self.wake()
        try:
            yield follower
        finally:
            if not follower.is_replaced:
                followed.followers.remove(follower)
            if not followed.followers and self._followed.get(assignment) is followed:
                del self._followed[assignment]

    async def run(self) -> None:
        """Read and tell until closed."""
        after = 0
        is_first = True
        while not self.is_closed:
            await self._rest()
            if not self._followed or self.is_closed:
                continue
            try:
                after, changed = await self._store.run_async(
                    fetch_chat_changes(_END_OF_TIME if is_first else after)
                )
            except StoreError:
                await asyncio.sleep(1.0)  # locked, or away: those who follow ask again by themselves
                continue
            if is_first:
                self.tell(set(self._followed))
            is_first = False
            self.tell(changed)

    def close(self) -> None:
        """Let everybody go: the server stops."""
        self.is_closed = True
        self.tell(set(self._followed))
        self.wake()

    async def _rest(self) -> None:
        """Until something happens here, or it is time to look what others did."""
        try:
            async with asyncio.timeout(self._poll_seconds if self._followed else None):
                await self._woken.wait()
        except TimeoutError:
            return
        self._woken.clear()

    def tell(self, assignments: Collection[str]) -> None:
        """Say that something happened in the chats of these assignments."""
        for assignment in self._followed.keys() & set(assignments):
            self._followed[assignment].tell()
