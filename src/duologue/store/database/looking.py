"""Looking at a study's database without opening it as a store: nothing is made or changed."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from sqlalchemy import Connection, NullPool, create_engine, func, inspect, select
from sqlalchemy.engine import make_url

from duologue.clock import utc_now
from duologue.errors import StoreOtherSchema
from duologue.store.database.engine import PATIENCE_SECONDS, Database
from duologue.store.database.failures import translated
from duologue.store.database.schema import (
    SCHEMA,
    annotators,
    assignments,
    dialogues,
    facts,
    items,
    judgments,
    migrations,
    seen_dialogues,
)

IDENTITY = "secret:identity"
"""The fact that tells a study's database from every other; it moves with it."""
MOVED_TO = "moved-to"
"""The fact that says where a study was moved from here."""
ARRIVING_FROM = "arriving-from"
"""The fact that says that a study is being moved here, and the move is not finished."""


@dataclass(frozen=True, slots=True)
class DatabaseLook:
    """What is in a database."""

    where: str
    """As it may be shown."""
    is_study: bool = False
    """Whether it holds a study, even an empty one."""
    other_tables: tuple[str, ...] = ()
    """Tables of somebody else."""
    annotators: int = 0
    """Links that were made."""
    judgments: int = 0
    identity: str = ""
    moved_to: str = ""
    arriving_from: str = ""

    @property
    def is_used(self) -> bool:
        """Whether somebody would miss it: there are links, and perhaps judgments."""
        return bool(self.annotators or self.judgments) and not self.moved_to and not self.arriving_from


@dataclass(frozen=True, slots=True)
class ContentInUse:
    """What annotators have been handed, by id."""

    items: frozenset[str] = frozenset()
    judged: frozenset[str] = frozenset()
    """Items that were judged."""
    dialogues: frozenset[str] = frozenset()


def look_at(address: str) -> DatabaseLook:
    """What is in a database; for one that is not there, or is empty, nothing.

    Raises:
        StoreOtherSchema: Another version of Duologue made it.
        StoreError: It cannot be reached or read.
    """
    with _looking(address) as (where, connection):
        if connection is None:
            return DatabaseLook(where)
        tables = set(inspect(connection).get_table_names())
        if not tables:
            return DatabaseLook(where)
        if migrations.name not in tables:
            return DatabaseLook(where, other_tables=tuple(sorted(tables)))
        check_schema(connection, where)
        known = {row.key: row.value for row in connection.execute(select(facts))}
        return DatabaseLook(
            where,
            is_study=True,
            annotators=connection.execute(select(func.count()).select_from(annotators)).scalar_one(),
            judgments=connection.execute(select(func.count()).select_from(judgments)).scalar_one(),
            identity=known.get(IDENTITY, ""),
            moved_to=known.get(MOVED_TO, ""),
            arriving_from=known.get(ARRIVING_FROM, ""),
        )


def content_in_use(address: str) -> ContentInUse:
    """Which items and dialogues of a study annotators have been handed; none where it was never served.

    Raises:
        StoreOtherSchema: Another version of Duologue made the database.
        StoreError: It cannot be reached or read.
    """
    with _looking(address) as (where, connection):
        if connection is None or migrations.name not in inspect(connection).get_table_names():
            return ContentInUse()
        check_schema(connection, where)
        handed = select(items.c.id).join(assignments, assignments.c.item == items.c.n).distinct()
        judged = select(items.c.id).join(judgments, judgments.c.item == items.c.n).distinct()
        seen = (
            select(dialogues.c.id).join(seen_dialogues, seen_dialogues.c.dialogue == dialogues.c.n).distinct()
        )
        return ContentInUse(
            frozenset(connection.execute(handed).scalars()),
            frozenset(connection.execute(judged).scalars()),
            frozenset(connection.execute(seen).scalars()),
        )


def check_schema(connection: Connection, where: str) -> None:
    """Refuse a study's database that has another schema than this program's.

    Raises:
        StoreOtherSchema: It has; nothing else of it was read.
    """
    found = int(connection.execute(select(func.max(migrations.c.number))).scalar() or 0)
    if found != SCHEMA:
        raise StoreOtherSchema(where, schema=found, known=SCHEMA)


@contextmanager
def _looking(address: str) -> Iterator[tuple[str, Connection | None]]:
    """A connection for looking, None where there is no database; an SQLite file is not made by it."""
    database = Database(address, clock=utc_now)
    engine = database.engine
    try:
        if database.is_sqlite:
            path = Path(str(make_url(address).database))
            if not path.is_file() or not path.stat().st_size:
                yield database.where, None
                return
            name = f"file:{quote(str(path.resolve()))}?mode=rw"
            engine = create_engine(
                "sqlite://",
                creator=lambda: sqlite3.connect(name, uri=True, timeout=PATIENCE_SECONDS),
                poolclass=NullPool,
            )
        with engine.connect() as connection:
            yield database.where, connection
    except Exception as error:
        ours = translated(error, where=database.where, patience=database.patience)
        if ours is error:
            raise
        raise ours from error
    finally:
        engine.dispose()
        database.close()
