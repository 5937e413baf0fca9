"""Operations: values that a store runs, waiting for them or not."""

import asyncio
import threading
from collections.abc import Iterator

import pytest
from sqlalchemy import select, text

from duologue.errors import NotFound
from duologue.store import Store, fetch_annotators, fetch_fact, invite_annotators, note_fact, revoke_link
from duologue.store.database.engine import Reading, Transaction
from duologue.store.database.operations import Operation, erases, only_if, reads, streams, writes
from duologue.store.database.schema import facts


@writes
def note_both(tx: Transaction, key: str, *, fail: bool = False) -> str:
    """Two operations in one transaction."""
    note_fact.within(tx, key, "one")
    note_fact.within(tx, f"{key} again", "two")
    if fail:
        raise NotFound("fact", key)
    return key


@reads
def find_thread(_reading: Reading) -> int:
    return threading.get_ident()


@reads
def is_noted(reading: Reading, key: str) -> bool:
    return fetch_fact.within(reading, key) is not None


@streams
def fetch_keys(reading: Reading) -> Iterator[str]:
    for (key,) in reading.rows(select(facts.c.key).order_by(facts.c.key)):
        yield key


def test_nothing_happens_until_an_operation_is_run(store: Store) -> None:
    invitation = invite_annotators(2)
    assert store.run(fetch_annotators()) == ()
    assert len(store.run(invitation)) == 2
    assert len(store.run(fetch_annotators())) == 2


def test_operation_knows_its_function_and_arguments() -> None:
    operation = note_fact("key", "value")
    assert operation == note_fact("key", "value") != note_fact("key", "other")
    assert (operation.args, operation.writes, fetch_fact("key").writes) == (("key", "value"), True, False)
    assert note_fact.__doc__ == "Note a fact about the study."


def test_operations_within_one_another_are_all_or_nothing(store: Store) -> None:
    with pytest.raises(NotFound):
        store.run(note_both("key", fail=True))
    assert list(store.stream(fetch_keys())) == []
    assert store.run(note_both("key")) == "key"
    assert list(store.stream(fetch_keys())) == ["mark:key", "mark:key again"]


def test_awaited_operations_do_what_waiting_ones_do(store: Store) -> None:
    async def walk() -> tuple[str, str | None]:
        return await store.run_async(note_both("key")), await store.run_async(fetch_fact("key"))

    assert asyncio.run(walk()) == ("key", "one")
    with pytest.raises(NotFound):
        asyncio.run(store.run_async(revoke_link("nobody")))


def test_awaited_read_leaves_the_event_loop_alone(store: Store) -> None:
    async def find_both() -> tuple[int, int]:
        return threading.get_ident(), await store.run_async(find_thread())

    ours, readers = asyncio.run(find_both())
    assert ours != readers


@pytest.mark.parametrize("is_awaited", [False, True])
def test_what_is_not_due_never_reaches_the_writer(store: Store, is_awaited: bool) -> None:
    done: list[str] = []

    @writes
    def note_done(_tx: Transaction) -> str:
        done.append("done")
        return "done"

    def run(operation: Operation[str]) -> str:
        return asyncio.run(store.run_async(operation)) if is_awaited else store.run(operation)

    when_noted = only_if(is_noted("due"), note_done(), otherwise="nothing is due")
    assert (run(when_noted), done) == ("nothing is due", [])
    store.run(note_fact("due", "yes"))
    assert (run(when_noted), done) == ("done", ["done"])


@pytest.mark.parametrize("is_awaited", [False, True])
def test_what_is_erased_is_forgotten_by_the_files(
    store: Store, is_awaited: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    forgotten: list[bool] = []
    monkeypatch.setattr(store._database, "forget_erased", lambda: forgotten.append(True))

    @erases
    def erase_facts(tx: Transaction) -> None:
        tx.do(text("DELETE FROM facts"))

    store.run(note_fact("key", "value"))
    assert forgotten == []
    if is_awaited:
        asyncio.run(store.run_async(erase_facts()))
    else:
        store.run(erase_facts())
    assert forgotten == [True]
    assert list(store.stream(fetch_keys())) == []
