"""One reader tells all who follow chats of what happens in them."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import pytest

from duologue.server.annotator.changes import ChatChanges
from duologue.store import ItemStation, Operation, Store, give_consent, invite_annotators, take_turn
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
