from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from duologue.back_off import FIRST_SECONDS
from duologue.bots import AnsweringBot, Message, PythonBot, Reply, ReplyCache
from duologue.errors import BotError, BotResting, BotUnavailable

SAID = (Message("user", "Hi there!"),)


@dataclass
class Time:
    """A clock that moves only when somebody sleeps."""

    now: float = 100.0
    slept: list[float] = field(default_factory=list)

    def clock(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


@dataclass
class Scripted:
    """Answers, or fails, as told; then it says how often it was asked."""

    script: deque[BotError] = field(default_factory=deque)
    asked: int = 0
    running: int = 0
    most_running: int = 0
    closed: bool = False

    async def answer(self, messages: Sequence[Message], *, seed: int) -> Reply:
        self.asked += 1
        self.running += 1
        self.most_running = max(self.most_running, self.running)
        await asyncio.sleep(0)
        self.running -= 1
        if self.script:
            raise self.script.popleft()
        return Reply(f"asked {self.asked}", 0.1, 7, {"finish": "stop"})

    async def close(self) -> None:
        self.closed = True


def passing(*waits: float | None) -> deque[BotError]:
    return deque(BotUnavailable("ada", "not now.", retry_after=wait) for wait in waits)


def bot(
    backend: Scripted, time: Time | None = None, cache: ReplyCache | None = None, **settings: object
) -> AnsweringBot:
    time = time or Time()
    base = {"name": "ada", "call": "any:thing", "retries": 3, "cache": cache is not None}
    table = PythonBot.model_validate(base | settings)
    return AnsweringBot(table, backend, cache=cache, clock=time.clock, sleep=time.sleep)


def test_the_waits_between_tries_double_and_are_jittered() -> None:
    time = Time()
    reply = asyncio.run(bot(Scripted(passing(None, None, None)), time).reply(SAID, seed=1))
    assert reply.text == "asked 4"
    assert reply.meta == {"finish": "stop", "tries": 4}
    assert [
        FIRST_SECONDS * 2**n / 2 <= slept <= FIRST_SECONDS * 2**n for n, slept in enumerate(time.slept)
    ] == [
        True,
        True,
        True,
    ]
    other = Time()
    asyncio.run(bot(Scripted(passing(None, None, None)), other).reply(SAID, seed=2))
    assert other.slept != time.slept


def test_a_bot_that_asks_for_a_pause_gets_all_of_it() -> None:
    time = Time()
    asyncio.run(bot(Scripted(passing(20.0)), time).reply(SAID, seed=1))
    assert sum(time.slept) >= 20.0


def test_a_pause_holds_for_every_reply_that_waits() -> None:
    time, backend = Time(), Scripted(passing(20.0))
    opened = bot(backend, time, max_concurrent=1)

    async def run() -> None:
        await asyncio.gather(opened.reply(SAID, seed=1), opened.reply(SAID, seed=2))

    asyncio.run(run())
    assert backend.asked == 3
    assert sum(time.slept) >= 20.0


def test_being_told_to_wait_is_no_failed_try() -> None:
    time, backend = Time(), Scripted(passing(20.0, 20.0, 20.0))
    reply = asyncio.run(bot(backend, time, retries=0).reply(SAID, seed=1))
    assert (reply.text, reply.meta) == ("asked 4", {"finish": "stop"})
    assert sum(time.slept) >= 60.0


def test_a_bot_is_waited_for_as_it_asks_only_so_long_in_all() -> None:
    time, backend = Time(), Scripted(passing(*[50.0] * 9))
    with pytest.raises(BotUnavailable, match=r"wait 150 s in all, .* longer than we do \(120 s\)"):
        asyncio.run(bot(backend, time).reply(SAID, seed=1))
    assert backend.asked == 3


def test_a_limiter_that_asks_for_no_time_at_all_is_not_asked_for_ever() -> None:
    time, backend = Time(), Scripted(passing(*[0.0] * 1_000))
    with pytest.raises(BotUnavailable, match="in all"):
        asyncio.run(bot(backend, time).reply(SAID, seed=1))
    assert backend.asked < 300


def test_a_bot_that_asks_for_time_is_not_left_alone_for_it() -> None:
    backend = Scripted(passing(*[500.0] * 9))
    opened = bot(backend)

    async def run() -> str:
        for _ in range(9):
            with pytest.raises(BotUnavailable, match="500 s in all"):
                await opened.reply(SAID, seed=1)
        return (await opened.reply(SAID, seed=1)).text

    assert asyncio.run(run()) == "asked 10"


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("Server disconnected.", "Server disconnected."),
        ("Server disconnected..", "Server disconnected."),
        ("it raised ValueError: boom", "it raised ValueError: boom."),
        ("still loading...", "still loading..."),
        ("still loading....", "still loading..."),
        ("really?.", "really?"),
    ],
)
def test_what_a_bot_says_of_its_failure_ends_with_one_full_stop(said: str, why: str) -> None:
    backend = Scripted(deque([BotUnavailable("ada", said), BotUnavailable("ada", said)]))
    with pytest.raises(BotUnavailable) as failed:
        asyncio.run(bot(backend, retries=1).reply(SAID, seed=1))
    assert failed.value.why == f"{why} It was asked 2 times."


