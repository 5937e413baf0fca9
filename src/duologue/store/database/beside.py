"""A transaction on PostgreSQL that runs beside those of other processes.

Nobody waits for anybody as long as they work on different rows. The rules that keep this as sound as running
one after another:

- An operation first locks its annotator's row. All that belongs to an annotator (assignments, what they have
  seen and judged, the slots they hold) is changed only by who has that lock.
- A free slot goes to who locks its row; slots that somebody else has locked are passed over.
- Counters that all processes count in are written once, at the end, in a fixed order.
- What cannot be decided so (joining a live chat, the last places of a study) shuts the others out.

Statements that return nothing are kept back until somebody asks for rows, and then sent as one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Executable, Select, Table, TextClause
from sqlalchemy.sql import Delete, Insert, Update, visitors

from duologue.store.database.engine import Database, Row, Transaction, lock_number

MOST_BESIDE = 32
"""Operations in one transaction beside others: it keeps its rows locked until it ends."""

IN_FLIGHT = 128
"""Operations that may be under way elsewhere: those of several processes, each with as many as it may."""

_PLACE = re.compile(r"%\((\w+)\)([sbt])")
_TABLE_OF_TEXT = re.compile(r"INTO (\w+)")
_Write = tuple[str, Mapping[str, object]]
_Key = tuple[Executable, tuple[object, ...]]


class RunAlone(Exception):
    """An operation must not run beside others."""


class RunLater(Exception):
    """Somebody else has what an operation begins with."""


@dataclass(frozen=True, slots=True)
class TouchedTables:
    """The tables that a statement writes to, and those it reads."""

    written: frozenset[str]
    read: frozenset[str]


@dataclass(slots=True)
class _Count:
    """What is to be added to the counters of one row."""

    key: dict[str, object]
    more: dict[str, int]
    first: dict[str, object]


class BesideTransaction(Transaction):
    """A transaction beside those of others; see the top of this file for its rules."""

    def __init__(self, database: Database, raw: Any, now: str, *, has_others: bool) -> None:
        super().__init__(database, raw, now)
        self._has_others = has_others
        self._kept_back: list[_Write] = []
        self._touched = TouchedTables(frozenset(), frozenset())
        self._counts: dict[_Key, _Count] = {}
        self._has_written = False
        self.round_trips = 0
        """How often something was waited for."""

    @property
    def in_flight(self) -> int:
        """How many operations of others may be under way that cannot be seen yet."""
        return IN_FLIGHT

    def shut_others_out(self) -> None:
        """From here on the operation needs that nobody else writes."""
        raise RunAlone

    def take_turns(self, name: str) -> None:
        """Hold the advisory lock `name` until this transaction ends."""
        self.send()
        number = lock_number(f"{name} {self._database.schema_name}")
        self._raw.execute("SELECT pg_advisory_xact_lock(%s)", (number,))

    def locked(self, statement: Select[*tuple[Any, ...]], **values: object) -> Row | None:
        """The row that an operation begins with, kept from all others until the end.

        With other operations in the same transaction nothing is waited for: two that wait for each other's
        rows would never end.
        """
        rows = self.locked_among(statement, **values)[0]
        return rows[0] if rows else None

    def locked_among(
        self,
        statement: Select[*tuple[Any, ...]],
        *also: tuple[Executable, Mapping[str, object]],
        **values: object,
    ) -> Sequence[Sequence[Row]]:
        """`locked`, and the rows of statements that are run after it; all are waited for at once."""
        waits = not self._has_others
        locking = self._database.statements.remembered(
            (statement, waits), lambda: statement.with_for_update(key_share=True, skip_locked=not waits)
        )
        found = self.several((locking, values), *also)
        if not found[0] and self._has_others:
            raise RunLater
        return found

    def rows(self, statement: Executable, **values: object) -> Sequence[Row]:
        """All rows of a statement."""
        self._before_asking(statement)
        return super().rows(statement, **values)

    def row(self, statement: Executable, **values: object) -> Row | None:
        """The first row of a statement, None when there is none."""
        self._before_asking(statement)
        return super().row(statement, **values)

    def several(self, *asked: tuple[Executable, Mapping[str, object]]) -> Sequence[Sequence[Row]]:
        """The rows of several statements, all waited for at once."""
        self._before_asking(asked[0][0])
        return super().several(*asked)

    def do(self, statement: Executable, **values: object) -> None:
        """Run a statement that returns nothing: at the latest when rows are asked for."""
        sql, constants = self._database.statements.compiled(statement, values)
        self._keep_back(
            sql,
            {**constants, **values},
            self._database.statements.remembered(statement, lambda: touched_by(statement)),
        )

    def do_many(self, statement: Executable, rows: Sequence[Mapping[str, object]]) -> None:
        """Run a statement for each row."""
        self.send()
        self._has_written = True
        super().do_many(statement, rows)

    def add_many(self, table: Table, names: tuple[str, ...], rows: Sequence[Row]) -> None:
        """Add rows to a table, many at a time: the values of the columns ``names``."""
        if rows:
            columns = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
            touched = TouchedTables(frozenset({table.name}), frozenset())
            self._keep_back(self._database.statements.adding(table, names), columns, touched)

    def count(
        self,
        statement: Executable,
        key: Mapping[str, object],
        more: Mapping[str, int],
        first: Mapping[str, object] | None = None,
    ) -> None:
        """Count something, at the end of the transaction: the row is locked for a moment only."""
        self._has_written = True
        known = self._counts.get((statement, tuple(key.values())))
        if known is None:
            new = _Count(dict(key), dict(more), dict(first or {}))
            self._counts[statement, tuple(key.values())] = new
        else:
            for name, value in more.items():
                known.more[name] += value

    def uncounted(self, statement: Executable, value: str, **key: object) -> int:
        """What was counted in this transaction and cannot be read from its row yet."""
        known = self._counts.get((statement, tuple(key.values())))
        return 0 if known is None else known.more[value]

    def most_uncounted(self, statement: Executable, value: str) -> int:
        """The most that was counted so in any row."""
        return max((one.more[value] for key, one in self._counts.items() if key[0] is statement), default=0)

    def attempt(self, operation: Callable[[Transaction], object]) -> tuple[object, BaseException | None]:
        """What an operation gave, or raised before it had written anything.

        Raises:
            Exception: It has written, and what it wrote must not stay: the whole transaction is to end.
        """
        self._has_written = False
        try:
            return operation(self), None
        except Exception as error:
            if self._has_written or type(error).__module__.startswith("psycopg"):
                raise
            return None, error

    def finish(self) -> None:
        """Send what was kept back, and the counters."""
        self.send()
        by_statement: dict[Executable, list[dict[str, object]]] = {}
        for (statement, _key), count in self._counts.items():
            by_statement.setdefault(statement, []).append({**count.key, **count.more, **count.first})
        ordered = sorted(by_statement.items(), key=lambda one: str(one[0]))  # the same in all processes
        for statement, rows in ordered:
            for row in sorted(rows, key=lambda row: tuple(map(str, row.values()))):
                self._run(statement, row)  # as many at once the driver would wait for them
        self._counts.clear()

    def send(self) -> None:
        """Send what was kept back, all of it as one statement."""
        if self._kept_back:
            statements = tuple(sql for sql, _values in self._kept_back)
            sql = self._database.statements.remembered(statements, lambda: _fuse(statements))
            values = {
                f"{name}_{place}": value
                for place, (_sql, given) in enumerate(self._kept_back)
                for name, value in given.items()
            }
            self._kept_back.clear()
            self._touched = TouchedTables(frozenset(), frozenset())
            self._raw.cursor().execute(sql, values)

    def _before_asking(self, statement: Executable) -> None:
        self.send()
        self.round_trips += 1
        self._has_written = self._has_written or not isinstance(statement, Select)

    def _keep_back(self, sql: str, values: Mapping[str, object], touched: TouchedTables) -> None:
        """Keep a statement back; one that could notice another is sent after it."""
        self._has_written = True
        ours = self._touched
        if touched.written & (ours.written | ours.read) or touched.read & ours.written:
            self.send()
            ours = self._touched
        self._touched = TouchedTables(ours.written | touched.written, ours.read | touched.read)
        self._kept_back.append((sql, values))


def touched_by(statement: Executable) -> TouchedTables:
    """Which tables a statement touches."""
    if isinstance(statement, TextClause):
        return TouchedTables(frozenset(_TABLE_OF_TEXT.findall(statement.text)), frozenset())
    assert isinstance(statement, Insert | Update | Delete)  # noqa: S101  what else returns nothing
    target = statement.table
    read = {one.name for one in visitors.iterate(statement) if isinstance(one, Table) and one is not target}
    return TouchedTables(frozenset({str(target.description)}), frozenset(read))


def _fuse(statements: tuple[str, ...]) -> str:
    """Statements on different tables as one, which PostgreSQL runs as if all began at the same moment."""
    *others, last = [_PLACE.sub(rf"%(\1_{place})\2", statement) for place, statement in enumerate(statements)]
    parts = ", ".join(f"part_{place} AS ({statement})" for place, statement in enumerate(others))
    return f"WITH {parts} {last}" if parts else last
