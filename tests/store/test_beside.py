"""Transactions beside each other on PostgreSQL: who waits for whom, and what is run again."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import closing
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import bindparam, insert, select, text, update

from duologue.clock import utc_now
from duologue.errors import LinkUnknown, StoreError
from duologue.store import (
    ItemStation,
    Store,
    give_consent,
    invite_annotators,
    load_dialogues,
    open_store,
    resume_sitting,
)
from duologue.store.database.beside import MOST_BESIDE, BesideTransaction, TouchedTables, touched_by
from duologue.store.database.engine import Database, Transaction
from duologue.store.database.opening import make_ready
from duologue.store.database.schema import annotators, assignments, facts, quotas, reasons, revisions
from duologue.store.database.writer import Writer
from duologue.store.sittings.claiming.free_slots import SLOT_AND_CONTENT
from duologue.studies import StudyRules
from tests.store.small_study import CAPS, SCREENED, Hand, answer, come, dialogue, load
from tests.store.truth import assert_sound
from tests.store.wire import Wire
from tests.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.postgres

MOST_ROUND_TRIPS = 9
"""In one cycle: an annotator's page, their answer, and the next page."""
LONG_REASON = "It asks what the other one likes, and it remembers what was said before."
MANY = replace(CAPS, max_judgments=1_000_000)
_names = count()


@pytest.fixture
def address(postgresql: str) -> str:
    """An empty database on PostgreSQL."""
    return f"{postgresql}&study=beside_{next(_names)}"


@pytest.fixture
def two(address: str) -> Iterator[tuple[Store, Store]]:
    """Two stores on one database, as two processes have them."""
    with open_store(address) as one, open_store(address) as other:
        yield one, other


@pytest.fixture
def writers(address: str) -> Iterator[tuple[Writer, Writer]]:
    """The writers of two processes."""
    databases = [Database(address, clock=utc_now, patience=PATIENCE) for _ in range(2)]
    make_ready(databases[0])
    both = [Writer(database) for database in databases]
    yield both[0], both[1]
    for writer, database in zip(both, databases, strict=True):
        writer.close()
        database.close()


_FACT = select(facts.c.value).where(facts.c.key == bindparam("name"))
_ADD = insert(facts)
_CHANGE = update(facts).where(facts.c.key == bindparam("name")).values(value=bindparam("new"))
_COUNT = text(
    "INSERT INTO facts (key, value) VALUES (:key, :more) "
    "ON CONFLICT (key) DO UPDATE SET value = CAST(facts.value AS INTEGER) + :more"
)


class _Held:
    """An operation that is under way until it is let go."""

    def __init__(self, writer: Writer, *before: str, beside: bool = True) -> None:
        self._has_begun, self._may_end = threading.Event(), threading.Event()
        self._before = before
        self.future = writer.run(self._wait, beside=beside)
        self._has_begun.wait(PATIENCE)

    def _wait(self, tx: Transaction) -> None:
        tx.row(_FACT, name="")  # statements are sent at the latest when rows are asked for: now it has begun
        for key in self._before:
            tx.locked(_FACT, name=key)
        self._has_begun.set()
        self._may_end.wait(PATIENCE)

    def let_go(self) -> None:
        self._may_end.set()
        self.future.result(PATIENCE)


def _add(writer: Writer, *keys: str) -> None:
    rows = [{"key": key, "value": "0"} for key in keys]
    writer.run(lambda tx: tx.do_many(_ADD, rows)).result(PATIENCE)


def _changes(key: str, new: str) -> Callable[[Transaction], str]:
    def change(tx: Transaction) -> str:
        if tx.locked(_FACT, name=key) is None:
            raise LinkUnknown
        tx.do(_CHANGE, name=key, new=new)
        return new

    return change


def _value(writer: Writer, key: str) -> str | None:
    row = writer.run(lambda tx: tx.row(_FACT, name=key)).result(PATIENCE)
    return None if row is None else str(row[0])


def _waits(future: Future[Any], postgresql: str) -> bool:
    """Whether it comes to wait for a lock that another has, and does not end before."""
    waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
    with psycopg.connect(postgresql, autocommit=True) as observer:
        wait_until(
            lambda: future.done() or observer.execute(waiting).fetchone() == (1,),
            "it ends, or waits for a lock",
        )
    return not future.done()


