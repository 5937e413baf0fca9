"""Moving a study to another database: every row, and with them every link, code, key and secret.

The copy is made in one transaction while nobody can write to the source, and is read back and compared,
table by table, before it counts. What a kill leaves behind at any moment is either the study where it was,
with nothing (or a copy marked as unfinished) at the other place, or the study at the other place and the old
database marked as moved. Moving again does the rest.

The old database is kept. It says where the study went, refuses every write, and gets another name.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path
from typing import Any, cast

from sqlalchemy import Connection, Table, delete, func, insert, select, text
from sqlalchemy.engine import make_url
from sqlalchemy.schema import DropSchema

from duologue.clock import Clock, utc_now
from duologue.errors import StoreElsewhere, StoreError, StoreMoved, StoreTaken
from duologue.store.database.encoding import new_token
from duologue.store.database.engine import Database, Transaction
from duologue.store.database.failures import translated
from duologue.store.database.looking import ARRIVING_FROM, IDENTITY, MOVED_TO, DatabaseLook, look_at
from duologue.store.database.opening import lock_alone, make_ready
from duologue.store.database.places import (
    address_of,
    holding,
    is_same_place,
    other_place,
    remember_place,
    remembered_place,
    without_password,
)
from duologue.store.database.presence import SERVING, not_served
from duologue.store.database.schema import facts, make_tables, metadata
from duologue.studies import Study, name_database

BATCH = 2_000
"""Rows that are read and written together."""
UNFINISHED = ".moving"
"""Ends the name of an SQLite file until everything is in it."""

OnRows = Callable[[int, int], None]
"""Told how many rows were copied and compared so far, of how many."""


@dataclass(frozen=True, slots=True)
class MovedTable:
    """A table that was copied: its rows, and a hash of all that is in them."""

    name: str
    rows: int
    digest: str


@dataclass(frozen=True, slots=True)
class MovedStudy:
    """What a move did."""

    source: str
    target: str
    tables: tuple[MovedTable, ...]
    """Empty when an earlier move had copied everything and this one only finished it."""
    judgments: int
    annotators: int
    kept_as: str
    """What the old database is called now."""
    is_named: bool
    """Whether study.toml names the new database; otherwise somebody has to write it there."""


def move_study(
    study: Study,
    to: str | None = None,
    *,
    source: str | None = None,
    clock: Clock = utc_now,
    on_rows: OnRows | None = None,
) -> MovedStudy:
    """Move a study to another database, all or nothing; study.toml names it afterwards.

    Args:
        study: The study.
        to: Where to: ``postgresql://…``, or an SQLite file in the study's folder; what study.toml says, when
            somebody has changed it there already.
        source: Where it is; found out when not given.
        clock: Tells the time.
        on_rows: Told how far it has come.

    Raises:
        StoreTaken: Something is at the other place.
        StoreServed: A server is running on the study.
        StoreElsewhere: It is not clear where the study is; say it with ``source``.
        StoreError: A database cannot be used, or the copy is not the same; the study stays where it was.
    """
    to = study.file.study.database if to is None else to
    origin = address_of(study, source) if source is not None else _origin(study, to)
    target = address_of(study, to)
    if is_same_place(study, origin, target):
        raise StoreError(f"{look_at(origin).where}: the study is there already.")
    with not_served(origin):
        before = look_at(origin)
        if not before.moved_to:
            tables = _copy(before, origin, target, without_password(to), clock, on_rows)
        elif _is_finished_by(before, look_at(target)):
            tables = ()
        else:
            raise StoreMoved(before.where, moved_to=before.moved_to)
        _arrive(target, clock)
        is_named = name_database(study, to)
        after = look_at(target)
        kept_as = _put_away(origin, clock)
        remember_place(study, identity=after.identity, database=to)  # last: until then a kill is noticed
    return MovedStudy(before.where, after.where, tables, after.judgments, after.annotators, kept_as, is_named)


def _origin(study: Study, to: str) -> str:
    """Where the study is: what its file says, unless that is where it is to be moved."""
    here = look_at(study.database)
    other = other_place(study, here)
    if is_same_place(study, to, study.file.study.database):
        if other is not None:
            return other.address
        if left := _left_behind(study, here):
            return left
        raise StoreError(
            f"{here.where}: the study is there already. Say with --to where to move it, or with --from where "
            "it is."
        )
    if other is not None:
        raise StoreElsewhere(
            here.where, study=str(study.folder), other=other.database, holds=other.holds, is_used=here.is_used
        )
    return study.database


def _left_behind(study: Study, here: DatabaseLook) -> str | None:
    """The old database of a move that was killed before that got its other name, if there is one."""
    last = remembered_place(study)
    names = [last.database] if last is not None else []
    for name in (*names, *sorted(path.name for path in study.folder.glob("*.db"))):
        with suppress(StoreError):
            old = look_at(address_of(study, name))
            if old.moved_to and old.identity == here.identity:
                return address_of(study, name)
    return None


def _is_finished_by(source: DatabaseLook, target: DatabaseLook) -> bool:
    """Whether a move was only interrupted after everything had been copied."""
    return target.is_study and bool(source.identity) and source.identity == target.identity


def _copy(
    before: DatabaseLook, origin: str, target: str, named: str, clock: Clock, on_rows: OnRows | None
) -> tuple[MovedTable, ...]:
    if not before.is_study:
        holds = (
            f"something else ({', '.join(before.other_tables[:3])})" if before.other_tables else "no study"
        )
        raise StoreError(f"{before.where}: there is {holds} there; nothing was moved.")
    with closing(Database(origin, clock=clock)) as source:
        make_ready(source)
        identity = _identity(source)
        with _alone(source) as reading:
            with _emptied(target, identity, clock) as (arrival, writing):
                progress = _Progress(_rows(reading), on_rows)
                tables = tuple(
                    _copy_table(table, reading, arrival, writing, progress)
                    for table in metadata.sorted_tables
                )
                if not arrival.is_sqlite:
                    _set_sequences(writing)
                for table, moved in zip(metadata.sorted_tables, tables, strict=True):
                    _compare(table, writing, moved, arrival.where, progress)
                writing.execute(insert(facts).values(key=ARRIVING_FROM, value=source.where))
            _mark_moved(source, reading, named)
            reading.commit()
    return tables


def _identity(database: Database) -> str:
    """What tells the study from others; it is written down first, so that a second try finds the same."""
    with _alone(database) as connection:
        known = connection.execute(select(facts.c.value).where(facts.c.key == IDENTITY)).scalar()
        if known is not None:
            return str(known)
        made = new_token()
        connection.execute(insert(facts).values(key=IDENTITY, value=made))
        connection.commit()
    return made


@contextmanager
def _alone(database: Database) -> Iterator[Connection]:
    """A transaction beside which nobody writes; it is given up unless it is committed."""
    try:
        with database.engine.connect() as connection:
            if not database.is_sqlite:
                connection = connection.execution_options(isolation_level="READ COMMITTED")
            lock_alone(database, connection)
            yield connection
            if connection.in_transaction():
                connection.rollback()
    except Exception as error:
        ours = translated(error, where=database.where, patience=database.patience)
        if ours is error:
            raise
        raise ours from error


@contextmanager
def _emptied(address: str, identity: str, clock: Clock) -> Iterator[tuple[Database, Connection]]:
    """An empty database with our tables, in a transaction that is committed when the block ends well.

    Raises:
        StoreTaken: Something is there that is not an unfinished copy of this study.
    """
    there = look_at(address)
    is_leftover = bool(there.arriving_from) and there.identity == identity
    if (there.is_study or there.other_tables) and not is_leftover:
        raise _taken(address, there)
    path = Path(str(make_url(address).database)) if address.startswith("sqlite") else None
    place = address if path is None else f"sqlite:///{path}{UNFINISHED}"
    if path is not None:
        _delete_file(Path(f"{path}{UNFINISHED}"))
    try:
        with closing(Database(place, clock=clock)) as database, _alone(database) as connection:
            if is_leftover and path is None:
                connection.execute(DropSchema(database.schema_name, cascade=True))
                lock_alone(database, connection)
            make_tables(connection)
            yield database, connection
            connection.commit()
        if path is not None:
            if is_leftover:
                _delete_file(path)
            elif path.exists() and path.stat().st_size:
                raise _taken(address, look_at(address))
            _write_back(Path(f"{path}{UNFINISHED}"))
            Path(f"{path}{UNFINISHED}").replace(path)
    finally:
        if path is not None:
            _delete_file(Path(f"{path}{UNFINISHED}"))


def _taken(address: str, there: DatabaseLook) -> StoreTaken:
    is_file = address.startswith("sqlite")
    holds = (
        f"a study ({holding(there)})"
        if there.is_study
        else f"something else ({', '.join(there.other_tables[:3])})"
    )
    advice = (
        "Name another file."
        if is_file
        else "Add ?study=NAME to the address: each name is a place of its own."
    )
    return StoreTaken(there.where, holds=holds, advice=advice)


class _Progress:
    """Rows copied and compared so far: each comes twice."""

    def __init__(self, rows: int, on_rows: OnRows | None) -> None:
        self._total, self._done, self._on_rows = 2 * rows, 0, on_rows

    def add(self, rows: int) -> None:
        self._done += rows
        if self._on_rows is not None:
            self._on_rows(self._done, self._total)


def _rows(connection: Connection) -> int:
    return sum(
        connection.execute(select(func.count()).select_from(table)).scalar_one()
        for table in metadata.sorted_tables
    )


def _copy_table(
    table: Table, reading: Connection, arrival: Database, writing: Connection, progress: _Progress
) -> MovedTable:
    names = tuple(table.c.keys())
    transaction = Transaction(arrival, cast("Any", writing.connection.driver_connection), arrival.now())
    digest = _Digest()
    for rows in _batches(table, reading):
        transaction.add_many(table, names, rows)
        digest.add(rows)
        progress.add(len(rows))
    return MovedTable(table.name, digest.rows, digest.text)


def _compare(table: Table, writing: Connection, moved: MovedTable, where: str, progress: _Progress) -> None:
    digest = _Digest()
    for rows in _batches(table, writing):
        digest.add(rows)
        progress.add(len(rows))
    if (digest.rows, digest.text) != (moved.rows, moved.digest):
        raise StoreError(
            f"{where}: the table {table.name} is not the same there ({digest.rows:,} rows of "
            f"{moved.rows:,}). Nothing was moved."
        )


def _batches(table: Table, connection: Connection) -> Iterator[list[tuple[Any, ...]]]:
    """All rows of a table, many at a time, as Python values that are the same on both engines."""
    result = connection.execute(select(table).execution_options(yield_per=BATCH))
    for part in result.partitions():
        yield [tuple(row) for row in part]


class _Digest:
    """A hash of rows that does not depend on their order: databases give them in any."""

    def __init__(self) -> None:
        self.rows, self._sum = 0, 0

    def add(self, rows: list[tuple[Any, ...]]) -> None:
        self.rows += len(rows)
        for row in rows:
            written = json.dumps(row).encode()
            self._sum += int.from_bytes(hashlib.sha256(written).digest())

    @property
    def text(self) -> str:
        return f"{self._sum % 2**256:064x}"


def _set_sequences(connection: Connection) -> None:
    """Let PostgreSQL number the next rows after those that came."""
    for table in metadata.sorted_tables:
        column = table.autoincrement_column
        if column is None:
            continue
        highest = connection.execute(select(func.max(column))).scalar()
        if highest is not None:
            connection.execute(
                text("SELECT setval(pg_get_serial_sequence(:table, :column), :highest)"),
                {"table": table.name, "column": column.name, "highest": highest},
            )


_REFUSE_SQLITE = """
CREATE TRIGGER moved_{table}_{verb} BEFORE {verb} ON {table}
BEGIN SELECT RAISE(ABORT, 'this study was moved to another database'); END
"""
_REFUSE_POSTGRESQL = """
CREATE FUNCTION refuse_moved() RETURNS trigger LANGUAGE plpgsql
AS $$ BEGIN RAISE EXCEPTION 'this study was moved to another database'; END $$
"""
_GUARD_POSTGRESQL = """
CREATE TRIGGER moved BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON {table}
FOR EACH STATEMENT EXECUTE FUNCTION refuse_moved()
"""


def _mark_moved(source: Database, connection: Connection, named: str) -> None:
    """Write down where the study went, and let nobody write anything after it."""
    connection.execute(insert(facts).values(key=MOVED_TO, value=named))
    if not source.is_sqlite:
        connection.exec_driver_sql(_REFUSE_POSTGRESQL)
    for table in metadata.sorted_tables:
        if not source.is_sqlite:
            connection.exec_driver_sql(_GUARD_POSTGRESQL.format(table=table.name))
            continue
        for verb in ("insert", "update", "delete"):
            connection.exec_driver_sql(_REFUSE_SQLITE.format(table=table.name, verb=verb))


def _arrive(address: str, clock: Clock) -> None:
    """Take the mark of an unfinished move away."""
    with closing(Database(address, clock=clock)) as database, _alone(database) as connection:
        connection.execute(delete(facts).where(facts.c.key == ARRIVING_FROM))
        connection.commit()


def _put_away(address: str, clock: Clock) -> str:
    """Give the old database another name, so that its place is free again; what it is called now."""
    stamp = clock().astimezone(UTC).strftime("%Y%m%d_%H%M%S")
    with closing(Database(address, clock=clock)) as database:
        if not database.is_sqlite:
            name = f"{database.schema_name[:40]}_moved_{stamp}"
            with _alone(database) as connection:
                connection.exec_driver_sql(f"ALTER SCHEMA {database.schema_name} RENAME TO {name}")
                connection.commit()
            return f"schema {name}"
        path = Path(database.where)
    if not _write_back(path):
        return str(path)  # somebody is reading it: it keeps its name, and refuses writers by itself
    name = f"{path}.moved_{stamp}"
    path.rename(name)
    Path(f"{path}{SERVING}").unlink(missing_ok=True)
    return name


def _write_back(path: Path) -> bool:
    """Write SQLite's log back into its file; whether the file is whole without it."""
    with closing(sqlite3.connect(path)) as connection:
        is_busy = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
    log = Path(f"{path}-wal")
    return not is_busy and not (log.exists() and log.stat().st_size)


def _delete_file(path: Path) -> None:
    for end in ("", "-wal", "-shm", "-journal"):
        Path(f"{path}{end}").unlink(missing_ok=True)
