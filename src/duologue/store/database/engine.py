"""Connections to a study's database: an SQLite file, or a schema of a PostgreSQL database.

Both are held to the same promise: what is committed is on the disk. On SQLite that is write-ahead logging
with ``synchronous=FULL``, checked on every connection; on PostgreSQL ``synchronous_commit=on``.

A PostgreSQL database can hold several studies, each in a schema (a namespace) of its own: the address ends
in ``?study=name``, and without it the schema is called ``duologue``.
"""

from __future__ import annotations

import hashlib
import os
import select
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, Protocol, TypeVar, cast

from sqlalchemy import Connection, Engine, Executable, Select, Table, create_engine, event
from sqlalchemy.engine import URL, Dialect
from sqlalchemy.engine.interfaces import DBAPIConnection

from duologue.clock import Clock
from duologue.dialogues import Dialogue
from duologue.errors import MissingExtra, StoreError, StoreGone
from duologue.protocols import Item, item_of
from duologue.store.database.addresses import parsed_address, schema_of
from duologue.store.database.encoding import LruCache, dialogue_of
from duologue.store.database.failures import in_pipeline, translated, unreachable
from duologue.store.database.statements import statements_for
from duologue.store.database.write_lock import ATTEMPT_MILLISECONDS, WriteLock

T = TypeVar("T")
Row = tuple[Any, ...]
"""A row as the driver gives it."""

RECENT_DIALOGUES = 2_000
"""Dialogues that are kept decoded."""

RECENT_ITEMS = 2_000
"""Items that are kept decoded."""

PATIENCE_SECONDS = 10.0
"""How long we wait for somebody else's lock."""

_SQLITE_SETTINGS = {"foreign_keys": 1, "synchronous": 2, "secure_delete": 1}
_OLDEST_SQLITE = (3, 35, 0)
_MOST_READERS = 60
ROWS_AT_ONCE = 1_000
"""Rows that one statement adds on SQLite; of 32 columns at most, for a statement has up to 32,766 values."""
_WRITER_CACHE_KIB = 64 * 1024
_WRITER_SETTINGS = ("enable_hashjoin=off", "enable_mergejoin=off", "enable_seqscan=off")
"""What the writer asks is always a handful of rows by their keys, however large the tables grow."""
_PREPARED_STATEMENTS = 400
"""Statements that PostgreSQL keeps prepared for a writer: more than there are."""
_ERASED_FROM = (
    "annotators",
    "assignments",
    "judgment_flags",
    "chat_turns",
    "dialogues",
    "filled_forms",
    "reason_prints",
    "reasons",
    "reply_failures",
)
"""Tables from which something is erased when an annotator withdraws."""


class RowSource(Protocol):
    """Whatever gives rows for a statement: a transaction of the writer, or a connection for reading."""

    now: str

    def rows(self, statement: Executable, **values: object) -> Sequence[Row]:
        """All rows of a statement."""

    def row(self, statement: Executable, **values: object) -> Row | None:
        """The first row of a statement, None when there is none."""


class Reading:
    """A connection for reading: one unchanging picture of the database, asked as a transaction is."""

    def __init__(self, database: Database, connection: Connection) -> None:
        self._database = database
        self.connection = connection
        self.now = database.now()
        """The time, as it is stored."""

    @property
    def excludes_without_reason(self) -> bool:
        """Whether judgments of annotators who never gave a reason are read as excluded."""
        return self._database.excludes_without_reason

    def rows(self, statement: Executable, **values: object) -> Sequence[Row]:
        """All rows of a statement."""
        return [tuple(row) for row in self.connection.execute(statement, values)]

    def row(self, statement: Executable, **values: object) -> Row | None:
        """The first row of a statement, None when there is none."""
        row = self.connection.execute(statement, values).first()
        return None if row is None else tuple(row)

    def unless_changed(self, since: object, work_out: Callable[[Reading], T]) -> T:
        """What a function works out here; the last result again while ``since`` is the same as then."""
        known = self._database.worked_out.get(work_out)
        if known is None or known[0] != since:
            known = self._database.worked_out[work_out] = since, work_out(self)
        return cast("T", known[1])