@pytest.mark.parametrize(
    ("caps", "reason", "most"),
    [
        pytest.param(CAPS, "So.", MOST_ROUND_TRIPS - 1, id="plain"),
        pytest.param(CAPS, LONG_REASON, MOST_ROUND_TRIPS - 1, id="with a reason that is compared"),
        pytest.param(SCREENED, LONG_REASON, MOST_ROUND_TRIPS, id="with onboarding"),
    ],
)
def test_cycle_takes_few_round_trips(
    address: str, tmp_path: Path, caps: StudyRules, reason: str, most: int
) -> None:
    with open_store(address) as store:
        load(store, caps, bots="ABCDE", each=20, onboarding=1)
    with Wire(address, tmp_path) as wire, open_store(wire.address) as store:
        token, station = come(store, caps)
        for number in range(3):  # statements are prepared meanwhile
            station = answer(store, token, station, caps, reason=f"{reason} {number}")
        before = wire.round_trips
        station = store.run(resume_sitting(token, caps))
        answer(store, token, station, caps, reason=reason)
        assert 0 < wire.round_trips - before <= most


def test_claims_of_somebody_new_look_up_single_rows(address: str) -> None:
    with (
        open_store(address) as store,
        closing(Database(address, clock=utc_now)) as database,
        database.engine.connect() as connection,
    ):
        raw: Any = connection.connection.dbapi_connection
        database.prepare_for_writing(raw)
        load(store, MANY, bots="AB", each=300)
        token, station = come(store, MANY)
        for _ in range(30):
            station = answer(store, token, station, MANY)
        raw.execute("ANALYZE slots, item_dialogues, seen_dialogues, assignments")
        token, station = come(store, MANY)
        answer(store, token, answer(store, token, station, MANY), MANY)
        sql, constants = database.statements.compiled(SLOT_AND_CONTENT, {})
        newest = "SELECT n, (SELECT min(n) FROM quotas) FROM annotators ORDER BY n DESC LIMIT 1"
        annotator, quota = raw.execute(newest).fetchone()
        values = {**constants, "annotator": annotator, "quota": quota}
        plan = raw.execute(f"EXPLAIN (FORMAT JSON) {sql}", values).fetchone()[0]
    scans = [one for one in _nodes(plan[0]["Plan"]) if one.get("Relation Name") == "item_dialogues"]
    assert scans
    assert [one for one in scans if not one.keys() & {"Index Cond", "Recheck Cond"}] == []


def _nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for one in plan.get("Plans", ()):
        yield from _nodes(one)


def test_operations_on_different_rows_do_not_wait_for_each_other(writers: tuple[Writer, Writer]) -> None:
    one, other = writers
    _add(one, "a", "b")
    held = _Held(one, "a")
    assert other.run(_changes("b", "1"), beside=True).result(PATIENCE) == "1"
    held.let_go()


def test_operation_waits_for_the_row_of_another_and_sees_what_it_did(
    writers: tuple[Writer, Writer], postgresql: str
) -> None:
    one, other = writers
    _add(one, "a")
    held = _Held(one, "a")
    waiting = other.run(_changes("a", "1"), beside=True)
    assert _waits(waiting, postgresql)
    held.let_go()
    assert waiting.result(PATIENCE) == "1"


def test_operation_that_is_alone_waits_for_those_beside_each_other(
    writers: tuple[Writer, Writer], postgresql: str
) -> None:
    one, other = writers
    held = _Held(one)
    alone = other.run(lambda tx: tx.do(_ADD, key="a", value="1"))
    assert _waits(alone, postgresql)
    held.let_go()
    alone.result(PATIENCE)


def test_operation_beside_others_waits_for_one_that_is_alone(
    writers: tuple[Writer, Writer], postgresql: str
) -> None:
    one, other = writers
    _add(one, "a")
    held = _Held(one, beside=False)
    waiting = other.run(_changes("a", "1"), beside=True)
    assert _waits(waiting, postgresql)
    held.let_go()
    assert waiting.result(PATIENCE) == "1"


def test_operations_of_one_transaction_that_lack_a_row_are_run_by_themselves(
    writers: tuple[Writer, Writer],
) -> None:
    """Nobody in the same transaction waits with them, and two that want each other's rows are no deadlock."""
    one, other = writers
    _add(one, "a", "b", "c", "d")
    first, second = _Held(one, "a"), _Held(other, "b")
    futures = [one.run(_changes(key, "1"), beside=True) for key in "cab"]
    futures += [other.run(_changes(key, "2"), beside=True) for key in "dba"]
    first.let_go()
    second.let_go()
    assert [future.result(PATIENCE) for future in futures] == ["1", "1", "1", "2", "2", "2"]


