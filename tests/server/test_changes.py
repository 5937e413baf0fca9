"""One reader tells all who follow chats of what happens in them."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from duologue.server.changes import ChatChanges
from duologue.store import Store, Working
from duologue.studies import Study
from tests.server.chat_studies import make_chat_study
from tests.server.conftest import prepared_store


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return make_chat_study(tmp_path / "study")


@pytest.fixture
def store(study: Study) -> Iterator[Store]:
    with prepared_store(study) as store:
        yield store


def begin(study: Study, store: Store) -> tuple[str, str]:
    token = store.invite(1)[0].token
    station = store.consent(token, study.caps)
    assert isinstance(station, Working)
    return token, station.assignment.key


def test_only_those_who_follow_the_chat_that_changed_are_told(study: Study, store: Store) -> None:
    token, mine = begin(study, store)
    _, other = begin(study, store)

    async def follow_both() -> tuple[bool, bool]:
        changes = ChatChanges(store, poll_seconds=0.02)
        reader = asyncio.create_task(changes.run())
        with changes.follow(mine) as one, changes.follow(other) as another:
            await one.wait(1.0)  # the first look tells everybody
            await another.wait(1.0)
            store.say(token, study.caps, assignment=mine, text="hello", key="k")
            told = await one.wait(5.0), await another.wait(0.2)
        changes.close()
        await reader
        return told

    assert asyncio.run(follow_both()) == (True, False)


def test_closing_lets_everybody_go(store: Store) -> None:
    async def close_while_followed() -> bool:
        changes = ChatChanges(store, poll_seconds=60.0)
        reader = asyncio.create_task(changes.run())
        with changes.follow("somebody") as follower:
            await follower.wait(1.0)
            asyncio.get_running_loop().call_later(0.05, changes.close)
            told = await follower.wait(5.0)
        await asyncio.wait_for(reader, 5.0)
        return told and changes.is_closed

    assert asyncio.run(close_while_followed())


def test_nothing_is_read_while_nobody_follows(study: Study, store: Store) -> None:
    async def rest() -> None:
        changes = ChatChanges(store, poll_seconds=0.01)
        reader = asyncio.create_task(changes.run())
        await asyncio.sleep(0)
        store.close()  # a read would fail now
        await asyncio.sleep(0.1)
        changes.close()
        await asyncio.wait_for(reader, 5.0)

    asyncio.run(rest())
