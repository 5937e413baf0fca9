"""Asking bots for the replies that live chats wait for, and storing what they say before anybody sees it."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from time import monotonic

from duologue.bots import AnsweringBot, AnsweringSettings, Briefing, Message, Reply, answering_bots, open_bot
from duologue.errors import BotError, DuologueError, StoreError
from duologue.protocols import HUMAN, ChatSettings, chat_plan
from duologue.server.annotator.changes import ChatChanges
from duologue.server.running.logs import ServerLog
from duologue.server.running.preparing import Watch, unwatched
from duologue.store import (
    GivenReply,
    Store,
    WantedReply,
    fail_overdue_replies,
    fail_reply,
    renew_replies,
    store_reply,
    take_replies,
)
from duologue.studies import Study

POLL_SECONDS = 1.0
"""How soon a reply is taken over that another process wanted or left behind; one wanted here is at once."""
LEASE_SECONDS = 15.0
"""How long a reply is ours before another process may ask for it too; renewed while we wait for the bot."""
STORE_TRIES = 5


def open_chat_bots(
    study: Study, names: Sequence[str], *, watch: Watch = unwatched
) -> tuple[AnsweringBot, ...]:
    """The bots that annotators chat with, opened; people are not among them.

    Args:
        study: The study.
        names: Those who are chatted with.
        watch: Watches bots being opened: some load weights.

    Raises:
        BotError: One of them is not in the study file, or cannot be opened; notes name the others.
        MissingExtra: A package that it needs is not installed.
    """
    wanted = [name for name in names if name != HUMAN]
    settings = answering_bots(study.file.bots, wanted) if wanted else ()
    opened: list[AnsweringBot] = []
    failed: dict[str, DuologueError] = {}
    for one in watch(settings, "bots"):
        try:
            opened.append(_opened(one, study.folder))
        except DuologueError as error:
            failed.setdefault(str(error), error)
    if failed:
        first, *others = failed.values()
        for other in others:
            first.add_note(str(other))
        raise first
    return tuple(opened)


def _opened(settings: AnsweringSettings, folder: Path) -> AnsweringBot:
    return open_bot(settings, folder=folder, is_live=True)


class ReplyService:
    """Takes the replies that chats want, asks the bots, and stores what they answer or why they did not.

    All state is in the database. Any process may ask for a reply whose lease has run out, so a process that
    is killed holds nothing up; should two ask, the first stored reply is the one that counts.
    """

    def __init__(
        self,
        bots: Sequence[AnsweringBot],
        store: Store,
        changes: ChatChanges,
        *,
        settings: ChatSettings | None = None,
        log: ServerLog | None = None,
        lease_seconds: float = LEASE_SECONDS,
        poll_seconds: float = POLL_SECONDS,
    ) -> None:
        settings = settings or ChatSettings()
        workers = (
            _BotWorker(bot, store, changes, settings, log, lease_seconds, poll_seconds) for bot in bots
        )
        self._workers = {worker.bot.name: worker for worker in workers}

    def wake(self, bot: str) -> None:
        """A reply of this bot may be wanted: look at once."""
        if bot in self._workers:
            self._workers[bot].woken.set()

    async def run(self) -> None:
        """Work until cancelled; bots are closed at the end."""
        async with AsyncExitStack() as stack, asyncio.TaskGroup() as group:
            for worker in self._workers.values():
                await stack.enter_async_context(worker.bot)
                group.create_task(worker.run())


class _BotWorker:
    """One bot's replies."""

    def __init__(
        self,
        bot: AnsweringBot,
        store: Store,
        changes: ChatChanges,
        settings: ChatSettings,
        log: ServerLog | None,
        lease_seconds: float,
        poll_seconds: float,
    ) -> None:
        self.bot, self.woken = bot, asyncio.Event()
        self._store, self._changes, self._settings, self._log = store, changes, settings, log
        self._lease_seconds, self._poll_seconds = lease_seconds, poll_seconds
        self._held: dict[str, asyncio.Task[None]] = {}
        self._asked: set[str] = set()
        """Of those that we hold, the ones that the bot is at."""

    async def run(self) -> None:
        """Take what is wanted, as much as the bot can do at a time, again and again."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._renew())
            while True:
                self.woken.clear()
                free = self._free
                try:
                    taken = await self._take(free)
                except StoreError as error:
                    self._note("replies", error)
                    taken = ()
                for wanted in taken:
                    if wanted.id not in self._held:
                        self._asked.add(wanted.id)
                        self._held[wanted.id] = group.create_task(self._answer(wanted))
                if len(taken) == free and self._free:
                    continue  # more may be wanted, and meanwhile the bot has answered somebody
                await self._rest()

    async def _take(self, free: int) -> tuple[WantedReply, ...]:
        names, longest = (self.bot.name,), self._settings.reply_seconds
        if not free:
            if await self._store.run_async(fail_overdue_replies(bots=names, wait_seconds=longest)):
                self._changes.wake()
            return ()
        return await self._store.run_async(
            take_replies(bots=names, lease_seconds=self._lease_seconds, limit=free, wait_seconds=longest)
        )

    @property
    def _free(self) -> int:
        """How many more replies the bot can be asked for now; where there are none, others may wait."""
        return max(0, self.bot.settings.max_concurrent - len(self._asked))

    async def _renew(self) -> None:
        """Keep what we have asked for ours, so that no other process asks the bot as well."""
        while True:
            await asyncio.sleep(self._lease_seconds / 3)
            if not self._held:
                continue
            try:
                await self._store.run_async(
                    renew_replies(tuple(self._held), lease_seconds=self._lease_seconds)
                )
            except StoreError as error:
                self._note("replies", error)

    async def _rest(self) -> None:
        try:
            async with asyncio.timeout(self._poll_seconds):
                await self.woken.wait()
        except TimeoutError:
            pass

    async def _answer(self, wanted: WantedReply) -> None:
        began = monotonic()
        try:
            try:
                given = await self._ask(wanted)
            finally:
                if not self._free:
                    self.woken.set()
                self._asked.discard(wanted.id)
            if isinstance(given, GivenReply) and self._settings.typing_seconds_per_char:
                typing = typing_seconds(given.text, self._settings, seed=wanted.seed)
                await asyncio.sleep(max(0.0, typing - wanted.waited_seconds - (monotonic() - began)))
                given = replace(given, meta={**given.meta, "typing_seconds": round(typing, 3)})
            await self._keep(wanted, given)
        finally:
            del self._held[wanted.id]
            self._changes.wake()

    async def _ask(self, wanted: WantedReply) -> GivenReply | str:
        """What the bot answered, or why it did not in all the time that the annotator is kept waiting."""
        limit = self._settings.reply_seconds
        try:
            async with asyncio.timeout(max(0.0, limit - wanted.waited_seconds)):
                reply = await self.bot.reply(messages_of(wanted), seed=wanted.seed)
        except TimeoutError as error:
            self._note("bot-failed", error)
            return f"there was no reply within {limit:g} s, all tries included."
        except BotError as error:
            self._note("bot-failed", error)
            return error.why
        except Exception as error:  # a bot of somebody's making may raise anything; the chat must go on
            self._note("bot-failed", error)
            return f"{type(error).__name__} was raised while it was asked."
        return _given(reply)

    async def _keep(self, wanted: WantedReply, given: GivenReply | str) -> None:
        """Store it. If that cannot be done, the lease runs out and somebody asks again."""
        for number in range(STORE_TRIES):
            try:
                if isinstance(given, GivenReply):
                    await self._store.run_async(store_reply(wanted.id, given))
                else:
                    await self._store.run_async(fail_reply(wanted.id, given))
                return
            except StoreError as error:
                self._note("replies", error)
                await asyncio.sleep(0.5 * 2**number)

    def _note(self, event: str, error: BaseException) -> None:
        if self._log is not None:
            self._log.note(event, bot=self.bot.name, error=type(error).__name__)


def messages_of(wanted: WantedReply) -> tuple[Message, ...]:
    """What a bot is told and what was said so far, from its point of view."""
    plan = chat_plan(wanted.item)
    told = Briefing(persona=plan.persona, topic=plan.topic).lines() if plan is not None else ()
    return (
        *(Message("system", line) for line in told),
        *(Message("user" if turn.is_annotator else "assistant", turn.text) for turn in wanted.turns),
    )


def typing_seconds(text: str, settings: ChatSettings, *, seed: int) -> float:
    """How long a bot seems to type a reply: by its length, give or take a quarter that the seed decides.

    Example:
        >>> settings = ChatSettings(typing_seconds_per_char=0.05, most_typing_seconds=8)
        >>> 1.5 <= typing_seconds("x" * 40, settings, seed=1) <= 2.5
        True
    """
    pace = settings.typing_seconds_per_char * random.Random(seed).uniform(0.75, 1.25)
    return min(settings.most_typing_seconds, len(text) * pace)


def _given(reply: Reply) -> GivenReply:
    return GivenReply(reply.text, reply.seconds, reply.tokens, reply.meta)