def test_unknown_link_is_unknown_in_a_transaction_of_several(writers: tuple[Writer, Writer]) -> None:
    one, _other = writers
    _add(one, "a")
    held = _Held(one)
    known, unknown = (one.run(_changes(key, "1"), beside=True) for key in ("a", "nobody"))
    held.let_go()
    assert known.result(PATIENCE) == "1"
    with pytest.raises(LinkUnknown):
        unknown.result(PATIENCE)


def test_operation_that_fails_after_it_has_written_takes_nobody_with_it(
    writers: tuple[Writer, Writer],
) -> None:
    one, _other = writers
    _add(one, "a", "b", "c")

    def writes_and_fails(tx: Transaction) -> None:
        _changes("b", "half done")(tx)
        raise ZeroDivisionError

    held = _Held(one)
    before = one.run(_changes("a", "1"), beside=True)
    failed = one.run(writes_and_fails, beside=True)
    after = one.run(_changes("c", "1"), beside=True)
    held.let_go()
    assert (before.result(PATIENCE), after.result(PATIENCE)) == ("1", "1")
    with pytest.raises(ZeroDivisionError):
        failed.result(PATIENCE)
    assert [_value(one, key) for key in "abc"] == ["1", "0", "1"]


@pytest.mark.parametrize("value", [None, "\0", object()], ids=["by database", "by driver", "of no type"])
def test_statement_that_fails_takes_nobody_with_it(writers: tuple[Writer, Writer], value: object) -> None:
    one, _other = writers
    _add(one, "a", "b")
    held = _Held(one)
    before = one.run(_changes("a", "1"), beside=True)
    failed = one.run(lambda tx: tx.do(_ADD, key="b", value=value), beside=True)
    held.let_go()
    assert before.result(PATIENCE) == "1"
    with pytest.raises(StoreError):
        failed.result(PATIENCE)
    assert [_value(one, key) for key in "ab"] == ["1", "0"]


def test_statement_that_fails_is_told_once(
    writers: tuple[Writer, Writer], caplog: pytest.LogCaptureFixture
) -> None:
    """The driver would print what the failure does to the statements that were sent after it."""
    one, _other = writers
    _add(one, "a")

    def sends_more(tx: Transaction) -> None:
        tx.do(_ADD, key="a", value="1")
        tx.rows(_FACT, name="a")

    with pytest.raises(StoreError, match="duplicate"):
        one.run(sends_more).result(PATIENCE)
    with pytest.raises(StoreError, match="duplicate"):
        one.run(sends_more, beside=True).result(PATIENCE)
    assert (_value(one, "a"), caplog.messages) == ("0", [])


def test_operation_that_must_be_alone_is_run_again_alone(writers: tuple[Writer, Writer]) -> None:
    one, _other = writers
    _add(one, "a", "b")

    def shuts_out(tx: Transaction) -> bool:
        _changes("a", "1")(tx)
        tx.shut_others_out()
        return isinstance(tx, BesideTransaction)

    held = _Held(one)
    futures: list[Future[Any]] = [one.run(work, beside=True) for work in (shuts_out, _changes("b", "1"))]
    held.let_go()
    assert [future.result(PATIENCE) for future in futures] == [False, "1"]
    assert _value(one, "a") == "1"


def test_two_that_wait_for_each_other_are_both_done(writers: tuple[Writer, Writer]) -> None:
    """PostgreSQL ends one of two that hold what the other needs; it is run again."""
    one, other = writers
    _add(one, "a", "b")
    barrier, runs = threading.Barrier(2), []

    def takes(first: str, second: str) -> Callable[[Transaction], None]:
        def take(tx: Transaction) -> None:
            runs.append(first)
            tx.locked(_FACT, name=first)
            if len(runs) <= 2:
                barrier.wait(PATIENCE)
            tx.locked(_FACT, name=second)
            tx.do(_CHANGE, name=second, new=first)

        return take

    futures = [one.run(takes("a", "b"), beside=True), other.run(takes("b", "a"), beside=True)]
    for future in futures:
        future.result(PATIENCE)
    assert len(runs) > 2
    assert (_value(one, "a"), _value(one, "b")) == ("b", "a")


