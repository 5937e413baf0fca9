"""Holding many self-chats at a time: here, or by workers elsewhere."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from duologue.bots.answering import AnsweringBot
from duologue.bots.cache import ReplyCache
from duologue.bots.journal import PLAN
from duologue.bots.opening import open_bot
from duologue.bots.self_chatting import FailedChat, PlannedChat, hold_chat
from duologue.bots.settings import AnsweringSettings
from duologue.dialogues import Dialogue, Json
from duologue.engine import Executor
from duologue.errors import BotError, DuologueError

LARGEST_CHUNK = 8
"""How many self-chats a worker elsewhere is given at a time, at most: they are lost with it when it dies."""


@dataclass(frozen=True, slots=True)
class HoldingTask:
    """Self-chats of one bot that are to be held.

    ``bots`` are those that speak, the judged one first. ``cache`` is where replies are kept.
    """

    plan: str
    bots: tuple[AnsweringSettings, ...]
    chats: tuple[PlannedChat, ...]
    folder: Path
    cache: Path


@dataclass(frozen=True, slots=True)
class HeldChat:
    """What came of one self-chat of a plan."""

    plan: str
    number: int
    outcome: Dialogue | FailedChat


OnHeld = Callable[[HeldChat], None]
"""Told of every self-chat as soon as it is over."""


def hold_here(tasks: Sequence[HoldingTask], on_held: OnHeld) -> None:
    """Hold all self-chats in this process, as many at a time as each bot allows.

    Raises:
        BotError: A bot cannot be opened.
    """
    try:
        asyncio.run(_hold_all(tasks, on_held))
    except BaseExceptionGroup as group:
        raise _first_cause(group) from None


def hold_elsewhere(tasks: Sequence[HoldingTask], executor: Executor, on_held: OnHeld) -> None:
    """Hold all self-chats with the workers of an executor, each of which opens the bots for itself.

    Raises:
        EngineError: A worker died.
    """
    for held in executor.run(ChatWorker, tuple(_chunks(tasks))):
        for one in held:
            on_held(one)


class ChatWorker:
    """Holds chunk after chunk with bots that are opened once."""

    def __init__(self) -> None:
        self._runner = asyncio.Runner()
        self._bots: dict[str, AnsweringBot] = {}

    def __call__(self, task: HoldingTask) -> list[HeldChat]:
        """Hold the self-chats of a task."""
        held: list[HeldChat] = []
        try:
            for settings in task.bots:
                if settings.name not in self._bots:
                    self._bots[settings.name] = _opened(settings, task)
        except DuologueError as error:
            why = error.why if isinstance(error, BotError) else str(error)
            return [_not_begun(task.plan, chat, why) for chat in task.chats]
        self._runner.run(_hold(task, self._bots, held.append))
        return held


async def _hold_all(tasks: Sequence[HoldingTask], on_held: OnHeld) -> None:
    bots: dict[str, AnsweringBot] = {}
    async with AsyncExitStack() as stack:
        for task in tasks:
            for settings in task.bots:
                if settings.name not in bots and task.chats:
                    bots[settings.name] = await stack.enter_async_context(_opened(settings, task))
        async with asyncio.TaskGroup() as group:
            for task in tasks:
                group.create_task(_hold(task, bots, on_held))


async def _hold(task: HoldingTask, bots: dict[str, AnsweringBot], on_held: OnHeld) -> None:
    waiting = iter(task.chats)

    async def hold_the_next() -> None:
        for chat in waiting:
            outcome = await hold_chat(chat, bots, extras=_extras(task.plan, chat))
            on_held(HeldChat(task.plan, chat.number, outcome))

    async with asyncio.TaskGroup() as group:
        for _ in range(min(task.bots[0].max_concurrent, len(task.chats))):
            group.create_task(hold_the_next())


def _opened(settings: AnsweringSettings, task: HoldingTask) -> AnsweringBot:
    return open_bot(settings, folder=task.folder, cache=ReplyCache(task.cache))


def _extras(plan: str, chat: PlannedChat) -> dict[str, Json]:
    noted = {"plan": plan, "number": chat.number, "seed": chat.seed}
    extras: dict[str, Json] = {PLAN: noted}
    if briefing := chat.briefing.record():
        extras["briefing"] = briefing
    return extras


def _not_begun(plan: str, chat: PlannedChat, why: str) -> HeldChat:
    return HeldChat(plan, chat.number, FailedChat(chat.bot, chat.number, chat.seed, chat.bot, why, ()))


def _chunks(tasks: Iterable[HoldingTask]) -> Iterator[HoldingTask]:
    for task in tasks:
        for start in range(0, len(task.chats), LARGEST_CHUNK):
            yield replace(task, chats=task.chats[start : start + LARGEST_CHUNK])


def _first_cause(group: BaseExceptionGroup[BaseException]) -> BaseException:
    error: BaseException = group
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
