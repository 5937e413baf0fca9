"""One reader tells all who follow chats of what happens in them."""

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TypeVar

import pytest

from duologue.errors import StoreError
from duologue.server.annotator.changes import MOST_FOLLOWERS, ChatChanges, ChatOnce
from duologue.store import (
    Chat,
    ItemStation,
    Operation,
    Store,
    fetch_chat,
    give_consent,
    invite_annotators,
    take_turn,
)
from duologue.studies import Study
from tests.server.chat_studies import make_chat_study
from tests.server.conftest import prepared_store
from tests.waiting import PATIENCE, until

T = TypeVar("T")


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return make_chat_study(tmp_path / "study")


@pytest.fixture
def store(study: Study) -> Iterator[Store]:
    with prepared_store(study) as store:
        yield store


def begin(study: Study, store: Store) -> tuple[str, str]:
    token = store.run(invite_annotators(1))[0].token
    station = store.run(give_consent(token, study.caps))
    assert isinstance(station, ItemStation)
    return token, station.assignment.key


def test_only_those_who_follow_the_chat_that_changed_are_told(study: Study, store: Store) -> None:
    token, mine = begin(study, store)
    _, other = begin(study, store)

    async def follow_both() -> tuple[bool, bool]:
        changes = ChatChanges(store, poll_seconds=0.02)
        reader = asyncio.create_task(changes.run())
        with changes.follow(mine) as one, changes.follow(other) as another:
            assert await one.wait(PATIENCE)  # the first look tells everybody
            assert await another.wait(PATIENCE)
            store.run(take_turn(token, study.caps, assignment=mine, text="hello", key="k"))
            told = await one.wait(PATIENCE), await another.wait(0)  # one look tells both, or not
        changes.close()
        await reader
        return told

    assert asyncio.run(follow_both()) == (True, False)


def test_closing_lets_everybody_go(store: Store) -> None:
    async def close_while_followed() -> bool:
        changes = ChatChanges(store, poll_seconds=60.0)
        reader = asyncio.create_task(changes.run())
        with changes.follow("somebody") as follower:
            assert await follower.wait(PATIENCE)
            asyncio.get_running_loop().call_soon(changes.close)
            told = await follower.wait(PATIENCE)
        await reader
        return told and changes.is_closed

    assert asyncio.run(close_while_followed())


def test_nothing_is_read_while_nobody_follows(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody leaves and wakes the reader in passing; the first read is made for somebody who stays."""
    run, is_followed = store.run_async, False
    reads: asyncio.Queue[bool] = asyncio.Queue()

    async def noted_run(operation: Operation[T]) -> T:
        reads.put_nowait(is_followed)
        return await run(operation)

    monkeypatch.setattr(store, "run_async", noted_run)

    async def leave_then_follow() -> bool:
        nonlocal is_followed
        changes = ChatChanges(store, poll_seconds=60.0)
        with changes.follow("somebody"):
            pass
        reader = asyncio.create_task(changes.run())
        await until(lambda: not changes._woken.is_set(), "the reader wakes")
        is_followed = True
        with changes.follow("somebody else"):
            first = await reads.get()
        changes.close()
        await reader
        return first

    assert asyncio.run(leave_then_follow())


def test_the_oldest_of_too_many_followers_of_one_assignment_gives_way(store: Store) -> None:
    async def crowd() -> list[bool]:
        changes = ChatChanges(store)
        with ExitStack() as streams:
            other = streams.enter_context(changes.follow("other"))
            mine = [streams.enter_context(changes.follow("mine")) for _ in range(MOST_FOLLOWERS + 1)]
            assert await mine[0].wait(0)  # it is told at once
            return [one.is_replaced for one in (other, *mine)]

    assert MOST_FOLLOWERS == 4
    assert asyncio.run(crowd()) == [False, True, *(MOST_FOLLOWERS * [False])]


def test_a_follower_that_gave_way_takes_nobody_with_it_when_it_goes(store: Store) -> None:
    """It may leave last, when the others have left and somebody new has come."""

    async def leave_late() -> bool:
        changes = ChatChanges(store)
        with changes.follow("mine"):
            with ExitStack() as streams:
                for _ in range(MOST_FOLLOWERS):
                    streams.enter_context(changes.follow("mine"))
            newcomer = changes.follow("mine")
            follower = newcomer.__enter__()
        changes.tell({"mine"})
        told = await follower.wait(0)
        newcomer.__exit__(None, None, None)
        return told

    assert asyncio.run(leave_late())


def test_a_change_is_read_and_rendered_once_for_all_who_follow(study: Study, store: Store) -> None:
    token, key = begin(study, store)
    read: list[int] = []
    rendered: list[str] = []

    def render(chat: Chat, submission: str) -> str:
        rendered.append(submission)
        return f"<main>{chat.change} {submission}</main>"

    async def read_chat() -> ChatOnce:
        read.append(1)
        return ChatOnce(await store.run_async(fetch_chat(token, key)), render)

    async def follow_together() -> list[str]:
        changes = ChatChanges(store)
        with ExitStack() as streams:
            all_of_them = [streams.enter_context(changes.follow(key)) for _ in range(MOST_FOLLOWERS)]
            changes.tell({key})
            shown = await asyncio.gather(*(one.latest(read_chat) for one in all_of_them))
            assert (len(read), len(rendered)) == (1, 0)
            return [one.main(f"key-{number}") for number, one in enumerate(shown)]

    mains = asyncio.run(follow_together())
    assert mains == [f"<main>1 key-{number}</main>" for number in range(MOST_FOLLOWERS)]
    assert (len(read), len(rendered)) == (1, 1)


def test_what_changes_while_a_chat_is_read_is_read_again(study: Study, store: Store) -> None:
    token, key = begin(study, store)

    async def change_while_reading() -> list[int]:
        changes = ChatChanges(store)

        async def read_chat() -> ChatOnce:
            chat = await store.run_async(fetch_chat(token, key))
            if chat.change == 1:
                store.run(take_turn(token, study.caps, assignment=key, text="hello", key="k"))
                changes.tell({key})
            return ChatOnce(chat, lambda *_: "")

        with changes.follow(key) as follower:
            return [(await follower.latest(read_chat)).chat.change for _ in range(3)]

    first, *later = asyncio.run(change_while_reading())
    assert (first, later) == (1, [2, 2])


def test_a_chat_that_cannot_be_read_is_read_again_by_the_next(store: Store) -> None:
    async def fail_then_read() -> int:
        changes, found = ChatChanges(store), ChatOnce(Chat("annotator", (), 0, 1, ""), lambda *_: "")

        async def fail() -> ChatOnce:
            raise StoreError("away")

        async def read_chat() -> ChatOnce:
            return found

        with changes.follow("mine") as follower:
            with pytest.raises(StoreError):
                await follower.latest(fail)
            return (await follower.latest(read_chat)).chat.change

    assert asyncio.run(fail_then_read()) == 1