def test_counters_are_written_at_the_end_and_added_up(writers: tuple[Writer, Writer]) -> None:
    one, other = writers

    def counts(tx: Transaction) -> int:
        tx.count(_COUNT, {"key": "n"}, {"more": 1})
        tx.count(_COUNT, {"key": "n"}, {"more": 2})
        assert tx.uncounted(_COUNT, "more", key="n") == tx.most_uncounted(_COUNT, "more")
        return tx.uncounted(_COUNT, "more", key="n")

    held = _Held(one)
    futures = [one.run(counts, beside=True) for _ in range(3)]
    futures += [other.run(counts, beside=True) for _ in range(3)]
    held.let_go()
    assert sorted(future.result(PATIENCE) for future in futures)[-1] == 9
    assert one.run(counts).result(PATIENCE) == 0  # alone they are written at once
    assert _value(one, "n") == "21"


def test_statements_that_return_nothing_are_sent_as_one_unless_they_could_notice_each_other(
    address: str,
) -> None:
    database = Database(address, clock=utc_now)
    make_ready(database)
    raw = database.engine.raw_connection()
    sent: list[str] = []

    class _Listens:
        def cursor(self) -> "_Listens":
            return self

        def execute(self, sql: str, _values: object) -> None:
            sent.append(sql)

    tx = BesideTransaction(database, _Listens(), "now", has_others=False)
    tx.do(_ADD, key="a", value="1")
    tx.do(insert(reasons), judgment=1, text="So.")
    tx.add_many(revisions, ("number", "text"), [(1, "x"), (2, "y")])
    assert sent == []
    tx.do(_CHANGE, name="a", new="2")  # the same table as the first
    assert len(sent) == 1
    assert [sent[0].count(word) for word in ("INTO facts", "INTO reasons", "INTO revisions")] == [1, 1, 1]
    tx.send()
    tx.send()
    assert len(sent) == 2
    raw.close()
    database.close()


def test_tables_that_a_statement_touches() -> None:
    newest = select(revisions.c.number).scalar_subquery()
    assert touched_by(insert(assignments).values(revision=newest)) == TouchedTables(
        frozenset({"assignments"}), frozenset({"revisions"})
    )
    assert touched_by(update(quotas).values(free=quotas.c.free + 1)) == TouchedTables(
        frozenset({"quotas"}), frozenset()
    )
    assert touched_by(_COUNT) == TouchedTables(frozenset({"facts"}), frozenset())


def test_no_more_than_so_many_share_a_transaction(writers: tuple[Writer, Writer]) -> None:
    one, _other = writers
    transactions: list[int] = []
    held = _Held(one)
    futures = [one.run(lambda tx: transactions.append(id(tx)), beside=True) for _ in range(MOST_BESIDE + 1)]
    held.let_go()
    for future in futures:
        future.result(PATIENCE)
    assert len(set(transactions[:MOST_BESIDE])) == 1


def test_connection_that_died_between_two_operations_is_replaced(
    writers: tuple[Writer, Writer], postgresql: str
) -> None:
    one, _other = writers
    _add(one, "a")
    assert one.run(_changes("a", "1"), beside=True).result(PATIENCE) == "1"
    _end_connections(postgresql)
    assert one.run(_changes("a", "2"), beside=True).result(PATIENCE) == "2"


def test_connection_that_dies_in_an_operation_is_replaced_and_the_operation_run_again(
    writers: tuple[Writer, Writer], postgresql: str
) -> None:
    one, _other = writers
    _add(one, "a")
    runs: list[int] = []

    def is_cut_off(tx: Transaction) -> str:
        tx.locked(_FACT, name="a")
        runs.append(1)
        if len(runs) == 1:
            _end_connections(postgresql)
        return _changes("a", "2")(tx)

    one.run(_changes("a", "1"), beside=True).result(PATIENCE)
    assert one.run(is_cut_off, beside=True).result(PATIENCE) == "2"
    assert len(runs) == 2