class Transaction:
    """One transaction of the writer: runs statements, and knows what time it is.

    Statements are SQLAlchemy Core, compiled once and handed to the driver as they are: an operation is a
    dozen of them, and compiling or wrapping each result would cost more than running it.
    """

    def __init__(self, database: Database, raw: Any, now: str) -> None:
        self._database, self._raw = database, raw
        self.now = now
        """The time, as it is stored."""
        self.has_taken_back = False
        """Whether all leases that had run out by now were taken back in this transaction."""

    @property
    def is_sqlite(self) -> bool:
        """Whether this is an SQLite file."""
        return self._database.is_sqlite

    @property
    def in_flight(self) -> int:
        """How many operations of others may be under way that cannot be seen yet; none unless beside them."""
        return 0

    def shut_others_out(self) -> None:
        """From here on the operation needs that nobody else writes.

        Raises:
            RunAlone: Others do. The operation is then run again, alone.
        """

    def take_turns(self, name: str) -> None:
        """Let no other transaction past a line of this name until this transaction ends."""

    def locked(self, statement: Select[*tuple[Any, ...]], **values: object) -> Row | None:
        """The row that an operation begins with, kept from all others until the end; None when there is none.

        Raises:
            RunLater: Somebody else has it just now, and there is other work to do meanwhile.
        """
        return self.row(statement, **values)

    def locked_among(
        self,
        statement: Select[*tuple[Any, ...]],
        *also: tuple[Executable, Mapping[str, object]],
        **values: object,
    ) -> Sequence[Sequence[Row]]:
        """`locked`, and the rows of statements that are run after it; all are waited for at once."""
        return self.several((statement, values), *also)

    def count(
        self,
        statement: Executable,
        key: Mapping[str, object],
        more: Mapping[str, int],
        first: Mapping[str, object] | None = None,
    ) -> None:
        """Count something: in a row that all processes count in.

        Args:
            statement: Adds to the counters of one row.
            key: The values that name the row.
            more: The values that are added.
            first: Values that matter only where there is no such row yet.
        """
        self.do(statement, **key, **more, **(first or {}))

    def uncounted(self, statement: Executable, value: str, **key: object) -> int:
        """What was counted in this transaction and cannot be read from its row yet."""
        return 0

    def most_uncounted(self, statement: Executable, value: str) -> int:
        """The most that was counted so in any row."""
        return 0

    def dialogue(self, number: int, content_hash: str, body: str) -> Dialogue:
        """The dialogue of a row: decoded, or at hand from the last time."""
        return self._database.dialogues.get((number, content_hash), partial(dialogue_of, body))

    def item(self, body: str) -> Item:
        """The item of a row: decoded, or at hand from when it was handed out."""
        return self._database.items.get(body, partial(item_of, body))

    def rows(self, statement: Executable, **values: object) -> Sequence[Row]:
        """All rows of a statement."""
        return self._run(statement, values).fetchall()  # type: ignore[no-any-return]  # of either driver

    def row(self, statement: Executable, **values: object) -> Row | None:
        """The first row of a statement, None when there is none."""
        return self._run(statement, values).fetchone()  # type: ignore[no-any-return]  # likewise

    def several(self, *asked: tuple[Executable, Mapping[str, object]]) -> Sequence[Sequence[Row]]:
        """The rows of several statements, each with its values; none may depend on another's."""
        cursors = [self._run(statement, values) for statement, values in asked]
        last_first = [cursor.fetchall() for cursor in reversed(cursors)]  # when it is there, all are
        return last_first[::-1]

    def do(self, statement: Executable, **values: object) -> None:
        """Run a statement whose rows, if it has any, nobody asks for."""
        self._run(statement, values)

    def do_many(self, statement: Executable, rows: Sequence[Mapping[str, object]]) -> None:
        """Run a statement for each row."""
        if not rows:
            return
        sql, constants = self._database.statements.compiled(statement, rows[0])
        values = [{**constants, **row} for row in rows] if constants else rows
        self._raw.cursor().executemany(sql, values)

    def add_many(self, table: Table, names: tuple[str, ...], rows: Sequence[Row]) -> None:
        """Add rows to a table, many at a time: the values of the columns ``names``."""
        cursor = self._raw.cursor()
        if not self.is_sqlite:
            if rows:
                columns = map(list, zip(*rows, strict=True))
                cursor.execute(
                    self._database.statements.adding(table, names), dict(zip(names, columns, strict=True))
                )
                send_all(self._raw)
            return
        rest = len(rows) - len(rows) % ROWS_AT_ONCE
        for start in range(0, rest, ROWS_AT_ONCE):
            some = rows[start : start + ROWS_AT_ONCE]
            cursor.execute(
                self._database.statements.adding(table, names, ROWS_AT_ONCE), list(chain.from_iterable(some))
            )
        cursor.executemany(self._database.statements.adding(table, names), rows[rest:])

    def _run(self, statement: Executable, values: Mapping[str, object]) -> Any:
        sql, constants = self._database.statements.compiled(statement, values)
        return self._raw.execute(sql, {**constants, **values} if constants else values)


