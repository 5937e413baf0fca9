"""Bots are asked for the replies that chats want: at once, as many at a time as they can, and by anybody."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

import pytest

from duologue.errors import BotError
from duologue.protocols import CHAT, ChatPlan, ChatSettings, Item
from duologue.server import prepare_study
from duologue.server.annotator import replies
from duologue.server.annotator.changes import ChatChanges
from duologue.server.annotator.replies import ReplyService, messages_of, open_chat_bots, typing_seconds
from duologue.store import (
    ChatTurn,
    ItemStation,
    Operation,
    Store,
    WantedReply,
    fetch_chat,
    fetch_chats,
    give_consent,
    invite_annotators,
    open_store,
    renew_replies,
    take_replies,
    take_turn,
)
from duologue.studies import Study
from tests.server.chat_studies import asked, make_chat_study
from tests.server.conftest import prepared_store
from tests.store.small_study import Hand
from tests.waiting import until

T = TypeVar("T")


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return make_chat_study(tmp_path / "study", bots=(("sal", "slow"),), bot_settings="max_concurrent = 2")


@pytest.fixture
def store(study: Study) -> Iterator[Store]:
    with prepared_store(study) as store:
        yield store


def begin(study: Study, store: Store) -> tuple[str, str]:
    """Somebody who has said hello: their token and assignment."""
    token = store.run(invite_annotators(1))[0].token
    station = store.run(give_consent(token, study.caps))
    assert isinstance(station, ItemStation)
    store.run(take_turn(token, study.caps, assignment=station.assignment.key, text="hello", key=token))
    return token, station.assignment.key


def service(
    study: Study, store: Store, *, lease_seconds: float = 60.0, poll_seconds: float = 0.05
) -> ReplyService:
    bots = open_chat_bots(study, ["sal"])
    changes = ChatChanges(store)
    return ReplyService(bots, store, changes, lease_seconds=lease_seconds, poll_seconds=poll_seconds)


async def until_answered(store: Store, chats: list[tuple[str, str]], *at_work: ReplyService) -> None:
    """Let these services work until every chat has its reply."""
    working = [asyncio.create_task(one.run()) for one in at_work]
    await until(
        lambda: all(len(store.run(fetch_chat(*chat)).turns) > 1 for chat in chats), "every chat has its reply"
    )
    for task in working:
        task.cancel()
    await asyncio.gather(*working, return_exceptions=True)


def test_messages_are_the_persona_line_by_line_and_then_what_was_said() -> None:
    plan = ChatPlan(persona=("i like tea.", "i am old."), annotator_persona=("secret",), topic="rain")
    item = Item("c", "ada", ("ada",), (), (), extras={CHAT: plan.record()})
    turns = (ChatTurn(0, False, "Hi!", "now"), ChatTurn(1, True, "Hello.", "now"))
    messages = messages_of(WantedReply("w", "ada", item, turns, 1, 1, "a"))
    assert [(message.role, message.text) for message in messages] == [
        ("system", "your persona: i like tea."),
        ("system", "your persona: i am old."),
        ("system", "topic: rain"),
        ("assistant", "Hi!"),
        ("user", "Hello."),
    ]


def test_no_more_is_taken_than_the_bot_answers_at_a_time(study: Study, store: Store) -> None:
    chats = [begin(study, store) for _ in range(5)]

    async def look_then_let_go() -> None:
        at_work = service(study, store)
        working = asyncio.create_task(at_work.run())
        await until(lambda: asked(study) == 2, "the bot is asked twice")
        for _ in range(3):  # it looks once more, to the end
            at_work.wake("sal")
            await until(lambda: not at_work._workers["sal"].woken.is_set(), "the service looks")
        left = store.run(take_replies(bots=["sal"], lease_seconds=0.01))
        assert len(left) == 3
        assert asked(study) == 2
        (study.folder / "go").touch()
        await until_answered(store, chats)
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)

    asyncio.run(look_then_let_go())
    assert asked(study) == 5


def test_the_next_chat_is_taken_at_once_when_a_busy_bot_has_answered(study: Study, store: Store) -> None:
    chats = [begin(study, store) for _ in range(5)]
    (study.folder / "go").touch()
    asyncio.run(until_answered(store, chats, service(study, store, poll_seconds=600)))
    assert asked(study) == 5


def test_nothing_is_looked_for_after_a_reply_of_a_bot_that_was_not_busy(
    study: Study, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    chat = begin(study, store)
    (study.folder / "go").touch()
    run, looks = store.run_async, []

    async def noted_run(operation: Operation[T]) -> T:
        if operation.condition is not None:
            looks.append(operation)
        return await run(operation)

    monkeypatch.setattr(store, "run_async", noted_run)
    asyncio.run(until_answered(store, [chat], service(study, store, poll_seconds=600)))
    assert len(looks) == 1


def test_a_reply_that_a_killed_process_had_taken_is_taken_over(study: Study, store: Store) -> None:
    chat = begin(study, store)
    assert len(store.run(take_replies(bots=["sal"], lease_seconds=0.2))) == 1  # and then that process dies
    (study.folder / "go").touch()
    asyncio.run(until_answered(store, [chat], service(study, store)))
    assert [turn.text for turn in store.run(fetch_chat(*chat)).turns] == [
        "hello",
        "Sorry, that took a while.",
    ]


def test_a_bot_that_takes_longer_than_the_lease_is_asked_once(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clock goes on only after a renewal, so that a busy machine is not late with one."""
    hand = Hand()
    with open_store(study.database, clock=hand) as store:
        prepare_study(study, store)
        chat = begin(study, store)
        run, renewals, looks = store.run_async, [], []

        async def noted_run(operation: Operation[T]) -> T:
            done = await run(operation)
            if operation.function is renew_replies.within:
                renewals.append(operation.args)
            elif operation.condition is not None:
                looks.append(operation)
            return done

        async def more(noted: list[Any], count: int, what: str) -> None:
            before = len(noted)
            await until(lambda: len(noted) >= before + count, what)

        monkeypatch.setattr(store, "run_async", noted_run)

        async def wait_longer() -> None:
            services = [service(study, store, lease_seconds=1.5) for _ in range(2)]
            working = [asyncio.create_task(one.run()) for one in services]
            for _ in range(2):
                await more(renewals, 2, "a renewal begins and ends")  # one may be under way
                hand.move(1.0)
            await more(looks, 10, "both look for what is to be had")
            (study.folder / "go").touch()
            await until_answered(store, [chat])
            for task in working:
                task.cancel()
            await asyncio.gather(*working, return_exceptions=True)

        asyncio.run(wait_longer())
        assert asked(study) == 1
        assert len(store.run(fetch_chat(*chat)).turns) == 2


