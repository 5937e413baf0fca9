"""A bot that can be relied on: it is waited for so long, asked again, not asked too much, and remembered."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from time import monotonic
from types import TracebackType
from typing import Protocol, Self, TypeVar

import numpy as np

from duologue.back_off import FIRST_SECONDS, back_off
from duologue.bots.base import Ability, Message, Reply
from duologue.bots.breaker import Breaker
from duologue.bots.briefing import prompted
from duologue.bots.cache import ReplyCache, reply_key
from duologue.bots.scores import (
    HOW_TO_SCORE,
    ScoringBackend,
    WordPredictingBackend,
    checked_probabilities,
    checked_scores,
)
from duologue.bots.settings import AnsweringSettings
from duologue.dialogues import MAX_TURN_CHARS
from duologue.errors import BotError, BotUnavailable

"""Seconds before the second try; they double with every further one, up to the longest."""
PATIENCE = 120.0
"""A bot that asks us to wait longer than this many seconds in all counts as not answering."""

Sleep = Callable[[float], Awaitable[None]]
Answer = TypeVar("Answer")


class Backend(Protocol):
    """What actually answers: one try, no second."""

    async def answer(self, messages: Sequence[Message], *, seed: int) -> Reply:
        """One reply.

        Raises:
            BotUnavailable: Not this time.
            BotError: Not at all.
        """

    async def close(self) -> None:
        """Let go of processes and connections."""


class AnsweringBot:
    """A bot of a study, opened by ``open_bot``.

    It belongs to the event loop in which it first answers; close it there, or use ``async with``.
    """

    def __init__(
        self,
        settings: AnsweringSettings,
        backend: Backend,
        *,
        cache: ReplyCache | None = None,
        breaker: Breaker | None = None,
        max_turn_chars: int = MAX_TURN_CHARS,
        clock: Callable[[], float] = monotonic,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self.settings = settings
        self._backend = backend
        self._cache = cache if settings.cache else None
        self._breaker = breaker or Breaker(clock=clock)
        self._clock, self._sleep = clock, sleep
        self._max_turn_chars = max_turn_chars
        self._places = asyncio.Semaphore(settings.max_concurrent)
        self._not_before = 0.0

    @property
    def name(self) -> str:
        """What the bot is called in the study."""
        return self.settings.name

    async def reply(self, messages: Sequence[Message], *, seed: int) -> Reply:
        """The bot's next turn, kept from an earlier time or asked for as often as the settings say.

        Raises:
            BotResting: It failed too often in a row; nobody was asked.
            BotError: It did not answer, and why.
        """
        told = prompted(messages, getattr(self.settings, "system_prompt", ""))
        key = reply_key(self.settings.identity, told, seed) if self._cache else ""
        if self._cache and (kept := self._cache.get(key)) and len(kept.text) <= self._max_turn_chars:
            return kept
        reply, failed = await self._asked(lambda: self._reply(told, seed), seed, len(told))
        if failed:
            reply = replace(reply, meta={**reply.meta, "tries": failed + 1})
        if self._cache:
            self._cache.put(key, reply)
        return reply

    @property
    def abilities(self) -> tuple[Ability, ...]:
        """What it says it can be asked; a bot may be able to more and not say so."""
        return getattr(self._backend, "abilities", ("reply",))

    async def score(
        self, messages: Sequence[Message], candidates: Sequence[str], *, seed: int
    ) -> list[float]:
        """How good each candidate is as the next turn; higher is better.

        Raises:
            BotResting: It failed too often in a row; nobody was asked.
            BotError: It cannot, or did not answer, and why.
        """
        backend = self._backend
        if not isinstance(backend, ScoringBackend):
            raise BotError(self.name, f"it scores no candidates. {HOW_TO_SCORE}")
        told = prompted(messages, getattr(self.settings, "system_prompt", ""))

        async def ask() -> list[float]:
            return checked_scores(
                self.name, await backend.score(told, candidates, seed=seed), len(candidates)
            )

        return (await self._asked(ask, seed, len(told)))[0]

    async def next_word_probabilities(
        self, messages: Sequence[Message], words: Sequence[str], *, seed: int
    ) -> dict[str, float]:
        """How likely each word is after the first words of the next turn.

        Raises:
            BotResting: It failed too often in a row; nobody was asked.
            BotError: It cannot, or did not answer, and why.
        """
        backend = self._backend
        if not isinstance(backend, WordPredictingBackend):
            raise BotError(self.name, f"it gives no probabilities of words. {HOW_TO_SCORE}")
        told = prompted(messages, getattr(self.settings, "system_prompt", ""))

        async def ask() -> dict[str, float]:
            given = await backend.next_word_probabilities(told, words, seed=seed)
            return checked_probabilities(self.name, given)

        return (await self._asked(ask, seed, len(told)))[0]

    async def close(self) -> None:
        """Let go of processes and connections."""
        await self._backend.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _asked(self, ask: Callable[[], Awaitable[Answer]], seed: int, turns: int) -> tuple[Answer, int]:
        """An answer, and how many tries failed before it; a bot that failed too often is not asked."""
        async with self._places:
            self._breaker.check(self.name)
            try:
                found = await self._tries(ask, seed, turns)
            except BotError as error:
                if not _asks_to_wait(error):
                    self._breaker.failed(error)
                raise
        self._breaker.succeeded()
        return found

    async def _tries(self, ask: Callable[[], Awaitable[Answer]], seed: int, turns: int) -> tuple[Answer, int]:
        """Ask until there is an answer. Being told to wait is no failed try; only all of it is limited."""
        failed, waited = 0, 0.0
        while True:
            await self._wait_as_asked()
            try:
                return await self._one_try(ask), failed
            except BotUnavailable as error:
                if error.retry_after is not None:
                    waited += max(FIRST_SECONDS, error.retry_after)
                    if waited > PATIENCE:
                        raise self._told_to_wait(error, waited) from error
                    self._not_before = max(self._not_before, self._clock() + error.retry_after)
                else:
                    failed += 1
                    if failed > self.settings.retries:
                        raise self._failed(error, failed) from error
                jitter = np.random.default_rng([abs(seed), turns, failed]).uniform(0.5, 1.0)
                await self._sleep(back_off(max(1, failed), jitter=jitter))

    async def _wait_as_asked(self) -> None:
        """When one reply was told to wait, all of them do."""
        while (wait := self._not_before - self._clock()) > 0:
            await self._sleep(wait)

    async def _one_try(self, ask: Callable[[], Awaitable[Answer]]) -> Answer:
        limit = self.settings.timeout_seconds
        try:
            async with asyncio.timeout(limit):
                return await ask()
        except TimeoutError as error:
            raise BotUnavailable(self.name, f"there was no reply within {limit:g} s.") from error

    async def _reply(self, messages: Sequence[Message], seed: int) -> Reply:
        reply = await self._backend.answer(messages, seed=seed)
        return checked_reply(self.name, reply, max_turn_chars=self._max_turn_chars)

    def _told_to_wait(self, error: BotUnavailable, waited: float) -> BotError:
        why = f"{error.why} It asks us to wait {waited:.0f} s in all, which is longer than we do"
        return BotUnavailable(self.name, f"{why} ({PATIENCE:.0f} s).", retry_after=error.retry_after)

    def _failed(self, error: BotUnavailable, tries: int) -> BotError:
        return BotUnavailable(
            self.name, f"{error.why} It was asked {tries} times." if tries > 1 else error.why
        )


def _asks_to_wait(error: BotError) -> bool:
    """Whether a bot told us to come back later, which is no failure of the bot's."""
    return isinstance(error, BotUnavailable) and error.retry_after is not None


def checked_reply(bot: str, reply: Reply, *, max_turn_chars: int = MAX_TURN_CHARS) -> Reply:
    """The reply, if somebody could have said it.

    Raises:
        BotUnavailable: It is empty, too long, or holds what no text may hold.
    """
    if not reply.text.strip():
        raise BotUnavailable(bot, "it gave an empty reply.")
    if len(reply.text) > max_turn_chars:
        why = (
            f"its reply has {len(reply.text):,} characters; at most {max_turn_chars:,} are shown to anybody "
            "(max_turn_chars in [study])."
        )
        raise BotUnavailable(bot, why)
    if "\0" in reply.text or any("\ud800" <= letter <= "\udfff" for letter in reply.text):
        raise BotUnavailable(bot, "its reply holds a NUL character or half of a surrogate pair.")
    return reply