class Database:
    """A study's database: where it is, how to reach it, and the statements of its engine."""

    def __init__(
        self,
        address: str,
        *,
        clock: Clock,
        patience: float = PATIENCE_SECONDS,
        excludes_without_reason: bool = False,
    ) -> None:
        self.patience = patience
        self.excludes_without_reason = excludes_without_reason
        self.dialogues: LruCache[tuple[int, str], Dialogue] = LruCache(RECENT_DIALOGUES)
        self.items: LruCache[str, Item] = LruCache(RECENT_ITEMS)
        self.worked_out: dict[object, tuple[object, object]] = {}
        self.clock = clock
        url = parsed_address(address)
        self.is_sqlite = url.get_backend_name() == "sqlite"
        self.schema_name = "" if self.is_sqlite else schema_of(url)
        self.where = str(url.database) if self.is_sqlite else url.render_as_string(hide_password=True)
        if self.is_sqlite and not Path(self.where).parent.is_dir():
            raise StoreError(f"{self.where}: there is no folder {Path(self.where).parent}. Make it first.")
        self.engine = self._sqlite_engine(url) if self.is_sqlite else self._postgresql_engine(url)
        self._write_lock = WriteLock(Path(self.where), patience=patience) if self.is_sqlite else None
        self._lock_number = lock_number(self.schema_name)
        self.statements = statements_for(self.engine.dialect)
        self._file: tuple[int, int] | None = None
        self._file_size = 0

    def now(self) -> str:
        """The time as it is stored: UTC, ISO 8601, always of the same width."""
        return self.clock().astimezone(UTC).isoformat(timespec="microseconds")

    def check_file(self) -> None:
        """Make sure that the SQLite file in use is the one in the folder: an open file outlives its name.

        Raises:
            StoreGone: It was deleted or replaced, or something else was written over it: it never shrinks by
                itself. What is written to it would be lost.
        """
        if self._file is None:
            return
        known = self._file_size  # read before the file is looked at: other threads see it grow, too
        found = _file_look(self.where)
        if found is None or found[0] != self._file or found[1] < known:
            raise StoreGone(self.where)
        self._file_size = max(self._file_size, found[1])

    @contextmanager
    def reading(self) -> Iterator[Reading]:
        """A connection for reading: one unchanging picture of the database, never in a writer's way."""
        try:
            self.check_file()  # to open what was written over it would wait for locks in vain
            with self.engine.connect() as connection:
                self.check_file()
                yield Reading(self, connection)
        except Exception as error:
            ours = translated(error, where=self.where, patience=self.patience)
            if ours is error:
                raise
            raise ours from error

    def prepare_for_writing(self, raw: Any) -> None:
        """Set up a connection through which the writer will write."""
        if self.is_sqlite:
            check_sqlite_settings(raw, self.where)
            raw.execute(f"PRAGMA cache_size=-{_WRITER_CACHE_KIB}")
            raw.execute(f"PRAGMA busy_timeout={ATTEMPT_MILLISECONDS}")
        else:
            raw.autocommit = True  # transactions are begun and ended by us, not by the driver
            raw.prepared_max = _PREPARED_STATEMENTS
            for setting in _WRITER_SETTINGS:
                raw.execute(f"SET {setting}")

    @contextmanager
    def in_one_go(self, raw: Any) -> Iterator[Callable[[], None]]:
        """Send statements without waiting for those whose rows nobody asks for.

        Gives a function that waits until all that was sent is done, and raises what went wrong. On SQLite
        there is nothing to wait for; on PostgreSQL it halves the time of an operation.
        """
        if self.is_sqlite:
            yield lambda: None
        else:
            with in_pipeline(raw) as settle:
                yield settle

    def begin_writing(self, raw: Any) -> None:
        """Begin a transaction that no other writer of this study runs beside."""
        if self._write_lock is not None:
            self._write_lock.begin(raw)
        else:
            raw.execute("BEGIN ISOLATION LEVEL READ COMMITTED")
            raw.execute("SELECT pg_advisory_xact_lock(%s)", (self._lock_number,))

    def begin_beside(self, raw: Any) -> None:
        """Begin a transaction beside others, on PostgreSQL: none of them may be one that is alone."""
        raw.execute("BEGIN ISOLATION LEVEL READ COMMITTED")
        raw.execute("SELECT pg_advisory_xact_lock_shared(%s)", (self._lock_number,))

    def pass_on(self) -> None:
        """After writing: let others have their turn."""
        if self._write_lock is not None:
            self._write_lock.pass_on()

    def forget_erased(self) -> None:
        """Remove what was erased from the files themselves, as far as nobody is reading there just now.

        Erased rows linger in SQLite's write-ahead log until it is written back, and in PostgreSQL's tables
        until they are vacuumed.
        """
        pooled = self.engine.raw_connection()
        try:
            raw = cast("Any", pooled.driver_connection)
            if self.is_sqlite:
                raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            else:
                raw.autocommit = True
                raw.execute(f"VACUUM {', '.join(_ERASED_FROM)}")
                raw.autocommit = False
        finally:
            pooled.close()

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()
        if self._write_lock is not None:
            self._write_lock.close()

    def _sqlite_engine(self, url: URL) -> Engine:
        if sqlite3.sqlite_version_info < _OLDEST_SQLITE:
            oldest = ".".join(map(str, _OLDEST_SQLITE))
            raise StoreError(f"SQLite {sqlite3.sqlite_version} is too old: {oldest} or newer is needed.")
        if not url.database or url.database == ":memory:":
            raise StoreError("an SQLite study needs a file: what is in memory is lost when the program ends.")
        engine = create_engine(
            url,
            paramstyle="named",
            connect_args={"timeout": self.patience, "check_same_thread": False},
            max_overflow=_MOST_READERS,
            pool_timeout=self.patience,
        )
        event.listen(engine, "connect", self._set_up_sqlite)
        event.listen(engine, "begin", _begin_reading)
        return engine

    def _set_up_sqlite(self, raw: sqlite3.Connection, _record: object) -> None:
        raw.isolation_level = None  # transactions are begun and ended by us, not by the driver
        for name, value in _SQLITE_SETTINGS.items():
            raw.execute(f"PRAGMA {name}={value}")
        if raw.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
            raw.execute("PRAGMA journal_mode=WAL")
        check_sqlite_settings(raw, self.where)
        if self._file is None:
            found = _file_look(self.where)
            self._file, self._file_size = found if found is not None else (None, 0)

    def _postgresql_engine(self, url: URL) -> Engine:
        try:
            import psycopg  # noqa: F401  an optional package, imported where it is used
        except ImportError as error:
            raise MissingExtra("psycopg", "postgres") from error
        milliseconds = int(self.patience * 1000)
        options = " ".join(
            f"-c {setting}"
            for setting in (
                f"search_path={self.schema_name}",
                "synchronous_commit=on",
                f"lock_timeout={milliseconds}",
                "default_transaction_isolation=repeatable\\ read",
                "timezone=UTC",
            )
        )
        plain = url.set(drivername="postgresql+psycopg").difference_update_query(["study"])
        engine = create_engine(
            plain, connect_args={"options": options}, pool_pre_ping=True, pool_timeout=self.patience
        )
        event.listen(engine, "do_connect", self._connect_postgresql)
        return engine

    def _connect_postgresql(
        self, dialect: Dialect, _record: object, places: list[Any], names: dict[str, Any]
    ) -> DBAPIConnection:
        try:
            return dialect.connect(*places, **names)
        except dialect.loaded_dbapi.Error as error:
            raise unreachable(error, where=self.where) from error