class _SleptTime:
    """`asyncio` for the service, in which time passes as it sleeps; others look before it goes on."""

    def __init__(self, hand: Hand, study: Study, others_look: Callable[[], Awaitable[None]]) -> None:
        self._hand, self._study, self._others_look = hand, study, others_look

    def __getattr__(self, name: str) -> Any:
        return getattr(asyncio, name)

    async def sleep(self, seconds: float) -> None:
        await until(lambda: asked(self._study), "the bot is asked")
        self._hand.move(seconds)
        await self._others_look()


def test_a_lease_is_renewed_before_others_could_take_the_reply(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand = Hand()
    with open_store(study.database, clock=hand) as store:
        prepare_study(study, store)
        chat = begin(study, store)
        found: list[tuple[WantedReply, ...]] = []

        async def others_look() -> None:
            found.append(await store.run_async(take_replies(bots=["sal"], lease_seconds=60)))
            if len(found) == 8:
                (study.folder / "go").touch()

        monkeypatch.setattr(replies, "asyncio", _SleptTime(hand, study, others_look))
        asyncio.run(until_answered(store, [chat], service(study, store, poll_seconds=600)))
        assert len(found) >= 8
        assert not any(found)
        assert asked(study) == 1


def test_a_bot_that_is_not_in_the_study_is_refused_by_name(study: Study) -> None:
    with pytest.raises(BotError, match="nobody"):
        open_chat_bots(study, ["nobody"])
    assert open_chat_bots(study, ["human"]) == ()


async def until_failed(store: Store, chat: tuple[str, str], *at_work: ReplyService) -> None:
    working = [asyncio.create_task(one.run()) for one in at_work]
    await until(lambda: store.run(fetch_chat(*chat)).state == "failed", "the reply has failed")
    for task in working:
        task.cancel()
    await asyncio.gather(*working, return_exceptions=True)


def limited(study: Study, store: Store, **settings: float) -> ReplyService:
    bots = open_chat_bots(study, ["sal"])
    chat = ChatSettings.model_validate(settings)
    return ReplyService(bots, store, ChatChanges(store), settings=chat, poll_seconds=0.05)


def test_one_limit_holds_for_all_tries_and_for_the_queue(study: Study, store: Store) -> None:
    at_work = limited(study, store, reply_seconds=2)

    async def all_fail() -> None:
        working = asyncio.create_task(at_work.run())
        chats = [begin(study, store) for _ in range(2)]  # the bot answers two at a time, and never
        await until(lambda: asked(study) == 2, "the bot is at two of them")
        chats.append(begin(study, store))
        for chat in chats:
            await until_failed(store, chat)
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)

    asyncio.run(all_fail())
    causes = [cause for summary in store.run(fetch_chats()) for cause in summary.failures]
    asked_for = "there was no reply within 2 s, all tries included."
    assert len(causes) == 3
    assert set(causes) <= {asked_for, "the bot was busy with other chats for 2 s."}
    assert causes.count(asked_for) >= 2


def test_a_reply_is_typed_as_long_as_its_length_and_the_seed_say(study: Study, store: Store) -> None:
    chat = begin(study, store)
    (study.folder / "go").touch()
    settings = {"typing_seconds_per_char": 0.01, "most_typing_seconds": 5.0}
    asyncio.run(until_answered(store, [chat], limited(study, store, **settings)))
    said, reply = store.run(fetch_chat(*chat)).turns
    shown_after = datetime.fromisoformat(reply.at) - datetime.fromisoformat(said.at)
    assert shown_after.total_seconds() >= 0.75 * 0.01 * len(reply.text)
    assert reply.seconds is not None
    assert reply.seconds < shown_after.total_seconds()


def test_typing_follows_length_and_seed_and_has_an_end() -> None:
    settings = ChatSettings(typing_seconds_per_char=0.1, most_typing_seconds=6)
    drawn = [typing_seconds("x" * 40, settings, seed=seed) for seed in range(50)]
    assert drawn == [typing_seconds("x" * 40, settings, seed=seed) for seed in range(50)]
    assert len(set(drawn)) == 50
    assert 3.0 <= min(drawn) < max(drawn) <= 5.0
    assert typing_seconds("x" * 400, settings, seed=1) == 6


def test_while_a_reply_is_typed_the_bot_answers_others(study: Study, store: Store) -> None:
    chats = [begin(study, store) for _ in range(5)]
    (study.folder / "go").touch()
    slow_typing = limited(study, store, typing_seconds_per_char=100.0, most_typing_seconds=100.0)

    async def look() -> None:
        working = asyncio.create_task(slow_typing.run())
        await until(lambda: asked(study) == 5, "the bot was asked for every chat")
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)

    asyncio.run(look())
    assert all(len(store.run(fetch_chat(*chat)).turns) == 1 for chat in chats)