def test_nothing_is_run_again_when_the_connection_dies_while_it_is_saved(
    writers: tuple[Writer, Writer], postgresql: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody knows then whether it was saved, and whoever asked is told so."""
    one, _other = writers
    _add(one, "a")
    one.run(_changes("a", "1"), beside=True).result(PATIENCE)
    runs: list[int] = []

    def change(tx: Transaction) -> None:
        runs.append(1)
        _changes("a", "2")(tx)

    finish = BesideTransaction.finish

    def finish_and_be_cut_off(self: BesideTransaction) -> None:
        finish(self)
        _end_connections(postgresql)

    monkeypatch.setattr(BesideTransaction, "finish", finish_and_be_cut_off)
    with pytest.raises(StoreError, match="Nothing is known to be saved"):
        one.run(change, beside=True).result(PATIENCE)
    monkeypatch.undo()
    assert len(runs) == 1
    assert one.run(_changes("a", "3"), beside=True).result(PATIENCE) == "3"


def _end_connections(postgresql: str) -> None:
    with psycopg.connect(postgresql, autocommit=True) as administrator:
        administrator.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
            "WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )


def test_slot_that_somebody_is_taking_is_passed_over(two: tuple[Store, Store], address: str) -> None:
    one, other = two
    load(one, MANY, bots="AB", each=3)
    tokens = [come(one, MANY)[0] for _ in range(2)]
    slot_of = text("SELECT item FROM slots WHERE state = 'free' ORDER BY position LIMIT 1 FOR UPDATE")
    begun, may_end = threading.Event(), threading.Event()

    def keeps_a_free_slot(tx: Transaction) -> int:
        row = tx.row(slot_of)
        begun.set()
        may_end.wait(PATIENCE)
        assert row is not None
        return int(row[0])

    held = one._writer.run(keeps_a_free_slot, beside=True)
    begun.wait(PATIENCE)
    station = other.run(resume_sitting(tokens[0], MANY))
    assert isinstance(station, ItemStation)
    answered = answer(other, tokens[0], station, MANY)
    may_end.set()
    held.result(PATIENCE)
    assert not isinstance(answered, ItemStation)  # the only free one is being taken
    assert_sound(address, MANY)


def test_lease_that_has_run_out_is_left_to_an_annotator_who_does_something_just_now(
    address: str, hand: Hand
) -> None:
    with open_store(address, clock=hand) as one, open_store(address, clock=hand) as other:
        load(one, MANY, bots="AB", each=4)
        (busy, station), (absent, _), (here, _) = come(one, MANY), come(one, MANY), come(one, MANY)
        hand.move(MANY.lease_seconds + 1)
        row = select(annotators.c.n).where(annotators.c.token == bindparam("token"))
        begun, may_end = threading.Event(), threading.Event()

        def keep(tx: Transaction) -> None:
            tx.locked(row, token=busy)
            begun.set()
            may_end.wait(PATIENCE)

        held = one._writer.run(keep, beside=True)
        begun.wait(PATIENCE)
        assert isinstance(answer(other, here, other.run(resume_sitting(here, MANY)), MANY), ItemStation)
        may_end.set()
        held.result(PATIENCE)
        state = select(annotators.c.token, assignments.c.state).join_from(
            annotators, assignments, annotators.c.assignment == assignments.c.n
        )
        states: dict[str, str] = dict(one._writer.run(lambda tx: tx.rows(state)).result(PATIENCE))
        assert states == {busy: "running", absent: "ended", here: "running"}
        answer(one, busy, station, MANY)
        assert_sound(address, MANY)


def test_large_dialogues_are_loaded_however_slow_the_database_is(address: str, tmp_path: Path) -> None:
    """More than a socket takes at once."""
    open_store(address).close()
    with Wire(address, tmp_path, seconds=0.005) as wire, open_store(wire.address) as store:
        many = [dialogue(f"A-{number}", text="x" * 1_000_000) for number in range(8)]
        assert store.run(load_dialogues(many)).added == 8


def test_arms_stay_balanced_when_annotators_come_through_several_processes(address: str) -> None:
    caps = replace(MANY, arms=("one", "two"))
    with open_store(address) as one, open_store(address) as other:
        load(one, caps, each=80)
        tokens = [invited.token for invited in one.run(invite_annotators(40))]
        futures = [
            store._writer.run(give_consent(token, caps).within, beside=True)
            for token, store in zip(tokens, [one, other] * 20, strict=True)
        ]
        arms = [future.result(PATIENCE).annotator.arm for future in futures]
        assert arms.count("one") == arms.count("two") == 20
        assert_sound(address, caps)