def test_a_failure_that_stays_is_not_tried_again() -> None:
    backend = Scripted(deque([BotError("ada", "never.")]))
    with pytest.raises(BotError, match="never"):
        asyncio.run(bot(backend).reply(SAID, seed=1))
    assert backend.asked == 1


def test_no_more_replies_are_asked_for_at_a_time_than_allowed() -> None:
    backend = Scripted()
    opened = bot(backend, max_concurrent=3)

    async def run() -> None:
        await asyncio.gather(*(opened.reply(SAID, seed=seed) for seed in range(20)))

    asyncio.run(run())
    assert (backend.asked, backend.most_running) == (20, 3)


def test_a_bot_that_keeps_failing_is_left_alone_then_tried_once() -> None:
    time, backend = Time(), Scripted(passing(*[None] * 6))
    opened = bot(backend, time, retries=0)

    async def run() -> None:
        for _ in range(5):
            with pytest.raises(BotUnavailable):
                await opened.reply(SAID, seed=1)
        with pytest.raises(BotResting, match=r"not asked for 30 s; last: not now\.") as caught:
            await opened.reply(SAID, seed=1)
        assert (backend.asked, caught.value.wait_seconds) == (5, 30)
        time.now += 31
        with pytest.raises(BotUnavailable):
            await opened.reply(SAID, seed=1)
        with pytest.raises(BotResting):
            await opened.reply(SAID, seed=1)
        assert backend.asked == 6
        time.now += 31
        assert (await opened.reply(SAID, seed=1)).text == "asked 7"
        assert (await opened.reply(SAID, seed=1)).text == "asked 8"

    asyncio.run(run())


def test_one_success_makes_up_for_failures_before_it() -> None:
    backend = Scripted()
    opened = bot(backend, retries=0)

    async def run() -> None:
        for _ in range(3):
            for _ in range(4):
                backend.script.extend(passing(None))
                with pytest.raises(BotUnavailable):
                    await opened.reply(SAID, seed=1)
            await opened.reply(SAID, seed=1)

    asyncio.run(run())


def test_a_kept_reply_is_not_asked_for_again(tmp_path: Path) -> None:
    backend, cache = Scripted(), ReplyCache(tmp_path)

    async def run() -> list[Reply]:
        opened = bot(backend, cache=cache)
        again = bot(backend, cache=cache, name="other", timeout_seconds=3)
        return [
            await opened.reply(SAID, seed=1),
            await again.reply(SAID, seed=1),
            await opened.reply(SAID, seed=2),
            await opened.reply((*SAID, *SAID), seed=1),
            await bot(backend, cache=cache, system_prompt="Be kind.").reply(SAID, seed=1),
        ]

    replies = asyncio.run(run())
    assert replies[0] == replies[1]
    assert [reply.text for reply in replies] == ["asked 1", "asked 1", "asked 2", "asked 3", "asked 4"]


def test_a_failure_is_not_kept(tmp_path: Path) -> None:
    backend = Scripted(deque([BotError("ada", "never.")]))

    async def run() -> Reply:
        opened = bot(backend, cache=ReplyCache(tmp_path))
        with pytest.raises(BotError):
            await opened.reply(SAID, seed=1)
        return await opened.reply(SAID, seed=1)

    assert asyncio.run(run()).text == "asked 2"


def test_closing_a_bot_closes_what_answers_for_it() -> None:
    backend = Scripted()

    async def run() -> None:
        async with bot(backend):
            pass

    asyncio.run(run())
    assert backend.closed
