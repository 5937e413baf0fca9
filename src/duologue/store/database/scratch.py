"""A PostgreSQL schema to rehearse in, beside that of the study, and dropped when the rehearsal is over."""

from __future__ import annotations

from contextlib import closing

from sqlalchemy.engine import make_url
from sqlalchemy.schema import DropSchema

from duologue.clock import utc_now
from duologue.errors import StoreError
from duologue.store.database.engine import Database
from duologue.store.database.failures import translated
from duologue.store.database.moving import move_study
from duologue.studies import Study

SCRATCH = "_rehearsal"
"""Ends the name of such a schema; no other is ever dropped."""
_LONGEST = 40
"""Of the whole name: what `study move` keeps of it."""


def scratch_address(address: str) -> str:
    """Where a study is rehearsed that is kept in PostgreSQL; empty for a study in an SQLite file.

    Example:
        >>> scratch_address("postgresql://ada@host/db?study=cats")
        'postgresql://ada@host/db?study=cats_rehearsal'
        >>> scratch_address("sqlite:///study.db")
        ''
    """
    url = make_url(address)
    if url.get_backend_name() != "postgresql":
        return ""
    name = str(url.query.get("study", "duologue"))[: _LONGEST - len(SCRATCH)]
    return url.update_query_dict({"study": name + SCRATCH}).render_as_string(hide_password=False)


def drop_scratch(address: str) -> None:
    """Drop the schema of a rehearsal, if it is there.

    Raises:
        StoreError: It is not one, or the database cannot be used.
    """
    with closing(Database(address, clock=utc_now)) as database:
        if SCRATCH not in database.schema_name:
            raise StoreError(f"{database.where}: this is no rehearsal, and is not dropped.")
        try:
            with database.engine.begin() as connection:
                connection.execute(DropSchema(database.schema_name, cascade=True, if_exists=True))
        except Exception as error:
            ours = translated(error, where=database.where, patience=database.patience)
            if ours is error:
                raise
            raise ours from error


def bring_home(study: Study, file: str = "study.db") -> None:
    """Move what a rehearsal left in its schema into an SQLite file of its folder, and drop the schema."""
    moved = move_study(study, file)
    url = make_url(study.database)
    drop_scratch(
        url.update_query_dict({"study": moved.kept_as.removeprefix("schema ")}).render_as_string(
            hide_password=False
        )
    )
