"""A copy of a study's database, to try something on that must leave the study as it is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from duologue.clock import utc_now
from duologue.store.database.engine import Database
from duologue.store.database.failures import translated
from duologue.store.database.opening import copy_file
from duologue.store.store import Store, open_store


@contextmanager
def trial_store(database: str, copy: Path) -> Iterator[Store]:
    """A store that is a copy of a study's: free to be written to.

    Of an SQLite file all is copied as it was last committed. PostgreSQL is only reached: the copy of it is
    empty.

    Args:
        database: The study's database, as for `open_store`.
        copy: Where the copy is made, an SQLite file.

    Raises:
        StoreError: The database cannot be used.
        MissingExtra: It is PostgreSQL, and its driver is not installed.
    """
    found = Database(database, clock=utc_now)
    try:
        if not found.is_sqlite:
            with found.reading():
                pass
        elif Path(found.where).exists():
            copy_file(Path(found.where), copy)
    except Exception as error:
        ours = translated(error, where=found.where, patience=found.patience)
        if ours is error:
            raise
        raise ours from error
    finally:
        found.close()
    with open_store(f"sqlite:///{copy}") as store:
        yield store