def send_all(raw: Any) -> None:
    """Wait until all that was sent to PostgreSQL without waiting has left.

    What the socket does not take at once stays with the driver, which later waits for an answer only.
    """
    connection = raw.pgconn
    while connection.flush():
        readable, _writable, _ = select.select([connection.socket], [connection.socket], [])
        if readable:
            connection.consume_input()


def check_sqlite_settings(raw: sqlite3.Connection, where: str) -> None:
    """Make sure that a connection keeps its promises.

    Raises:
        StoreError: A setting is not what it must be; nothing may be written through this connection.
    """
    wanted: dict[str, object] = {**_SQLITE_SETTINGS, "journal_mode": "wal"}
    for name, value in wanted.items():
        got = raw.execute(f"PRAGMA {name}").fetchone()[0]
        if got != value:
            raise StoreError(
                f"{where}: SQLite keeps {name} at {got!r} and {value!r} is needed so that no judgment can be "
                "lost. Keep the study on a local disk, not on a network drive."
            )


def _file_look(path: str) -> tuple[tuple[int, int], int] | None:
    """What tells a file from every other, whatever its name, and its size; None when there is none."""
    try:
        found = os.stat(path)  # noqa: PTH116  several times a request, and three times as fast as a Path
    except OSError:
        return None
    return (found.st_dev, found.st_ino), found.st_size


def lock_number(schema_name: str) -> int:
    """The number of the PostgreSQL advisory lock of a study: the same for all its processes."""
    return int.from_bytes(hashlib.sha256(f"duologue {schema_name}".encode()).digest()[:8], signed=True)


def _begin_reading(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN")
